// Orders that only a report has, and groups of sales of a report without orders, as they are looked up at the store: which are next, and what
// came of each.
import type { Decider } from '../decider.js';
import type { BookEntry, ReportRow } from './entries.js';
import { booksEvents as e, type LookUpEvent } from './events.js';
import type { LookUpOutcome } from './look-up-outcomes.js';
import type { Steps } from './steps.js';

/** Outcomes by order. */
export type LookUpsState = ReadonlyMap<string, LookUpOutcome>;

export type LookUpsCommand = { readonly kind: 'recordLookUps' } & LookUpEvent['data'];

export const lookUpsDecider: Decider<LookUpsState, LookUpsCommand, LookUpEvent> = {
  initial: () => new Map(),
  evolve: (state, { data }) => {
    const next = new Map(state);
    for (const { orderId, outcome } of data.results) next.set(orderId, outcome);
    return next;
  },
  decide: ({ month, reportId, results }, state) => {
    const changed = results.filter(({ orderId, outcome }) => state.get(orderId) !== outcome);
    return changed.length === 0 ? [] : [e.OrdersLookedUp.of({ month, reportId, results: changed })];
  },
};

/** An order of an app of the project. `orderId`: of a group, its report and line. */
export type MissingOrder = {
  readonly reportId: string;
  readonly appId: string;
  readonly orderId: string;
  readonly storeProductId: string | null;
};

/** Charges or refunds of one day that a report has without their orders. */
export type MissingGroup = MissingOrder &
  Pick<BookEntry, 'kind' | 'day' | 'country' | 'currency'> & { readonly storeProductId: string };

/** A transaction that represents its purchase. */
export type SuspectedPurchase = {
  readonly transactionId: string;
  readonly originalTransactionId: string;
  readonly isSubscription: boolean;
};

/** A group, with recorded purchases that it may be of; none if nobody is known. */
export type SuspectedGroup = { readonly orderId: string; readonly purchases: readonly SuspectedPurchase[] };

/** Returns the name of a group under which its look-up is recorded. */
export function groupLookUpId({ reportId, row }: ReportRow): string {
  return `${reportId}#${row}`;
}

/** Returns whether a store may be asked for an order: a report may have any text in its place. */
export function isOrderId(text: string): boolean {
  return /^[\x21-\x7e]{1,100}$/.test(text);
}

/** More than are ever looked up: further ones of a month are not named. */
const MAX_NAMED = 20_000;

/** Returns the orders that only a report has, each once. */
export function* missingOrders(entries: readonly BookEntry[]): Steps<readonly MissingOrder[]> {
  const found = new Map<string, MissingOrder>();
  for (const { cause, appId, orderId, sku, rows } of entries) {
    yield;
    const reportId = rows[0]?.reportId;
    if (cause !== 'missing_here' || appId === null || orderId === null || reportId === undefined) continue;
    if (isOrderId(orderId) && !found.has(orderId))
      found.set(orderId, { reportId, appId, orderId, storeProductId: sku });
    if (found.size >= MAX_NAMED) break;
  }
  return [...found.values()];
}

/** Returns the groups of sales that only a report has, by line. */
export function* missingGroups(entries: readonly BookEntry[]): Steps<readonly MissingGroup[]> {
  const found = new Map<string, MissingGroup>();
  for (const { cause, appId, orderId, sku, rows, kind, day, country, currency } of entries) {
    yield;
    const [line] = rows;
    if (cause !== 'missing_here' || appId === null || orderId !== null || sku === null || !line) continue;
    const id = groupLookUpId(line);
    const about = { kind, day, country, currency };
    found.set(id, { reportId: line.reportId, appId, orderId: id, storeProductId: sku, ...about });
    if (found.size >= MAX_NAMED) break;
  }
  return [...found.values()];
}

/** Orders of one report that are looked up in all: a history that was never imported is not to be read order by order. */
const MAX_LOOK_UPS = 5000;
/** Orders of one report that are looked up at a time. */
const MAX_AT_A_TIME = 1000;
const REPEATED: ReadonlySet<LookUpOutcome> = new Set<LookUpOutcome>(['no_credentials', 'not_permitted']);

/** Returns the orders of a report to look up next. */
export function nextLookUps<T extends MissingOrder>(orders: readonly T[], state: LookUpsState): readonly T[] {
  const isDue = ({ orderId }: MissingOrder) => {
    const outcome = state.get(orderId);
    return outcome === undefined || REPEATED.has(outcome);
  };
  const repeated = orders.filter(({ orderId }) => state.has(orderId)).filter(isDue);
  const fresh = orders.filter(({ orderId }) => !state.has(orderId)).slice(0, Math.max(0, MAX_LOOK_UPS - state.size));
  return [...fresh, ...repeated].slice(0, MAX_AT_A_TIME);
}
