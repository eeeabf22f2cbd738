// Query of charts whose measures add up over purchases: one pass over the rows, each added to the sums of its segment. The customer of a
// row does not matter, so entries are read in place.
import type { SeriesChart } from '../catalogue/chart.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { createPlacedSums, measuresOf, NOT_SELECTED, placesOf, type RowSelection } from './row-selection.js';
import { measureNumber } from './measure-codes.js';
import type { LedgerColumns } from './ledger.js';
import type { PartialSeries } from './partial.js';
import { isKnown, selectEntries } from './row-filter.js';

export function queryAdditive(
  ledger: LedgerColumns,
  q: ChartQuery & { readonly chart: SeriesChart },
  selection: RowSelection,
): PartialSeries {
  const { range, selectors, chart } = q;
  const { asOf } = range;
  const measures = measuresOf(chart, selectors);
  const pending = measures.indexOf('outcome.pending');
  const slots = new Map(measures.map((measure, slot) => [measureNumber(measure, selectors.revenueType), slot]));
  const places = placesOf(range);
  const WHOLE = selection.segments;
  const { sums, add, addSlot } = createPlacedSums(places.count, measures.length, WHOLE + 1);
  const selected = selectEntries(ledger.cells, slots);
  const { columns, kinds, starts, ends } = ledger.rows;
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) {
      const kind = kinds[i] ?? 0;
      const [first, last] = [selected.ends[kind] ?? 0, selected.ends[kind + 1] ?? 0];
      if (first === last || !isKnown(columns, i, asOf)) continue;
      const segment = selection.purchases[columns.attributes[i] ?? 0] ?? NOT_SELECTED;
      const at = columns.at[i] ?? 0;
      const place = segment === NOT_SELECTED ? NOT_SELECTED : places.of(at);
      if (place === NOT_SELECTED) continue;
      for (let entry = first; entry < last; entry++) {
        const slot = at + (selected.lags[entry] ?? 0) >= asOf ? pending : (selected.slots[entry] ?? NOT_SELECTED);
        if (slot !== NOT_SELECTED) add(segment, slot, place, selected.values[entry] ?? 0);
      }
    }
  }
  for (let segment = 0; segment < WHOLE; segment++) {
    for (let slot = 0; slot < measures.length; slot++) addSlot(segment, WHOLE, slot);
  }
  return { kind: 'series', sums };
}
