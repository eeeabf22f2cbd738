// The reference for all that is asked about charts: the same questions, answered from the customers' histories one by one.
import { scanPages } from '../../../../src/adapters/documents/records.js';
import type { ChartQuery } from '../../../../src/domain/charts/catalogue/chart-query.js';
import { historyUnder } from '../../../../src/domain/charts/what-if.js';
import { knownHistoryOf } from '../../../../src/domain/charts/history/known-history.js';
import type { ChartResult } from '../../../../src/domain/charts/result/result.js';
import { customerHistories, type CustomerHistoryDoc } from '../../../../src/projections/charts/customer-histories.js';
import type {
  ChartResponses,
  QueryCharts,
  ChartRequests,
} from '../../../../src/projections/charts/requests/chart-queries.js';
import type { CustomerShare } from '../../../../src/domain/charts/ledger/compare/value-contributors.js';
import type { ReadModels } from '../../../../src/projections/queries/read-models.js';
import { unpackColumns } from '../../../../src/domain/charts/result/columns.js';
import { createCalculator } from './calculator.js';
import { countingConversion } from './conversion.js';
import { createComparison } from './comparison.js';
import { createReasonReader } from './reason-reader.js';
import { countByCustomers } from './segment-counts.js';

/** Returns the customers in the order of their IDs. */
export type CustomersOf = (projectId: string) => Promise<readonly CustomerHistoryDoc[]>;

export async function customersIn(readModels: ReadModels, projectId: string): Promise<readonly CustomerHistoryDoc[]> {
  const found: CustomerHistoryDoc[] = [];
  const scan = { index: 'project', eq: [projectId], limit: 500 };
  const pages = scanPages(scan, (page) => readModels.scan(customerHistories, page));
  for await (const rows of pages) found.push(...rows.map(({ doc }) => doc));
  return found;
}

export function askCustomers(customersOf: CustomersOf): QueryCharts {
  const answering: {
    readonly [K in keyof ChartRequests]?: (id: string, question: ChartRequests[K]) => Promise<ChartResponses[K]>;
  } = {
    segments: async (projectId, { query }) => countByCustomers(await customersOf(projectId), query),
    chart: async (projectId, { query }) => chartOf(await customersOf(projectId), query),
    compare: async (projectId, { then, now, mostListed }) => {
      const comparison = createComparison(then, now, mostListed);
      const { environment, range } = now;
      // One of its own: that of the query meets each customer many times.
      const counted = countingConversion(now);
      for (const { customerId, before, after } of await pairsOf(customersOf, projectId, then, now)) {
        comparison.add(customerId, before, after);
        const history = counted && after ? knownHistoryOf(after, environment, range.asOf) : null;
        if (history) counted?.convert(history);
      }
      const results = comparison.results();
      const reasons = comparison.packed(now.segments ?? []);
      const unconverted = counted && { unconverted: counted.unconverted() };
      return { then: results.then, now: { ...results.now, ...unconverted }, reasons };
    },
    reason: async (projectId, { then, now, place, page }) => {
      const amountOf = createReasonReader(then, now, place);
      const found: CustomerShare[] = [];
      for (const { customerId, before, after } of await pairsOf(customersOf, projectId, then, now)) {
        const value = amountOf(before, after);
        if (value !== 0 && (page.after === undefined || customerId > page.after)) found.push({ customerId, value });
      }
      return found.slice(0, page.limit);
    },
    behind: async (projectId, { query, measure, column = 0, page }) => {
      const all: CustomerShare[] = [];
      for (const customer of await customersOf(projectId)) {
        const value = valueOf(chartOf([customer], query).result, query, measure, column);
        if (value !== 0) all.push({ customerId: customer.customerId, value });
      }
      const at = all.findIndex((c) => c.customerId === page.after);
      if (page.after !== undefined && at < 0) return null;
      const found = all.slice(at + 1, at + 1 + page.limit);
      return { found, isLast: at + 1 + found.length >= all.length };
    },
  };
  return (kind, projectId, question) => {
    const answer = answering[kind];
    if (!answer) throw new Error(`the customers do not answer ${kind}`);
    return answer(projectId, question);
  };
}

export function chartOf(customers: readonly CustomerHistoryDoc[], q: ChartQuery): ChartResponses['chart'] {
  const calculator = createCalculator(q);
  for (const customer of customers) calculator.add(historyUnder(customer, q.whatIf));
  const unconverted = calculator.unconverted();
  return {
    result: calculator.result(),
    ...(q.segment !== null && { segments: calculator.segments() }),
    ...(unconverted && { unconverted }),
  };
}

function valueOf(result: ChartResult, { selectors }: ChartQuery, measure: string, column: number): number {
  if (result.kind === 'cohort') {
    const [row] = result.rows;
    if (measure === 'size' || !row) return row?.size ?? 0;
    const columns = unpackColumns(row.columns);
    // A cohort whose members joined earlier has more columns, up to which the worth of this one remains what it is.
    const remains = measure === 'value' && selectors.cohortMeasure === 'realized_ltv';
    return Number(columns[remains ? Math.min(column, columns.length - 1) : column]?.[measure] ?? 0);
  }
  return result.buckets[0]?.values[measure] ?? 0;
}

/** Every customer as either side knows it. */
async function pairsOf(customersOf: CustomersOf, projectId: string, then: ChartQuery, now: ChartQuery) {
  return (await customersOf(projectId)).map((customer) => {
    const after = historyUnder(customer, now.whatIf);
    const before = then.whatIf === now.whatIf ? after : historyUnder(customer, then.whatIf);
    return { customerId: customer.customerId, before, after };
  });
}
