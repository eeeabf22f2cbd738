// Charts of customers: each counts once, where it was first seen, or once in each bucket in which it was active.
import type { SeriesChart } from '../catalogue/chart.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { windowEnd } from '../contribution.js';
import { seriesResult } from '../result/result.js';
import { createPlacedSums, measuresOf, NOT, placesOf, type Asked, type Segmented } from './asked.js';
import { measureNumber, PAYING, SEEN, worthNumbers } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import { blocksOf, endOfCustomer, type Block } from './picked.js';

type SeriesQuery = ChartQuery & { readonly chart: SeriesChart };

const MEASURES = ['customers.new', 'customers.converted', 'customers.paying', 'customers.ltv'] as const;
const [NEW, CONVERTED, PAID, LTV] = [0, 1, 2, 3];
/** Slots of the entries. */
export const [FIRST_SEEN, WORTH, KEPT] = [0, 1, 2];

type Sum = { isTouched: boolean; convertedBy: number; paidBy: number; worth: number };

export function readCustomers(ledger: LedgerColumns, q: SeriesQuery, asked: Asked): Segmented {
  const { range, selectors, chart } = q;
  const slots = slotsOf({ chart, selectors });
  const places = placesOf(range);
  /** The last is of the whole, in which a customer counts once however many segments it has bought in. */
  const WHOLE = asked.segments.length;
  const sums = createPlacedSums(range, MEASURES, WHOLE + 1);
  const own = asked.segments.map((): Sum => ({ isTouched: false, convertedBy: 0, paidBy: 0, worth: 0 }));
  const touched: number[] = [];

  const addCustomer = (block: Block, begin: number, end: number): void => {
    let first = begin;
    while (first < end && block.slots[first] !== FIRST_SEEN) first++;
    const segment = first === end ? NOT : (asked.whos[block.attributes[first] ?? 0] ?? NOT);
    const firstSeen = block.at[first] ?? 0;
    const place = segment === NOT ? NOT : places.of(firstSeen);
    if (place === NOT) return;
    const converts = windowEnd(firstSeen, selectors.conversionTimeframe);
    const lasts = windowEnd(firstSeen, selectors.customerLifetime);
    for (let i = begin; i < end; i++) {
      const number = asked.lines[block.attributes[i] ?? 0] ?? NOT;
      const sum = own[number];
      if (!sum || i === first) continue;
      if (!sum.isTouched) touched.push(number);
      sum.isTouched = true;
      const [at, value] = [block.at[i] ?? 0, block.values[i] ?? 0];
      const isWorth = block.slots[i] === WORTH;
      if (isWorth && at < lasts) sum.worth += value;
      if (!isWorth && at < lasts) sum.paidBy += value;
      if (!isWorth && at < converts) sum.convertedBy += value;
    }
    sums.add(WHOLE, NEW, place, 1);
    if (asked.by === 'customer') sums.add(segment, NEW, place, 1);
    let [isConverted, isPaid] = [false, false];
    for (const number of touched) {
      const sum = own[number];
      if (!sum) continue;
      sums.add(WHOLE, LTV, place, sum.worth);
      sums.add(number, LTV, place, sum.worth);
      if (sum.convertedBy > 0) sums.add(number, CONVERTED, place, 1);
      if (sum.paidBy > 0) sums.add(number, PAID, place, 1);
      isConverted ||= sum.convertedBy > 0;
      isPaid ||= sum.paidBy > 0;
      sum.isTouched = false;
      sum.convertedBy = sum.paidBy = sum.worth = 0;
    }
    touched.length = 0;
    if (isConverted) sums.add(WHOLE, CONVERTED, place, 1);
    if (isPaid) sums.add(WHOLE, PAID, place, 1);
  };
  for (const block of blocksOf(ledger, slots, range.asOf)) {
    for (let begin = 0; begin < block.count;) {
      const end = endOfCustomer(block, begin);
      addCustomer(block, begin, end);
      begin = end;
    }
  }
  const whole = sums.of(WHOLE);
  return {
    whole: seriesResult(chart, selectors, range, whole),
    segment: (number) => {
      const ofSegment = sums.of(number);
      if (asked.by === 'purchase') {
        whole.sums.get('customers.new')?.forEach((v, i) => ofSegment.addTo('customers.new', i - 1, v));
      }
      return seriesResult(chart, selectors, range, ofSegment);
    },
  };
}

/** The entries that the chart needs. */
export function slotsOf({ chart, selectors }: Pick<SeriesQuery, 'chart' | 'selectors'>): ReadonlyMap<number, number> {
  const needed = new Set(measuresOf(chart, selectors));
  const slots = new Map([[measureNumber('customers.new'), FIRST_SEEN]]);
  if (needed.has('customers.ltv')) slots.set(worthNumbers[selectors.revenueType], WORTH);
  if (needed.has('customers.converted') || needed.has('customers.paying')) slots.set(PAYING, KEPT);
  return slots;
}

/** Sightings of a customer lie in the order of their time. */
export function readActivity(ledger: LedgerColumns, q: SeriesQuery, asked: Asked): Segmented {
  const { range, selectors, chart } = q;
  const places = placesOf(range);
  const WHOLE = asked.segments.length;
  const sums = createPlacedSums(range, ['customers.active'], asked.segments.length + 1);
  let [last, customer] = [0, NOT];
  for (const { count, customers, at, attributes } of blocksOf(ledger, new Map([[SEEN, 0]]), range.asOf)) {
    for (let i = 0; i < count; i++) {
      if (customers[i] !== customer) [last, customer] = [0, customers[i] ?? NOT];
      const segment = asked.whos[attributes[i] ?? 0] ?? NOT;
      const place = segment === NOT ? NOT : places.of(at[i] ?? 0);
      if (place <= last) continue;
      last = place;
      sums.add(WHOLE, 0, place, 1);
      if (asked.by === 'customer') sums.add(segment, 0, place, 1);
    }
  }
  const resultOf = (number: number) => seriesResult(chart, selectors, range, sums.of(number));
  return { whole: resultOf(WHOLE), segment: (number) => resultOf(asked.by === 'purchase' ? WHOLE : number) };
}
