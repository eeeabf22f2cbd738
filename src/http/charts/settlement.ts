// Settled amounts in the chart of revenue: what the stores' reports state, where they do.
import { isSummed } from '../../projections/charts/query-chart.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { HttpError } from '../bodies/errors.js';
import type { Services } from '../dispatch/services.js';
import type { ChartRequest } from './chart-request.js';

export const proceedsBases = ['estimated', 'settled'] as const;
export type ProceedsBasis = (typeof proceedsBases)[number];

const SETTLED_CHART = 'revenue';

/**
 * Adds what was settled to the request, unless estimates are requested. Requests that settled amounts do not support stay estimates. Throws
 * {@link HttpError} 400 if such a request asks for settled amounts.
 */
export async function withSettlement<R extends ChartRequest>(
  { books }: Pick<Services, 'books'>,
  projectId: string,
  request: R,
  basis: ProceedsBasis | undefined,
): Promise<R> {
  if (basis === 'estimated') return request;
  const { chartQuery, previous, isLive } = request;
  if (
    !isLive ||
    chartQuery.chart.id !== SETTLED_CHART ||
    chartQuery.environment !== 'production' ||
    !isSummed(chartQuery)
  ) {
    if (basis === undefined) return request;
    throw new HttpError(
      400,
      'proceedsBasis: settled amounts are in the chart revenue of production, in USD, without filters, segments, asOf and replay',
    );
  }
  const complete = async (q: ChartQuery): Promise<ChartQuery> => {
    const [first, last] = [q.range.start, q.range.end - 1].map((at) => utcDay(isoFromMs(at)));
    const settled = await books.settledDays(projectId, { startDate: first ?? '', endDate: last ?? '' });
    return settled.length === 0 && basis === undefined ? q : { ...q, settled };
  };
  const own = { ...request, chartQuery: await complete(chartQuery) };
  return previous ? { ...own, previous: { ...previous, chartQuery: await complete(previous.chartQuery) } } : own;
}
