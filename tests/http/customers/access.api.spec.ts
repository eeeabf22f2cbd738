// Why a customer has access or has not: the explanation over HTTP, at any instant and as it was known at any other.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectRefusal, headOf } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';
import { beginScenario, FIRST } from '../stores/ios/scenario.js';
import { listenForKinds, type SentKinds } from '../support/webhook-messages.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');

describe('the explanation of access', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as } = setUpService({}, clock.runtime);
  let sentKinds: SentKinds;
  before(async () => {
    sentKinds = await listenForKinds(harness, slice);
  });

  const begin = () => beginScenario({ harness, clock, slice, ...slice, sentKinds, bundleId: 'com.example.app' });
  const iso = (ms: number) => new Date(ms).toISOString();
  const explain = (cid: string, query: Record<string, string> = {}) => {
    const text = new URLSearchParams(query).toString();
    return harness.call('GET', `/v1/projects/${slice.projectId}/customers/${cid}/access?${text}`, undefined, as);
  };
  const outline = ({ body }: Awaited<ReturnType<typeof explain>>) => ({
    has: body.has,
    why: body.sources.map((s: { why: string }) => s.why),
    next: body.wouldChange.map((c: { kind: string }) => c.kind),
  });

  it('follows a subscription from its start over a failed renewal to its end', async () => {
    const scenario = begin();
    await scenario.notify(0, 'SUBSCRIBED');
    const { id } = await scenario.customer();
    expect(outline(await explain(id))).to.deep.equal({ has: true, why: ['gives'], next: ['renewal_due'] });
    await scenario.notify(31, 'DID_FAIL_TO_RENEW/GRACE_PERIOD', scenario.inGrace);
    const inGrace = await explain(id);
    expect(outline(inGrace)).to.deep.equal({ has: true, why: ['gives'], next: ['grace_ends'] });
    expect(inGrace.body.sentence).to.include('is in its grace period');
    await scenario.notify(37, 'GRACE_PERIOD_EXPIRED', { renewal: { isInBillingRetryPeriod: true } });
    const over = await explain(id);
    expect(over.body.has).to.equal(false);
    expect(over.body.since).to.equal(iso(scenario.ms(37)));
    expect(over.body.sentence).to.include('No access to pro since');
    expect(over.body.because.map((e: { type: string }) => e.type)).to.include('SubscriptionStarted');
  });

  it('begins with the purchase where the app created the customer after it', async () => {
    const scenario = begin();
    const appUserId = randomUUID();
    clock.set(scenario.ms(3));
    const created = await harness.call('POST', `/v1/subscribers/${appUserId}`, {}, { key: slice.secretKey });
    expect(created.status).to.equal(201);
    await scenario.notify(3, 'SUBSCRIBED', { signed: 0, period: { ...FIRST, appAccountToken: appUserId } });
    const { body } = await explain(appUserId);
    expect([body.has, body.since]).to.deep.equal([true, iso(scenario.ms(0))]);
    expect(body.sentence).to.include('Access to pro since');
    const earlier = await explain(appUserId, { at: iso(scenario.ms(1)) });
    expect([earlier.body.has, earlier.body.since]).to.deep.equal([true, iso(scenario.ms(0))]);
    clock.set(scenario.ms(40));
    const over = await explain(appUserId);
    expect([over.body.has, over.body.since]).to.deep.equal([false, iso(scenario.ms(31))]);
  });

  it('begins with a purchase that is recorded after a grant and began before it', async () => {
    const scenario = begin();
    const appUserId = randomUUID();
    clock.set(scenario.ms(3));
    const grant = { entitlementId: 'pro', duration: 'weekly' };
    const path = `/v1/subscribers/${appUserId}/entitlements`;
    expect((await harness.call('POST', path, grant, { key: slice.secretKey })).status).to.equal(201);
    expect((await explain(appUserId)).body.since).to.equal(iso(scenario.ms(3)));
    await scenario.notify(4, 'SUBSCRIBED', { signed: 0, period: { ...FIRST, appAccountToken: appUserId } });
    expect((await explain(appUserId)).body.since).to.equal(iso(scenario.ms(0)));
  });

  it('agrees with what the customer endpoint shows as of each instant', async () => {
    const scenario = begin();
    await scenario.notify(0, 'SUBSCRIBED');
    await scenario.notify(5, 'DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED', { renewal: { autoRenewStatus: 0 } });
    await scenario.notify(31, 'EXPIRED/VOLUNTARY');
    const { id } = await scenario.customer();
    clock.set(scenario.ms(50));
    for (const day of [1, 6, 30, 31, 40]) {
      const asOf = iso(scenario.ms(day));
      const shown = await harness.call(
        'GET',
        `/v1/projects/${slice.projectId}/customers/${id}?asOf=${asOf}`,
        undefined,
        as,
      );
      const { body } = await explain(id, { asOf });
      expect([body.at, body.asOf, body.has], `on day ${day}`).to.deep.equal([
        asOf,
        asOf,
        shown.body.activeEntitlements.includes('pro'),
      ]);
    }
  });

  it('knows today about then what arrived late, and then only what had arrived', async () => {
    const scenario = begin();
    await scenario.notify(0, 'SUBSCRIBED');
    await scenario.notify(20, 'REFUND', { period: { ...FIRST, revocationDate: scenario.ms(10) }, signed: 10 });
    const { id } = await scenario.customer();
    const [day9, day12] = [iso(scenario.ms(9)), iso(scenario.ms(12))];
    expect((await explain(id, { at: day9 })).body.has).to.equal(true);
    expect(outline(await explain(id, { at: day12 }))).to.deep.equal({ has: false, why: ['refunded'], next: [] });
    expect((await explain(id, { at: day12, asOf: day12 })).body.has).to.equal(true);
    expect((await explain(id, { at: iso(scenario.ms(60)), asOf: day12 })).body.has).to.equal(false);
  });

  it('shows who has a transferred purchase', async () => {
    const scenario = begin();
    await scenario.notify(0, 'SUBSCRIBED');
    const { id, appUserId } = await scenario.customer();
    await harness.call('POST', `/v1/subscribers/${encodeURIComponent(appUserId)}`, { attributes: { a: '1' } }, as);
    clock.set(scenario.ms(1));
    const receipt = { store: 'ios-store', receipt: scenario.receipt(FIRST) };
    const given = await harness.call('POST', '/v1/subscribers/mover-1/receipts', receipt, as);
    expect(given.status).to.equal(200);
    clock.set(scenario.ms(2));
    await harness.call('POST', '/v1/subscribers/mover-2/receipts', receipt, as);
    const { body } = await explain('mover-1');
    expect([body.has, body.sources[0].why]).to.deep.equal([false, 'moved']);
    const taker = await harness.call('GET', `/v1/projects/${slice.projectId}/customers/mover-2`, undefined, as);
    expect(body.sources[0].movedTo).to.equal(taker.body.id);
    expect(id).to.be.a('string');
  });

  it('is refused for what it does not know, and writes nothing', async () => {
    const scenario = begin();
    await scenario.notify(0, 'SUBSCRIBED');
    const { id } = await scenario.customer();
    const head = await headOf(harness);
    expectRefusal(await explain(id, { entitlement: 'gold' }), 400);
    expectRefusal(await explain(id, { at: 'soon' }), 400);
    expectRefusal(await explain(id, { asOf: '2999-01-01T00:00:00.000Z' }), 400);
    expectRefusal(await explain('nobody-here'), 404);
    expect((await explain(id, { entitlement: 'pro' })).body.entitlement.lookupKey).to.equal('pro');
    expect(await headOf(harness)).to.equal(head);
  });
});
