// Who is behind one value of a chart.
import { createCalculator } from '../../domain/charts/answer/calculator.js';
import type { ChartAnswer } from '../../domain/charts/answer/answer.js';
import type { Question } from '../../domain/charts/catalogue/question.js';
import type { ChartSource } from './source.js';

export type Behind = { readonly customerId: string; readonly value: number };

/**
 * Everybody whose own answer to the question has a value other than zero there, with that value. The question's period is the bucket's;
 * `measure` is one of the chart's, or `size` of a cohort.
 */
export async function customersBehind(
  source: ChartSource,
  projectId: string,
  q: Question,
  measure: string,
): Promise<Behind[]> {
  const found: Behind[] = [];
  for await (const page of source.customers(projectId)) {
    for (const customer of page) {
      const calculator = createCalculator(q);
      calculator.add(customer);
      const value = valueOf(calculator.answer(), measure);
      if (value !== 0) found.push({ customerId: customer.customerId, value });
    }
  }
  return found.sort((a, b) => (a.customerId < b.customerId ? -1 : 1));
}

function valueOf(answer: ChartAnswer, measure: string): number {
  if (answer.kind === 'cohort') return answer.rows[0]?.size ?? 0;
  return answer.buckets[0]?.values[measure] ?? 0;
}
