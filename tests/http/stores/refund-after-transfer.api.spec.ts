// A purchase changes hands and is refunded afterwards: the money is that of the customer who paid, access that of whoever holds it.
import { expect } from 'chai';
import { deliveryBodyCollection } from '../../../src/commands/webhooks/deliveries.js';
import { BUNDLE_ID, MONTHLY, notification, setUpProject, store } from '../support/harness.js';
import type { Slice } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpHarness } from '../support/setup.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const ANON = '$anon:7e3fb20b-4cdb-47cc-936d-99d65f608138';
const PRICE = 9.99;

type Hands = {
  readonly name: string;
  readonly through: readonly string[];
  readonly payer: string;
  readonly holder: string;
};
const HANDS: readonly Hands[] = [
  { name: 'to another', through: ['ann', 'ben'], payer: 'ann', holder: 'ben' },
  { name: 'to another and on to a third', through: ['ann', 'ben', 'cleo'], payer: 'ann', holder: 'cleo' },
  { name: 'to another and back', through: ['ann', 'ben', 'ann'], payer: 'ann', holder: 'ann' },
  { name: 'to an anonymous one who is merged', through: ['ann', ANON, 'ben'], payer: 'ann', holder: 'ben' },
  { name: 'to an anonymous one who becomes its payer', through: ['ann', ANON, 'ann'], payer: 'ann', holder: 'ann' },
  { name: 'from an anonymous one by merging', through: [ANON, 'ben'], payer: 'ben', holder: 'ben' },
];

describe('a refund after a transfer', () => {
  const clock = createManualClock(NOW);
  const harness = setUpHarness({}, clock.runtime);
  beforeEach(() => clock.set(NOW));

  async function scenario({ through }: Pick<Hands, 'through'>, type: 'Auto-Renewable Subscription' | 'Non-Consumable') {
    const slice = await setUpProject(harness);
    const base = `/v1/projects/${slice.projectId}`;
    const as = { key: slice.secretKey };
    const call = async (method: string, path: string, body?: object) => {
      const response = await harness.call(method, path, body, as);
      expect(response.status, `${method} ${path} ${JSON.stringify(response.body)}`).to.be.within(200, 201);
      return response.body;
    };
    await call('POST', `${base}/webhooks`, { url: 'https://hooks.example.com/all', enabled: false });
    const isForEver = type === 'Non-Consumable';
    const bought = {
      ...{ transactionId: '7000001', originalTransactionId: '7000001', productId: MONTHLY, type, price: 9990 },
      ...{ purchaseDate: NOW - 5 * DAY_MS, ...(!isForEver && { expiresDate: NOW + 25 * DAY_MS }) },
    };
    const receipt = store.signedTransaction({ ...bought, bundleId: BUNDLE_ID, environment: 'Production' });
    for (const who of through) await call('POST', `/v1/subscribers/${who}/receipts`, { store: 'ios-store', receipt });
    const notify = async (notificationType: string, more: object) => {
      const signedDate = clock.now();
      const transaction = { ...bought, signedDate, ...more };
      await call('POST', slice.notificationPath, notification({ notificationType, transaction, signedDate }));
      await harness.service().idle();
    };
    const customer = (who: string) => call('GET', `${base}/customers/${encodeURIComponent(who)}`);
    const timeline = async (who: string) =>
      (await call('GET', `${base}/customers/${encodeURIComponent(who)}/timeline?order=oldest`)).items;
    const chart = async (id: string) => {
      const period = 'startDate=2026-11-01&endDate=2026-12-31&interval=year';
      return (await call('GET', `${base}/metrics/charts/${id}?${period}`)).buckets[0].values;
    };
    return { slice, notify, customer, timeline, chart, messages: () => messagesOf(slice) };
  }

  async function messagesOf({ projectId }: Slice) {
    const { docs } = harness.service().services.deps;
    const { rows } = await docs.scan(deliveryBodyCollection.name, { index: 'id', eq: [], limit: 5000 });
    const all = rows.map(({ doc }) => JSON.parse(String(doc['text'])).event);
    return all.filter((event) => event.projectId === projectId);
  }

  for (const hands of HANDS) {
    const { name, payer, holder } = hands;
    it(`${name} takes the money from who paid and the access from who holds it`, async () => {
      const { notify, customer, timeline, chart, messages } = await scenario(hands, 'Auto-Renewable Subscription');
      const spent = async (who: string) => (await customer(who)).totalSpentUsd;
      expect(await spent(payer)).to.equal(PRICE);
      clock.set(NOW + DAY_MS);
      await notify('REFUND', { revocationDate: clock.now() });
      expect(await spent(payer)).to.equal(0);
      expect(await spent(holder)).to.equal(0);
      expect((await customer(holder)).activeEntitlements).to.deep.equal([]);
      expect((await timeline(payer)).map((e: { type: string }) => e.type)).to.include('TransactionRefunded');
      expect(await chart('revenue')).to.include({ revenue: 0, gross_revenue: PRICE, refunds: PRICE });
      expect(await chart('refund_rate')).to.include({ transactions: 1, refunded_transactions: 1 });
      expect(await chart('ltv_per_customer')).to.include({ realized_ltv: 0 });
      expect(await chart('churn')).to.include({ churned_actives: 1 });
      const sent = await messages();
      const total = (about: string) =>
        sent.reduce((sum, { appUserId, price = 0 }) => sum + (appUserId === about ? price : 0), 0);
      if (!hands.through.includes(ANON)) expect(total(payer)).to.be.closeTo(0, 1e-9);
      expect(sent.reduce((sum, { price = 0 }) => sum + price, 0)).to.be.closeTo(0, 1e-9);
      if (holder !== payer) expect(total(holder)).to.equal(0);
      const closed = sent.filter((e) => e.type === 'ENTITLEMENT_CHANGED' && e.eventTimestampMs === clock.now());
      expect(closed.map((e) => [e.appUserId, e.removed])).to.deep.equal([[holder, ['pro']]]);
      clock.set(NOW + 2 * DAY_MS);
      await notify('REFUND_REVERSED', {});
      expect(await spent(payer)).to.equal(PRICE);
      if (holder !== payer) expect(await spent(holder)).to.equal(0);
      expect((await customer(holder)).activeEntitlements).to.deep.equal(['pro']);
      expect(await chart('revenue')).to.include({ revenue: PRICE });
      expect(await chart('refund_rate')).to.include({ refunded_transactions: 0 });
      for (const who of new Set([payer, holder])) {
        const refunds = (await timeline(who)).filter((e: { type: string }) => e.type === 'TransactionRefunded');
        expect(refunds, `sent to ${who}`).to.have.length(1);
      }
    });
  }

  it('of a lifetime purchase subtracts the money from the paying customer', async () => {
    const { notify, customer, chart } = await scenario({ through: ['ann', 'ben'] }, 'Non-Consumable');
    await notify('REFUND', { revocationDate: clock.now() });
    for (const who of ['ann', 'ben']) expect((await customer(who)).totalSpentUsd, who).to.equal(0);
    expect((await customer('ben')).activeEntitlements).to.deep.equal([]);
    expect(await chart('revenue')).to.include({ revenue: 0 });
  });

  it('leaves what the new holder paid since', async () => {
    const { notify, customer, chart } = await scenario({ through: ['ann', 'ben'] }, 'Auto-Renewable Subscription');
    clock.set(NOW + 25 * DAY_MS);
    const dates = { purchaseDate: clock.now(), expiresDate: clock.now() + 30 * DAY_MS };
    await notify('DID_RENEW', { transactionId: '7000002', transactionReason: 'RENEWAL', ...dates });
    clock.set(NOW + 26 * DAY_MS);
    await notify('REFUND', { revocationDate: clock.now() });
    expect((await customer('ann')).totalSpentUsd).to.equal(0);
    expect(await customer('ben')).to.deep.include({ totalSpentUsd: PRICE, activeEntitlements: ['pro'] });
    expect(await chart('revenue')).to.include({ revenue: PRICE });
  });

  it('finds a former owner as `transferred`, not as one who never bought', async () => {
    const { slice, customer } = await scenario({ through: ['ann', 'ben'] }, 'Auto-Renewable Subscription');
    expect(await customer('ann')).to.include({ status: 'transferred', totalSpentUsd: PRICE });
    expect(await customer('ben')).to.include({ status: 'active', totalSpentUsd: 0 });
    const listed = async (status: string) => {
      const path = `/v1/projects/${slice.projectId}/customers?status=${status}`;
      const { body } = await harness.call('GET', path, undefined, { key: slice.secretKey });
      return body.items.map((c: { appUserId: string }) => c.appUserId);
    };
    expect(await listed('transferred')).to.deep.equal(['ann']);
    expect(await listed('never')).to.deep.equal([]);
  });
});
