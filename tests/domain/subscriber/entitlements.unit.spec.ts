// Entitlements of a customer and their sources.
import { expect } from 'chai';
import { foldEvents } from '../../../src/domain/decider.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import { customerStatus, entitlementsAt, type EntitlementRules } from '../../../src/domain/subscriber/entitlements.js';
import { explainSources } from '../../../src/domain/subscriber/explain-access.js';
import { subscriberEvents as e, type SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import type { Profile } from '../../../src/domain/subscriber/state/state.js';
import { expired, graceEntered, issueDetected, refunded, retryEntered } from './store-samples.js';
import { coins, customer, day, first, itemCompleted, lifetime, season, started, trial } from './samples.js';

const pro = { entitlementId: 'ent_pro', lookupKey: 'pro' };
const plus = { entitlementId: 'ent_plus', lookupKey: 'plus' };
const catalogue = new Map([
  ['app.monthly', [pro]],
  ['app.item', [pro, plus]],
]);
const rules: EntitlementRules = {
  unlocks: (_, product) => catalogue.get(product) ?? [],
  productIdOf: () => null,
  exists: () => true,
  allowsSandbox: true,
};

function profileOf(...events: readonly SubscriberEvent[]): Profile {
  return foldEvents(subscriberDecider, [customer, ...events]).profile;
}

function entitlementsOn(events: readonly SubscriberEvent[], on: number, by = rules) {
  return entitlementsAt(profileOf(...events), day(on), by).map((h) => [
    h.lookupKey,
    h.isActive,
    h.expiresAt,
    h.source.kind,
  ]);
}

const granted = (to: number | null) => {
  const expiresAt = to === null ? null : day(to);
  const data = {
    ...pro,
    grantId: 'grant_1',
    duration: null,
    startsAt: day(0),
    expiresAt,
    source: 'promotional' as const,
  };
  return e.EntitlementGranted.of(data, { at: day(0) });
};
const refundedItem = refunded({ id: 't1', product: 'app.item', price: 4_990_000 }, 10, {
  isLatest: true,
  accessRevoked: true,
  of: null,
});

describe('an entitlement of two lifetime purchases', () => {
  const boughtOn = (at: number, id: string) => {
    const item = itemCompleted({ ...lifetime, id });
    return { ...item, at: day(at), data: { ...item.data, purchasedAt: day(at) } } as SubscriberEvent;
  };
  const [former, later] = [boughtOn(2, 't2'), boughtOn(5, 't1')];
  for (const [order, events] of [
    ['as they were bought', [former, later]],
    ['the other way round', [later, former]],
  ] as const)
    it(`is held by the one that was bought first, recorded ${order}`, () => {
      const profile = profileOf(...events);
      const sources = explainSources(profile, [], { ...pro, at: day(9) }, rules);
      expect(entitlementsAt(profile, day(9), rules).map(({ source }) => source)).to.deep.equal(
        [1, 2].map(() => ({ kind: 'purchase', owned: profile.owned.find((o) => o.purchasedAt === day(2)) })),
      );
      expect(sources.map(({ id }) => id)).to.deep.equal(['t2', 't1']);
    });
});

describe('an entitlement', () => {
  it('is held by a subscription until its access ends', () => {
    expect(entitlementsOn([started(first)], 30)).to.deep.equal([['pro', true, day(31), 'subscription']]);
    expect(entitlementsOn([started(first)], 31)).to.deep.equal([['pro', false, day(31), 'subscription']]);
  });

  it('is held through grace', () =>
    expect(
      entitlementsOn([started(first), issueDetected(first, 31, 37), graceEntered(first, 31, 37)], 32),
    ).to.deep.equal([['pro', true, day(37), 'subscription']]));

  it('never expires for a non-consumable, nor does any other that it unlocks', () =>
    expect(entitlementsOn([itemCompleted(lifetime)], 4000)).to.deep.equal([
      ['pro', true, null, 'purchase'],
      ['plus', true, null, 'purchase'],
    ]));

  it('is held by a non-renewing subscription until its end', () =>
    expect(entitlementsOn([itemCompleted(season)], 90)[0]).to.deep.equal(['pro', false, day(90), 'purchase']));

  it('is lost with the refund of what held it', () =>
    expect(entitlementsOn([itemCompleted(lifetime), refundedItem], 11)[0]).to.deep.equal([
      'pro',
      false,
      day(10),
      'purchase',
    ]));

  it('is never held by a consumable', () => expect(entitlementsOn([itemCompleted(coins)], 1)).to.deep.equal([]));

  it('is held by a grant until it ends or is taken back', () => {
    const grant = { ...pro, grantId: 'grant_1' };
    const back = e.EntitlementRevoked.of(grant, { at: day(3) });
    expect(entitlementsOn([granted(7)], 6)).to.deep.equal([['pro', true, day(7), 'promotional']]);
    expect(entitlementsOn([granted(7), back], 4)).to.deep.equal([['pro', false, day(3), 'promotional']]);
  });

  it('held several times lasts to the furthest end', () => {
    expect(entitlementsOn([granted(20), started(first)], 1)).to.deep.equal([['pro', true, day(31), 'subscription']]);
    expect(entitlementsOn([started(first), granted(40)], 1)).to.deep.equal([['pro', true, day(40), 'promotional']]);
    expect(entitlementsOn([started(first), granted(null)], 1)).to.deep.equal([['pro', true, null, 'promotional']]);
  });

  it('prefers what is active to what ended', () => {
    const ended = [started(first), expired(first, 31, 'unsubscribe')];
    expect(entitlementsOn([...ended, granted(40)], 32)).to.deep.equal([['pro', true, day(40), 'promotional']]);
  });

  it('is not unlocked by a product outside the catalogue', () =>
    expect(entitlementsOn([started({ ...first, product: 'app.unknown' })], 1)).to.deep.equal([]));
});

describe('a grant', () => {
  it('of an entitlement that was deleted is not shown', () =>
    expect(entitlementsOn([granted(20)], 1, { ...rules, exists: () => false })).to.deep.equal([]));
});

describe('a sandbox purchase', () => {
  const sandbox = started({ ...first, sandbox: true });

  it('unlocks where the project allows it', () => expect(entitlementsOn([sandbox], 1)).to.have.length(1));

  it('unlocks nothing where it does not', () =>
    expect(entitlementsOn([sandbox], 1, { ...rules, allowsSandbox: false })).to.deep.equal([]));

  it('makes no customer active if it unlocks nothing', () =>
    expect(customerStatus(profileOf(sandbox), day(1), { allowsSandbox: false })).to.equal('never'));

  it('never stands in front of one of production that is active too', () => {
    const later = started({ ...first, id: 't9', from: 1, to: 400, sandbox: true }, { startReason: 'resubscribe' });
    expect(entitlementsOn([started(first), later], 2)).to.deep.equal([['pro', true, day(31), 'subscription']]);
    expect(entitlementsOn([started(first), later], 40)).to.deep.equal([['pro', true, day(400), 'subscription']]);
  });
});

describe('the status of a customer', () => {
  const retrying = [started(first), issueDetected(first, 31, null), retryEntered(first, 31, 31)];
  const cases: readonly [string, readonly SubscriberEvent[], number][] = [
    ['never', [], 0],
    ['active', [started(first)], 1],
    ['active', [started({ ...first, type: 'intro' })], 1],
    ['trial', [started(trial)], 1],
    ['grace_period', [started(first), issueDetected(first, 31, 37), graceEntered(first, 31, 37)], 32],
    ['billing_retry', retrying, 32],
    ['expired', [started(first)], 32],
  ];
  for (const [status, events, on] of cases) {
    it(`is ${status} with ${events.length} events on day ${on}`, () =>
      expect(customerStatus(profileOf(...events), day(on), rules)).to.equal(status));
  }

  it('is the best of several', () => {
    const again = started({ ...first, id: 't9', from: 40, to: 71 }, { startReason: 'resubscribe' });
    expect(customerStatus(profileOf(...retrying, again), day(45), rules)).to.equal('active');
  });
});
