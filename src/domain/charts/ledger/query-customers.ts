// Query of customer charts: each customer counts once, at its first sighting, or once in each bucket in which it was active.
import type { SeriesChart } from '../catalogue/chart.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { windowEnd } from '../contribution.js';
import {
  createPlacedSums,
  measuresOf,
  NOT_SELECTED,
  placesOf,
  type RowSelection,
  type PlacedSums,
  cellsWith,
  isKnown,
  selectEntries,
} from './row-selection.js';
import { measureNumber, PAYING, SEEN, worthNumbers } from './measure-codes.js';
import type { LedgerColumns } from './ledger.js';
import type { PartialSeries } from './partial.js';

type SeriesQuery = ChartQuery & { readonly chart: SeriesChart };

/** Measures in the order of their slots. */
export const customerMeasures = [
  'customers.new',
  'customers.converted',
  'customers.paying',
  'customers.ltv',
  'customers.gross',
] as const;
const [NEW, CONVERTED, PAID, LTV, GROSS] = [0, 1, 2, 3, 4];
/** Slots of the gathered entries. `CHARGED` is gathered for the whole alone. */
export const [FIRST_SEEN, WORTH, KEPT, CHARGED] = [0, 1, 2, 3];

export function queryCustomers(ledger: LedgerColumns, q: SeriesQuery, selection: RowSelection): PartialSeries {
  const { range, selectors, chart } = q;
  const { asOf } = range;
  const slots = new Map(slotsOf({ chart, selectors }));
  if (q.settled) slots.set(measureNumber('money.gross'), CHARGED);
  const selected = selectEntries(ledger.cells, slots);
  const isFirstSeen = cellsWith(selected, FIRST_SEEN);
  const places = placesOf(range);
  /** The last table is the whole, in which a customer counts once in however many segments it bought. */
  const WHOLE = selection.segments;
  const sums = createPlacedSums(places.count, customerMeasures.length, WHOLE + 1);
  const customer = createCustomerSums(WHOLE);
  const { columns, kinds, starts, ends } = ledger.rows;
  const { at, attributes } = columns;
  for (let n = 0; n < ledger.customerIds.length; n++) {
    const [begin, end] = [starts[n] ?? 0, ends[n] ?? 0];
    let first = begin;
    while (first < end && !(isFirstSeen[kinds[first] ?? 0] && isKnown(columns, first, asOf))) first++;
    const segment = first === end ? NOT_SELECTED : (selection.customers[attributes[first] ?? 0] ?? NOT_SELECTED);
    const firstSeen = at[first] ?? 0;
    const place = segment === NOT_SELECTED ? NOT_SELECTED : places.of(firstSeen);
    if (place === NOT_SELECTED) continue;
    sums.add(WHOLE, NEW, place, 1);
    if (selection.by === 'customer') sums.add(segment, NEW, place, 1);
    const converts = windowEnd(firstSeen, selectors.conversionTimeframe);
    const lasts = windowEnd(firstSeen, selectors.customerLifetime);
    for (let i = begin; i < end; i++) {
      const kind = kinds[i] ?? 0;
      const last = selected.ends[kind + 1] ?? 0;
      let entry = selected.ends[kind] ?? 0;
      if (entry === last || !isKnown(columns, i, asOf)) continue;
      const number = selection.purchases[attributes[i] ?? 0] ?? NOT_SELECTED;
      if (number === NOT_SELECTED) continue;
      const instant = at[i] ?? 0;
      for (; entry < last; entry++) {
        const slot = selected.slots[entry];
        const value = selected.values[entry] ?? 0;
        if (slot === FIRST_SEEN) continue;
        if (slot === CHARGED) sums.add(WHOLE, GROSS, place, instant < lasts ? value : 0);
        else if (slot === WORTH) customer.add(number, instant < lasts ? value : 0, 0, 0);
        else customer.add(number, 0, instant < lasts ? value : 0, instant < converts ? value : 0);
      }
    }
    customer.settle(sums, place);
  }
  if (selection.by === 'purchase') addToEach(sums, selection, NEW);
  return { kind: 'series', sums: sums.sums };
}

/** Adds the sums of the whole to each segment: a customer is in each segment whatever it bought. */
function addToEach(sums: PlacedSums, { segments }: RowSelection, slot: number): void {
  for (let segment = 0; segment < segments; segment++) sums.addSlot(segments, segment, slot);
}

/** Collects what one customer adds to each segment, then adds it to the sums of the segments and of the whole. */
function createCustomerSums(whole: number) {
  const count = Math.max(1, whole);
  const [worth, paidBy, convertedBy] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const isTouched = new Uint8Array(count);
  const touched: number[] = [];
  return {
    add: (segment: number, ofWorth: number, ofPaid: number, ofConverted: number): void => {
      if (isTouched[segment] === 0) {
        isTouched[segment] = 1;
        touched.push(segment);
      }
      worth[segment] = (worth[segment] ?? 0) + ofWorth;
      paidBy[segment] = (paidBy[segment] ?? 0) + ofPaid;
      convertedBy[segment] = (convertedBy[segment] ?? 0) + ofConverted;
    },
    /** Adds the collected sums at the place of the customer, and resets them. */
    settle: (sums: PlacedSums, place: number): void => {
      let [isConverted, isPaid] = [false, false];
      for (const segment of touched) {
        sums.add(whole, LTV, place, worth[segment] ?? 0);
        if (segment !== whole) sums.add(segment, LTV, place, worth[segment] ?? 0);
        if ((convertedBy[segment] ?? 0) > 0) {
          if (segment !== whole) sums.add(segment, CONVERTED, place, 1);
          isConverted = true;
        }
        if ((paidBy[segment] ?? 0) > 0) {
          if (segment !== whole) sums.add(segment, PAID, place, 1);
          isPaid = true;
        }
        worth[segment] = paidBy[segment] = convertedBy[segment] = isTouched[segment] = 0;
      }
      touched.length = 0;
      if (isConverted) sums.add(whole, CONVERTED, place, 1);
      if (isPaid) sums.add(whole, PAID, place, 1);
    },
  };
}

/** Returns the entries that the chart needs, by code, with their slots. */
export function slotsOf({ chart, selectors }: Pick<SeriesQuery, 'chart' | 'selectors'>): ReadonlyMap<number, number> {
  const needed = new Set(measuresOf(chart, selectors));
  const slots = new Map([[measureNumber('customers.new'), FIRST_SEEN]]);
  if (needed.has('customers.ltv')) slots.set(worthNumbers[selectors.revenueType], WORTH);
  if (needed.has('customers.converted') || needed.has('customers.paying')) slots.set(PAYING, KEPT);
  return slots;
}

/** Counts active customers; the sightings of a customer are ordered by time. */
export function queryActivity(ledger: LedgerColumns, q: SeriesQuery, selection: RowSelection): PartialSeries {
  const { range } = q;
  const places = placesOf(range);
  const WHOLE = selection.segments;
  const sums = createPlacedSums(places.count, 1, WHOLE + 1);
  const isSeen = cellsWith(selectEntries(ledger.cells, new Map([[SEEN, 0]])), 0);
  const { columns, kinds, starts, ends } = ledger.rows;
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    const end = ends[customer] ?? 0;
    let last = 0;
    for (let i = starts[customer] ?? 0; i < end; i++) {
      if (!isSeen[kinds[i] ?? 0] || !isKnown(columns, i, range.asOf)) continue;
      const segment = selection.customers[columns.attributes[i] ?? 0] ?? NOT_SELECTED;
      const place = segment === NOT_SELECTED ? NOT_SELECTED : places.of(columns.at[i] ?? 0);
      if (place <= last) continue;
      last = place;
      sums.add(WHOLE, 0, place, 1);
      if (selection.by === 'customer') sums.add(segment, 0, place, 1);
    }
  }
  if (selection.by === 'purchase') addToEach(sums, selection, 0);
  return { kind: 'series', sums: sums.sums };
}
