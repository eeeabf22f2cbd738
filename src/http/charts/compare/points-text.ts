// Serialization of a comparison's buckets or cohort rows. By day rows have a million columns: no object is created for an unchanged one.
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import { differenceOf, type Difference } from '../../../domain/charts/compare/differences.js';
import { measureWeightsOf } from '../../../domain/charts/compare/measure-weights.js';
import type { RawReason } from '../../../domain/charts/compare/packed-reasons.js';
import { isClipped } from '../../../domain/charts/result/buckets.js';
import { startOfSeries, type Columns } from '../../../domain/charts/result/columns.js';
import { unitOf, type ChartResult, type CohortRow, type SeriesResult } from '../../../domain/charts/result/result.js';
import { isoFromMs } from '../../../domain/time.js';
import { joinPieces } from '../chart-text.js';
import type { DescribeReason } from './reason-descriptions.js';

/** `isOfChanges` omits values that only one side has and values that are equal on both. */
export type PointsFormat = {
  readonly q: ChartQuery;
  /** For two periods: for each bucket of the second, the index of its counterpart in the first. */
  readonly periodPairs: readonly (number | null)[] | null;
  readonly isOfChanges: boolean;
  /** Returns null if there are no reasons. */
  readonly reasonsAt: (measure: string, track: number) => ((index: number) => readonly RawReason[]) | null;
  readonly describe: DescribeReason;
};

/** Generates the text, which begins with a comma. */
export function serializePoints(format: PointsFormat, then: ChartResult, now: ChartResult): Generator<Buffer> {
  const begin = now.kind === 'series' ? ',"buckets":[' : ',"rows":[';
  return joinPieces(begin, pointsOf(onlyAdditiveReasons(format), then, now), ']');
}

/** Removes the reasons of measures that do not add up. */
function onlyAdditiveReasons(format: PointsFormat): PointsFormat {
  const { chart, selectors } = format.q;
  const additive = new Set(measureWeightsOf(chart, selectors).flatMap((f) => (f.form ? [f.id] : [])));
  return {
    ...format,
    reasonsAt: (measure, track) => (additive.has(measure) ? format.reasonsAt(measure, track) : null),
  };
}

function pointsOf(format: PointsFormat, then: ChartResult, now: ChartResult): Iterable<string> {
  if (now.kind === 'series' && then.kind === 'series') return bucketsText(format, then, now);
  return now.kind === 'cohort' && then.kind === 'cohort' ? rowsText(format, then.rows, now.rows) : [];
}

function* bucketsText(format: PointsFormat, then: SeriesResult, now: SeriesResult): Generator<string> {
  const { chart, selectors } = format.q;
  const measures = chart.measures.map(({ id, unit }) => {
    return { id, unit: unitOf(chart, selectors, unit), reasonsAt: format.reasonsAt(id, 0) };
  });
  for (const [i, before, after] of pairsOf(format, then.buckets, now.buckets)) {
    const values = measures.map(({ id, unit, reasonsAt }): [string, Difference] => {
      const [a, b] = [before?.values[id] ?? null, after?.values[id] ?? null];
      const difference = differenceOf(a, b, unit, reasonsAt && (() => reasonsAt(i)));
      return [id, withSentences(format, difference, after ?? null)];
    });
    if (format.isOfChanges && !values.some(([, difference]) => isChange(difference))) continue;
    yield JSON.stringify({ ...edgesOf(format, before, after), values: Object.fromEntries(values) });
  }
}

function* rowsText(format: PointsFormat, then: readonly CohortRow[], now: readonly CohortRow[]): Generator<string> {
  for (const [track, before, after] of pairsOf(format, then, now)) {
    const sizeReasons = format.reasonsAt('size', track);
    const sizes = [before?.size ?? null, after?.size ?? null] as const;
    const ofSize = differenceOf(...sizes, 'count', sizeReasons && (() => sizeReasons(0)));
    const size = withSentences(format, ofSize, null);
    const columns = columnsText(format, before?.columns, after?.columns, track);
    if (format.isOfChanges && columns === '' && !isChange(size)) continue;
    const head = JSON.stringify({ ...edgesOf(format, before, after), size });
    yield `${head.slice(0, -1)},"columns":[${columns}]}`;
  }
}

function withSentences(
  { describe }: PointsFormat,
  difference: Difference,
  period: CohortRow | SeriesResult['buckets'][number] | null,
): Difference {
  const { reasons } = difference;
  if (!reasons) return difference;
  const described = reasons.map((reason) => ({ ...reason, sentence: describe(reason, period) }));
  return { ...difference, reasons: described };
}

type Pair<T> = readonly [index: number, then: T | undefined, now: T | undefined];

/** Pairs the buckets or rows of both sides; one side is undefined where only the other has a bucket. */
function* pairsOf<T>(
  { isOfChanges, periodPairs }: PointsFormat,
  then: readonly T[],
  now: readonly T[],
): Generator<Pair<T>> {
  const all = periodPairs ? pairsOfPeriods(periodPairs, then, now) : pairsByIndex(then, now);
  for (const pair of all) if (!isOfChanges || (pair[1] !== undefined && pair[2] !== undefined)) yield pair;
}

function* pairsByIndex<T>(then: readonly T[], now: readonly T[]): Generator<Pair<T>> {
  for (let i = 0; i < Math.max(then.length, now.length); i++) yield [i, then[i], now[i]];
}

function* pairsOfPeriods<T>(
  pairs: readonly (number | null)[],
  then: readonly T[],
  now: readonly T[],
): Generator<Pair<T>> {
  let next = 0;
  function* onlyThenUntil(end: number): Generator<Pair<T>> {
    for (; next < end; next++) yield [next, then[next], undefined];
  }
  for (const [i, after] of now.entries()) {
    const counterpart = pairs[i] ?? null;
    if (counterpart !== null) {
      yield* onlyThenUntil(counterpart);
      next = counterpart + 1;
    }
    yield [i, counterpart === null ? undefined : then[counterpart], after];
  }
  yield* onlyThenUntil(then.length);
}

function columnsText(format: PointsFormat, then: Columns | undefined, now: Columns | undefined, track: number): string {
  const { q, isOfChanges } = format;
  const { series, complete } = now ?? then ?? { series: [], complete: 0 };
  const [thenCount, nowCount] = [then?.count ?? 0, now?.count ?? 0];
  const measures = series.map(({ name, parts }, m) => {
    const unit = unitOf(q.chart, q.selectors, q.chart.measures[m]?.unit);
    const [before, after] = [then ? startOfSeries(then, m) : 0, now ? startOfSeries(now, m) : 0];
    return { name, unit, parts, before, after, reasonsAt: format.reasonsAt(name, track) };
  });
  let text = '';
  const end = isOfChanges ? Math.min(nowCount, thenCount) : Math.max(nowCount, thenCount);
  for (let k = 0; k < end; k++) {
    const differences = measures.map(({ unit, parts, before, after, reasonsAt }) => {
      const a = valueOf(k < thenCount ? then?.values[before + k] : undefined, parts);
      const b = valueOf(k < nowCount ? now?.values[after + k] : undefined, parts);
      return withSentences(format, differenceOf(a, b, unit, reasonsAt && (() => reasonsAt(k))), null);
    });
    if (isOfChanges && !differences.some(isChange)) continue;
    const fields = differences.map((difference, m) => `"${measures[m]?.name}":${differenceText(difference)}`).join(',');
    text += `${text && ','}{"index":${k},${fields},"incomplete":${k >= complete}}`;
  }
  return text;
}

/** Converts a value in parts to a number; NaN means none. */
function valueOf(inParts: number | undefined, parts: number): number | null {
  return inParts === undefined || Number.isNaN(inParts) ? null : inParts / parts;
}

function isChange({ then, now, reasons }: Difference): boolean {
  return then !== now || reasons !== undefined;
}

/** Writes what `JSON.stringify` would, in half the time. */
function differenceText({ then, now, difference, reasons }: Difference): string {
  const why = reasons ? `,"reasons":${JSON.stringify(reasons)}` : '';
  return `{"then":${then},"now":${now},"difference":${difference}${why}}`;
}

type Edges = Pick<CohortRow, 'start' | 'end' | 'incomplete'>;

/** Two instants or replays divide the same period, so the edges of either side apply; two periods have their own edges. */
function edgesOf({ q, periodPairs }: PointsFormat, then: Edges | undefined, now: Edges | undefined) {
  const own = periodPairs ? now : (now ?? then);
  return {
    start: own ? isoFromMs(own.start) : null,
    end: own ? isoFromMs(own.end) : null,
    ...(own && isClipped(own, q.range.interval) && { clipped: true }),
    incomplete: (now ?? then)?.incomplete ?? false,
    ...(periodPairs && { thenStart: then ? isoFromMs(then.start) : null }),
  };
}
