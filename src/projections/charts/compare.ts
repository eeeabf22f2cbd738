// Compares two charts of a project, and lists whom a reason is about, from the histories of its customers.
import { createReasonReader, type ReasonPlace } from '../../domain/charts/compare/behind.js';
import { createComparison, type Comparison } from '../../domain/charts/compare/comparison.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import type { Conversion } from '../../domain/charts/currency.js';
import { knownHistoryOf } from '../../domain/charts/history/known-history.js';
import type { CustomerHistoryDoc } from './customer-histories.js';
import type { Behind } from './customers-behind.js';
import type { ChartSource } from './source.js';

/** The same source on both sides, or two. */
export type Side = { readonly source: ChartSource; readonly chartQuery: ChartQuery };

/** `counted` learns what could not be converted of the later knowledge. */
export async function readComparison(
  projectId: string,
  then: Side,
  now: Side,
  counted: Conversion | null,
): Promise<Comparison> {
  const comparison = createComparison(then.chartQuery, now.chartQuery);
  const { environment, range } = now.chartQuery;
  for await (const { customerId, before, after } of pairs(projectId, then.source, now.source)) {
    comparison.add(customerId, before, after);
    const history = counted && after ? knownHistoryOf(after, environment, range.asOf) : null;
    if (history) counted?.convert(history);
  }
  return comparison;
}

/** Those behind the customer `after`, in the order of their ids, and at most `limit`. */
export async function customersOfReason(
  projectId: string,
  then: Side,
  now: Side,
  place: ReasonPlace,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<Behind[]> {
  const amountOf = createReasonReader(then.chartQuery, now.chartQuery, place);
  const found: Behind[] = [];
  for await (const { customerId, before, after } of pairs(projectId, then.source, now.source, page.after)) {
    if (customerId === page.after) continue;
    const value = amountOf(before, after);
    if (value !== 0) found.push({ customerId, value });
    if (found.length === page.limit) break;
  }
  return found;
}

type Pair = {
  readonly customerId: string;
  readonly before: CustomerHistoryDoc | undefined;
  readonly after: CustomerHistoryDoc | undefined;
};

/** Every customer as either source knows it, in the order of their ids. */
async function* pairs(projectId: string, then: ChartSource, now: ChartSource, from?: string): AsyncGenerator<Pair> {
  if (then === now) {
    for await (const page of now.customers(projectId, from)) {
      for (const customer of page) yield { customerId: customer.customerId, before: customer, after: customer };
    }
    return;
  }
  const [thens, nows] = [oneByOne(then.customers(projectId, from)), oneByOne(now.customers(projectId, from))];
  let [before, after] = [await thens.next(), await nows.next()];
  while (!before.done || !after.done) {
    const [a, b] = [before.value?.customerId, after.value?.customerId];
    const customerId = a === undefined || (b !== undefined && b < a) ? b : a;
    if (customerId === undefined) return;
    yield {
      customerId,
      before: a === customerId ? before.value : undefined,
      after: b === customerId ? after.value : undefined,
    };
    if (a === customerId) before = await thens.next();
    if (b === customerId) after = await nows.next();
  }
}

async function* oneByOne(
  pages: AsyncGenerator<readonly CustomerHistoryDoc[]>,
): AsyncGenerator<CustomerHistoryDoc, undefined> {
  for await (const page of pages) yield* page;
  return undefined;
}
