// Values of a comparison: both sides with their reasons, or only the changes if there are very many values.
import { MAX_LISTED, reasonsAlong, type ReasonsAlong } from '../../../domain/charts/compare/packed-reasons.js';
import { placesOf } from '../../../domain/charts/compare/places.js';
import { readChart, type ChartSources } from '../../../projections/charts/query-chart.js';
import type { ComparisonResult, Releasable } from '../../../projections/charts/requests/chart-queries.js';
import type { ChartRequest } from '../chart-request.js';
import type { ComparisonRequest } from './comparison-request.js';

export type Comparison = Omit<ComparisonResult, 'reasons'> &
  Releasable & {
    /** Null if differences have no reasons. */
    readonly reasonsAlong: ReasonsAlong | null;
    /** True if only changed values that both sides have are included, and reasons have no customers. */
    readonly isOfChanges: boolean;
  };

/** Largest number of values, without segments, that are all shown. */
const MAX_PLACES = 50_000;

export async function readComparison(
  sources: ChartSources,
  projectId: string,
  { then, now, isOfPeriods }: ComparisonRequest,
): Promise<Comparison> {
  const isOfChanges = placesOf(now.chartQuery) > MAX_PLACES;
  if (isOfPeriods) return { ...(await readBoth(sources, projectId, then, now)), reasonsAlong: null, isOfChanges };
  const mostListed = isOfChanges ? 0 : MAX_LISTED;
  const query = { then: then.chartQuery, now: now.chartQuery, mostListed };
  const { reasons, ...found } = await sources.chartLedger.ask('compare', projectId, query);
  return { ...found, reasonsAlong: reasonsAlong(reasons), isOfChanges };
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
