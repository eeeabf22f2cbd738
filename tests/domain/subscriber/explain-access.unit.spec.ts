// The explanation of access agrees with the access itself. `PURCHASE_LINES` sets how many purchase lines are tried (300), `SEED` which.
import { expect } from 'chai';
import fc from 'fast-check';
import { translateIosNotification } from '../../../src/commands/stores/ios/translator/translator.js';
import { updatesOf } from '../../../src/commands/subscribers/purchase-lines.js';
import { decideAll } from '../../../src/domain/decider.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import { entitlementsAt, type EntitlementRules } from '../../../src/domain/subscriber/entitlements.js';
import { accessEndOf, describeAccess, explainSources } from '../../../src/domain/subscriber/explain-access.js';
import { noProfile, noSubscriber, type Profile } from '../../../src/domain/subscriber/state/state.js';
import { isoFromMs } from '../../../src/domain/time.js';
import { chainPlans, notificationsOf } from '../../commands/stores/ios/random-chain.js';
import { contextOf, DAY_MS, dayMs } from '../../commands/stores/ios/samples.js';

const RUNS = {
  numRuns: Number(process.env['PURCHASE_LINES'] ?? 300),
  seed: Number(process.env['SEED'] ?? 7),
};
const INSTANTS = 35;
const pro = { entitlementId: 'ent_pro', lookupKey: 'pro' };

const rules: EntitlementRules = {
  unlocks: (_, storeProductId) => (storeProductId === 'app.monthly' ? [pro] : []),
  productIdOf: () => null,
  exists: () => true,
  allowsSandbox: true,
};

/** The state after each notification. */
function* profilesOf(notifications: ReturnType<typeof notificationsOf>): Generator<Profile> {
  let state = noSubscriber;
  const introduce = { kind: 'registerCustomer' as const, appUserId: 'ann', source: 'store' as const };
  for (const notification of notifications) {
    const translated = translateIosNotification(notification, contextOf());
    const updates = updatesOf(translated?.commands ?? []);
    const storeChainId = translated?.storeChainId ?? '';
    const commands = [introduce, { kind: 'recordStoreUpdates' as const, storeChainId, updates }];
    state = decideAll(subscriberDecider, commands, state).reduce(subscriberDecider.evolve, state);
    yield state.profile;
  }
}

describe(`the explanation of access (${RUNS.numRuns} purchase lines, seed ${RUNS.seed})`, function () {
  this.timeout(120_000);

  it('has the entitlement exactly when the customer has it, with the same end, at any instant', () => {
    const asked = fc.record({
      plan: chainPlans(),
      days: fc.array(fc.double({ min: 0, max: 700, noNaN: true }), { minLength: INSTANTS, maxLength: INSTANTS }),
    });
    fc.assert(
      fc.property(asked, ({ plan, days }) => {
        const profiles = [...profilesOf(notificationsOf(plan))];
        for (const [i, day] of days.entries()) {
          const profile = profiles[i % profiles.length] ?? noProfile;
          const at = isoFromMs(Math.round(dayMs(0) + day * DAY_MS));
          const held = entitlementsAt(profile, at, rules).find((h) => h.isActive);
          const sources = explainSources(profile, [], { ...pro, at }, rules);
          expect(sources.some((s) => s.counts)).to.equal(held !== undefined);
          expect(accessEndOf(sources)).to.equal(held?.expiresAt ?? null);
          expect(sources.map((s) => s.why === 'gives')).to.deep.equal(sources.map((s) => s.counts));
        }
      }),
      RUNS,
    );
  });
});

describe('the sources of access', () => {
  const at = '2026-06-01T00:00:00.000Z';
  const grant = { grantId: 'grant_1', ...pro, startsAt: '2026-05-01T00:00:00.000Z', expiresAt: null, endedAt: null };
  const sources = (profile: Partial<Profile>, allowed: Partial<EntitlementRules> = {}) =>
    explainSources({ ...noProfile, ...profile }, [], { ...pro, at }, { ...rules, ...allowed });
  const purchase = {
    store: 'android-store' as const,
    appId: 'app_1',
    environment: 'sandbox' as const,
    productId: null,
    storeProductId: 'app.monthly',
    transactionId: 'GPA.1',
    originalTransactionId: 'GPA.1',
    storeChainId: 'chain',
    ownership: 'purchased' as const,
    quantity: 1,
    offeringId: null,
    country: null,
    placementId: null,
  };
  const owned = {
    purchase,
    productType: 'non_consumable' as const,
    purchasedAt: '2026-05-02T00:00:00.000Z',
    expiresAt: null,
    refundedAt: null,
    revokedAt: null,
  };

  it('say that nothing gives it when nothing was bought or granted', () => {
    expect(describeAccess(sources({}), { ...pro, at }, null)).to.equal(
      'No access to pro: no purchase or grant unlocks it.',
    );
  });

  it('give it permanently by a grant without an end', () => {
    const found = sources({ grants: [grant] });
    expect(found.map(({ why, counts, until }) => ({ why, counts, until }))).to.deep.equal([
      { why: 'gives', counts: true, until: null },
    ]);
    expect(describeAccess(found, { ...pro, at }, grant.startsAt)).to.equal(
      'Access to pro since 1 May 2026 00:00 UTC with no end date: the grant of 1 May 2026 00:00 UTC has no end date.',
    );
  });

  it('distinguish a grant that was taken back from one that ended', () => {
    const end = '2026-05-20T00:00:00.000Z';
    const [revoked] = sources({ grants: [{ ...grant, endedAt: end }] });
    const [expired] = sources({ grants: [{ ...grant, expiresAt: end, endedAt: end }] });
    expect([revoked?.why, expired?.why]).to.deep.equal(['revoked', 'expired']);
  });

  it('name a sandbox purchase where the sandbox gives no access', () => {
    expect(sources({ owned: [owned] }, { allowsSandbox: false }).map((s) => s.why)).to.deep.equal([
      'sandbox_not_allowed',
    ]);
  });

  it('name a product that is not attached, after what could give the entitlement', () => {
    const other = { ...owned, purchase: { ...purchase, storeProductId: 'app.coins' } };
    const refunded = { ...owned, refundedAt: '2026-05-03T00:00:00.000Z' };
    expect(sources({ owned: [other, refunded] }).map((s) => s.why)).to.deep.equal(['refunded', 'product_not_attached']);
  });
});
