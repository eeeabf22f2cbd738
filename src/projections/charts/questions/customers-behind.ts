// Who is behind one value of a chart, from the customers' histories.
import { createCalculator } from '../../../domain/charts/result/calculator.js';
import type { ChartResult } from '../../../domain/charts/result/result.js';
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import type { ChartSource } from '../source.js';
import type { Behind } from './questions.js';

/**
 * Everybody whose own result to the query has a value other than zero there, with that value, in no order. The query's period is the bucket's;
 * `measure` is one of the chart's, or `size` of a cohort.
 */
export async function customersBehind(
  source: ChartSource,
  projectId: string,
  q: ChartQuery,
  measure: string,
): Promise<Behind[]> {
  const found: Behind[] = [];
  for await (const page of source.customers(projectId)) {
    for (const customer of page) {
      const calculator = createCalculator(q);
      calculator.add(customer);
      const value = valueOf(calculator.result(), measure);
      if (value !== 0) found.push({ customerId: customer.customerId, value });
    }
  }
  return found;
}

function valueOf(result: ChartResult, measure: string): number {
  if (result.kind === 'cohort') return result.rows[0]?.size ?? 0;
  return result.buckets[0]?.values[measure] ?? 0;
}
