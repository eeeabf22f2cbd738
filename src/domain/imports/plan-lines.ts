// Groups imported transactions by purchase line, and names each line as the store's messages do.
import type { ImportedRow } from '../envelope.js';
import { rulesOfStore, type StoreKind } from '../store-kinds.js';
import { earliest, latest } from '../time.js';
import { accessEndOf, type ImportedTransaction } from './chain-updates.js';
import { firstOrderOf, ORDER_CHAIN } from './period-terms.js';
import type { ImportedChange, ImportedPurchase, ImportedToken } from './facts.js';
import type { ImportProblem } from './problems.js';

export type PlannedLine = {
  readonly store: StoreKind;
  readonly appId: string;
  readonly storeChainId: string;
  readonly transactions: readonly ImportedTransaction[];
  readonly storeProductId: string;
  /** Newest transaction and its row. `statedAt`: time of the newest row about the line. */
  readonly newest: string;
  readonly from: ImportedRow;
  readonly statedAt: string;
  /** Number of transactions. */
  readonly charges: number;
  readonly isSubscription: boolean;
  /** End of access as far as the file knows it; null: permanent. */
  readonly until: string | null;
};

/** A purchase line is decided as a whole. A subscription that renews each day has as many rows in almost three years. */
const MAX_TRANSACTIONS = 1000;

/** Groups transactions by purchase line. `tokens`: purchase tokens of the customer. */
export function planLines(
  transactions: readonly ImportedTransaction[],
  tokens: readonly ImportedToken[],
  problems: ImportProblem[],
): readonly PlannedLine[] {
  const chains = new Map<string, { readonly token: string | null; readonly all: ImportedTransaction[] }>();
  const known = soleTokens(transactions, tokens);
  for (const one of transactions) {
    const { id, token } = chainOf(one.fact, known);
    const chain = chains.get(id);
    if (chain) chain.all.push(one);
    else chains.set(id, { token, all: [one] });
  }
  return [...chains].flatMap(([storeChainId, { token, all }]) => {
    const [first] = all;
    if (!first || all.length <= MAX_TRANSACTIONS) return [planLine(storeChainId, token, all, problems)];
    problems.push({ code: 'too-many-rows', from: first.from, detail: `${all.length} rows of one subscription` });
    return [];
  });
}

function planLine(
  storeChainId: string,
  purchaseToken: string | null,
  all: readonly ImportedTransaction[],
  problems: ImportProblem[],
): PlannedLine {
  const newest = all.reduce((a, b) => (b.fact.purchasedAt > a.fact.purchasedAt ? b : a));
  const { store, appId } = newest.purchase;
  const { fact, from } = newest;
  const isSubscription = fact.kind !== 'one_time';
  const until = isSubscription ? all.map(knownEndOf).reduce(latest) : fact.expiresAt;
  if (isSubscription && purchaseToken === null && rulesOfStore(store).namesChainBy === 'purchaseToken')
    problems.push({ code: 'unanchored', from, detail: fact.transactionId });
  const charges = all.map((one) => ({
    ...one,
    purchase: {
      ...one.purchase,
      storeChainId,
      originalTransactionId: purchaseToken ?? one.purchase.originalTransactionId,
    },
  }));
  return {
    store: rulesOfStore(store).kind,
    appId,
    storeChainId,
    transactions: charges,
    storeProductId: newest.purchase.storeProductId,
    newest: fact.transactionId,
    from,
    statedAt: all.map((one) => one.statedAt).reduce(latest),
    charges: all.length,
    isSubscription,
    until,
  };
}

/** A refund ends access at its time, unless the policy is to leave it until the period ends. */
function knownEndOf({ fact, policy }: ImportedTransaction): string {
  if (fact.changes !== null) return statedEndOf(fact.changes, accessEndOf({ ...fact, graceExpiresAt: null }));
  const end = fact.accessEndsAt ?? accessEndOf(fact);
  return fact.refundedAt !== null && policy === 'revoke_immediately' ? earliest(fact.refundedAt, end) : end;
}

function statedEndOf(changes: readonly ImportedChange[], end: string): string {
  let refunded = 0;
  return changes.reduce((until, change) => {
    if (change.kind === 'extended') return change.expiresAt;
    if (change.kind === 'billing_issue') return latest(until, change.graceExpiresAt ?? '');
    if (change.kind === 'refunded') refunded += change.share;
    if (change.kind === 'refund_reversed') refunded = 0;
    const isCut = change.kind === 'refunded' && change.policy === 'revoke_immediately' && isWhole(refunded);
    const isOver = change.kind === 'expired' || change.kind === 'revoked' || change.kind === 'paused';
    if (change.kind === 'refund_reversed') return end;
    return isCut || isOver ? earliest(until, change.at) : until;
  }, end);
}

/** Shares that were added up are a rounding error below 1. */
const isWhole = (share: number) => share > 1 - 1e-7;

/** Returns a name of the purchase line of a transaction that is the same for every row about the line. */
export function lineKeyOf(fact: ImportedPurchase): string {
  return `${fact.store}|${chainOf(fact, new Map()).id}`;
}

/** Returns the purchase line of a transaction, as a store's message about it names the line. */
function chainOf(
  fact: ImportedPurchase,
  known: ReadonlyMap<string, string>,
): { readonly id: string; readonly token: string | null } {
  if (rulesOfStore(fact.store).namesChainBy === 'originalTransactionId')
    return { id: fact.originalTransactionId ?? fact.transactionId, token: null };
  const token = fact.purchaseToken ?? known.get(bareName(fact.storeProductId)) ?? null;
  return { id: token ?? `${ORDER_CHAIN}${firstOrderOf(fact.transactionId)}`, token };
}

/** Finds the token of each product of which the customer has one token and one subscription. */
function soleTokens(
  all: readonly ImportedTransaction[],
  tokens: readonly ImportedToken[],
): ReadonlyMap<string, string> {
  const orders = new Map<string, string | null>();
  for (const { fact } of all) {
    const [product, order] = [bareName(fact.storeProductId), firstOrderOf(fact.transactionId)];
    orders.set(product, (orders.get(product) ?? order) === order && orders.get(product) !== null ? order : null);
  }
  const sole = new Map<string, string | null>();
  for (const { storeProductId, purchaseToken } of tokens) {
    const product = bareName(storeProductId);
    sole.set(product, sole.has(product) || !orders.get(product) ? null : purchaseToken);
  }
  return new Map([...sole].filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Returns the name of a product without its base plan. */
function bareName(name: string): string {
  return name.split(':')[0] ?? name;
}
