// Settled amounts in the charts of lifetime value: money counts on the day on which the customer who paid was first seen.
import { expect } from 'chai';
import { writeFinanceDetail, type FinanceRow } from '#simulator/store-reports.js';
import type { TransactionFields } from '../../../simulator/ios-store/payloads.js';
import { BUNDLE_ID, MONTHLY, notification, setUpProject, store } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

const DAY_MS = 86_400_000;
const ANON = '$anon:7e3fb20b-4cdb-47cc-936d-99d65f608138';
const october = { startDate: '2026-09-27', endDate: '2026-10-31' };
const november = { startDate: '2026-11-01', endDate: '2026-11-28' };

type Buckets = { readonly start: string; readonly values: Record<string, number> }[];

describe('the charts of lifetime value', () => {
  const clock = createManualClock(Date.parse('2026-10-04T18:00:00.000Z'));
  const { harness, slice, as } = setUpService({}, clock.runtime);

  const call = async (method: string, path: string, body?: object) => {
    const response = await harness.call(method, path, body, as);
    expect(response.status, `${method} ${path} ${JSON.stringify(response.body)}`).to.be.within(200, 201);
    return response.body;
  };
  const transaction = (id: string, line: string, day: string) => {
    const purchaseDate = Date.parse(`${day}T18:00:00Z`);
    const place = { productId: MONTHLY, price: 9990, storefront: 'USA', currency: 'USD', quantity: 1 };
    const times = { purchaseDate, expiresDate: purchaseDate + 30 * DAY_MS };
    const type = 'Auto-Renewable Subscription' as const;
    return { transactionId: id, originalTransactionId: line, type, ...place, ...times };
  };
  const buy = async (who: string, id: string, day: string) => {
    clock.set(Date.parse(`${day}T18:00:01Z`));
    const signed = { ...transaction(id, id, day), bundleId: BUNDLE_ID, environment: 'Production' as const };
    await call('POST', `/v1/subscribers/${who}/receipts`, {
      store: 'ios-store',
      receipt: store.signedTransaction(signed),
    });
  };
  const notify = async (notificationType: string, day: string, of: TransactionFields) => {
    const signedDate = Date.parse(`${day}T18:00:02Z`);
    clock.set(signedDate);
    await call('POST', slice.notificationPath, notification({ notificationType, transaction: of, signedDate }));
    await harness.service().idle();
  };
  const report = async (rows: readonly Partial<FinanceRow>[], period: typeof october) => {
    const lines = rows.map((row): FinanceRow => {
      const { day = '', quantity = 1, share = '' } = row;
      const extendedShare = (Number(share) * quantity).toFixed(2);
      const place = { sku: MONTHLY, country: 'US', price: '9.99', currency: 'USD', shareCurrency: 'USD' };
      return { ...place, day, settledOn: day, quantity, share, extendedShare, isReturn: false, ...row };
    });
    const path = `/v1/projects/${slice.projectId}/books/reports?fileName=a.txt&account=1`;
    const added = await fetch(`${harness.service().url ?? ''}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': as.key },
      body: writeFinanceDetail(lines, period),
    });
    expect(added.status, await added.text()).to.equal(201);
    await harness.service().idle();
  };
  const chart = (id: string, more = '', interval = 'day') => {
    const query = `startDate=2026-09-01&endDate=2026-11-30&interval=${interval}${more}`;
    return call('GET', `/v1/projects/${slice.projectId}/metrics/charts/${id}?${query}`);
  };
  const value = (body: { buckets: Buckets }) =>
    Object.fromEntries(
      body.buckets.flatMap(({ start, values }) =>
        values['realized_ltv'] === 0 ? [] : [[start.slice(0, 10), values['realized_ltv']]],
      ),
    );

  /**
   * Ann pays on 4 October and 3 November, and her purchase is Eve's from 15 October on. Bob pays on 4 October, and gets it back on the 20th. An
   * anonymous customer pays on 9 October and becomes Cyd, who was first seen on the 6th.
   */
  before(async () => {
    const ann = transaction('500', '500', '2026-10-04');
    await buy('ann', '500', '2026-10-04');
    await buy('bob', '501', '2026-10-04');
    clock.set(Date.parse('2026-10-06T18:00:00Z'));
    await call('GET', '/v1/subscribers/cyd');
    await buy(ANON, '502', '2026-10-09');
    await buy('cyd', '502', '2026-10-09');
    clock.set(Date.parse('2026-10-15T18:00:00Z'));
    await call('GET', '/v1/subscribers/eve');
    await harness.service().idle();
    const move = { transactionId: '500', reason: 'The buyer logged in with the wrong account.' };
    await call('POST', `/v1/projects/${slice.projectId}/customers/eve/purchases/transfer`, move);
    const revocation = { revocationDate: Date.parse('2026-10-20T18:00:00Z'), revocationReason: 0 as const };
    await notify('REFUND', '2026-10-20', { ...transaction('501', '501', '2026-10-04'), ...revocation });
    await notify('DID_RENEW', '2026-11-03', { ...ann, ...transaction('503', '500', '2026-11-03') });
    clock.set(Date.parse('2026-11-30T10:00:00Z'));
  });

  it('have estimates alone without a report', async () => {
    const body = await chart('ltv_per_customer', '&revenueType=proceeds');
    expect(body).not.to.have.any.keys('proceedsBasis', 'settledShare');
    expect(value(body)).to.deep.equal({ '2026-10-04': 6.99, '2026-10-06': 6.99, '2026-10-15': 6.99 });
  });

  it('have what the reports settled where they have a charge or refund, by the customer who paid', async () => {
    // The charges of 4 October are paid with 8.49 each, and the refund takes 8.40 back; that of 9 October is in no report.
    const refund = { day: '2026-10-20', share: '8.40', isReturn: true };
    await report([{ day: '2026-10-04', quantity: 2, share: '8.49' }, refund], october);
    const body = await chart('ltv_per_customer', '&revenueType=proceeds');
    expect(body.proceedsBasis).to.equal('settled');
    expect(value(body)).to.deep.equal({ '2026-10-04': 8.58, '2026-10-06': 6.99, '2026-10-15': 6.99 });
    const shares = body.buckets.flatMap(({ start }: Buckets[number], i: number) =>
      body.settledShare.buckets[i] === null ? [] : [`${start.slice(0, 10)} ${body.settledShare.buckets[i]}`],
    );
    expect(shares).to.deep.equal(['2026-10-04 1', '2026-10-06 0', '2026-10-15 0']);
    expect(body.settledShare.total).to.equal(0.5);
    expect(body.summary.realized_ltv.total).to.equal(22.57);

    await report([{ day: '2026-11-03', share: '7.99' }], november);
    const later = await chart('ltv_per_customer', '&revenueType=proceeds');
    expect(value(later)).to.deep.equal({ '2026-10-04': 8.58, '2026-10-06': 6.99, '2026-10-15': 7.99 });
    expect(later.settledShare.total).to.equal(0.75);
  });

  it('have the same in longer buckets, and per paying customer', async () => {
    const month = await chart('ltv_per_customer', '&revenueType=proceeds', 'month');
    expect(value(month)).to.deep.equal({ '2026-10-01': 23.56 });
    const paying = await chart('ltv_per_paying_customer', '&revenueType=proceeds', 'month');
    expect(value(paying)).to.deep.equal({ '2026-10-01': 23.56 });
    expect(paying.settledShare).to.deep.equal({ total: 0.75, buckets: [null, 0.75, null] });
  });

  it('have the money of the lifetime alone', async () => {
    // Within ten days the refund of the sixteenth day and the renewal do not count.
    const body = await chart('ltv_per_customer', '&revenueType=proceeds&customerLifetime=10');
    expect(value(body)).to.deep.equal({ '2026-10-04': 16.98, '2026-10-06': 6.99 });
    const atEnd = await chart('ltv_per_customer', '&revenueType=proceeds&customerLifetime=16');
    expect(value(atEnd)['2026-10-04']).to.equal(8.58);
    const dayBefore = await chart('ltv_per_customer', '&revenueType=proceeds&customerLifetime=15');
    expect(value(dayBefore)['2026-10-04']).to.equal(16.98);
  });

  it('have in all what the chart of revenue has', async () => {
    for (const basis of ['estimated', 'settled']) {
      const revenue = (await chart('revenue', `&proceedsBasis=${basis}`)).summary;
      const totalOf = async (type: string) =>
        (await chart('ltv_per_customer', `&revenueType=${type}&proceedsBasis=${basis}`)).summary.realized_ltv.total;
      expect(await totalOf('proceeds')).to.equal(revenue.proceeds.total);
      expect(await totalOf('revenue')).to.equal(revenue.revenue.total);
    }
  });

  it('keep the amounts of an erased customer, and have none of another project', async () => {
    expect((await harness.call('DELETE', '/v1/subscribers/bob', undefined, as)).status).to.be.within(200, 204);
    await harness.service().idle();
    const body = await chart('ltv_per_customer', '&revenueType=proceeds');
    expect(value(body)).to.deep.equal({ '2026-10-04': 8.58, '2026-10-06': 6.99, '2026-10-15': 7.99 });
    const other = await setUpProject(harness);
    const url = `/v1/projects/${other.projectId}/metrics/charts/ltv_per_customer?startDate=2026-10-01&endDate=2026-10-31`;
    const foreign = await harness.call('GET', url, undefined, { key: other.secretKey });
    expect(foreign.body).not.to.have.any.keys('proceedsBasis', 'settledShare');
  });

  it('have estimates where they are requested, and where settled amounts are not supported', async () => {
    const estimates = { '2026-10-04': 6.99, '2026-10-06': 6.99, '2026-10-15': 6.99 };
    expect(value(await chart('ltv_per_customer', '&revenueType=proceeds&proceedsBasis=estimated'))).to.deep.equal(
      estimates,
    );
    const filtered = '&revenueType=proceeds&filter=store:ios-store';
    expect(value(await chart('ltv_per_customer', filtered))).to.deep.equal(estimates);
    const url = `/v1/projects/${slice.projectId}/metrics/charts/ltv_per_customer`;
    const query = `startDate=2026-10-01&endDate=2026-10-31&proceedsBasis=settled`;
    for (const more of ['filter=store:ios-store', 'segment=store', 'asOf=2026-11-01T00:00:00Z', 'currency=EUR'])
      expectRefusal(await harness.call('GET', `${url}?${query}&${more}`, undefined, as), 400);
  });
});
