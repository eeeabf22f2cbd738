// Request of a comparison: its pair of parameters, and the query of each side.
import type { z } from 'zod';
import type { Chart } from '../../../domain/charts/catalogue/chart.js';
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import { DAY_MS } from '../../../domain/charts/calendar.js';
import { isoFromMs, utcDay } from '../../../domain/time.js';
import { HttpError } from '../../bodies/errors.js';
import { instant } from '../../bodies/request-schemas.js';
import type { Services } from '../../dispatch/services.js';
import { chartParameters, type ChartParameters } from '../chart-parameters.js';
import { resolveChartRequest, type ChartRequest } from '../chart-request.js';

const replayName = chartParameters.shape.replay;

/** Parameters of the chart and one pair. */
export const compareParameters = chartParameters.extend({
  thenAsOf: instant.optional(),
  nowAsOf: instant.optional(),
  thenReplay: replayName,
  nowReplay: replayName,
});
export type CompareParameters = z.output<typeof compareParameters>;

export type ComparisonRequest = {
  readonly then: ChartRequest;
  readonly now: ChartRequest;
  /**
   * For two periods by the same knowledge, whose differences have no reasons: for each bucket of `now`, the index of its counterpart. Null for
   * two instants or replays.
   */
  readonly periodPairs: readonly (number | null)[] | null;
};

/** Throws {@link HttpError} 400 unless exactly one pair is sent. */
export async function resolveSides(
  services: Services,
  projectId: string,
  chart: Chart,
  query: CompareParameters,
): Promise<ComparisonRequest> {
  const { thenAsOf, nowAsOf, thenReplay, nowReplay, previous, ...parameters } = query;
  const pairs = [thenAsOf ?? nowAsOf, thenReplay ?? nowReplay, previous];
  if (pairs.filter((first) => first !== undefined).length !== 1) {
    throw new HttpError(400, 'send one of thenAsOf (with nowAsOf), thenReplay (with nowReplay) and previous');
  }
  if (previous !== undefined) return resolvePrevious(services, projectId, chart, { ...parameters, previous });
  if (parameters.asOf !== undefined || parameters.replay !== undefined) {
    throw new HttpError(400, 'asOf and replay are only allowed with previous: the other pairs set both sides');
  }
  if (thenAsOf === undefined && thenReplay === undefined) {
    throw new HttpError(400, `${nowAsOf === undefined ? 'nowReplay needs thenReplay' : 'nowAsOf needs thenAsOf'}`);
  }
  if (thenAsOf !== undefined && nowAsOf !== undefined && thenAsOf > nowAsOf) {
    throw new HttpError(400, 'thenAsOf must not be later than nowAsOf');
  }
  const now = await resolveChartRequest(services, projectId, chart, {
    ...parameters,
    asOf: nowAsOf,
    replay: nowReplay,
  });
  const same = { ...parameters, ...daysOf(now), asOf: thenAsOf, replay: thenReplay };
  const then = await resolveChartRequest(services, projectId, chart, same);
  const chartQuery = withSameProducts(then.chartQuery, now.chartQuery);
  return { then: { ...then, chartQuery }, now, periodPairs: null };
}

/** Shares one product list between both sides if the lists are equal: then other products need no query. */
function withSameProducts(then: ChartQuery, now: ChartQuery): ChartQuery {
  return now.sold && JSON.stringify(then.sold) === JSON.stringify(now.sold) ? { ...then, sold: now.sold } : then;
}

/** Compares with the period that a chart with the same parameters is compared with. */
async function resolvePrevious(
  services: Services,
  projectId: string,
  chart: Chart,
  parameters: ChartParameters,
): Promise<ComparisonRequest> {
  const { previous, ...now } = await resolveChartRequest(services, projectId, chart, parameters);
  if (!previous) throw new Error('a request with previous has no compared period');
  return { then: { ...now, chartQuery: previous.chartQuery }, now, periodPairs: previous.pairs };
}

/** Returns the period of a query as days, however it was requested. */
function daysOf({ chartQuery }: ChartRequest) {
  const { start, end } = chartQuery.range;
  const [startDate, endDate] = [start, end - DAY_MS].map((at) => utcDay(isoFromMs(at)));
  return { period: undefined, startDate, endDate };
}
