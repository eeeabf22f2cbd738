// Compares two charts of a project, and lists whom a reason is about. Of one source the results are read as any chart is, and reasons from
// those customers alone of whom something was learned since, or for whom something began or ended; else all are read once.
import { createReasonReader, type ReasonPlace } from '../../../domain/charts/compare/behind.js';
import {
  changesAtTurnsAlone,
  createComparison,
  createReasons,
  type Reasons,
} from '../../../domain/charts/compare/comparison.js';
import { areExact } from '../../../domain/charts/compare/exact.js';
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import { createConversion } from '../../../domain/charts/currency.js';
import { knownHistoryOf } from '../../../domain/charts/history/known-history.js';
import type { SegmentedResult } from '../../../domain/charts/result/result.js';
import { learnedAt, type CustomerHistoryDoc } from '../customer-histories.js';
import type { Behind, Compared, Page, Releasable } from './questions.js';
import { readChart } from '../read.js';
import type { ChartSource } from '../source.js';

/** `isLive`: all that the source holds may count. */
export type Side = { readonly source: ChartSource; readonly chartQuery: ChartQuery; readonly isLive: boolean };

type Narrow = Pick<Compared, 'then' | 'now'> & { readonly reasons: Reasons };

/** From the customers' histories. */
export async function readComparison(projectId: string, then: Side, now: Side, mostListed: number): Promise<Compared> {
  if (isNarrow(then, now)) {
    const compared = await readNarrow(projectId, then, now, mostListed);
    // What was folded between one reading and the next stands in one of them alone.
    const { reasons, ...results } = compared;
    if (areExact(now.chartQuery, results.then, results.now, reasons.reasonsOf)) return packed(results, reasons);
  }
  const comparison = createComparison(then.chartQuery, now.chartQuery, mostListed);
  const { environment, range, conversion } = now.chartQuery;
  // One of its own: that of the query meets each customer many times.
  const counted = conversion && createConversion(conversion.terms);
  for await (const { customerId, before, after } of pairs(projectId, then.source, now.source)) {
    comparison.add(customerId, before, after);
    const history = counted && after ? knownHistoryOf(after, environment, range.asOf) : null;
    if (history) counted?.convert(history);
  }
  const compared = packed(comparison.results(), comparison);
  return { ...compared, ...(counted && { unconverted: counted.unconverted() }) };
}

function packed(results: Pick<Compared, 'then' | 'now'>, reasons: Pick<Reasons, 'packed'>): Compared {
  return { ...results, reasons: reasons.packed([...results.now.segments.keys()]) };
}

/** Both sides as the chart shows them, with the segments of either. */
export async function readSides(
  projectId: string,
  then: Side,
  now: Side,
): Promise<Omit<Compared, 'reasons'> & Releasable> {
  const read = ({ source, chartQuery, isLive }: Side, also: readonly string[]) =>
    readChart(source, projectId, chartQuery, isLive, also);
  const first = await read(then, []);
  const second = await read(now, [...(first.segments?.keys() ?? [])]);
  const values = [...(second.segments?.keys() ?? [])];
  const isWhole = values.every((value) => first.segments?.has(value));
  const again = isWhole ? first : await read(then, values);
  const { unconverted } = second;
  const release = () => {
    for (const one of new Set([first, second, again])) one.release?.();
  };
  return { then: full(again), now: full(second), ...(unconverted && { unconverted }), release };
}

/** With the segments that a comparison shows: none where none are asked for. */
export function full({ result, segments }: SegmentedResult): Compared['then'] {
  return { result, segments: segments ?? new Map() };
}

/** Rates and the catalogue may have changed the values of customers of whom nothing was learned. */
function isNarrow(then: Side, now: Side): boolean {
  const [a, b] = [then.chartQuery, now.chartQuery];
  if (then.source !== now.source || a.conversion || b.conversion || a.sold !== b.sold) return false;
  return changesAtTurnsAlone(b);
}

async function readNarrow(projectId: string, then: Side, now: Side, mostListed: number): Promise<Narrow> {
  const results = await readSides(projectId, then, now);
  const reasons = createReasons(then.chartQuery, now.chartQuery, mostListed);
  for await (const customer of changed(projectId, then, now)) {
    reasons.add(customer.customerId, customer, customer);
  }
  return { ...results, reasons };
}

/** Clocks of several processes may differ by so much. */
const SKEW_MS = 3_600_000;
const PAGE = 500;

/** Everybody of whom something was learned since `then`, or for whom something begins or ends between the two. In no order. */
async function* changed(projectId: string, then: Side, now: Side): AsyncGenerator<CustomerHistoryDoc> {
  const { source } = now;
  const [from, to] = [then.chartQuery.range.asOf, now.chartQuery.range.asOf];
  const found = new Set<string>();
  for await (const page of source.newest(projectId)) {
    let isOld = true;
    for (const customer of page) {
      const learned = learnedAt(customer);
      if (learned >= from - SKEW_MS) isOld = false;
      if (learned < from) continue;
      found.add(customer.customerId);
      yield customer;
    }
    if (isOld) break;
  }
  const turning = await source.moments(projectId, 'turn', from, to);
  const ahead = await source.moments(projectId, 'ahead', from, Number.MAX_SAFE_INTEGER);
  const others = [...new Set([...turning, ...ahead])].filter((id) => !found.has(id));
  for (let i = 0; i < others.length; i += PAGE) yield* await source.byIds(others.slice(i, i + PAGE));
}

/** From the customers' histories. */
export async function customersOfReason(
  projectId: string,
  then: Side,
  now: Side,
  place: ReasonPlace,
  page: Page,
): Promise<Behind[]> {
  const amountOf = createReasonReader(then.chartQuery, now.chartQuery, place);
  if (isNarrow(then, now)) {
    // Each page reads them again: a page of few among many is found without all the others of the project.
    const behind: Behind[] = [];
    for await (const customer of changed(projectId, then, now)) {
      const value = amountOf(customer, customer);
      if (value !== 0) behind.push({ customerId: customer.customerId, value });
    }
    return pageOfReason(behind, page);
  }
  const found: Behind[] = [];
  for await (const { customerId, before, after } of pairs(projectId, then.source, now.source, page.after)) {
    const value = customerId === page.after ? 0 : amountOf(before, after);
    if (value !== 0) found.push({ customerId, value });
    if (found.length === page.limit) break;
  }
  return found;
}

/** Of all whom a reason is about; the customer `after` need not be among them. */
export function pageOfReason(all: readonly Behind[], { after, limit }: Page): Behind[] {
  return inOrder(all)
    .filter(({ customerId }) => after === undefined || customerId > after)
    .slice(0, limit);
}

/** By the ids of the customers. */
export function inOrder(found: readonly Behind[]): readonly Behind[] {
  return [...found].sort((a, b) => (a.customerId < b.customerId ? -1 : 1));
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
