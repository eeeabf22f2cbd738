// Charts whose measures add up over purchases: one pass over the rows, each added to the sums of its segment.
import type { SeriesChart } from '../catalogue/chart.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import type { Measure } from '../measures.js';
import { createBucketSums } from '../result/buckets.js';
import { seriesResult, type ChartResult } from '../result/result.js';
import { createPlacedSums, NOT, placesOf, type Asked, type Segmented } from './asked.js';
import { measureNumber } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import { createVisitor, pick } from './picked.js';

export function readAdditive(
  ledger: LedgerColumns,
  q: ChartQuery & { readonly chart: SeriesChart },
  asked: Asked,
): Segmented {
  const { range, selectors, chart } = q;
  const { asOf } = range;
  const measures = measuresOf(chart, selectors);
  const pending = measures.indexOf('outcome.pending');
  const slots = new Map(measures.map((measure, slot) => [measureNumber(measure, selectors.revenueType), slot]));
  const visitRows = createVisitor(ledger.rows, pick(ledger.cells, slots), asOf);
  const places = placesOf(range);
  const sums = createPlacedSums(range, measures, asked.segments.length);
  const visit = (slot: number, at: number, value: number, attributes: number, lag: number): void => {
    const segment = asked.lines[attributes] ?? NOT;
    if (segment === NOT) return;
    const place = places.of(at);
    const shown = at + lag >= asOf ? pending : slot;
    if (place !== NOT && shown !== NOT) sums.add(segment, shown, place, value);
  };
  for (let customer = 0; customer < ledger.customerIds.length; customer++) visitRows(customer, visit);
  const bySegment = asked.segments.map((_, segment) => sums.of(segment));
  const whole = createBucketSums(range);
  for (const own of bySegment) whole.addAll(own);
  const resultOf = (of: typeof whole): ChartResult => seriesResult(chart, selectors, range, of);
  return { whole: resultOf(whole), segment: (number) => resultOf(bySegment[number] ?? createBucketSums(range)) };
}

/** The measures that the chart's values are made of. */
function measuresOf({ values }: SeriesChart, selectors: ChartQuery['selectors']): readonly Measure[] {
  const found = new Set<Measure>();
  const note = (measure: Measure) => {
    found.add(measure);
    return 0;
  };
  values({ flow: note, stock: note, before: note }, selectors);
  return [...found];
}
