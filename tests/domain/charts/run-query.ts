// Queries charts about customers, with the names that the expected results use.
import { createCalculator } from './one-by-one/calculator.js';
import { withSegments } from './one-by-one/segment-counts.js';
import { DEFAULT_SEGMENT_LIMIT } from '../../../src/domain/charts/result/segment-counts.js';
import { unitOf, type ChartResult } from '../../../src/domain/charts/result/result.js';
import { unpackColumns } from '../../../src/domain/charts/result/columns.js';
import { findChart } from '../../../src/domain/charts/catalogue/catalogue.js';
import { defaultSelectors, type Selectors } from '../../../src/domain/charts/catalogue/chart.js';
import type { ConversionTerms } from '../../../src/domain/charts/currency.js';
import { bucketedRangeOf } from '../../../src/domain/charts/result/buckets.js';
import type { Interval } from '../../../src/domain/charts/calendar.js';
import type { CustomerHistory } from '../../../src/domain/charts/history/history.js';
import type { Environment } from '../../../src/domain/charts/history/known-history.js';
import type { Dimension, Filters, ChartQuery } from '../../../src/domain/charts/catalogue/chart-query.js';

export type QueryOptions = {
  readonly start: string;
  readonly end: string;
  readonly interval: Interval;
  readonly asOf: string;
  readonly environment?: Environment;
  readonly filters?: Filters;
  readonly segment?: Dimension;
  readonly selectors?: Partial<Selectors>;
  readonly conversion?: ConversionTerms;
};

export function queryOf(id: string, o: QueryOptions): ChartQuery {
  const chart = findChart(id);
  if (!chart) throw new Error(`there is no chart ${id}`);
  const [start, end, asOf] = [o.start, o.end, o.asOf].map((t) => Date.parse(t)) as [number, number, number];
  return {
    chart,
    range: bucketedRangeOf({ start, end, interval: o.interval, asOf }),
    environment: o.environment ?? 'production',
    filters: o.filters ?? new Map(),
    segment: o.segment ?? null,
    selectors: { ...defaultSelectors, ...o.selectors },
    ...(o.conversion && { conversion: o.conversion }),
  };
}

export function runQuery(customers: Iterable<CustomerHistory>, id: string, o: QueryOptions): unknown {
  const all = [...customers];
  const [query] = withSegments([queryOf(id, o)] as const, () => all, DEFAULT_SEGMENT_LIMIT);
  const calculator = createCalculator(query);
  for (const customer of all) calculator.add(customer);
  const common = { id, unit: unitOf(query.chart, query.selectors), interval: o.interval };
  if (!query.segment) return readableResult({ ...common, ...calculator.result() });
  const segments = [...calculator.segments()].map(([value, result]) => [
    value,
    readableResult({ ...common, ...result }),
  ]);
  return { id, segment: o.segment, segments: Object.fromEntries(segments) };
}

/** Returns the totals of the whole period, as in the summary of a result. */
export function totalsOf(
  customers: Iterable<CustomerHistory>,
  id: string,
  o: QueryOptions,
): Readonly<Record<string, number | null>> {
  const calculator = createCalculator(queryOf(id, o));
  for (const customer of customers) calculator.add(customer);
  const result = calculator.result();
  return result.kind === 'series' ? result.totals : {};
}

/** Instants as texts, and columns one by one; without totals. */
export function readableResult(result: ChartResult): unknown {
  const text = <B extends { start: number; end: number }>(b: B) => ({
    ...b,
    start: new Date(b.start).toISOString(),
    end: new Date(b.end).toISOString(),
  });
  if (result.kind === 'cohort')
    return { ...result, rows: result.rows.map((row) => ({ ...text(row), columns: unpackColumns(row.columns) })) };
  const { totals: _, ...rest } = result;
  return { ...rest, buckets: result.buckets.map(text) };
}
