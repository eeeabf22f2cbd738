// Selection of the ledger rows of a query and of their entries: computed once for each set of attributes, each cell and each day. Readers iterate
// over the rows in place: a call for each of millions of entries, or a copy of them, would dominate the cost.
import { DAY_MS } from '../calendar.js';
import type { SeriesChart } from '../catalogue/chart.js';
import { isCustomerDimension, OTHER, valueOf, type ChartQuery } from '../catalogue/chart-query.js';
import { bucketAt, type BucketedRange } from '../result/buckets.js';
import type { Measure } from '../measures.js';
import type { Attributes } from './customer/rows.js';
import type { Cells } from './dictionaries.js';
import type { LedgerColumns } from './ledger.js';

/** Marks rows that the query does not select. */
export const NOT_SELECTED = -1;

/**
 * Segment number, or {@link NOT_SELECTED}, by attribute number. `customers` considers only the customer, whatever it bought; 0 for every
 * selected customer if segments are of purchases. `purchases` considers the purchase.
 */
export type RowSelection = {
  readonly customers: Int32Array;
  readonly purchases: Int32Array;
  readonly segments: number;
  readonly by: 'none' | 'customer' | 'purchase';
};

export function selectRows(q: ChartQuery, attributes: readonly Attributes[]): RowSelection {
  const { chart, filters, segment } = q;
  const by = segment === null ? 'none' : isCustomerDimension(chart, segment) ? 'customer' : 'purchase';
  const numbers = new Map((q.segments ?? []).map((value, number) => [value, number]));
  const other = numbers.get(OTHER) ?? numbers.size;
  const numberOf = (value: string): number => numbers.get(value) ?? other;
  const customerFilters = [...filters].filter(([dimension]) => isCustomerDimension(chart, dimension));
  const purchaseFilters = [...filters].filter(([dimension]) => !isCustomerDimension(chart, dimension));
  const customers = new Int32Array(attributes.length).fill(NOT_SELECTED);
  const purchases = new Int32Array(attributes.length).fill(NOT_SELECTED);
  for (const [i, customer] of attributes.entries()) {
    const { about } = customer;
    if (!customerFilters.every(([dimension, values]) => values.has(valueOf(q, dimension, customer, null)))) continue;
    customers[i] = segment !== null && by === 'customer' ? numberOf(valueOf(q, segment, customer, null)) : 0;
    if (!about || !purchaseFilters.every(([dimension, values]) => values.has(valueOf(q, dimension, customer, about))))
      continue;
    purchases[i] =
      segment !== null && by === 'purchase' ? numberOf(valueOf(q, segment, customer, about)) : customers[i];
  }
  return { customers, purchases, segments: segmentCount(q), by };
}

/**
 * Returns the number of listed segments, plus one for `other` if it is not listed; 0 without segments. The number of the whole comes next.
 */
export function segmentCount({ segment, segments = [] }: ChartQuery): number {
  if (segment === null) return 0;
  return segments.length + (segments.includes(OTHER) ? 0 : 1);
}

/** Selected entries of each cell: those of cell `n` are at `ends[n]` to before `ends[n + 1]`. */
export type SelectedEntries = {
  readonly ends: Int32Array;
  readonly slots: Int32Array;
  readonly values: Float64Array;
  readonly lags: Float64Array;
};

/** Selects the entries that have a slot, by entry code. */
export function selectEntries(cells: Cells, slots: ReadonlyMap<number, number>): SelectedEntries {
  const slotOf = new Int32Array(Math.max(0, ...slots.keys()) + 1).fill(NOT_SELECTED);
  for (const [entry, slot] of slots) slotOf[entry] = slot;
  const ends = new Int32Array(cells.count + 1);
  const found: number[] = [];
  let entry = 0;
  for (let cell = 0; cell < cells.count; cell++) {
    const last = cells.ends[cell] ?? 0;
    for (; entry < last; entry++) {
      if ((slotOf[cells.entries[entry] ?? 0] ?? NOT_SELECTED) !== NOT_SELECTED) found.push(entry);
    }
    ends[cell + 1] = found.length;
  }
  return {
    ends,
    slots: Int32Array.from(found, (i) => slotOf[cells.entries[i] ?? 0] ?? NOT_SELECTED),
    values: Float64Array.from(found, (i) => cells.values[i] ?? 0),
    lags: Float64Array.from(found, (i) => cells.lags[i] ?? 0),
  };
}

/** Returns, by cell number, 1 if the cell has a selected entry with the slot. */
export function cellsWith({ ends, slots }: SelectedEntries, slot: number): Uint8Array {
  const has = new Uint8Array(ends.length - 1);
  for (let cell = 0; cell < has.length; cell++) {
    has[cell] = Number(slots.subarray(ends[cell], ends[cell + 1]).includes(slot));
  }
  return has;
}

/** Returns whether the row at `i` is known at `asOf` and counts before it. */
export function isKnown({ at, from, to }: LedgerColumns['rows']['columns'], i: number, asOf: number): boolean {
  return (from[i] ?? 0) < asOf && asOf <= (to[i] ?? 0) && (at[i] ?? 0) < asOf;
}

/** Maps an instant to its place among the sums; place 0 is everything before the first bucket. */
export type Places = { readonly count: number; of(at: number): number };

/** Creates the mapping; it returns {@link NOT_SELECTED} for instants at or after `asOf`, or after the range. */
export function placesOf(range: BucketedRange): Places {
  const { start, end, asOf, buckets } = range;
  const count = buckets.length + 1;
  if (!hasDayBorders(range)) {
    const placeOf = (at: number): number => {
      const bucket = at >= asOf ? undefined : bucketAt(range, at);
      return bucket === undefined ? NOT_SELECTED : bucket + 1;
    };
    return { count, of: placeOf };
  }
  const until = Math.min(end, asOf);
  const byDay = new Int32Array(Math.max(0, Math.ceil((until - start) / DAY_MS)));
  for (const [i, bucket] of buckets.entries()) {
    byDay.fill(i + 1, (bucket.start - start) / DAY_MS, Math.ceil((bucket.horizon - start) / DAY_MS));
  }
  return {
    count,
    of: (at) => {
      if (at >= asOf || at >= end) return NOT_SELECTED;
      return at < start ? 0 : (byDay[Math.floor((at - start) / DAY_MS)] ?? NOT_SELECTED);
    },
  };
}

function hasDayBorders({ start, end, buckets }: BucketedRange): boolean {
  return [start, end, ...buckets.map((b) => b.start)].every((at) => at % DAY_MS === 0);
}

/** Returns the measures that the chart's values are computed from. */
export function measuresOf({ values }: SeriesChart, selectors: ChartQuery['selectors']): readonly Measure[] {
  const found = new Set<Measure>();
  const addMeasure = (measure: Measure) => {
    found.add(measure);
    return 0;
  };
  values({ flow: addMeasure, stock: addMeasure, before: addMeasure }, selectors);
  return [...found];
}

/** Sums of some measures, by table number and place of an instant. */
export type PlacedSums = {
  add(table: number, slot: number, place: number, value: number): void;
  /** Adds all sums of a measure in one table to another table. */
  addSlot(from: number, to: number, slot: number): void;
  readonly sums: Float64Array<ArrayBuffer>;
};

export function createPlacedSums(places: number, measures: number, tables: number): PlacedSums {
  const sums = new Float64Array(tables * measures * places);
  const first = (table: number, slot: number) => (table * measures + slot) * places;
  const addAt = (i: number, value: number): void => {
    sums[i] = (sums[i] ?? 0) + value;
  };
  return {
    sums,
    add: (table, slot, place, value) => addAt(first(table, slot) + place, value),
    addSlot: (from, to, slot) => {
      const [begin, target] = [first(from, slot), first(to, slot)];
      for (let i = 0; i < places; i++) addAt(target + i, sums[begin + i] ?? 0);
    },
  };
}
