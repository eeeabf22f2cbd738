// Comparisons by the ledger against those by the customers' histories, one after the other. HISTORIES=<number> draws another number of
// them.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { charts } from '../../../../src/domain/charts/catalogue/catalogue.js';
import { createReasonReader } from '../one-by-one/reason-reader.js';
import { MAX_LISTED } from '../../../../src/domain/charts/compare/packed-reasons.js';
import { reasonsFrom, type ReasonsOf } from '../reasons-of.js';
import { withSegments } from '../one-by-one/segment-counts.js';
import { createComparison } from '../one-by-one/comparison.js';
import { measureWeightsOf } from '../../../../src/domain/charts/compare/measure-weights.js';
import type { CustomerHistory, History, Stamp } from '../../../../src/domain/charts/history/history.js';
import {
  customersToRecompute,
  compareLedgers,
  customersOfReason,
} from '../../../../src/domain/charts/ledger/compare/compare-ledgers.js';
import { createLedger, type LedgerColumns } from '../../../../src/domain/charts/ledger/ledger.js';
import { ledgerRowsOf } from '../../../../src/domain/charts/ledger/customer/rows.js';
import type { ChartQuery } from '../../../../src/domain/charts/catalogue/chart-query.js';
import type { ChartResult } from '../../../../src/domain/charts/result/result.js';
import { queryOf, type QueryOptions } from '../run-query.js';
import { historiesOf, type NormalEvent } from '../normal-form.js';
import { chance, type Chance } from '../../../projections/support/seeded-random.js';
import { randomHistory } from '../../../charts-reference/random-history.js';
import { randomQuery } from '../../../charts-reference/random-query.js';
import { DAY } from '../../../charts-reference/time.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 100);
type Customers = ReadonlyMap<string, CustomerHistory>;

describe('comparisons by the ledger', function () {
  this.timeout(300_000);

  it(`give the reasons, and whom they are about, that the customers themselves do, on ${HISTORIES} random histories`, () => {
    const random = chance();
    for (let n = 0; n < HISTORIES; n++) {
      const events = learnedAtOnce(randomHistory(random), random).map((event) => early(event, random));
      if (events.length === 0) continue;
      const now = withdrawn(historiesOf(events), random);
      const isOfCopies = random.below(4) === 0;
      const then = isOfCopies ? withdrawn(historiesOf(events.filter(() => random.below(6) > 0)), random) : now;
      const instants = [instantOf(events, random), instantOf(events, random)];
      if (!isOfCopies) instants.sort((a, b) => a - b);
      for (const { id } of charts) {
        const asked = randomQuery(instants[0] ?? 0, random);
        const [a, b] = instants.map((asOf) => sideOf(id, asked, asOf, random));
        if (!a || !b) continue;
        const what = `${id} of ${instants.map((t) => new Date(t).toISOString()).join(' and ')} (history ${n}, SEED=${random.seed})`;
        expectSame(a, b, then, now, random, what);
      }
    }
  });

  it('take what one millisecond has in the order in which a command appends it', () => {
    const day = (n: number) => new Date(Date.UTC(2025, 0, 1) + n * DAY).toISOString();
    const of = (subscriptionId: string, n: number, from: number) => ({
      ...{ customerId: 'ann', subscriptionId, transactionId: `${subscriptionId}${n}`, productDuration: 'P1M' },
      ...{ at: day(from), expiresAt: day(from + 30), periodDuration: 'P1M', store: 'ios-store', appId: 'app_1' },
    });
    // The renewal is the first payment that is known, until the purchase before it is: as another step of the same millisecond.
    const customers = historiesOf([
      { type: 'CustomerCreated', customerId: 'ann', at: day(0) },
      { type: 'SubscriptionStarted', ...of('a', 1, 1), periodType: 'trial', revenueUsd: 0 },
      { type: 'SubscriptionRenewed', ...of('a', 2, 31), periodType: 'normal', revenueUsd: 9.99, recordedAt: day(50) },
      { type: 'SubscriptionStarted', ...of('b', 1, 20), periodType: 'normal', revenueUsd: 4.99, recordedAt: day(50) },
    ]);
    const random = chance();
    for (const { id } of charts) {
      const asked = { start: day(0), end: day(60), interval: 'day' as const };
      const [a, b] = [45, 55].map((n) => queryOf(id, { ...asked, asOf: day(n) })) as [ChartQuery, ChartQuery];
      expectSame(a, b, customers, customers, random, `${id} (SEED=${random.seed})`);
    }
  });
});

function expectSame(
  first: ChartQuery,
  second: ChartQuery,
  then: Customers,
  now: Customers,
  random: Chance,
  what: string,
): void {
  const customersOf = (q: ChartQuery) => (q === first ? then : now).values();
  const [a, b] = withSegments([first, second] as const, customersOf, 1 + random.below(3));
  const ids = [...new Set([...then.keys(), ...now.keys()])];
  const wanted = createComparison(a, b);
  for (const id of ids) wanted.add(id, then.get(id), now.get(id));
  const { then: thens, now: nows } = wanted.results();
  const nowLedger = ledgerWith(now, b.environment);
  const sides = {
    then: { q: a, ledger: then === now ? nowLedger : ledgerWith(then, a.environment) },
    now: { q: b, ledger: nowLedger },
  };
  const asked = customersToRecompute(sides.then, sides.now);
  const pairs = new Map(asked.map((id) => [id, { then: then.get(id), now: now.get(id) }]));
  const compare = { ...sides, inEarlier: null, pairs };
  const found = reasonsFrom(compareLedgers(compare, MAX_LISTED));
  const forms = measureWeightsOf(b.chart, b.selectors).filter((f) => f.form !== null);
  for (const value of [null, ...nows.segments.keys()]) {
    const [before, after] =
      value === null ? [thens.result, nows.result] : [thens.segments.get(value), nows.segments.get(value)];
    for (const { id } of forms) {
      for (const [track, index] of placesOf(before, after)) {
        const [mine, reference] = [found, wanted.reasonsOf].map((of) => bare(of, value, id, track, index));
        const where = `${id} ${track}/${index} of segment ${String(value)} of ${what}`;
        if (!isDeepStrictEqual(mine, reference)) expect(mine, where).to.deep.equal(reference);
        const reasons = wanted.reasonsOf(null, id, track, index);
        const reason = value === null ? reasons[random.below(Math.max(4, reasons.length))] : undefined;
        if (!reason) continue;
        const place = { kind: reason.kind, measure: id, track, index };
        const amountOf = createReasonReader({ ...a, segment: null }, { ...b, segment: null }, place);
        const amounts = ids.map(
          (customerId) => [customerId, amountOf(then.get(customerId), now.get(customerId))] as const,
        );
        expect(
          new Map(customersOfReason(compare, place).map((c) => [c.customerId, c.value])),
          `customers of ${reason.kind}, ${where}`,
        ).to.deep.equal(new Map(amounts.filter(([, amount]) => amount !== 0)));
      }
    }
  }
}

/** Keeps the customers of lists that are not full; those of a full list depend on the order. */
function bare(of: ReasonsOf, segment: string | null, measure: string, track: number, index: number): unknown {
  return of(segment, measure, track, index).map(({ customers, ...rest }) => ({
    ...rest,
    customers: rest.count > 20 ? customers.length : [...customers].sort(),
  }));
}

function ledgerWith(customers: Customers, environment: ChartQuery['environment']): LedgerColumns {
  const ledger = createLedger();
  for (const [id, customer] of customers) ledger.put(id, ledgerRowsOf(customer, environment));
  return ledger.read();
}

/** Places that both sides show. */
function* placesOf(then: ChartResult | undefined, now: ChartResult | undefined): Generator<readonly [number, number]> {
  if (then?.kind === 'series' && now?.kind === 'series') {
    for (let i = 0; i < Math.min(then.buckets.length, now.buckets.length); i++) yield [0, i];
  }
  if (then?.kind === 'cohort' && now?.kind === 'cohort') {
    for (let row = 0; row < Math.min(then.rows.length, now.rows.length); row++) {
      const columns = Math.min(...[then, now].map((side) => side.rows[row]?.columns.count ?? 0));
      for (let k = 0; k < Math.max(1, columns); k++) yield [row, k];
    }
  }
}

function sideOf(id: string, asked: QueryOptions, asOf: number, random: Chance): ChartQuery {
  const q = queryOf(id, { ...asked, asOf: new Date(asOf).toISOString() });
  if (random.below(3) > 0) return q;
  return { ...q, sold: [{ appId: 'app_1', storeProductId: 'any', productId: 'prod_1' }] };
}

/** Several events of one millisecond, as a command or an import appends them. */
function learnedAtOnce(events: readonly NormalEvent[], random: Chance): readonly NormalEvent[] {
  const unit = [1, DAY / 4, 10 * DAY][random.below(3)] ?? 1;
  return events.map((event) => {
    const recorded = Math.ceil(Date.parse(event.recordedAt ?? event.at) / unit) * unit;
    return { ...event, recordedAt: new Date(recorded).toISOString() };
  });
}

/** Some things are learned before they take effect. */
function early(event: NormalEvent, random: Chance): NormalEvent {
  if (random.below(12) > 0) return event;
  return { ...event, recordedAt: new Date(Date.parse(event.at) - 1 - random.below(20 * DAY)).toISOString() };
}

/** Some entries of purchases are found not to hold. */
function withdrawn(customers: Customers, random: Chance): Customers {
  const gone = <S extends Stamp>(stamps: readonly S[]): readonly S[] =>
    stamps.map((s) => (random.below(20) > 0 ? s : { ...s, gone: s.known + random.below(2) * random.below(60 * DAY) }));
  const inHistory = (h: History): History => ({
    ...h,
    lines: Object.fromEntries(
      Object.entries(h.lines).map(([id, l]) => [id, { ...l, periods: gone(l.periods), marks: gone(l.marks) }]),
    ),
    adjustments: Object.fromEntries(Object.entries(h.adjustments).map(([id, all]) => [id, gone(all)])),
  });
  return new Map(
    [...customers].map(([id, c]) => {
      const merged = c.merged.map((m) => ({ ...m, history: inHistory(m.history) }));
      return [id, { ...c, own: inHistory(c.own), merged }];
    }),
  );
}

/** Some instant, or the very one of an event or right behind it. */
function instantOf(events: readonly NormalEvent[], random: Chance): number {
  const some = Date.UTC(2025, 1, 1) + random.below(300 * DAY);
  const event = events[random.below(Math.max(1, events.length))];
  const times = [event?.at, event?.expiresAt, event?.recordedAt].flatMap((t) =>
    t === undefined ? [] : [Date.parse(t)],
  );
  return random.below(3) === 0 ? some : (times[random.below(times.length)] ?? some) + random.below(2);
}
