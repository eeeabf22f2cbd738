// Lists of customers narrowed by what they bought, where they are from and how they stand.
import { expect } from 'chai';
import { registerSubscriber } from '../../../src/commands/subscribers/subscribers.js';
import { BUNDLE_ID, MONTHLY, setUpProject, store, type Slice } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;
const iso = (days: number) => new Date(NOW + days * DAY_MS).toISOString();

describe('lists of customers', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as } = setUpService({}, clock.runtime);
  let other: Slice;
  let path: string;
  let gemId: string;
  let transactions = 0;
  before(async () => {
    other = await setUpProject(harness);
    path = `/v1/projects/${slice.projectId}/customers`;
    const gem = { appId: slice.appId, storeProductId: 'gem', displayName: 'Gem', type: 'consumable' };
    gemId = (await harness.call('POST', `/v1/projects/${slice.projectId}/products`, gem, as)).body.id;
    await make('visitor', { country: 'DE' });
    clock.set(NOW + DAY_MS);
    await buy('payer', { days: 30 });
    await buy('tester', { days: 30, environment: 'Sandbox' });
    await buy('trier', { days: 3, offerType: 1, offerDiscountType: 'FREE_TRIAL', price: 0 });
    clock.set(NOW + 2 * DAY_MS);
    await buy('collector', { productId: 'gem', type: 'Consumable', expiresDate: undefined });
    await make('friend', { country: 'FR' });
    const grant = { entitlementId: 'pro', duration: 'lifetime' };
    await harness.call('POST', '/v1/subscribers/friend/entitlements', grant, as);
  });

  const make = (who: string, body: object = {}) => harness.call('POST', `/v1/subscribers/${who}`, body, as);
  const buy = async (who: string, { days = 0, environment = 'Production', ...fields }: Record<string, unknown>) => {
    const transaction = {
      transactionId: String(8_000_000 + ++transactions),
      productId: MONTHLY,
      purchaseDate: clock.now(),
      expiresDate: clock.now() + Number(days) * DAY_MS,
      price: 9990,
      bundleId: BUNDLE_ID,
      environment: String(environment),
      ...fields,
    };
    const receipt = store.signedTransaction(transaction as unknown as Parameters<typeof store.signedTransaction>[0]);
    const { status, body } = await harness.call(
      'POST',
      `/v1/subscribers/${who}/receipts`,
      { store: 'ios-store', receipt },
      as,
    );
    expect(status, JSON.stringify(body)).to.equal(200);
  };
  const listed = async (query: string) => {
    const { status, body } = await harness.call('GET', `${path}?${query}`, undefined, as);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.items.map((c: { appUserId: string }) => c.appUserId).sort();
  };

  const cases: readonly [query: () => string, who: readonly string[]][] = [
    [() => 'status=active', ['payer', 'tester']],
    [() => 'status=trial', ['trier']],
    [() => 'status=never', ['collector', 'friend', 'visitor']],
    [() => 'status=expired', []],
    [() => 'entitlement=pro', ['friend', 'payer', 'tester', 'trier']],
    [() => `entitlement=${slice.entitlementId}&status=trial`, ['trier']],
    [() => `productId=${slice.productId}`, ['payer', 'tester', 'trier']],
    [() => `productId=${gemId}`, ['collector']],
    [() => `productId=${gemId}&environment=sandbox`, []],
    [() => 'environment=sandbox', ['tester']],
    [() => 'environment=production', ['collector', 'payer', 'trier']],
    [() => 'store=ios-store', ['collector', 'payer', 'tester', 'trier']],
    [() => 'store=android-store', []],
    [() => 'country=DE', ['visitor']],
    [() => `createdAfter=${iso(1)}`, ['collector', 'friend', 'payer', 'tester', 'trier']],
    [() => `createdBefore=${iso(1)}`, ['visitor']],
    [() => `createdAfter=${iso(1)}&createdBefore=${iso(2)}`, ['payer', 'tester', 'trier']],
    [() => 'search=t&status=trial', ['trier']],
    [() => 'search=payer&status=trial', []],
    [() => `search=t&createdBefore=${iso(1)}`, []],
  ];
  for (const [query, who] of cases) {
    it(`by ${query.toString().slice(6)}`, async () => expect(await listed(query())).to.deep.equal(who));
  }

  it('judge access and status at the instant of the question', async () => {
    clock.set(NOW + 5 * DAY_MS);
    expect(await listed('status=expired')).to.deep.equal(['trier']);
    expect(await listed('entitlement=pro')).to.deep.equal(['friend', 'payer', 'tester']);
    clock.set(NOW + 2 * DAY_MS);
  });

  it('keep their filters in the address of the next page', async () => {
    const { body } = await harness.call('GET', `${path}?environment=production&limit=1`, undefined, as);
    expect(body.nextPage).to.include('environment=production').and.to.include('limit=1');
    expect(await walk(harness, `${path}?environment=production&limit=1`, as)).to.have.length(3);
  });

  for (const query of [
    ...['status=gone', 'store=x', 'country=de', 'environment=x', 'createdAfter=now', 'colour=red', 'productId=prod_x'],
    ...['entitlement=nothing', `createdAfter=${iso(2)}&createdBefore=${iso(1)}`, 'status=active&status=trial'],
  ]) {
    it(`are refused for ${query}`, async () =>
      expectRefusal(await harness.call('GET', `${path}?${query}`, undefined, as), 400));
  }

  it('know no product of another project', async () =>
    expectRefusal(await harness.call('GET', `${path}?productId=${other.productId}`, undefined, as), 400));

  it('scan a limited number of customers per page, and miss none', async () => {
    const { deps } = harness.service().services;
    const crowd = `/v1/projects/${other.projectId}/customers`;
    const by = { actor: { kind: 'system' as const, id: 'tests' }, requestId: 'req_crowd' };
    const register = (i: number) =>
      registerSubscriber(deps, by, other.projectId, `crowd-${i}`, {
        source: 'api',
        country: i % 1500 === 7 ? 'NZ' : 'AU',
      });
    await Promise.all(Array.from({ length: 4100 }, (_, i) => register(i)));
    await harness.service().idle();
    for (const [search, expectedPages] of [
      ['', 1],
      ['&sort=lastSeenAt', 3],
      ['&search=crowd-', 3],
    ] as const) {
      const pages: number[] = [];
      let next: string | null = `${crowd}?country=NZ&limit=10${search}`;
      for (; next !== null;) {
        const { body } = await harness.call('GET', next, undefined, { key: other.secretKey });
        pages.push(body.items.length);
        next = body.nextPage;
      }
      expect(pages, `pages${search}`).to.have.length(expectedPages);
      expect(
        pages.reduce((a, b) => a + b, 0),
        'customers',
      ).to.equal(3);
    }
  }).timeout(300_000);
});
