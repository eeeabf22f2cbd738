// Reads both sides of a comparison of two periods, and pages of customers.
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import type { SegmentedResult } from '../../../domain/charts/result/result.js';
import type { CustomerShare, ComparisonResult, Page, Releasable } from './chart-requests.js';
import { readChart } from '../query-chart.js';
import type { ChartSource } from '../chart-documents.js';

/** One side; `isLive` means that everything in the source may count. */
export type Side = { readonly source: ChartSource; readonly chartQuery: ChartQuery; readonly isLive: boolean };

/** Reads both sides as displayed in the chart. */
export async function readSides(
  projectId: string,
  then: Side,
  now: Side,
): Promise<Omit<ComparisonResult, 'reasons'> & Releasable> {
  const read = ({ source, chartQuery, isLive }: Side) => readChart(source, projectId, chartQuery, isLive);
  const [first, second] = [await read(then), await read(now)];
  const { unconverted } = second;
  const release = () => {
    first.release?.();
    second.release?.();
  };
  return { then: toComparisonSide(first), now: toComparisonSide(second), ...(unconverted && { unconverted }), release };
}

/** Returns the result with its segments; none if none were requested. */
export function toComparisonSide({ result, segments }: SegmentedResult): ComparisonResult['then'] {
  return { result, segments: segments ?? new Map() };
}

/** Returns a page of customers by ID; the customer `after` need not be among them. */
export function pageOf(all: readonly CustomerShare[], { after, limit }: Page): CustomerShare[] {
  return all
    .filter(({ customerId }) => after === undefined || customerId > after)
    .sort((a, b) => (a.customerId < b.customerId ? -1 : 1))
    .slice(0, limit);
}
