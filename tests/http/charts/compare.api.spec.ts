// Comparisons over HTTP: both sides are what the chart says, the reasons are what was learned in between.
import { expect } from 'chai';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { MONTHLY, notification, type HttpResponse } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const day = (n: number) => BEGIN + n * DAY_MS + 36_000_000;
const QUARTER = 'startDate=2026-01-01&endDate=2026-03-31&interval=month';

type Values = Readonly<Record<string, Difference>>;
type Difference = {
  readonly then: number | null;
  readonly now: number | null;
  readonly difference: number | null;
  readonly reasons?: readonly {
    readonly kind: string;
    readonly amount: number;
    readonly count: number;
    readonly customers: readonly string[];
  }[];
};
type Row = {
  readonly start: string;
  readonly columns: readonly (Record<string, unknown> & { readonly index: number })[];
};
type Point = {
  /** Null if only the other period has the bucket. */
  readonly start: string | null;
  readonly thenStart?: string | null;
  readonly values?: Values;
  readonly size?: Difference;
  readonly columns?: readonly Values[];
};

/** Every difference of a response, with a name. */
function* differencesOf(points: readonly Point[]): Generator<[string, Difference]> {
  for (const { start, values = {}, size, columns = [] } of points) {
    for (const [id, d] of Object.entries(values)) yield [`${start} ${id}`, d];
    if (size) yield [`${start} size`, size];
    for (const [k, column] of columns.entries()) {
      for (const [id, d] of Object.entries(column)) if (typeof d === 'object') yield [`${start} ${k} ${id}`, d];
    }
  }
}

/** The chart's own points, as `side` of a comparison shows them. */
function sideOf(points: readonly Point[], side: 'then' | 'now'): ReadonlyMap<string, number | null> {
  return new Map([...differencesOf(points)].map(([name, d]) => [name, d[side]]));
}

function withoutNull(values: ReadonlyMap<string, number | null>): ReadonlyMap<string, number | null> {
  return new Map([...values].filter(([, value]) => value !== null));
}

function plain(points: readonly { start: string; values?: object; size?: number; columns?: readonly object[] }[]) {
  const found = new Map<string, number | null>();
  for (const { start, values = {}, size, columns = [] } of points) {
    for (const [id, value] of Object.entries(values)) found.set(`${start} ${id}`, value);
    if (size !== undefined) found.set(`${start} size`, size);
    for (const [k, column] of columns.entries()) {
      for (const [id, value] of Object.entries(column)) {
        if (id !== 'index' && id !== 'incomplete') found.set(`${start} ${k} ${id}`, value);
      }
    }
  }
  return found;
}

describe('comparisons of charts', () => {
  const clock = createManualClock(BEGIN);
  const { harness, slice } = setUpService({}, clock.runtime);
  let base: string;
  let customers: Readonly<Record<string, string>>;
  const THEN = iso(day(40));

  before(async () => {
    base = `/v1/projects/${slice.projectId}`;
    await subscribe('1', 2, 2);
    await subscribe('2', 10, 10);
    await renew('1', 2, 32, 32);
    await renew('2', 2, 40, 45);
    await subscribe('3', 20, 50);
    await refund('1', 1, 20, 60);
    await renew('1', 3, 62, 62);
    clock.set(day(70));
    await harness.service().idle();
    customers = Object.fromEntries(
      await Promise.all(
        ['1', '2', '3'].map(async (chain) => {
          const { body } = await get(`/transactions/${chain}001`);
          return [chain, body.customer.id] as const;
        }),
      ),
    );
  });

  const get = (path: string) => harness.call('GET', `${base}${path}`, undefined, { key: slice.secretKey });
  const chart = async (id: string, query: string): Promise<HttpResponse['body']> => {
    const { status, body } = await get(`/metrics/charts/${id}?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const compare = (id: string, query: string) => chart(`${id}/compare`, query);

  async function notify(learned: number, notificationType: string, rest: object): Promise<void> {
    clock.set(day(learned));
    const body = notification({ notificationType, signedDate: day(learned), ...rest });
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
  const about = (chain: string) => ({
    renewal: { originalTransactionId: `${chain}001`, productId: MONTHLY, autoRenewStatus: 1 },
  });
  const subscribe = (chain: string, from: number, learned: number) =>
    notify(learned, 'SUBSCRIBED', { transaction: transaction(chain, 1, from), ...about(chain) });
  const renew = (chain: string, n: number, from: number, learned: number) =>
    notify(learned, 'DID_RENEW', { transaction: transaction(chain, n, from), ...about(chain) });
  const refund = (chain: string, n: number, at: number, learned: number) =>
    notify(learned, 'REFUND', {
      transaction: transaction(chain, n, 2, { revocationDate: day(at), revocationReason: 0 }),
    });

  for (const { id } of charts) {
    it(`show both sides as the chart does, and reasons that add up: ${id}`, async () => {
      for (const segment of ['', ...(id.startsWith('customers_') ? ['platform'] : ['store', 'country'])]) {
        const query = `${QUARTER}${segment && `&segment=${segment}`}`;
        const body = await compare(id, `${query}&thenAsOf=${THEN}`);
        const [then, now] = [await chart(id, `${query}&asOf=${THEN}`), await chart(id, query)];
        expect(body).to.include({ object: 'chartComparison', id, interval: 'month', startDate: '2026-01-01' });
        expect([body.then.asOf, body.now.asOf]).to.deep.equal([THEN, iso(day(70))]);
        const parts = segment === '' ? [[body, then, now]] : [[body.total, then.total, now.total]];
        for (const value of Object.keys(body.segments ?? {})) {
          parts.push([body.segments[value], then.segments[value], now.segments[value]]);
        }
        for (const [compared, ofThen, ofNow] of parts) {
          const points: readonly Point[] = compared.buckets ?? compared.rows;
          const shownThen = sideOf(points, 'then');
          for (const [name, value] of plain(ofThen?.buckets ?? ofThen?.rows ?? [])) {
            expect(shownThen.get(name), `then ${name}`).to.equal(value);
          }
          if (ofNow) expect(sideOf(points, 'now')).to.deep.equal(plain(ofNow.buckets ?? ofNow.rows));
          for (const [name, d] of differencesOf(points)) {
            const isUnknown = d.then === null || d.now === null;
            expect(d.difference === null, name).to.equal(isUnknown);
            if (isUnknown || !d.reasons) continue;
            const steps = d.reasons.reduce((sum, r) => sum + Math.round(r.amount * 100), 0);
            expect(steps, name).to.equal(Math.round((d.difference ?? 0) * 100));
          }
        }
      }
    });
  }

  it('name the kinds of events, with their customers', async () => {
    const { buckets } = await compare('revenue', `${QUARTER}&thenAsOf=${THEN}`);
    expect(buckets[0].values.revenue).to.deep.equal({
      then: 19.98,
      now: 19.98,
      difference: 0,
      reasons: [
        {
          kind: 'SubscriptionStarted',
          sentence: 'A new subscription of 21 Jan 2026 10:00 UTC, received on 20 Feb 2026 10:00 UTC',
          amount: 9.99,
          count: 1,
          customers: [customers['3']],
        },
        {
          kind: 'TransactionRefunded',
          sentence: 'A refund of 21 Jan 2026 10:00 UTC, received on 2 Mar 2026 10:00 UTC',
          amount: -9.99,
          count: 1,
          customers: [customers['1']],
        },
      ],
    });
    const { then, now, difference } = buckets[2].values.revenue;
    expect([then, now > 0, difference]).to.deep.equal([null, true, null]);
  });

  it('tell what time alone changed', async () => {
    const { buckets } = await compare('actives', `${QUARTER}&thenAsOf=${iso(day(39))}&nowAsOf=${iso(day(44))}`);
    expect(buckets[1].values.active_subscriptions).to.deep.equal({
      then: 2,
      now: 1,
      difference: -1,
      reasons: [
        {
          kind: 'time',
          sentence:
            'Time that passed between 9 Feb 2026 10:00 UTC and 14 Feb 2026 10:00 UTC: periods ended or outcomes became due',
          amount: -1,
          count: 1,
          customers: [customers['2']],
        },
      ],
    });
    const { rows } = await compare('cohort_explorer', `${QUARTER}&cohortMeasure=realized_ltv&thenAsOf=${THEN}`);
    expect(rows[0].size.difference).to.equal(1);
    expect(rows[0].columns[0].value.reasons.map((r: { kind: string }) => r.kind)).to.include('SubscriptionStarted');
  });

  it('say which two measures explain a rate', async () => {
    const { measures, buckets } = await compare('churn', `${QUARTER}&thenAsOf=${THEN}`);
    expect(measures.at(-1)).to.include({ id: 'churn_rate' });
    expect(measures.at(-1).explainedBy).to.deep.equal(['churned_actives', 'actives']);
    expect(buckets[0].values.churn_rate).not.to.have.property('reasons');
    const mean = await compare(
      'cohort_explorer',
      `${QUARTER}&cohortMeasure=realized_ltv_per_customer&thenAsOf=${THEN}`,
    );
    expect(mean.measures.find((m: { id: string }) => m.id === 'value').explainedBy).to.deep.equal([
      'realized_ltv',
      'size',
    ]);
    expect(mean.rows[0].size.reasons).to.have.length.greaterThan(0);
    expect(mean.rows[0].columns[0].value).not.to.have.property('reasons');
  });

  it('list all customers of a reason, page by page', async () => {
    const place = 'bucket=2026-01-01T00:00:00.000Z&measure=transactions&kind=SubscriptionStarted&limit=1';
    const { body } = await get(`/metrics/charts/revenue/compare/customers?${QUARTER}&thenAsOf=${THEN}&${place}`);
    expect(body.items).to.have.length(1);
    expect(body.items[0]).to.include({ object: 'chartCustomer', customerId: customers['3'], value: 1 });
    expect(body.items[0].sentence).to.equal(
      'A new subscription of 21 Jan 2026 10:00 UTC, received on 20 Feb 2026 10:00 UTC',
    );
    expect(body.nextPage).to.equal(null);
    const wide = `${QUARTER}&thenAsOf=${iso(day(1))}&bucket=2026-01-01T00:00:00.000Z&kind=SubscriptionStarted&limit=1`;
    const found: string[] = [];
    let next: string | null = `${base}/metrics/charts/actives_new/compare/customers?${wide}&measure=total`;
    while (next !== null) {
      const page: HttpResponse = await harness.call('GET', next, undefined, { key: slice.secretKey });
      expect(page.status, JSON.stringify(page.body)).to.equal(200);
      found.push(...page.body.items.map((c: { customerId: string }) => c.customerId));
      next = page.body.nextPage;
    }
    expect(found).to.deep.equal(Object.values(customers).sort());
    const unknown = `${QUARTER}&thenAsOf=${THEN}&${place.replace('Started', 'Begun')}`;
    const refused = await get(`/metrics/charts/revenue/compare/customers?${unknown}`);
    expect(refused.status).to.equal(400);
    expect(refused.body.message).to.include('"SubscriptionBegun"');
    const column = `bucket=2026-01-01T00:00:00.000Z&measure=value&column=0&kind=TransactionRefunded`;
    const cell = await get(`/metrics/charts/cohort_explorer/compare/customers?${QUARTER}&thenAsOf=${THEN}&${column}`);
    expect(cell.body.items.map((c: { value: number }) => c.value)).to.deep.equal([-9.99]);
  });

  it('compare a period with an earlier one, without reasons', async () => {
    const { buckets, then, now } = await compare(
      'revenue',
      'startDate=2026-02-01&endDate=2026-02-28&interval=week&previous=2026-01-04..2026-01-31',
    );
    expect([then.startDate, then.endDate, now.startDate]).to.deep.equal(['2026-01-04', '2026-01-31', '2026-02-01']);
    expect(buckets[0].thenStart).to.equal('2026-01-04T00:00:00.000Z');
    const shown = await chart('revenue', 'startDate=2026-01-04&endDate=2026-01-31&interval=week');
    const thens = buckets.map((b: { values: Values }) => b.values['revenue']?.then);
    expect(thens).to.deep.equal(shown.buckets.map((b: { values: { revenue: number } }) => b.values.revenue));
    expect(JSON.stringify(buckets)).not.to.include('reasons');
  });

  it('show what only the earlier period has, without a difference', async () => {
    const weeks = (startDate: string, endDate: string) => `startDate=${startDate}&endDate=${endDate}&interval=week`;
    for (const id of ['revenue', 'cohort_explorer', 'subscription_retention']) {
      for (const segment of ['', '&segment=country']) {
        const what = `${id}${segment}`;
        const compared = await compare(
          id,
          `${weeks('2026-02-02', '2026-03-01')}${segment}&previous=2026-01-06..2026-02-02`,
        );
        const earlier = await chart(id, `${weeks('2026-01-06', '2026-02-02')}${segment}`);
        for (const value of [null, ...Object.keys(compared.segments ?? {})]) {
          const partOf = (body: HttpResponse['body']) =>
            value === null ? (body.total ?? body) : (body.segments?.[value] ?? {});
          const points: readonly Point[] = partOf(compared).buckets ?? partOf(compared).rows;
          const ofThen = partOf(earlier).buckets ?? partOf(earlier).rows;
          expect(points, what).to.have.length(5);
          expect(points.map(({ start }) => start).indexOf(null), what).to.equal(4);
          const thenValues = points.map((p) => ({ ...p, start: p.thenStart ?? '' }));
          expect(withoutNull(sideOf(thenValues, 'then')), what).to.deep.equal(withoutNull(plain(ofThen)));
          const alone = [...differencesOf(points.slice(4))].map(([, d]) => d);
          expect(alone, what).not.to.have.length(0);
          expect(
            alone.every(({ now, difference }) => now === null && difference === null),
            what,
          ).to.equal(true);
        }
      }
    }
  });

  it('of very many values show what has changed, and let customers be listed', async () => {
    const days = 'startDate=2025-01-01&endDate=2026-12-31&interval=day';
    const id = 'cohort_explorer';
    const body = await compare(id, `${days}&thenAsOf=${THEN}`);
    expect(body.isOfChanges, id).to.equal(true);
    const then = await chart(id, `${days}&asOf=${THEN}`);
    const now = await chart(id, days);
    const rowAt = (of: { readonly rows: readonly Row[] }, start: string) => of.rows.find((r) => r.start === start);
    let kinds: readonly string[] = [];
    for (const { start, columns } of body.rows as readonly Row[]) {
      for (const { index, incomplete: _incomplete, ...measures } of columns) {
        for (const [measure, difference] of Object.entries(measures)) {
          const { then: before, now: after, reasons = [] } = difference as Difference;
          expect([before, after], `${id} ${start} ${index}`).to.deep.equal(
            [then, now].map((of) => rowAt(of, start)?.columns[index]?.[measure]),
          );
          kinds = [...kinds, ...reasons.map((r) => r.kind)];
          for (const reason of reasons) expect(reason.customers, id).to.deep.equal([]);
        }
      }
    }
    expect(kinds, id).to.include('TransactionRefunded');
    const changed = (of: readonly Row[]) => of.flatMap((row) => row.columns.map((c) => `${row.start} ${c.index}`));
    const both = now.rows.flatMap(({ start, columns }: Row) =>
      columns.flatMap((column) => {
        const other = rowAt(then, start)?.columns[column.index];
        const { incomplete: _now, ...mine } = column;
        const { incomplete: _then, ...theirs } = other ?? mine;
        return JSON.stringify(mine) === JSON.stringify(theirs) ? [] : [`${start} ${column.index}`];
      }),
    );
    expect(changed(body.rows), id).to.include.members(both);
  });

  it('refuse what has no two sides, and say what to send', async () => {
    const bad = [
      '',
      `thenAsOf=${THEN}&previous=year`,
      `nowAsOf=${THEN}`,
      'nowReplay=before',
      `thenAsOf=${THEN}&nowAsOf=${iso(day(39))}`,
      `thenAsOf=${THEN}&asOf=${THEN}`,
      `thenAsOf=${iso(day(80))}`,
      'thenAsOf=yesterday',
      'previous=2026-02-30..2026-03-01',
      'thenStartDate=2026-01-01',
    ];
    for (const query of bad) {
      expectRefusal(await get(`/metrics/charts/mrr/compare?${QUARTER}&${query}`), 400);
    }
    expectRefusal(await get(`/metrics/charts/none/compare?thenAsOf=${THEN}`), 404);
    expectRefusal(await get(`/metrics/charts/mrr/compare?thenReplay=none`), 404);
    const list = `/metrics/charts/mrr/compare/customers?${QUARTER}&thenAsOf=${THEN}`;
    const bucket = 'bucket=2026-01-01T00:00:00.000Z';
    for (const query of [
      bucket,
      'kind=time',
      `kind=time&bucket=2026-01-02T00:00:00.000Z`,
      `kind=time&${bucket}&measure=none`,
      `kind=time&${bucket}&column=0`,
      `kind=time&${bucket}&startingAfter=cus_none`,
    ]) {
      expectRefusal(await get(`${list}&${query}`), 400);
    }
  });
});
