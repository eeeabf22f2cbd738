// Asks the charts about customers, in the words of the expected answers.
import { createCalculator } from '../../../src/domain/charts/answer/calculator.js';
import { unitOf, type ChartAnswer } from '../../../src/domain/charts/answer/answer.js';
import { unpackColumns } from '../../../src/domain/charts/answer/columns.js';
import { findChart } from '../../../src/domain/charts/catalogue/catalogue.js';
import { defaultSelectors, type Selectors } from '../../../src/domain/charts/catalogue/chart.js';
import type { Conversion } from '../../../src/domain/charts/currency.js';
import { bucketedRangeOf } from '../../../src/domain/charts/answer/buckets.js';
import type { Interval } from '../../../src/domain/charts/calendar.js';
import type { CustomerHistory } from '../../../src/domain/charts/history/history.js';
import type { Environment } from '../../../src/domain/charts/history/known-history.js';
import type { Dimension, Filters, Question } from '../../../src/domain/charts/catalogue/question.js';

export type Asked = {
  readonly start: string;
  readonly end: string;
  readonly interval: Interval;
  readonly asOf: string;
  readonly environment?: Environment;
  readonly filters?: Filters;
  readonly segment?: Dimension;
  readonly selectors?: Partial<Selectors>;
  readonly conversion?: Conversion;
};

export function questionOf(id: string, o: Asked): Question {
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

export function ask(customers: Iterable<CustomerHistory>, id: string, o: Asked): unknown {
  const question = questionOf(id, o);
  const calculator = createCalculator(question);
  for (const customer of customers) calculator.add(customer);
  const common = { id, unit: unitOf(question.chart, question.selectors), interval: o.interval };
  if (!question.segment) return worded({ ...common, ...calculator.answer() });
  const segments = [...calculator.segments()].map(([value, answer]) => [value, worded({ ...common, ...answer })]);
  return { id, segment: o.segment, segments: Object.fromEntries(segments) };
}

/** Of the whole period, as the summary of an answer tells it. */
export function totalsOf(
  customers: Iterable<CustomerHistory>,
  id: string,
  o: Asked,
): Readonly<Record<string, number | null>> {
  const calculator = createCalculator(questionOf(id, o));
  for (const customer of customers) calculator.add(customer);
  const answer = calculator.answer();
  return answer.kind === 'series' ? answer.totals : {};
}

/** Instants as texts, and columns one by one; without totals. */
export function worded(answer: ChartAnswer): unknown {
  const text = <B extends { start: number; end: number }>(b: B) => ({
    ...b,
    start: new Date(b.start).toISOString(),
    end: new Date(b.end).toISOString(),
  });
  if (answer.kind === 'cohort')
    return { ...answer, rows: answer.rows.map((row) => ({ ...text(row), columns: unpackColumns(row.columns) })) };
  const { totals: _, ...rest } = answer;
  return { ...rest, buckets: answer.buckets.map(text) };
}
