// Query of charts whose measures add up over purchases: one pass over the rows, each added to the sums of its segment. The customer of a
// row does not matter, so entries are read in place.
import type { SeriesChart } from '../catalogue/chart.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { createPlacedSums, measuresOf, NOT, placesOf, type Asked } from './asked.js';
import { measureNumber } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import type { PartialSeries } from './partial.js';
import { isKnown, pick } from './picked.js';

export function readAdditive(
  ledger: LedgerColumns,
  q: ChartQuery & { readonly chart: SeriesChart },
  asked: Asked,
): PartialSeries {
  const { range, selectors, chart } = q;
  const { asOf } = range;
  const measures = measuresOf(chart, selectors);
  const pending = measures.indexOf('outcome.pending');
  const slots = new Map(measures.map((measure, slot) => [measureNumber(measure, selectors.revenueType), slot]));
  const places = placesOf(range);
  const WHOLE = asked.segments;
  const { sums, add, addSlot } = createPlacedSums(places.count, measures.length, WHOLE + 1);
  const picked = pick(ledger.cells, slots);
  const { columns, kinds, starts, ends } = ledger.rows;
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) {
      const kind = kinds[i] ?? 0;
      const [first, last] = [picked.ends[kind] ?? 0, picked.ends[kind + 1] ?? 0];
      if (first === last || !isKnown(columns, i, asOf)) continue;
      const segment = asked.lines[columns.attributes[i] ?? 0] ?? NOT;
      const at = columns.at[i] ?? 0;
      const place = segment === NOT ? NOT : places.of(at);
      if (place === NOT) continue;
      for (let entry = first; entry < last; entry++) {
        const slot = at + (picked.lags[entry] ?? 0) >= asOf ? pending : (picked.slots[entry] ?? NOT);
        if (slot !== NOT) add(segment, slot, place, picked.values[entry] ?? 0);
      }
    }
  }
  for (let segment = 0; segment < WHOLE; segment++) {
    for (let slot = 0; slot < measures.length; slot++) addSlot(segment, WHOLE, slot);
  }
  return { kind: 'series', sums };
}
