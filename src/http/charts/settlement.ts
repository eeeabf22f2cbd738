// Settled amounts in the charts of revenue and of lifetime value: what the stores' reports state, where they do.
import { createSettledValue, settledMoney } from '../../domain/books/settled-buckets.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { HttpError } from '../bodies/errors.js';
import type { Services } from '../dispatch/services.js';
import type { ChartRequest } from './chart-request.js';

export const proceedsBases = ['estimated', 'settled'] as const;
export type ProceedsBasis = (typeof proceedsBases)[number];

const REVENUE = 'revenue';
const settledCharts: ReadonlySet<string> = new Set([REVENUE, 'ltv_per_customer', 'ltv_per_paying_customer']);

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
  if (!isLive || !hasSettlement(chartQuery)) {
    if (basis === undefined) return request;
    throw new HttpError(
      400,
      'proceedsBasis: settled amounts are in the charts revenue, ltv_per_customer and ltv_per_paying_customer of production, in USD, without filters, segments, asOf and replay',
    );
  }
  const complete = async (q: ChartQuery): Promise<ChartQuery> => {
    const { chart, range, selectors } = q;
    const [first = '', last = ''] = [range.start, range.end - 1].map((at) => utcDay(isoFromMs(at)));
    const days = { startDate: first, endDate: last };
    if (chart.id === REVENUE) {
      const found = await books.settledDays(projectId, days);
      return found.length === 0 && basis === undefined ? q : { ...q, settled: settledMoney(range, found) };
    }
    const value = createSettledValue(range, selectors);
    let isEmpty = true;
    for await (const cohort of books.settledCohorts(projectId, days)) {
      value.add(cohort);
      isEmpty = false;
    }
    return isEmpty && basis === undefined ? q : { ...q, settled: value.sum() };
  };
  const own = { ...request, chartQuery: await complete(chartQuery) };
  return previous ? { ...own, previous: { ...previous, chartQuery: await complete(previous.chartQuery) } } : own;
}

function hasSettlement({ chart, environment, filters, segment, conversion }: ChartQuery): boolean {
  return settledCharts.has(chart.id) && environment === 'production' && !conversion && filters.size === 0 && !segment;
}
