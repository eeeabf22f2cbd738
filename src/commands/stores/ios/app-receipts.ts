// Records app receipts (StoreKit 1): the purchase that the device names, and every other entry that is not recorded yet. A device finishes the
// named purchase once the receipt is accepted, and never presents it again. A receipt only names transactions: what is recorded is the
// store's response about each.
import type { AppReceipt, ReceiptPurchase } from '../../../adapters/ios-store/app-receipt.js';
import type { IosTransaction } from '../../../adapters/ios-store/port.js';
import { Rejection, StoreUnavailable } from '../../../domain/errors.js';
import { commandIds } from '../../handling/command-ids.js';
import { contextOf, type Requester } from '../../handling/deps.js';
import { recordFromReceipt, recordFromStore } from '../../subscribers/purchase-lines.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';
import { emptyReceipt, prepareReceipt } from '../receipts.js';
import type { Receipt } from '../store-integration.js';
import { scheduleHistoryOfReceipt } from './history-gaps.js';
import { iosContextOf, type IosDeps } from './inbox.js';
import { expectOfBundle, fetchEntries, fetchEntry, findLaterPurchase } from './receipt-entries.js';
import { readRecordedLines, type RecordedLine } from './recorded-lines.js';
import { translateIosTransaction } from './translator/translator.js';

/** Newest entries of a receipt that one request looks at; a weekly subscription has as many after 38 years. */
const MAX_ENTRIES = 2000;
const RETRY_AFTER_S = 60;

/** `transaction`: the purchase that the receipt was presented for. */
export type RecordedAppReceipt = { readonly transaction: IosTransaction; readonly result: SubscriberResult };

/**
 * Records what the receipt was presented for, and then its other entries. Throws {@link Rejection} for a receipt that can never be valid;
 * `NoCredentials`, `IosStoreRefusal` and `Unavailable` while something that it names is not recorded.
 */
export async function recordAppReceipt(
  deps: IosDeps,
  by: Requester,
  o: Receipt,
  receipt: AppReceipt,
): Promise<RecordedAppReceipt> {
  expectOfBundle(receipt, o.app);
  const all = newestFirst(receipt.purchases);
  const [newest] = all;
  if (!newest) throw emptyReceipt();
  const required = namedEntries(all, o);
  const [first] = required;
  const presented = first ? await fetchEntry(deps, o, first) : await findLaterPurchase(deps, o, newest);

  const entries = [...new Set([...required, ...all.slice(0, MAX_ENTRIES)])];
  const lines = await readRecordedLines(deps, o, entries);
  const isMissing = (entry: ReceiptPurchase) =>
    entry.transactionId !== presented.transactionId && lines.get(entry.originalTransactionId)?.has(entry) !== true;
  const wanted = { entries: entries.filter(isMissing), later: laterThan(first ?? newest, o) };
  const { fetched, failure } = await fetchEntries(deps, o, presented.environment, wanted);

  const { originalTransactionId: chain } = presented;
  const chains = chainsOf([presented, ...fetched]);
  const result = await recordPresented(deps, by, o, chains.get(chain) ?? [presented], presented);
  let { position } = result;
  for (const [other, transactions] of chains) {
    if (other === chain) continue;
    const recorded = await recordFurther(deps, by, o, transactions, lines.get(other));
    position = latestOf(position, recorded.position);
  }
  if (failure) throw failure;
  const isFound = ({ transactionId }: ReceiptPurchase) => fetched.some((t) => t.transactionId === transactionId);
  if (required.some((entry) => isMissing(entry) && !isFound(entry)))
    throw new StoreUnavailable('the ios-store does not show a purchase of the receipt yet', RETRY_AFTER_S);
  return { transaction: presented, result: { ...result, position } };
}

type Position = SubscriberResult['position'];

export function latestOf(a: Position, b: Position): Position {
  return (a ?? '') < (b ?? '') ? b : a;
}

function newestFirst(purchases: readonly ReceiptPurchase[]): readonly ReceiptPurchase[] {
  return purchases.toSorted((a, b) => (a.purchasedAt < b.purchasedAt ? 1 : a.purchasedAt > b.purchasedAt ? -1 : 0));
}

/**
 * Returns the entries that must be recorded before the receipt is accepted; none if it was made before the purchase that the device names.
 * Without a transaction, a product stands for all its purchases: which of them the device will finish is not known.
 */
function namedEntries(entries: readonly ReceiptPurchase[], o: Receipt): readonly ReceiptPurchase[] {
  const { transactionId, storeProductId } = o.bought ?? {};
  const ofProduct = (id: string) => entries.filter(({ productId }) => productId === id);
  if (o.storeProductId !== undefined) {
    const found = ofProduct(o.storeProductId);
    if (found.length > 0) return found;
    throw new Rejection('invalid', 'product-mismatch', 'productId does not match the product of the receipt');
  }
  const own = transactionId === undefined ? undefined : entries.find((entry) => entry.transactionId === transactionId);
  if (own) return [own];
  if (o.isRestore) return entries.slice(0, 1);
  if (transactionId !== undefined) return [];
  return storeProductId === undefined ? entries.slice(0, 1) : ofProduct(storeProductId);
}

/**
 * Returns the entry after which all purchases of the product that the device names are wanted: it may mean each of them. Null where that is
 * known: a restore is about everything, and a client without a name for its purchase does not finish it here.
 */
function laterThan(entry: ReceiptPurchase, { bought, isRestore }: Receipt): ReceiptPurchase | null {
  const { transactionId, storeProductId } = bought ?? {};
  if (isRestore || transactionId !== undefined || storeProductId === undefined) return null;
  return { ...entry, productId: storeProductId };
}

/** Each chain in the order of its purchases. */
function chainsOf(transactions: readonly IosTransaction[]): ReadonlyMap<string, readonly IosTransaction[]> {
  const chains = new Map<string, readonly IosTransaction[]>();
  for (const transaction of transactions) {
    const { originalTransactionId: chain } = transaction;
    const ofChain = [...(chains.get(chain) ?? []), transaction];
    chains.set(
      chain,
      ofChain.toSorted((a, b) => a.purchaseDate - b.purchaseDate),
    );
  }
  return chains;
}

/** The client's report besides the receipt is about the presented purchase alone. */
async function recordPresented(
  deps: IosDeps,
  by: Requester,
  o: Receipt,
  transactions: readonly IosTransaction[],
  presented: IosTransaction,
): Promise<SubscriberResult> {
  const { projectId, app, appUserId, isRestore, offeringId, claimed } = o;
  const { transferBehavior } = await prepareReceipt(deps, o, presented.originalTransactionId);
  const ctx = await iosContextOf(deps, o);
  const updates = transactions.map((t) =>
    translateIosTransaction(t, t === presented ? { ...ctx, offeringId, claimed } : ctx),
  );
  const update = { ...translateIosTransaction(presented, ctx), commands: updates.flatMap(({ commands }) => commands) };
  const input = { projectId, store: app.store, update, appUserId, isRestore, transferBehavior };
  const commandId =
    transactions.length === 1
      ? commandIds.iosReceipt(presented.transactionId, appUserId, presented.signedDate)
      : commandIds.receiptChain(by.requestId, presented.originalTransactionId);
  const recorded = await recordFromReceipt(deps, input, { ...contextOf(by, projectId), commandId });
  await scheduleHistoryOfReceipt(deps, { projectId, appId: app.appId }, presented, recorded);
  return recorded;
}

/**
 * Records entries that the receipt was not presented for: of a line without a receipt for the presenter; of another customer's line for that
 * customer, unless it is a restore and the project lets the line go.
 */
async function recordFurther(
  deps: IosDeps,
  by: Requester,
  o: Receipt,
  transactions: readonly IosTransaction[],
  line: RecordedLine | undefined,
): Promise<SubscriberResult> {
  const { projectId, app, appUserId, isRestore } = o;
  const [first] = transactions;
  if (!first) throw emptyReceipt();
  const { originalTransactionId: chain } = first;
  const { transferBehavior } = await prepareReceipt(deps, o, chain);
  const context = await iosContextOf(deps, o);
  const commands = transactions.flatMap((t) => translateIosTransaction(t, context).commands);
  const update = { ...translateIosTransaction(first, context), commands };
  const input = { projectId, store: app.store, update };
  const ctx = { ...contextOf(by, projectId), commandId: commandIds.receiptChain(by.requestId, chain) };
  if (line?.isOthers && !isRestore) return recordFromStore(deps, input, ctx);
  try {
    return await recordFromReceipt(deps, { ...input, appUserId, isRestore, transferBehavior }, ctx);
  } catch (err) {
    if (!(err instanceof Rejection && err.code === 'receipt-owned')) throw err;
    return recordFromStore(deps, input, ctx);
  }
}
