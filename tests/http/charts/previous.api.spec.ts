// Charts beside another period over HTTP: each figure of the other period is what the chart of that period shows by itself.
import { expect } from 'chai';
import { MONTHLY, notification } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const DAY_MS = 86_400_000;
const at = (day: string) => Date.parse(`${day}T10:00:00.000Z`);
/** Chains of one payment: day, storefront, price in thousandths. Many cheap purchases in Germany, few dear ones in the United States. */
const purchases: readonly (readonly [day: string, storefront: string, price: number])[] = [
  ['2025-11-10', 'DEU', 2000],
  ['2025-11-20', 'USA', 30_000],
  ['2026-09-03', 'DEU', 1000],
  ['2026-09-10', 'USA', 50_000],
  ['2026-09-30', 'FRA', 4000],
  ['2026-10-03', 'DEU', 1000],
  ['2026-10-04', 'DEU', 1000],
  ['2026-10-05', 'DEU', 1000],
  ['2026-10-06', 'FRA', 2000],
  ['2026-10-07', 'FRA', 2000],
  ['2026-10-31', 'USA', 40_000],
  ['2026-11-05', 'USA', 60_000],
];
type Bucket = { readonly start: string; readonly values: Readonly<Record<string, number>> };

describe('charts beside another period', () => {
  const clock = createManualClock(at('2025-11-01'));
  const { harness, slice } = setUpService({}, clock.runtime);
  let base: string;
  before(async () => {
    base = `/v1/projects/${slice.projectId}/metrics/charts`;
    for (const [n, [day, storefront, price]] of purchases.entries()) {
      clock.set(at(day));
      const id = `40000000000${n + 10}`;
      const transaction = {
        ...{ transactionId: id, originalTransactionId: id, productId: MONTHLY, price, storefront, currency: 'USD' },
        ...{ purchaseDate: at(day), expiresDate: at(day) + 30 * DAY_MS },
      };
      const renewal = { originalTransactionId: id, productId: MONTHLY, autoRenewStatus: 1 as const };
      const body = notification({ notificationType: 'SUBSCRIBED', signedDate: at(day), transaction, renewal });
      expect(await harness.call('POST', slice.notificationPath, body)).to.include({ status: 200 });
    }
    clock.set(Date.parse('2026-11-28T12:00:00Z'));
    await harness.service().idle();
  });
  const get = (path: string) => harness.call('GET', `${base}/${path}`, undefined, { key: slice.secretKey });
  const chart = async (path: string) => {
    const { status, body } = await get(path);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const expectMessage = async (path: string, message: RegExp) => {
    const response = await get(path);
    expectRefusal(response, 400);
    expect(response.body.message).to.match(message);
  };
  const csv = async (path: string) => {
    const url = `${harness.service().url ?? ''}${base}/${path}`;
    const response = await fetch(url, { headers: { 'x-api-key': slice.secretKey, accept: 'text/csv' } });
    const [head = '', ...lines] = (await response.text()).trim().split('\n');
    const names = head.split(',');
    return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i], value])));
  };

  for (const [id, query, choice, expected] of [
    ['revenue', 'period=last_month&interval=month', 'period', '2026-09-01..2026-09-30'],
    ['revenue', 'period=last_month&interval=day', 'period', '2026-09-01..2026-09-30'],
    ['revenue', 'period=this_month&interval=day', 'period', '2026-10-01..2026-10-28'],
    ['mrr', 'period=last_12_months&interval=month', 'year', '2024-12-01..2025-11-28'],
    ['mrr_movement', 'period=last_month&interval=week', 'period', '2026-08-27..2026-09-26'],
    ['actives_movement', 'period=last_28_days', 'year_weekdays', '2025-11-02..2025-11-29'],
    ['churn', 'period=last_month&interval=month', '2025-11-01..2025-11-30', '2025-11-01..2025-11-30'],
    ['customers_new', 'period=last_7_days', 'period', '2026-11-15..2026-11-21'],
  ] as const) {
    for (const segment of ['', '&segment=country&segmentLimit=1']) {
      it(`show what that period shows by itself: ${id}?${query}${segment} beside ${choice}`, async () => {
        const { previous, ...own } = await chart(`${id}?${query}${segment}&previous=${choice}`);
        expect(own, 'the chart itself').to.deep.equal(await chart(`${id}?${query}${segment}`));
        expect(`${previous.startDate}..${previous.endDate}`).to.equal(expected);
        const other = await chart(`${id}?period=${expected}&interval=${own.interval}`);
        const { buckets, summary } = segment === '' ? previous : previous.total;
        expect(buckets).to.deep.equal(other.buckets);
        expect(summary).to.deep.equal(other.summary);
        if (segment === '') return;
        expect(Object.keys(previous.segments)).to.deep.equal(Object.keys(own.segments));
        for (const value of Object.keys(own.segments).filter((one) => one !== 'other')) {
          const alone = await chart(`${id}?period=${expected}&interval=${own.interval}&filter=country:${value}`);
          expect(previous.segments[value].buckets, value).to.deep.equal(alone.buckets);
        }
      });
    }
  }

  it('pair last month with the whole month before, not with its last day', async () => {
    const { buckets, previous } = await chart('revenue?period=last_month&interval=month&previous=period');
    expect([buckets[0].values.revenue, previous.buckets[0].values.revenue]).to.deep.equal([47, 55]);
    expect(previous.pairs).to.deep.equal([0]);
  });

  it('pair days by the day of the month: a 31st has no counterpart in a month of 30 days', async () => {
    const { previous } = await chart('revenue?period=last_month&previous=period');
    expect(previous.pairs).to.deep.equal([...Array.from({ length: 30 }, (_, i) => i), null]);
  });

  it('say that there was no data yet', async () => {
    const early = await chart('revenue?period=2025-11-01..2025-11-30&interval=month&previous=year');
    expect(early.previous.isBeforeData).to.equal(true);
    const { previous } = await chart('revenue?period=last_month&interval=month&previous=period');
    expect(previous).not.to.have.property('isBeforeData');
  });

  it('are a table with the figures of both periods and the change in per cent', async () => {
    const [line] = await csv('revenue?period=last_month&interval=month&previous=period');
    expect(line).to.include({
      revenue: '47',
      previousStart: '2026-09-01T00:00:00.000Z',
      previousEnd: '2026-10-01T00:00:00.000Z',
      revenue_previous: '55',
      revenue_change: '-14.55',
    });
    const [churn] = await csv('churn?period=2026-11-01..2026-11-30&interval=month&previous=period');
    const [now, then] = [Number(churn?.['churn_rate']), Number(churn?.['churn_rate_previous'])];
    expect(Math.min(now, then)).to.be.above(0);
    expect(Number(churn?.['churn_rate_change']), 'in percentage points').to.be.closeTo(now - then, 0.001);
    const lines = await csv('revenue?period=last_month&previous=period&segment=country&segmentLimit=10');
    const last = lines.find(({ segment, start }) => segment === 'US' && start?.startsWith('2026-10-31'));
    expect(last).to.include({ revenue: '40', previousStart: '', revenue_previous: '', revenue_change: '' });
  });

  it('list segments by the shown measure: three cheap countries do not come before the dear one', async () => {
    const listed = async (more: string) =>
      Object.keys((await chart(`revenue?period=last_month&interval=month&segment=country${more}`)).segments);
    expect(await listed('')).to.deep.equal(['US', 'FR', 'DE']);
    expect(await listed('&segmentLimit=1')).to.deep.equal(['US', 'other']);
    expect(await listed('&measure=transactions')).to.deep.equal(['DE', 'FR', 'US']);
    const lines = await csv('revenue?period=last_month&interval=month&segment=country');
    expect(lines.map(({ segment, revenue }) => [segment, revenue])).to.deep.equal([
      ['US', '40'],
      ['FR', '4'],
      ['DE', '3'],
    ]);
    await expectMessage('revenue?segment=country&measure=mrr', /measure must be one of revenue, /);
  });

  it('are compared on both sides of a comparison, with pairs and segments of the chart', async () => {
    const query = 'revenue?period=last_month&segment=country&segmentLimit=1';
    const { previous, ...now } = await chart(`${query}&previous=period`);
    const compared = await chart(`${query.replace('revenue?', 'revenue/compare?')}&previous=period`);
    for (const value of ['US', 'other']) {
      const starts = new Map((previous.segments[value].buckets as Bucket[]).map((b) => [b.start, b.values['revenue']]));
      const points = compared.segments[value].buckets as {
        start: string;
        thenStart: string | null;
        values: Record<string, { then: number | null; now: number | null }>;
      }[];
      expect(points.map(({ start, values }) => [start, values['revenue']?.now])).to.deep.equal(
        (now.segments[value].buckets as Bucket[]).map((b) => [b.start, b.values['revenue']]),
      );
      for (const { start, thenStart, values } of points) {
        const counterpart = start.startsWith('2026-10-31') ? null : start.replace('2026-10', '2026-09');
        expect(thenStart).to.equal(counterpart);
        expect(values['revenue']?.then).to.equal(counterpart === null ? null : starts.get(counterpart));
      }
    }
    const shorter = await chart('revenue/compare?period=2026-09-01..2026-09-30&previous=period');
    const only = (shorter.buckets as { start: string | null; thenStart: string | null }[]).at(-1);
    expect(only).to.include({ start: null, thenStart: '2026-08-31T00:00:00.000Z' });
  });

  for (const [query, message] of [
    ['revenue?previous=week', /previous must be one of period, year, year_weekdays, or two days/],
    ['revenue?previous=2026-02-30..2026-03-30', /previous: must be two calendar days/],
    ['revenue?previous=2026-03-30..2026-03-01', /previous: its first day must not be after its last day/],
    ['revenue?previous=2001-01-01..2026-03-01', /previous: the period has more than 2000 buckets/],
    ['revenue?period=0001-02-01..0001-02-28&previous=year', /previous: there is no such period/],
    ['cohort_explorer?previous=period', /compare the cohorts of cohort_explorer with/],
    ['revenue/compare?previous=period&thenAsOf=2026-01-01T00:00:00Z', /send one of/],
  ] as const) {
    it(`refuse ${query}`, async () => {
      await expectMessage(query, message);
    });
  }
});
