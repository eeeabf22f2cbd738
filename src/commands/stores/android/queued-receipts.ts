// Queued receipts of the android-store that cannot be read without credentials; they are read as soon as working credentials are
// registered.
import { commandIds } from '../../handling/command-ids.js';
import { AndroidStoreRefusal, NoCredentials, NotShownYet, Rejection } from '../../../domain/errors.js';
import { z } from 'zod';
import { actorKinds } from '../../../domain/envelope.js';
import { streams } from '../../../domain/streams.js';
import { subscriberDecider } from '../../../domain/subscriber/decide/decider.js';
import { isoFromMs } from '../../../domain/time.js';
import type { AndroidDeps } from './purchases/purchases.js';
import { submitAndroidReceipt, type AndroidReceipt } from './receipts.js';
import { contextOf, type Requester } from '../../handling/deps.js';
import { resolveCustomer } from '../../subscribers/line-ownership.js';
import { invalidReceipt } from '../receipts.js';
import type { AppOwner, MissingPrecondition, Receipt, SubmittedReceipt } from '../store-integration.js';
import { load } from '../../handling/run-command.js';
import { addStoreTask, DUE_WITH_CREDENTIALS } from '../tasks.js';
import { runOnSubscriber, trustOf, type SubscriberResult } from '../../subscribers/subscribers.js';

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
type QueuedReceipt = z.output<typeof queuedReceiptWork>;

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
    const { made, isIncomplete } = await submitAndroidReceipt(deps, by, receipt);
    if (!isIncomplete) return { made, missing: null };
    return { made: await queueReceipt(deps, by, receipt, 'payment_pending'), missing: 'payment_pending' };
  } catch (err) {
    const missing = missingPrecondition(err);
    if (missing) return { made: await queueReceipt(deps, by, receipt, missing), missing };
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
  { kind: _, actor, requestId, isTrusted, ...receipt }: QueuedReceipt,
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
