// Submits a purchase token of a client: reads the purchase from the store and records it for the subscriber.
import { commandIds } from '../../handling/command-ids.js';
import { AndroidStoreRefusal, Rejection } from '../../../domain/errors.js';
import { streams } from '../../../domain/streams.js';
import { isoFromMs } from '../../../domain/time.js';
import { acknowledge } from './acknowledgements.js';
import { scheduleOverdueRead } from './overdue-purchases.js';
import {
  knownPurchase,
  readProduct,
  saveTokens,
  type AndroidDeps,
  type PurchaseRequest,
  type ReadPurchase,
} from './purchases/purchases.js';
import { partOf } from './purchases/record.js';
import { readWithRefunds } from './refunds.js';
import { contextOf, type Requester } from '../../handling/deps.js';
import type { Receipt } from '../store-integration.js';
import { prepareReceipt } from '../receipts.js';
import { recordFromReceipt } from '../../subscribers/purchase-lines.js';
import { processBacklogOfLine } from '../inbox/inbox.js';
import { registerSubscriber, type SubscriberResult } from '../../subscribers/subscribers.js';

export type AndroidReceipt = Omit<Receipt, 'receipt' | 'storeProductId'> & {
  readonly purchaseToken: string;
  readonly storeProductId: string;
};

/** `isIncomplete`: not paid yet, and the store does not show the time of purchase. */
type SubmittedAndroidReceipt = { readonly made: SubscriberResult; readonly isIncomplete: boolean };

/**
 * Submits a receipt. The same token presented again by its owner changes only what the store newly shows. Throws {@link Rejection}, {@link
 * AndroidStoreRefusal}, `NoCredentials`, `Unavailable`.
 */
export async function submitAndroidReceipt(
  deps: AndroidDeps,
  by: Requester,
  o: AndroidReceipt,
): Promise<SubmittedAndroidReceipt> {
  const { projectId, app, appUserId, purchaseToken, isRestore, offeringId, claimed } = o;
  const { transferBehavior } = await prepareReceipt(deps, o, purchaseToken);
  const storeTime = isoFromMs(deps.runtime.now());
  const question = { projectId, app, type: null, storeTime, offeringId, claimed };
  const read = await readOrUseKnown(deps, question, o.storeProductId, purchaseToken);
  // The token must be of the product in the request.
  const [bare = o.storeProductId] = o.storeProductId.split(':');
  if (!read.productIds.includes(bare))
    throw new Rejection('invalid', 'product-of-no-receipt', 'productId does not match the purchased product');
  // Attributes of the request are written to the customer's stream by a command of the request's own ID.
  const ctx = { ...contextOf(by, projectId), commandId: commandIds.androidReceipt(by.requestId) };
  let last: SubscriberResult | null = null;
  for (const [index, update] of read.updates.entries()) {
    if (update.commands.length === 0 && !read.isClaim) continue;
    // A receipt is not an intent: it must not make the store's own messages stale, however late they arrive. An ended purchase is not an
    // intent either: the paid time that its order shows gives no access then.
    const commands = update.commands.map((c) => (c.kind === 'recordExpiry' ? c : { ...c, storeTime: null }));
    const owned = { appUserId, isRestore, transferBehavior, update: { ...update, commands, saidAt: storeTime } };
    last = await recordFromReceipt(deps, { projectId, store: app.store, ...owned }, partOf(ctx, update, index));
  }
  await saveTokens(deps, question, read);
  if (read.unacknowledged) await acknowledge(deps, question, read.unacknowledged, purchaseToken);
  if (read.isOverdue) await scheduleOverdueRead(deps, question, purchaseToken);
  const made = last ?? (await registerSubscriber(deps, by, projectId, appUserId, { source: 'sdk' }));
  return { made, isIncomplete: read.isIncomplete };
}

/** The store deletes purchases some time after their end: a purchase that was read before still belongs to its buyer. */
async function readOrUseKnown(
  deps: AndroidDeps,
  q: PurchaseRequest,
  storeProductId: string,
  token: string,
): Promise<ReadPurchase> {
  try {
    return await readAfterBacklog(deps, q, storeProductId, token);
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || !DELETED_BY_STORE.has(err.reason)) throw err;
    const known = await knownPurchase(deps, q, token);
    if (!known) throw err;
    return known;
  }
}

const DELETED_BY_STORE: ReadonlySet<string> = new Set(['gone', 'unknown']);

/** Reads the purchase after processing the acknowledged notifications of the purchases that it is linked to. */
async function readAfterBacklog(
  deps: AndroidDeps,
  q: PurchaseRequest,
  storeProductId: string,
  token: string,
): Promise<ReadPurchase> {
  const read = await readPurchase(deps, q, storeProductId, token);
  const linked = read.tokens.map(([of]) => of).filter((of) => deps.backlog.of(q.app.appId, of).length > 0);
  if (linked.length === 0) return read;
  for (const one of linked) await processBacklogOfLine(deps, q.app.appId, one);
  return readPurchase(deps, q, storeProductId, token);
}

/** Uses the kind of product in the catalogue; for an unknown product, requests both kinds from the store. */
async function readPurchase(
  deps: AndroidDeps,
  q: PurchaseRequest,
  storeProductId: string,
  token: string,
): Promise<ReadPurchase> {
  const { products } = await deps.catalogs.get(streams.catalog(q.projectId));
  const [bare = storeProductId] = storeProductId.split(':');
  const isIt = (id: string) => id === storeProductId || id === bare || id.startsWith(`${storeProductId}:`);
  const product = products.find((p) => p.appId === q.app.appId && isIt(p.storeProductId));
  if (product?.type === 'subscription') return readWithRefunds(deps, q, token);
  if (product) return readProduct(deps, q, bare, token);
  try {
    return await readWithRefunds(deps, q, token);
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
    return readProduct(deps, q, bare, token);
  }
}
