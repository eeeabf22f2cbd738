// Comparisons against the brute-force calculator, on random histories: both sides are its results, and its own steps from one to the other
// are the reasons. HISTORIES=<number> draws another number of them.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { charts } from '../../src/domain/charts/catalogue/catalogue.js';
import { dimensions, type ChartQuery } from '../../src/domain/charts/catalogue/chart-query.js';
import { intervals } from '../../src/domain/charts/calendar.js';
import { measureWeightsOf } from '../../src/domain/charts/compare/measure-weights.js';
import { createComparison, type Comparison } from '../domain/charts/one-by-one/comparison.js';
import { withSegments } from '../domain/charts/one-by-one/segment-counts.js';
import { differenceOf } from '../../src/domain/charts/compare/differences.js';
import { unitOf, type ChartResult } from '../../src/domain/charts/result/result.js';
import { unpackColumns } from '../../src/domain/charts/result/columns.js';
import { queryOf, readableResult, type QueryOptions } from '../domain/charts/run-query.js';
import { historiesOf, type NormalEvent } from '../domain/charts/normal-form.js';
import { chance, type Chance } from '../projections/support/seeded-random.js';
import { randomHistory } from './random-history.js';
import { createReference } from './reference.js';
import { bucketStart, DAY, plus } from './time.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 200);
const iso = (t: number) => new Date(t).toISOString();
const pick = <T>(all: readonly T[], random: Chance): T => all[random.below(all.length)] as T;

type Question = {
  readonly id: string;
  readonly o: Omit<QueryOptions, 'asOf'>;
  readonly then: number;
  readonly now: number;
};

function compare(events: readonly NormalEvent[], { id, o, then, now }: Question): Comparison {
  const customers = [...historiesOf(events)].sort(([a], [b]) => (a < b ? -1 : 1));
  const [first, last] = [then, now].map((asOf) => queryOf(id, { ...o, asOf: iso(asOf) })) as [ChartQuery, ChartQuery];
  const histories = customers.map(([, history]) => history);
  const comparison = createComparison(...withSegments([first, last] as const, () => histories, 2));
  for (const [customerId, history] of customers) comparison.add(customerId, history, history);
  return comparison;
}

type Place = { readonly measure: string; readonly track: number; readonly index: number };

/** Every value that both results have, with the sum of its reasons as they are shown. */
function* placesOf(
  then: ChartResult,
  now: ChartResult,
): Generator<Place & { then: number | null; now: number | null }> {
  if (then.kind === 'series' && now.kind === 'series') {
    for (const [index, bucket] of then.buckets.entries()) {
      for (const [measure, value] of Object.entries(bucket.values)) {
        yield { measure, track: 0, index, then: value, now: now.buckets[index]?.values[measure] ?? null };
      }
    }
  }
  if (then.kind === 'cohort' && now.kind === 'cohort') {
    for (const [track, row] of then.rows.entries()) {
      const other = now.rows[track];
      yield { measure: 'size', track, index: 0, then: row.size, now: other?.size ?? null };
      const columns = other ? unpackColumns(other.columns) : [];
      for (const [index, column] of unpackColumns(row.columns).entries()) {
        for (const { name: measure } of row.columns.series) {
          const value = columns[index]?.[measure] as number | null | undefined;
          yield { measure, track, index, then: column[measure] as number | null, now: value ?? null };
        }
      }
    }
  }
}

/** Recorded at different instants each, so that their order is one. */
function inOrder(events: readonly NormalEvent[]): NormalEvent[] {
  let last = 0;
  const recorded = (e: NormalEvent) => Date.parse(e.recordedAt ?? e.at);
  return [...events]
    .sort((a, b) => recorded(a) - recorded(b))
    .map((e) => {
      last = Math.max(last + 1, recorded(e));
      return { ...e, recordedAt: iso(last) };
    });
}

function drawn(events: readonly NormalEvent[], random: Chance): Omit<Question, 'id'> {
  const instants = [0, 1].map(() => {
    const event = pick(events, random);
    const exact = Date.parse(pick([event?.at, event?.recordedAt, event?.expiresAt], random) ?? event?.at ?? '');
    return random.below(2) === 0 ? Date.UTC(2025, 1, 1) + random.below(300 * DAY) : exact + random.below(2);
  });
  const [then = 0, now = 0] = instants.sort((a, b) => a - b);
  const interval = pick(intervals, random);
  const buckets = 1 + random.below({ day: 7, week: 7, month: 6, quarter: 4, year: 2 }[interval]);
  const start = bucketStart(plus(then, -random.below(buckets + 2), interval), interval) + random.below(2) * 2 * DAY;
  const end = plus(start, buckets, interval);
  const selectors = {
    revenueType: pick(['revenue', 'revenue_net_of_taxes', 'proceeds'] as const, random),
    conversionTimeframe: pick([null, 7, 30], random),
    customerLifetime: pick([null, 7, 90], random),
    statusMeasure: pick(['actives', 'active_trials', 'mrr', 'arr'] as const, random),
    productDuration: pick(['P1M', 'P1W', 'P1Y', 'P3D'], random),
    cohort: pick(['new_customers', 'initial_conversions', 'new_paying_customers'] as const, random),
    cohortMeasure: pick(
      ['revenue', 'realized_ltv', 'realized_ltv_per_customer', 'retained_subscriptions'] as const,
      random,
    ),
  };
  return { o: { start: iso(start), end: iso(end), interval, selectors }, then, now };
}

describe('comparisons and the brute-force reference', function () {
  this.timeout(300_000);

  it(`agree on both sides and add up, on ${HISTORIES} random histories, with segments`, () => {
    const random = chance();
    for (let n = 0; n < HISTORIES; n++) {
      const events = randomHistory(random);
      if (events.length === 0) continue;
      const { o, then, now } = drawn(events, random);
      const segment = pick([undefined, ...dimensions], random);
      for (const { id } of charts) {
        const what = `${id} (history ${n}, SEED=${random.seed}) ${JSON.stringify({ then: iso(then), now: iso(now), segment, ...o })}`;
        const isCount = id === 'customers_new' || id === 'customers_active';
        const split = segment && !(isCount && segment !== 'platform') ? { segment } : {};
        const comparison = compare(events, { id, o: { ...o, ...split }, then, now });
        const results = comparison.results();
        for (const [side, asOf] of [
          ['then', then],
          ['now', now],
        ] as const) {
          const period = { start: Date.parse(o.start), end: Date.parse(o.end), interval: o.interval, now: asOf };
          const wanted = createReference(events, asOf)(id, { ...period, ...o.selectors });
          const result = readableResult(results[side].result);
          if (!isDeepStrictEqual(result, wanted)) expect(result, `${side} of ${what}`).to.deep.equal(wanted);
        }
        const { chart, selectors } = queryOf(id, { ...o, asOf: iso(now) });
        const forms = measureWeightsOf(chart, selectors);
        for (const value of [null, ...results.now.segments.keys()]) {
          const [a, b] = (['then', 'now'] as const).map((side) =>
            value === null ? results[side].result : results[side].segments.get(value),
          );
          if (!a || !b) throw new Error(`a segment is missing: ${what}`);
          for (const place of placesOf(a, b)) {
            const form = forms.find((f) => f.id === place.measure);
            if (!form?.form) continue;
            const unit = unitFor(id, o, place.measure, now);
            const reasons = comparison.reasonsOf(value, place.measure, place.track, place.index);
            const raw = reasons.reduce((sum, r) => sum + r.amount, 0) / (unit === 'usd' ? 10_000 : 1);
            const shown = differenceOf(place.then, place.now, unit, () => reasons);
            const parts = unit === 'count' ? 1 : 100;
            const steps = shown.reasons?.reduce((sum, r) => sum + Math.round(r.amount * parts), 0) ?? 0;
            const at = () => `${JSON.stringify(place)} of ${String(value)} in ${what}`;
            if (shown.difference === null) continue;
            if (steps !== Math.round(shown.difference * parts)) expect(steps, at()).to.equal(shown.difference * parts);
            if (Math.abs(raw - steps) > (unit === 'usd' ? 1 : 0)) expect(raw, `unrounded: ${at()}`).to.equal(steps);
            for (const r of reasons) {
              if (r.count < 1 || r.customers.length !== Math.min(20, r.count))
                expect(r, at()).to.equal('as many as counted');
            }
          }
        }
      }
    }
  });

  it('give each kind of event what it changed, in the order of the log', () => {
    const random = chance();
    for (let n = 0; n < 2 * HISTORIES; n++) {
      const events = inOrder(randomHistory(random));
      if (events.length === 0) continue;
      const { o, then, now } = drawn(events, random);
      const { id } = pick(charts, random);
      const what = `${id} (history ${n}, SEED=${random.seed})`;
      const comparison = compare(events, { id, o, then, now });
      const period = { start: Date.parse(o.start), end: Date.parse(o.end), interval: o.interval };
      const at = (known: readonly NormalEvent[], seen: number) =>
        createReference(known, seen)(id, { ...period, now: seen, ...o.selectors }) as never;
      const before = events.filter((e) => Date.parse(e.recordedAt ?? '') < then);
      const learned = events.slice(before.length).filter((e) => Date.parse(e.recordedAt ?? '') < now);
      const wanted = new Map<string, { amount: number; steps: number }>();
      const move = (kind: string, from: never, to: never) => {
        const [former, latter] = [valuesOf(from), valuesOf(to)];
        // A cohort that a refund leaves empty shows no values.
        for (const place of new Set([...former.keys(), ...latter.keys()])) {
          const key = `${kind} ${place}`;
          const sum = wanted.get(key) ?? { amount: 0, steps: 0 };
          wanted.set(key, sum);
          sum.amount += (latter.get(place) ?? 0) - (former.get(place) ?? 0);
          sum.steps++;
        }
      };
      let [known, state] = [before, at(before, now)];
      move('time', at(before, then), state);
      for (const event of learned) {
        known = [...known, event];
        const next = at(known, now);
        move(event.type, state, next);
        state = next;
      }
      const forms = measureWeightsOf(
        queryOf(id, { ...o, asOf: iso(now) }).chart,
        queryOf(id, { ...o, asOf: iso(now) }).selectors,
      );
      const { then: a, now: b } = comparison.results();
      for (const place of placesOf(a.result, b.result)) {
        const form = forms.find((f) => f.id === place.measure);
        if (!form?.form || place.then === null || place.now === null) continue;
        const unit = unitFor(id, o, place.measure, now);
        const reasons = comparison.reasonsOf(null, place.measure, place.track, place.index);
        for (const kind of new Set(['time', ...learned.map((e) => e.type)])) {
          const key = `${kind} ${place.track}/${place.index}/${place.measure}`;
          const { amount = 0, steps = 0 } = wanted.get(key) ?? {};
          const raw = reasons.find((r) => r.kind === kind)?.amount ?? 0;
          const off = Math.abs(raw / (unit === 'usd' ? 1_000_000 : 1) - amount);
          if (off > (unit === 'usd' ? 0.011 * steps : 0)) expect(raw, `${key} in ${what}`).to.equal(amount);
        }
      }
    }
  });
});

function unitFor(id: string, o: Omit<QueryOptions, 'asOf'>, measure: string, now: number) {
  const { chart, selectors } = queryOf(id, { ...o, asOf: iso(now) });
  const own = chart.measures.find((m) => m.id === measure)?.unit ?? 'count';
  return measure === 'size' ? 'count' : unitOf(chart, selectors, own);
}

type Bare = {
  readonly buckets?: readonly { readonly values: Readonly<Record<string, number | null>> }[];
  readonly rows?: readonly { readonly size: number; readonly columns: readonly Readonly<Record<string, unknown>>[] }[];
};

/** Returns the values by track, index and measure. */
function valuesOf({ buckets = [], rows = [] }: Bare): Map<string, number> {
  const found = new Map<string, number>();
  for (const [i, { values }] of buckets.entries())
    for (const [id, value] of Object.entries(values)) found.set(`0/${i}/${id}`, value ?? 0);
  for (const [i, { size, columns }] of rows.entries()) {
    found.set(`${i}/0/size`, size);
    for (const [k, column] of columns.entries())
      for (const [id, value] of Object.entries(column))
        if (typeof value === 'number') found.set(`${i}/${k}/${id}`, value);
  }
  return found;
}
