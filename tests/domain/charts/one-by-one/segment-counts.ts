// The reference for which segments a query shows, from the histories of the customers one by one.
import { isCustomerDimension, valueOf, type ChartQuery } from '../../../../src/domain/charts/catalogue/chart-query.js';
import type { CustomerHistory } from '../../../../src/domain/charts/history/history.js';
import { knownHistoryOf } from '../../../../src/domain/charts/history/known-history.js';
import { addCounts, listSegments, type SegmentCounts } from '../../../../src/domain/charts/result/segment-counts.js';
import { sharesOf } from '../../../../src/domain/charts/result/shares.js';

export function countByCustomers(customers: Iterable<CustomerHistory>, q: ChartQuery): SegmentCounts {
  const { segment } = q;
  const counts = new Map<string, number>();
  if (segment === null) return counts;
  const count = (value: string) => counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const customer of customers) {
    const history = knownHistoryOf(customer, q.environment, q.range.asOf);
    if (!history) continue;
    for (const { to, lines } of sharesOf({ ...q, segment: null }, history)) {
      if (to !== 'whole') continue;
      if (isCustomerDimension(q.chart, segment)) count(valueOf(q, segment, history, null));
      else for (const { about } of lines) count(valueOf(q, segment, history, about));
    }
  }
  return counts;
}

/** The queries with the segments that all of them together have most of, at most `limit` besides `other`. */
export function withSegments<Q extends readonly ChartQuery[]>(
  asked: Q,
  of: (q: ChartQuery) => Iterable<CustomerHistory>,
  limit: number,
): Q {
  const counts = addCounts(asked.map((q) => countByCustomers(of(q), q)));
  return asked.map((q) => (q.segment === null ? q : { ...q, segments: listSegments(counts, limit) })) as unknown as Q;
}
