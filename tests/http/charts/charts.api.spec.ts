// The charts over HTTP: signed notifications of the store as values that the brute-force calculator gives too.
import { expect } from 'chai';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { intervals } from '../../../src/domain/charts/calendar.js';
import { importRates } from '../../../src/commands/catalog/exchange-rates.js';
import { createReference } from '../../charts-reference/reference.js';
import type { NormalEvent } from '../../domain/charts/normal-form.js';
import { MONTHLY, notification, setUpProject } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const day = (n: number) => BEGIN + n * DAY_MS + 36_000_000;

/** Without the mark of buckets that the period cuts, which the definitions leave to the response. */
function unmarked(shown: readonly object[]): readonly object[] {
  return shown.map((b) => Object.fromEntries(Object.entries(b).filter(([name]) => name !== 'clipped')));
}

describe('charts', () => {
  const clock = createManualClock(BEGIN);
  const expected: NormalEvent[] = [];
  const { harness, slice } = setUpService({}, clock.runtime);
  let base: string;
  before(async () => {
    base = `/v1/projects/${slice.projectId}/metrics`;
    await subscribe('1', 2);
    await subscribe('2', 10);
    await renew('1', 2, 32);
    await switchOff('2', 35);
    await renew('1', 3, 62);
    await refund('1', 3, 65);
    clock.set(day(70));
    await harness.service().idle();
  });

  const get = (path: string, as = { key: slice.secretKey }) => harness.call('GET', `${base}${path}`, undefined, as);

  async function notify(n: number, notificationType: string, rest: object): Promise<void> {
    clock.set(day(n));
    const body = notification({ notificationType, signedDate: day(n), ...rest });
    expect(await harness.call('POST', slice.notificationPath, body)).to.include({ status: 200 });
    await harness.service().idle();
  }
  const transaction = (chain: string, n: number, from: number, more: object = {}) => ({
    transactionId: `${chain}00${n}`,
    originalTransactionId: `${chain}001`,
    productId: MONTHLY,
    purchaseDate: day(from),
    expiresDate: day(from + 30),
    price: 9990,
    ...more,
  });
  const renewal = (chain: string) => ({
    ...{ originalTransactionId: `${chain}001`, productId: MONTHLY, autoRenewStatus: 1 },
  });
  const paid = (chain: string, n: number, from: number) => ({
    ...{ customerId: chain, subscriptionId: chain, transactionId: `${chain}00${n}`, at: iso(day(from)) },
    ...{ expiresAt: iso(day(from + 30)), periodType: 'normal' as const, periodDuration: 'P1M', revenueUsd: 9.99 },
  });
  async function subscribe(chain: string, from: number): Promise<void> {
    await notify(from, 'SUBSCRIBED', { transaction: transaction(chain, 1, from), renewal: renewal(chain) });
    expected.push({ type: 'CustomerCreated', customerId: chain, at: iso(day(from)) });
    expected.push({ type: 'SubscriptionStarted', productDuration: 'P1M', ...paid(chain, 1, from) });
  }
  async function renew(chain: string, n: number, from: number): Promise<void> {
    await notify(from, 'DID_RENEW', { transaction: transaction(chain, n, from), renewal: renewal(chain) });
    expected.push({ type: 'SubscriptionRenewed', ...paid(chain, n, from) });
  }
  async function switchOff(chain: string, at: number): Promise<void> {
    const rest = { subtype: 'AUTO_RENEW_DISABLED', renewal: { ...renewal(chain), autoRenewStatus: 0 } };
    await notify(at, 'DID_CHANGE_RENEWAL_STATUS', { ...rest, transaction: transaction(chain, 1, 10) });
    expected.push({
      type: 'SubscriptionAutoRenewDisabled',
      customerId: chain,
      subscriptionId: chain,
      at: iso(day(at)),
    });
  }
  async function refund(chain: string, n: number, at: number): Promise<void> {
    await notify(at, 'REFUND', {
      transaction: transaction(chain, n, at - 3, { revocationDate: day(at), revocationReason: 0 }),
    });
    expected.push({
      type: 'TransactionRefunded',
      customerId: chain,
      transactionId: `${chain}00${n}`,
      at: iso(day(at)),
    });
  }

  it('are 21, listed with the questions they answer', async () => {
    const { status, body } = await get('/charts');
    expect(status).to.equal(200);
    expect(body.items.map((c: { id: string }) => c.id)).to.deep.equal(charts.map((c) => c.id));
    expect(body.items).to.have.length(21);
  });

  for (const { id } of charts) {
    it(`equal the reference: ${id}`, async () => {
      const [start, end] = [BEGIN, Date.parse('2026-04-01T00:00:00Z')];
      for (const interval of intervals) {
        const { status, body } = await get(
          `/charts/${id}?startDate=2026-01-01&endDate=2026-03-31&interval=${interval}`,
        );
        expect(status).to.equal(200);
        const { buckets, rows } = createReference(expected, day(70) + 1)(id, {
          start,
          end,
          interval,
          now: day(70) + 1,
        }) as {
          buckets?: unknown;
          rows?: unknown;
        };
        expect(unmarked(body.buckets ?? body.rows), interval).to.deep.equal(buckets ?? rows);
      }
    });

    it(`show what was known at an instant: ${id}`, async () => {
      const asOf = day(36) + 5;
      const { body } = await get(`/charts/${id}?period=2026-01-01..2026-03-31&interval=month&asOf=${iso(asOf)}`);
      const o = { start: BEGIN, end: Date.parse('2026-04-01T00:00:00Z'), interval: 'month', now: asOf } as const;
      const { buckets, rows } = createReference(expected, asOf)(id, o) as { buckets?: unknown; rows?: unknown };
      expect(unmarked(body.buckets ?? body.rows)).to.deep.equal(buckets ?? rows);
      expect(body.asOf).to.equal(iso(asOf));
    });
  }

  it('mark the buckets that the period cuts, which look like a fall else', async () => {
    for (const id of ['revenue', 'cohort_explorer']) {
      const { body } = await get(`/charts/${id}?period=2026-01-01..2026-01-25&interval=week`);
      const shown = (body.buckets ?? body.rows) as { start: string; clipped?: boolean }[];
      expect(shown.map((b) => [b.start.slice(0, 10), b.clipped])).to.deep.equal([
        ['2026-01-01', true],
        ['2026-01-05', undefined],
        ['2026-01-12', undefined],
        ['2026-01-19', undefined],
      ]);
    }
    const { buckets } = (await get('/charts/mrr?period=2026-01-01..2026-02-10&interval=month')).body;
    expect(buckets.map((b: { clipped?: boolean }) => b.clipped)).to.deep.equal([undefined, true]);
  });

  it('name the products of segments, and show the total in addition', async () => {
    const asked = '?startDate=2026-01-01&endDate=2026-03-31&interval=month';
    for (const id of ['revenue', 'actives', 'ltv_per_customer', 'cohort_explorer', 'subscription_retention']) {
      const whole = (await get(`/charts/${id}${asked}`)).body;
      const split = (await get(`/charts/${id}${asked}&segment=productId`)).body;
      const named = Object.entries(split.segments).map(([value, s]) => [value, (s as { name: string }).name]);
      expect(named, id).to.deep.equal([[slice.productId, 'Pro']]);
      expect(split.total.buckets ?? split.total.rows, id).to.deep.equal(whole.buckets ?? whole.rows);
      expect([split.total.summary, split.summary], id).to.deep.equal([whole.summary, whole.summary]);
    }
    const byApp = (await get(`/charts/mrr${asked}&segment=appId`)).body.segments;
    expect(byApp[slice.appId].name).to.equal('iOS');
    expect((await get(`/charts/mrr${asked}&segment=store`)).body.segments['ios-store'].name).to.equal(null);
  });

  it('split into segments that add up, and take filters', async () => {
    const asked = '/charts/revenue?startDate=2026-01-01&endDate=2026-03-31&interval=year';
    const whole = (await get(asked)).body.buckets[0].values;
    const { segments } = (await get(`${asked}&segment=store`)).body;
    expect(Object.keys(segments)).to.deep.equal(['ios-store']);
    expect(segments['ios-store'].buckets[0].values).to.deep.equal(whole);
    const none = (await get(`${asked}&filter=store:android-store`)).body.buckets[0].values;
    expect(none.gross_revenue).to.equal(0);
    expect(whole.gross_revenue).to.equal(39.96);
    expect((await get(asked)).body.summary.gross_revenue).to.deep.equal({ total: 39.96, average: 39.96, last: 39.96 });
  });

  it('list the customers of a figure, page by page', async () => {
    const asked = '/charts/actives_movement/customers?startDate=2026-01-01&endDate=2026-03-31&interval=month';
    const january = `${asked}&bucket=2026-01-01T00:00:00.000Z&measure=new_actives`;
    const { body } = await get(january);
    expect(body.items.map((c: { value: number }) => c.value)).to.deep.equal([1, 1]);
    const [{ customerId, appUserId }] = body.items;
    const path = `/v1/projects/${slice.projectId}/customers/${customerId}`;
    const shown = (await harness.call('GET', path, undefined, { key: slice.secretKey })).body.appUserId;
    expect(appUserId, 'drill-downs lacked the id that the app knows').to.equal(shown === '' ? null : shown);
    const first = (await get(`${january}&limit=1`)).body;
    const second = await harness.call('GET', first.nextPage, undefined, { key: slice.secretKey });
    expect([...first.items, ...second.body.items]).to.deep.equal(body.items);
    expect(second.body.nextPage).to.equal(null);
  });

  it('name them by two filters, which the next page repeats', async () => {
    const asked =
      '/charts/actives_movement/customers?period=2026-01-01..2026-03-31&interval=year&measure=new_actives&bucket=2026-01-01T00:00:00.000Z';
    const filtered = `${asked}&filter=store:ios-store&filter=productDuration:P1M,P1Y&limit=1`;
    const { body } = await get(filtered);
    expect(body.items).to.have.length(1);
    expect(new URLSearchParams(body.nextPage).getAll('filter')).to.deep.equal([
      'store:ios-store',
      'productDuration:P1M,P1Y',
    ]);
    const next = await harness.call('GET', body.nextPage, undefined, { key: slice.secretKey });
    expect(next.body.items).to.have.length(1);
    expect((await get(`${filtered}&filter=store:android-store&filter=country:XX`)).body.items).to.deep.equal([]);
  });

  it('name the members of a cohort, and those who bring the value of a column', async () => {
    const asked = '/charts/subscription_retention/customers?period=2026-01-01..2026-01-31&bucket=2026-01-01';
    const members = (await get(asked)).body.items;
    expect(members.map((c: { value: number }) => c.value)).to.deep.equal([1, 1]);
    expect((await get(`${asked}&measure=size`)).body.items).to.deep.equal(members);
    const [row] = (await get('/charts/subscription_retention?period=2026-01-01..2026-01-31')).body.rows;
    const column = row.columns.findLastIndex((one: { retained: number }) => one.retained > 0);
    const retained = (await get(`${asked}&measure=retained&column=${column}`)).body.items;
    expect(retained).to.have.length(row.columns[column].retained);
    expect(members.map((c: { customerId: string }) => c.customerId)).to.include.members(
      retained.map((c: { customerId: string }) => c.customerId),
    );
  });

  const csv = async (path: string) => {
    const url = `${harness.service().url ?? ''}${base}/charts/${path}`;
    return (await fetch(url, { headers: { 'x-api-key': slice.secretKey, accept: 'text/csv' } })).text();
  };

  it('come as a table for analysts', async () => {
    const url = `${harness.service().url ?? ''}${base}/charts/actives?startDate=2026-01-01&endDate=2026-01-02`;
    const response = await fetch(url, { headers: { 'x-api-key': slice.secretKey, accept: 'text/csv' } });
    expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    const name = 'attachment; filename="actives_2026-01-01_2026-01-02_day.csv"';
    expect(response.headers.get('content-disposition')).to.equal(name);
    const lines = (await response.text()).trim().split('\n');
    expect(lines[0]).to.equal('start,end,incomplete,active_subscriptions,clipped');
    expect(lines[2]).to.equal('2026-01-02T00:00:00.000Z,2026-01-03T00:00:00.000Z,false,0,false');
  });

  it('come as a table only to who likes that best', async () => {
    const url = `${harness.service().url ?? ''}${base}/charts/actives?startDate=2026-01-01&endDate=2026-01-02`;
    const typeFor = async (accept: string) => {
      const response = await fetch(url, { headers: { 'x-api-key': slice.secretKey, accept } });
      return response.headers.get('content-type')?.split(';')[0];
    };
    const asked = [
      'Text/CSV',
      'text/csv, application/json;q=0.5',
      'application/json, text/csv;q=0.5',
      '*/*',
      'text/html',
    ];
    const [table, json] = ['text/csv', 'application/json'];
    expect(await Promise.all(asked.map(typeFor))).to.deep.equal([table, table, json, json, json]);
  });

  it('come as a table with a header also when there are no rows', async () => {
    const ahead = 'period=2030-01-01..2030-01-31';
    expect(await csv(`actives?${ahead}`)).to.equal('start,end,incomplete,active_subscriptions,clipped\n');
    const nobody = await csv(`actives?${ahead}&segment=store`);
    expect(nobody).to.equal('segment,start,end,incomplete,active_subscriptions,clipped\n');
    const [header, line] = (await csv('subscription_retention?period=2026-01-01..2026-01-31')).split('\n');
    expect(header).to.equal('start,end,size,index,eligible,retained,retention_rate,incomplete,clipped');
    expect(line).to.equal('2026-01-01T00:00:00.000Z,2026-02-01T00:00:00.000Z,2,0,2,2,100,false,false');
  });

  it('begin all_time where the first customer came, before the project was made as well', async () => {
    const late = await setUpProject(harness);
    const bought: object = { transaction: transaction('9', 1, 60), renewal: renewal('9') };
    const body = notification({ notificationType: 'SUBSCRIBED', signedDate: day(60), ...bought });
    expect(await harness.call('POST', late.notificationPath, body)).to.include({ status: 200 });
    await harness.service().idle();
    const path = `/v1/projects/${late.projectId}/metrics/charts/revenue?period=all_time&interval=year`;
    const all = (await harness.call('GET', path, undefined, { key: late.secretKey })).body;
    expect(all.startDate).to.equal(iso(day(60)).slice(0, 10));
    expect(all.buckets.map((b: { values: object }) => b.values)).to.have.length(1);
    expect(all.buckets[0].values).to.include({ revenue: 9.99, transactions: 1 });
    expect((await get('/charts/revenue?period=all_time&interval=year')).body.startDate).to.equal('2026-01-01');
  });

  it('are the overview, compared with the 28 days before', async () => {
    const { body } = await get('/overview');
    const of = (id: string) => {
      const { value, previousValue } = body.metrics.find((m: { id: string }) => m.id === id);
      return [value, previousValue];
    };
    // At day 70 the refund has taken the last one; 28 days before the first was live alone.
    expect(of('active_subscriptions')).to.deep.equal([0, 1]);
    expect(of('mrr')).to.deep.equal([0, 9.99]);
    expect(of('revenue')).to.deep.equal([0, 9.99]);
    expect(of('transactions')).to.deep.equal([1, 1]);
    expect(of('refunds')).to.deep.equal([9.99, 0]);
  });

  it('are shown in another currency at the rate of each day, and name the days without one', async () => {
    const day = (of: string, USD: string) => ({ day: of, rates: { USD } });
    const days = [day('2026-01-03', '1.25'), day('2026-02-02', '1.25'), day('2026-03-04', '2')];
    await importRates(harness.service().services.deps, days, 'spec');
    const { body } = await get('/charts/revenue?period=2026-01-01..2026-03-31&interval=year&currency=EUR');
    expect(body).to.include({ currency: 'EUR', unit: 'eur' });
    const missing = '2026-01-11';
    expect(body.unconverted).to.deep.equal({
      ...{ transactions: 1, days: [missing], dayCount: 1, firstDay: missing, lastDay: missing },
    });
    // 9.99 at 0.8, 0.8 and 0.5 for one dollar; the last was given back.
    const wanted = { transactions: 4, gross_revenue: 20.98, refunds: 5, revenue: 15.98, unconverted_transactions: 1 };
    expect(body.buckets[0].values).to.include(wanted);
    const table = await csv('revenue?period=2026-01-01..2026-03-31&interval=year&currency=EUR');
    const [header = '', line = ''] = table.split('\n');
    expect(header).to.match(/,currency,unconvertedTransactions,unconvertedDays$/);
    expect(line).to.match(/,EUR,1,1$/);
    const [row] = (await get('/charts/cohort_explorer?period=2026-01-01..2026-03-31&interval=year&currency=EUR')).body
      .rows;
    expect(row.columns.map((c: { value: number }) => c.value)).to.deep.equal([15.98]);
    const behind = await get(
      '/charts/revenue/customers?period=2026-01-01..2026-03-31&interval=year&currency=EUR&bucket=2026-01-01',
    );
    expect(behind.body.items.map((c: { value: number }) => c.value)).to.deep.equal([15.98]);
    const actives = (await get('/charts/actives?currency=EUR')).body;
    expect(actives).to.include({ currency: 'EUR', unit: 'count' }).and.not.to.have.property('unconverted');
    const before = await get(
      `/charts/revenue?period=2026-01-01..2026-01-31&currency=EUR&asOf=${iso(BEGIN + 65 * DAY_MS)}`,
    );
    expectRefusal(before, 400);
  });

  for (const chart of ['customers_new', 'customers_active']) {
    it(`of ${chart} stay as they are under a filter of purchases, with a note`, async () => {
      const asked = `/charts/${chart}?period=2026-01-01..2026-03-31&interval=month`;
      const plain = (await get(asked)).body;
      expect(plain).not.to.have.property('ignoredFilters');
      const filter = 'filter=store:android-store&filter=productDuration:P1Y';
      const { status, body } = await get(`${asked}&${filter}`);
      expect(status).to.equal(200);
      expect(body.ignoredFilters).to.deep.equal(['store', 'productDuration']);
      expect(body.buckets).to.deep.equal(plain.buckets);
      const both = (await get(`${asked}&${filter}&filter=country:DE`)).body;
      expect(both.ignoredFilters).to.deep.equal(['store', 'productDuration']);
      expect(both.buckets).not.to.deep.equal(plain.buckets);
      const behind = `/charts/${chart}/customers?period=2026-01-01..2026-03-31&interval=month&bucket=2026-01-01`;
      expect((await get(`${behind}&${filter}`)).body.items).to.deep.equal((await get(behind)).body.items);
    });
  }

  const refused: readonly [what: string, path: string, status: number, words: string][] = [
    ['an unknown chart', '/charts/nonsense', 404, 'see GET'],
    ['an unknown interval', '/charts/mrr?interval=hour', 400, 'day, week, month, quarter, year'],
    ['an unknown period', '/charts/mrr?period=last_year', 400, 'last_12_months'],
    ['a period and days', '/charts/mrr?period=this_month&startDate=2026-01-01&endDate=2026-01-31', 400, 'either'],
    ['one day alone', '/charts/mrr?startDate=2026-01-01', 400, 'together'],
    ['days in the wrong order', '/charts/mrr?startDate=2026-02-01&endDate=2026-01-01', 400, 'must be before'],
    ['a day that no month has', '/charts/mrr?period=2026-02-01..2026-02-30', 400, 'two calendar days'],
    ['too many months', '/charts/mrr?period=1900-01-01..2066-12-31&interval=month', 400, '2000'],
    ['a filter without a value', '/charts/mrr?filter=store:,', 400, 'its values'],
    [
      'a measure of a cohort without its column',
      '/charts/subscription_retention/customers?measure=retained&bucket=2026-01-01',
      400,
      'column is the index',
    ],
    ['a store that is none', '/charts/mrr?filter=store:ios', 400, 'ios-store, android-store'],
    ['a start that is none', '/charts/mrr?filter=startReason:first', 400, 'first_purchase'],
    ['an offer that is none', '/charts/mrr?filter=offerType:intro', 400, 'introductory'],
    ['a product by its name', '/charts/mrr?filter=productId:pro', 400, 'prod_'],
    ['a duration in words', '/charts/mrr?filter=productDuration:month', 400, 'P1M'],
    ['a country in words', '/charts/customers_new?filter=country:Germany', 400, 'ISO 3166'],
    ['one wrong value among right ones', '/charts/mrr?filter=store:ios-store,play', 400, '"play"'],
    ['too many buckets', '/charts/mrr?startDate=2010-01-01&endDate=2026-01-01&interval=day', 400, '2000'],
    ['an unknown segment', '/charts/mrr?segment=colour', 400, 'productId'],
    ['a filter of nothing known', '/charts/mrr?filter=colour:red', 400, 'productId'],
    ['a purchase’s segment on customers', '/charts/customers_new?segment=store', 400, 'country, platform'],
    ['a wrong value of a filter that would be ignored', '/charts/customers_new?filter=store:ios', 400, 'ios-store'],
    ['to name customers without a bucket', '/charts/mrr/customers', 400, 'bucket is required'],
    ['a currency without rates', '/charts/mrr?currency=XTS', 400, 'rates import'],
    ['a currency that is none', '/charts/actives?currency=euro', 400, 'ISO 4217'],
    ['an unknown selector', '/charts/mrr?cohort=all', 400, 'new_customers'],
    ['a misspelt parameter', '/charts/mrr?intervall=day', 400, 'intervall'],
    ['an instant ahead', '/charts/mrr?asOf=2999-01-01T00:00:00Z', 400, 'future'],
    ['a bucket that is none', '/charts/mrr/customers?bucket=2026-01-01T00:00:01.000Z', 400, 'bucket'],
    ['a rate behind which nobody is', '/charts/churn/customers?measure=churn_rate', 400, 'churned_actives'],
  ];
  for (const [what, path, status, words] of refused) {
    it(`refuse ${what}`, async () => {
      const result = await get(path);
      expectRefusal(result, status);
      expect(result.body.message).to.include(words);
    });
  }
});
