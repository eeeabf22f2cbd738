// Response of a comparison: both sides with their reasons, or only the changes if there are very many values. Its text is generated while
// it is sent.
import { DAY_MS } from '../../../domain/charts/calendar.js';
import { measureWeightsOf } from '../../../domain/charts/compare/measure-weights.js';
import { MAX_LISTED, reasonsAlong, type ReasonsAlong } from '../../../domain/charts/compare/packed-reasons.js';
import { placesOf } from '../../../domain/charts/compare/places.js';
import type { ChartResult } from '../../../domain/charts/result/result.js';
import { isoFromMs, utcDay } from '../../../domain/time.js';
import { readChart, type ChartSources } from '../../../projections/charts/query-chart.js';
import type { ComparisonResult, Releasable } from '../../../projections/charts/requests/chart-queries.js';
import { LongJson } from '../../bodies/send-json.js';
import type { ChartRequest } from '../chart-request.js';
import { presentChartHead, type ChartContext } from '../present.js';
import type { ComparisonRequest } from './comparison-request.js';
import { describeReasons, type DescribeReason } from './reason-descriptions.js';
import { serializePoints } from './points-text.js';

type Comparison = Omit<ComparisonResult, 'reasons'> &
  Releasable & {
    /** Null if differences have no reasons. */
    readonly reasonsAlong: ReasonsAlong | null;
    readonly describe: DescribeReason;
    /** True if only changed values that both sides have are included, and reasons have no customers. */
    readonly isOfChanges: boolean;
  };

/** Largest number of values, without segments, that are all shown. */
const MAX_PLACES = 50_000;
/** Largest number of values whose reasons name their own times; nobody reads more of them. */
const MAX_DATED_PLACES = 5_000;

export async function readComparison(
  sources: ChartSources,
  projectId: string,
  sides: ComparisonRequest,
): Promise<Comparison> {
  const { then, now, periodPairs } = sides;
  const places = placesOf(now.chartQuery);
  const isOfChanges = places > MAX_PLACES;
  if (periodPairs) {
    const describe = await describeReasons(sources.readModels, sides, []);
    return { ...(await readBoth(sources, projectId, then, now)), reasonsAlong: null, describe, isOfChanges };
  }
  const mostListed = isOfChanges ? 0 : MAX_LISTED;
  const query = { then: then.chartQuery, now: now.chartQuery, mostListed };
  const { reasons, ...found } = await sources.chartLedger.ask('compare', projectId, query);
  const listed = places > MAX_DATED_PLACES ? [] : reasons.customerIds;
  const describe = await describeReasons(sources.readModels, sides, listed);
  return { ...found, reasonsAlong: reasonsAlong(reasons), describe, isOfChanges };
}

/** Reads two periods, each as displayed in the chart. */
async function readBoth(sources: ChartSources, projectId: string, ...sides: readonly [ChartRequest, ChartRequest]) {
  const read = ({ chartQuery, isLive }: ChartRequest) => readChart(sources, projectId, chartQuery, isLive);
  const [then, now] = [await read(sides[0]), await read(sides[1])];
  const release = () => {
    then.release?.();
    now.release?.();
  };
  return { then, now, release };
}

export function presentComparison(
  sides: ComparisonRequest,
  compared: Comparison,
  context: Omit<ChartContext, 'replay'>,
  names: ReadonlyMap<string, string>,
): LongJson {
  const { then, now } = sides;
  const { object: _, asOf: __, measures, ...frame } = presentChartHead(now.chartQuery, compared.now, context);
  const ratios = new Map(measureWeightsOf(now.chartQuery.chart, now.chartQuery.selectors).map((f) => [f.id, f.ratio]));
  const explained = measures.map((m) => {
    const ratio = ratios.get(m.id);
    return { ...m, ...(ratio && { explainedBy: [ratio.of, ratio.per] }) };
  });
  const about = { ...frame, ...(compared.isOfChanges && { isOfChanges: true }), measures: explained };
  const head = { object: 'chartComparison', ...about, then: sideOf(then), now: sideOf(now) };
  return new LongJson(pieces(head, sides, compared, names), compared.release);
}

function sideOf({ asOf: sideAsOf, chartQuery, replay }: ChartRequest) {
  const { start, end } = chartQuery.range;
  const [startDate, endDate] = [start, end - DAY_MS].map((at) => utcDay(isoFromMs(at)));
  return { asOf: isoFromMs(sideAsOf), startDate, endDate, ...replay };
}

function* pieces(
  head: object,
  { now: { chartQuery: q }, periodPairs }: ComparisonRequest,
  { then, now, reasonsAlong, describe, isOfChanges }: Comparison,
  names: ReadonlyMap<string, string>,
): Generator<Buffer> {
  yield Buffer.from(JSON.stringify(head).slice(0, -1));
  const points = (segment: string | null, a: ChartResult | undefined, b: ChartResult | undefined) => {
    const reasonsAt = (measure: string, track: number) => reasonsAlong?.(segment, measure, track) ?? null;
    return a && b ? serializePoints({ q, periodPairs, isOfChanges, reasonsAt, describe }, a, b) : [];
  };
  if (q.segment === null) {
    yield* points(null, then.result, now.result);
  } else {
    yield Buffer.from(`,"segment":${JSON.stringify(q.segment)},"segments":{`);
    let comma = '';
    for (const [value, result] of now.segments ?? []) {
      yield Buffer.from(`${comma}${JSON.stringify(value)}:{"name":${JSON.stringify(names.get(value) ?? null)}`);
      yield* points(value, then.segments?.get(value), result);
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
