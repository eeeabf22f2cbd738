// A comparison as its response shows it; the text is made while it is sent.
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import type { Unit } from '../../../domain/charts/catalogue/display-values.js';
import { DAY_MS } from '../../../domain/charts/calendar.js';
import type { Results } from '../../../domain/charts/compare/comparison.js';
import type { ReasonsOf } from '../../../domain/charts/compare/packed.js';
import { differenceOf, type Difference } from '../../../domain/charts/compare/differences.js';
import { formsOf } from '../../../domain/charts/compare/forms.js';
import { isClipped } from '../../../domain/charts/result/buckets.js';
import { unitOf, type ChartResult, type CohortRow } from '../../../domain/charts/result/result.js';
import { isoFromMs, utcDay } from '../../../domain/time.js';
import { LongJson } from '../../bodies/send-json.js';
import { aboutChart, type ChartContext } from '../present.js';
import type { ChartAsked } from '../question.js';
import type { Sides } from './sides.js';

/** `reasonsOf` null where differences have none. */
export type Compared = { readonly then: Results; readonly now: Results; readonly reasonsOf: ReasonsOf | null };

export function presentComparison(
  { then, now, isOfPeriods }: Sides,
  compared: Compared,
  context: Omit<ChartContext, 'replay'>,
  names: ReadonlyMap<string, string>,
): LongJson {
  const { object: _, asOf: __, measures, ...frame } = aboutChart(now.chartQuery, context);
  const ratios = new Map(formsOf(now.chartQuery.chart, now.chartQuery.selectors).map((f) => [f.id, f.ratio]));
  const explained = measures.map((m) => {
    const ratio = ratios.get(m.id);
    return { ...m, ...(ratio && { explainedBy: [ratio.of, ratio.per] }) };
  });
  const head = { object: 'chartComparison', ...frame, measures: explained, then: sideOf(then), now: sideOf(now) };
  return new LongJson(pieces(head, now.chartQuery, compared, isOfPeriods, names));
}

function sideOf({ shown, chartQuery, replay }: ChartAsked) {
  const { start, end } = chartQuery.range;
  const [startDate, endDate] = [start, end - DAY_MS].map((at) => utcDay(isoFromMs(at)));
  return { asOf: isoFromMs(shown), startDate, endDate, ...replay };
}

function* pieces(
  head: object,
  q: ChartQuery,
  { then, now, reasonsOf }: Compared,
  isOfPeriods: boolean,
  names: ReadonlyMap<string, string>,
): Generator<Buffer> {
  yield Buffer.from(JSON.stringify(head).slice(0, -1));
  const points = (segment: string | null, a: ChartResult | undefined, b: ChartResult | undefined) =>
    a && b ? pointsText(q, a, b, isOfPeriods, reasonsOf && ((...place) => reasonsOf(segment, ...place))) : [];
  if (q.segment === null) {
    yield* points(null, then.result, now.result);
  } else {
    yield Buffer.from(`,"segment":${JSON.stringify(q.segment)},"segments":{`);
    let comma = '';
    for (const [value, result] of now.segments) {
      yield Buffer.from(`${comma}${JSON.stringify(value)}:{"name":${JSON.stringify(names.get(value) ?? null)}`);
      yield* points(value, then.segments.get(value), result);
      yield Buffer.from('}');
      comma = ',';
    }
    // The comma that points begin with has nothing before it here.
    yield Buffer.from('},"total":{');
    yield* withoutFirstByte(points(null, then.result, now.result));
    yield Buffer.from('}');
  }
  yield Buffer.from('}');
}

function* withoutFirstByte(pieces: Iterable<Buffer>): Generator<Buffer> {
  let isFirst = true;
  for (const piece of pieces) {
    yield isFirst ? piece.subarray(1) : piece;
    isFirst = false;
  }
}

type ReasonsAt = (measure: string, track: number, index: number) => ReturnType<ReasonsOf>;

/** Many buckets or rows in one piece: each is a turn of the connection. */
const PIECE_CHARACTERS = 64 * 1024;

function* pointsText(
  q: ChartQuery,
  then: ChartResult,
  now: ChartResult,
  isOfPeriods: boolean,
  reasonsAt: ReasonsAt | null,
): Generator<Buffer> {
  let text = now.kind === 'series' ? ',"buckets":[' : ',"rows":[';
  let comma = '';
  for (const point of pointsOf(q, then, now, isOfPeriods, reasonsAt)) {
    text += comma + JSON.stringify(point);
    comma = ',';
    if (text.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}]`);
}

function* pointsOf(
  q: ChartQuery,
  then: ChartResult,
  now: ChartResult,
  isOfPeriods: boolean,
  reasonsAt: ReasonsAt | null,
): Generator<object> {
  const { chart, range, selectors } = q;
  const additive = new Set(formsOf(chart, selectors).flatMap((f) => (f.form ? [f.id] : [])));
  const reasonsOf = (measure: string, track: number, index: number) =>
    reasonsAt && additive.has(measure) ? () => reasonsAt(measure, track, index) : null;
  const edges = (
    b: CohortRow | (ChartResult & { kind: 'series' })['buckets'][number],
    thenStart: number | undefined,
  ) => ({
    start: isoFromMs(b.start),
    end: isoFromMs(b.end),
    ...(isClipped(b, range.interval) && { clipped: true }),
    incomplete: b.incomplete,
    ...(isOfPeriods && { thenStart: thenStart === undefined ? null : isoFromMs(thenStart) }),
  });
  if (now.kind === 'series' && then.kind === 'series') {
    const measures = chart.measures.map(({ id, unit }) => ({ id, unit: unitOf(chart, selectors, unit) }));
    for (const [i, bucket] of now.buckets.entries()) {
      const other = then.buckets[i];
      const values = measures.map(({ id, unit }): [string, Difference] => {
        const [a, b] = [other?.values[id] ?? null, bucket.values[id] ?? null];
        return [id, differenceOf(a, b, unit, reasonsOf(id, 0, i))];
      });
      yield { ...edges(bucket, other?.start), values: Object.fromEntries(values) };
    }
  } else if (now.kind === 'cohort' && then.kind === 'cohort') {
    for (const [i, row] of now.rows.entries()) {
      const other = then.rows[i];
      const size = differenceOf(other?.size ?? null, row.size, 'count', reasonsOf('size', i, 0));
      const units = chart.measures.map(({ unit }) => unitOf(chart, selectors, unit));
      yield { ...edges(row, other?.start), size, columns: columnsOf(row, other, units, i, reasonsOf) };
    }
  }
}

function columnsOf(
  { columns: { count, complete, series } }: CohortRow,
  other: CohortRow | undefined,
  units: readonly Unit[],
  track: number,
  reasonsOf: (measure: string, track: number, index: number) => (() => ReturnType<ReasonsAt>) | null,
): object[] {
  return Array.from({ length: count }, (_, k) => {
    const values = series.map(({ name, parts, values }, m): [string, Difference] => {
      const isThere = other !== undefined && k < other.columns.count;
      const before = isThere ? other.columns.series[m]?.values[k] : undefined;
      const [a, b] = [before ?? NaN, values[k] ?? NaN].map((v) => (Number.isNaN(v) ? null : v / parts));
      return [name, differenceOf(a ?? null, b ?? null, units[m] ?? 'count', reasonsOf(name, track, k))];
    });
    return { index: k, ...Object.fromEntries(values), incomplete: k >= complete };
  });
}
