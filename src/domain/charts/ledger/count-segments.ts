// Counts of customers or purchases by segment, from which the largest segments are listed.
import { valueOf, type ChartQuery, type Dimension } from '../catalogue/chart-query.js';
import type { SegmentCounts } from '../result/segment-counts.js';
import { selectRows, NOT_SELECTED, cellsWith, isKnown, selectEntries } from './row-selection.js';
import { LINE, measureNumber } from './measure-codes.js';
import type { LedgerColumns } from './ledger.js';

/** Counts everything that the filters select, whether or not it counts in the range. */
export function countSegments(ledger: LedgerColumns, q: ChartQuery & { readonly segment: Dimension }): SegmentCounts {
  const values = [...new Set(ledger.attributes.map((customer) => valueOf(q, q.segment, customer, customer.about)))];
  const { by, customers, purchases } = selectRows({ ...q, segments: values }, ledger.attributes);
  const isOfCustomers = by === 'customer';
  const numbers = isOfCustomers ? customers : purchases;
  const entries = isOfCustomers ? [LINE, measureNumber('customers.new')] : [LINE];
  const isCounted = cellsWith(selectEntries(ledger.cells, new Map(entries.map((e) => [e, 0]))), 0);
  const counts = new Float64Array(values.length);
  const { columns, kinds, starts, ends } = ledger.rows;
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) {
      const number = numbers[columns.attributes[i] ?? 0] ?? NOT_SELECTED;
      if (number === NOT_SELECTED || !isCounted[kinds[i] ?? 0] || !isKnown(columns, i, q.range.asOf)) continue;
      counts[number] = (counts[number] ?? 0) + 1;
      // All rows of a customer that are valid at one instant have the same attributes.
      if (isOfCustomers) break;
    }
  }
  return new Map(values.flatMap((value, number) => (counts[number] ? [[value, counts[number]] as const] : [])));
}
