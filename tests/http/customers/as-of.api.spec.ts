// A customer as it was known at an instant: events recorded later, also about earlier times, are not in it.
import { expect } from 'chai';
import { expectRefusal, headOf } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';
import { beginScenario, FIRST } from '../stores/ios/scenario.js';
import { listenForKinds, type SentKinds } from '../support/webhook-messages.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;

describe('a customer as of an instant', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as } = setUpService({}, clock.runtime);
  let sentKinds: SentKinds;
  let path: string;
  before(async () => {
    path = `/v1/projects/${slice.projectId}/customers`;
    clock.set(NOW + DAY_MS);
    sentKinds = await listenForKinds(harness, slice);
  });

  const iso = (ms: number) => new Date(ms).toISOString();
  const get = (cid: string, asOf?: string) =>
    harness.call('GET', `${path}/${cid}${asOf === undefined ? '' : `?asOf=${asOf}`}`, undefined, as);
  const subscriber = (who: string, asOf?: string, key = slice.secretKey) =>
    harness.call('GET', `/v1/subscribers/${who}${asOf === undefined ? '' : `?asOf=${asOf}`}`, undefined, { key });
  const begin = () => beginScenario({ harness, clock, slice, ...slice, sentKinds, bundleId: 'com.example.app' });

  it('has a timeline that ends then', async () => {
    await harness.call('POST', '/v1/subscribers/tim', { attributes: { a: '1' } }, as);
    const then = iso(clock.now());
    clock.set(clock.now() + 1000);
    await harness.call('POST', '/v1/subscribers/tim', { attributes: { a: '2' } }, as);
    await harness.service().idle();
    const read = async (query: string) => (await get(`tim/timeline${query}`)).body;
    const [all, early] = [await read('?order=oldest'), await read(`?order=oldest&asOf=${then}`)];
    expect(early.items.length).to.be.within(1, all.items.length - 1);
    expect(all.items.slice(0, early.items.length)).to.deep.equal(early.items);
    expect((await read(`?limit=1&asOf=${then}`)).nextPage).to.include('asOf=');
    expectRefusal(await get('nobody/timeline', then), 404);
  });

  it('is what was shown then, at each step of a subscription', async () => {
    const scenario = begin();
    const seen: { at: string; customer: object; subscriber: object }[] = [];
    const look = async () => {
      clock.set(clock.now() + 1000);
      await subscriber('ann');
      await harness.service().idle();
      const at = iso(clock.now());
      seen.push({ at, customer: (await get('ann')).body, subscriber: (await subscriber('ann')).body });
      clock.set(clock.now() + 1000);
    };
    await look();
    await harness.call('POST', '/v1/subscribers/ann', { attributes: { $email: 'ann@example.com' }, country: 'DE' }, as);
    await look();
    await scenario.notify(0.1, 'SUBSCRIBED');
    const receipt = { store: 'ios-store', receipt: scenario.receipt(FIRST) };
    await harness.call('POST', '/v1/subscribers/ann/receipts', receipt, as);
    await look();
    const grant = { entitlementId: 'pro', duration: 'yearly' };
    clock.set(scenario.ms(5));
    await harness.call('POST', '/v1/subscribers/ann/entitlements', grant, as);
    await look();
    await scenario.notify(31, 'DID_RENEW', { period: { n: 2, from: 31, to: 61 } });
    await look();
    await scenario.notify(40, 'REFUND', { period: { n: 2, from: 31, to: 61, revocationDate: scenario.ms(39) } });
    await look();
    for (const { at, customer, subscriber: shown } of seen) {
      expect((await get('ann', at)).body, at).to.deep.equal(customer);
      expect((await subscriber('ann', at)).body, at).to.deep.equal(shown);
    }
    expect(seen).to.have.length(6);
  });

  it('leaves out what was received later about earlier times', async () => {
    const scenario = begin();
    await scenario.notify(0, 'SUBSCRIBED');
    const { id } = await scenario.customer();
    await scenario.notify(12, 'REFUND', { period: { ...FIRST, revocationDate: scenario.ms(10) }, signed: 10 });
    expect((await get(id)).body.status).to.equal('expired');
    expect((await get(id, iso(scenario.ms(11)))).body.status).to.equal('active');
  });

  it('stands for itself before it was merged, and has its purchases until they moved', async () => {
    const scenario = begin();
    await scenario.notify(0, 'SUBSCRIBED');
    const { id, appUserId } = await scenario.customer();
    const before = iso(clock.now());
    clock.set(scenario.ms(1));
    const receipt = { store: 'ios-store', receipt: scenario.receipt(FIRST) };
    await harness.call('POST', '/v1/subscribers/ben/receipts', receipt, as);
    clock.set(scenario.ms(2));
    const then = (await get(id, before)).body;
    expect([then.id, then.appUserId, then.subscriptions.length]).to.deep.equal([id, appUserId, 1]);
    const now = (await get(id, iso(scenario.ms(2)))).body;
    expect([now.appUserId, now.subscriptions[0].transactions.length]).to.deep.equal(['ben', 1]);
    expectRefusal(await get('ben', before), 404);
  });

  it('has the entitlements of the catalogue of then', async () => {
    const scenario = begin();
    await harness.call(
      'POST',
      '/v1/subscribers/cleo/receipts',
      { store: 'ios-store', receipt: scenario.receipt(FIRST) },
      as,
    );
    clock.set(scenario.ms(1));
    const attached = `/v1/projects/${slice.projectId}/entitlements/pro/products`;
    await harness.call('DELETE', attached, { productIds: [slice.productId] }, as);
    expect((await get('cleo')).body.activeEntitlements).to.deep.equal([]);
    expect((await get('cleo', iso(scenario.ms(0.5)))).body.activeEntitlements).to.deep.equal(['pro']);
    await harness.call('POST', attached, { productIds: [slice.productId] }, as);
  });

  it('is not found before it was known, and is not created by reading', async () => {
    const head = await headOf(harness);
    expectRefusal(await get('stranger', iso(clock.now())), 404);
    expectRefusal(await subscriber('stranger', iso(clock.now())), 404);
    expect(await headOf(harness)).to.equal(head);
    clock.set(clock.now() + DAY_MS);
    await subscriber('stranger');
    expectRefusal(await subscriber('stranger', iso(clock.now() - 1)), 404);
  });

  it('shows public keys no more than at other times', async () => {
    const { body } = await subscriber('ann', iso(clock.now()), slice.publicKey);
    expect(body.subscriber).not.to.have.property('attributes');
  });

  for (const asOf of ['soon', '2999-01-01T00:00:00.000Z', iso(NOW - DAY_MS), '2026-11-20']) {
    it(`is refused for ${asOf}`, async () => {
      expectRefusal(await get('ann', asOf), 400);
      expectRefusal(await subscriber('ann', asOf), 400);
    });
  }
});
