// Charts of customers: each counts once, where it was first seen, or once in each bucket in which it was active.
import type { SeriesChart } from '../catalogue/chart.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { windowEnd } from '../contribution.js';
import { seriesResult } from '../result/result.js';
import { createPlacedSums, NOT, placesOf, type Asked, type Segmented } from './asked.js';
import { measureNumber, PAYING, SEEN, worthNumbers } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import { createVisitor, pick } from './picked.js';

type SeriesQuery = ChartQuery & { readonly chart: SeriesChart };

const MEASURES = ['customers.new', 'customers.converted', 'customers.paying', 'customers.ltv'] as const;
const [NEW, CONVERTED, PAID, LTV] = [0, 1, 2, 3];
/** Slots of the visited entries. */
const [FIRST_SEEN, WORTH, KEPT] = [0, 1, 2];

type Sum = { convertedBy: number; paidBy: number; worth: number };

export function readCustomers(ledger: LedgerColumns, q: SeriesQuery, asked: Asked): Segmented {
  const { range, selectors, chart } = q;
  const slots = new Map([
    [measureNumber('customers.new'), FIRST_SEEN],
    [worthNumbers[selectors.revenueType], WORTH],
    [PAYING, KEPT],
  ]);
  const visitRows = createVisitor(ledger.rows, pick(ledger.cells, slots), range.asOf);
  const places = placesOf(range);
  /** The last is of the whole, in which a customer counts once however many segments it has bought in. */
  const WHOLE = asked.segments.length;
  const sums = createPlacedSums(range, MEASURES, asked.segments.length + 1);
  let [firstSeen, segment] = [NaN, NOT];
  const findFirst = (slot: number, at: number, _value: number, attributes: number): void => {
    if (slot !== FIRST_SEEN) return;
    [firstSeen, segment] = [at, asked.whos[attributes] ?? NOT];
  };
  let [converts, lasts] = [Infinity, Infinity];
  const bySegment = new Map<number, Sum>();
  const addUp = (slot: number, at: number, value: number, attributes: number): void => {
    const of = asked.lines[attributes] ?? NOT;
    if (of === NOT || at >= range.asOf || slot === FIRST_SEEN) return;
    let sum = bySegment.get(of);
    if (!sum) bySegment.set(of, (sum = { convertedBy: 0, paidBy: 0, worth: 0 }));
    if (slot === WORTH && at < lasts) sum.worth += value;
    if (slot === KEPT && at < lasts) sum.paidBy += value;
    if (slot === KEPT && at < converts) sum.convertedBy += value;
  };
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    [firstSeen, segment] = [NaN, NOT];
    visitRows(customer, findFirst);
    const place = segment === NOT ? NOT : places.of(firstSeen);
    if (place === NOT) continue;
    converts = windowEnd(firstSeen, selectors.conversionTimeframe);
    lasts = windowEnd(firstSeen, selectors.customerLifetime);
    bySegment.clear();
    visitRows(customer, addUp);
    sums.add(WHOLE, NEW, place, 1);
    if (asked.by === 'customer') sums.add(segment, NEW, place, 1);
    let [isConverted, isPaid] = [false, false];
    for (const [number, { convertedBy, paidBy, worth }] of bySegment) {
      sums.add(WHOLE, LTV, place, worth);
      sums.add(number, LTV, place, worth);
      if (convertedBy > 0) sums.add(number, CONVERTED, place, 1);
      if (paidBy > 0) sums.add(number, PAID, place, 1);
      isConverted ||= convertedBy > 0;
      isPaid ||= paidBy > 0;
    }
    if (isConverted) sums.add(WHOLE, CONVERTED, place, 1);
    if (isPaid) sums.add(WHOLE, PAID, place, 1);
  }
  const whole = sums.of(WHOLE);
  return {
    whole: seriesResult(chart, selectors, range, whole),
    segment: (number) => {
      const own = sums.of(number);
      if (asked.by === 'purchase')
        whole.sums.get('customers.new')?.forEach((v, i) => own.addTo('customers.new', i - 1, v));
      return seriesResult(chart, selectors, range, own);
    },
  };
}

/** Sightings of a customer lie in the order of their time. */
export function readActivity(ledger: LedgerColumns, q: SeriesQuery, asked: Asked): Segmented {
  const { range, selectors, chart } = q;
  const visitRows = createVisitor(ledger.rows, pick(ledger.cells, new Map([[SEEN, 0]])), range.asOf);
  const places = placesOf(range);
  const WHOLE = asked.segments.length;
  const sums = createPlacedSums(range, ['customers.active'], asked.segments.length + 1);
  let last = 0;
  const visit = (_slot: number, at: number, _value: number, attributes: number): void => {
    const segment = asked.whos[attributes] ?? NOT;
    const place = segment === NOT ? NOT : places.of(at);
    if (place <= last) return;
    last = place;
    sums.add(WHOLE, 0, place, 1);
    if (asked.by === 'customer') sums.add(segment, 0, place, 1);
  };
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    last = 0;
    visitRows(customer, visit);
  }
  const resultOf = (number: number) => seriesResult(chart, selectors, range, sums.of(number));
  return { whole: resultOf(WHOLE), segment: (number) => resultOf(asked.by === 'purchase' ? WHOLE : number) };
}
