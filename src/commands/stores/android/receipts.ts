// Submits a purchase token of a client: reads the purchase from the store and records it for the subscriber.
import { z } from 'zod';
import { actorKinds } from '../../../domain/envelope.js';
import { AndroidStoreRefusal, NoCredentials, NotShownYet, Rejection } from '../../../domain/errors.js';
import { streams } from '../../../domain/streams.js';
import { subscriberDecider } from '../../../domain/subscriber/decide/decider.js';
import { isoFromMs } from '../../../domain/time.js';
import { commandIds } from '../../handling/command-ids.js';
import { contextOf, type Requester } from '../../handling/deps.js';
import { load } from '../../handling/run-command.js';
import { resolveCustomer } from '../../subscribers/line-ownership.js';
import { recordFromReceipt } from '../../subscribers/purchase-lines.js';
import { runOnSubscriber, trustOf, type SubscriberResult, registerSubscriber } from '../../subscribers/subscribers.js';
import { processBacklogOfLine } from '../inbox/inbox.js';
import { invalidReceipt, prepareReceipt } from '../receipts.js';
import type { AppOwner, MissingPrecondition, Receipt, SubmittedReceipt } from '../store-integration.js';
import { addStoreTask, DUE_WITH_CREDENTIALS } from '../tasks.js';
import {
  type AndroidDeps,
  knownPurchase,
  saveTokens,
  type PurchaseRequest,
  type ReadPurchase,
} from './purchases/purchases.js';
import { acknowledge, scheduleOverdueRead, partOf } from './purchases/record.js';
import { readProductWithRefunds, readWithRefunds } from './refunds.js';

/** Receipt as it was presented. */
export const queuedReceiptWork = z.object({
  kind: z.literal('receipt'),
  appUserId: z.string(),
  purchaseToken: z.string(),
  storeProductId: z.string(),
  isRestore: z.boolean(),
  offeringId: z.string().nullable(),
  claimed: z.object({ amountMicros: z.number(), currency: z.string() }).nullable(),
  actor: z.object({ kind: z.enum(actorKinds), id: z.string() }),
  requestId: z.string(),
  isTrusted: z.boolean().default(false),
});

const PURCHASE_TOKEN = /^[\x21-\x7e]{1,2048}$/;

/** Queues a receipt that cannot be read without credentials. Otherwise throws as {@link submitAndroidReceipt}. */
export async function submitOrQueueReceipt(
  deps: AndroidDeps,
  by: Requester,
  { receipt: purchaseToken, storeProductId, ...owned }: Receipt,
): Promise<SubmittedReceipt> {
  if (storeProductId === undefined)
    throw new Rejection('invalid', 'product-missing', 'productId is required: the product in the store');
  if (!PURCHASE_TOKEN.test(purchaseToken)) throw invalidReceipt('send the purchase token');
  const receipt = { ...owned, purchaseToken, storeProductId };
  try {
    const { result, isIncomplete } = await submitAndroidReceipt(deps, by, receipt);
    if (!isIncomplete) return { result, missing: null };
    return { result: await queueReceipt(deps, by, receipt, 'payment_pending'), missing: 'payment_pending' };
  } catch (err) {
    const missing = missingPrecondition(err);
    if (missing) return { result: await queueReceipt(deps, by, receipt, missing), missing };
    if (!(err instanceof AndroidStoreRefusal)) throw err;
    throw invalidReceipt('the store does not know this purchase of the app');
  }
}

/** Returns null for any other error: queueing the receipt would not help. */
function missingPrecondition(err: unknown): MissingPrecondition | null {
  if (err instanceof NoCredentials) return 'credentials_missing';
  return err instanceof AndroidStoreRefusal && err.reason === 'forbidden' ? 'credentials_refused' : null;
}

const PAYMENT_RETRY_MS = 300_000;

/** Is durable when it resolves. The same receipt of the same customer is queued once. Creates the subscriber if it does not exist. */
async function queueReceipt(
  deps: AndroidDeps,
  by: Requester,
  o: AndroidReceipt,
  missing: MissingPrecondition,
): Promise<SubscriberResult> {
  const { projectId, app, appUserId, purchaseToken, storeProductId, isRestore, offeringId, claimed } = o;
  const { actor, requestId } = by;
  const of = { appUserId, purchaseToken, storeProductId, isRestore, offeringId, claimed };
  const work = { kind: 'receipt' as const, ...of, actor, requestId, ...trustOf(by) };
  const dueAt =
    missing === 'credentials_missing' ? DUE_WITH_CREDENTIALS : isoFromMs(deps.runtime.now() + PAYMENT_RETRY_MS);
  const id = `r|${deps.hash('receipt', app.appId, appUserId, purchaseToken)}`;
  await addStoreTask(deps, id, { projectId, appId: app.appId, dueAt, work });
  const introduce = { kind: 'registerCustomer' as const, appUserId, source: 'sdk' as const, ...trustOf(by) };
  const ctx = { ...contextOf(by, projectId), commandId: commandIds.queuedReceipt(requestId) };
  return runOnSubscriber(deps, projectId, appUserId, [introduce], ctx);
}

/**
 * Submits the receipt as if it were presented now, once. Does nothing for a customer who was erased since. Resolves with the reason of a
 * permanent refusal, or null. Throws {@link NotShownYet}, `NoCredentials`, `Unavailable` and {@link AndroidStoreRefusal} `forbidden`: retry
 * later.
 */
export async function submitQueuedReceipt(
  deps: AndroidDeps,
  { projectId, app }: AppOwner,
  { kind: _, actor, requestId, isTrusted, ...receipt }: z.output<typeof queuedReceiptWork>,
): Promise<string | null> {
  const { customerId } = await resolveCustomer(deps, projectId, receipt.appUserId);
  const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
  if (state.profile.status === 'erased') return null;
  try {
    // The commands of the request itself have run where it was read before its payment.
    const by = { actor, requestId: `${requestId}|kept`, isTrusted };
    const { isIncomplete } = await submitAndroidReceipt(deps, by, { projectId, app, ...receipt });
    if (isIncomplete) throw new NotShownYet('the payment of this purchase');
    return null;
  } catch (err) {
    const isFinal = err instanceof Rejection || (err instanceof AndroidStoreRefusal && err.reason !== 'forbidden');
    if (!isFinal) throw err;
    return err.message;
  }
}

type AndroidReceipt = Omit<Receipt, 'receipt' | 'storeProductId'> & {
  readonly purchaseToken: string;
  readonly storeProductId: string;
};

/** `isIncomplete`: not paid yet, and the store does not show the time of purchase. */
type SubmittedAndroidReceipt = { readonly result: SubscriberResult; readonly isIncomplete: boolean };

/**
 * Submits a receipt. The same token presented again by its owner changes only what the store newly shows. Throws {@link Rejection}, {@link
 * AndroidStoreRefusal}, `NoCredentials`, `Unavailable`.
 */
async function submitAndroidReceipt(
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
    throw new Rejection('invalid', 'product-mismatch', 'productId does not match the purchased product');
  // Attributes of the request are written to the customer's stream by a command of the request's own ID.
  const ctx = { ...contextOf(by, projectId), commandId: commandIds.androidReceipt(by.requestId) };
  let last: SubscriberResult | null = null;
  for (const [index, update] of read.updates.entries()) {
    if (update.commands.length === 0 && !read.isClaim) continue;
    // A receipt is not an intent: it must not make the store's own messages stale, however late they arrive. An ended purchase is not an
    // intent either: the paid time that its order shows gives no access then.
    const commands = update.commands.map((c) => (c.kind === 'recordExpiry' ? c : { ...c, storeTime: null }));
    const owned = { appUserId, isRestore, transferBehavior, update: { ...update, commands, orderedAt: storeTime } };
    last = await recordFromReceipt(deps, { projectId, store: app.store, ...owned }, partOf(ctx, update, index));
  }
  await saveTokens(deps, question, read);
  if (read.unacknowledged) await acknowledge(deps, question, read.unacknowledged, purchaseToken);
  if (read.isOverdue) await scheduleOverdueRead(deps, question, purchaseToken);
  const latest = last ?? (await registerSubscriber(deps, by, projectId, appUserId, { source: 'sdk' }));
  return { result: latest, isIncomplete: read.isIncomplete };
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
export async function readPurchase(
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
  if (product) return readProductWithRefunds(deps, q, bare, token);
  try {
    return await readWithRefunds(deps, q, token);
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
    return readProductWithRefunds(deps, q, bare, token);
  }
}
