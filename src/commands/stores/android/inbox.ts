// Notifications of the android-store: stored first, then each triggers a read of the purchase it names. None changes a state by itself.
import { readRawBody } from '../../../adapters/event-log/raw-body.js';
import { AndroidStoreRefusal, NotShownYet, NotificationRefused } from '../../../domain/errors.js';
import {
  pushBody,
  readPushBody,
  purchaseTokenOf,
  notificationTypeOf,
  UNKNOWN_TYPE,
  type AndroidNotification,
} from '../../../adapters/android-store/envelope.js';
import type { App, StoreApp } from '../../../domain/project/events.js';
import { earliest, isoFromMs, msFromIso } from '../../../domain/time.js';
import { readProduct, type AndroidDeps, type PurchaseRequest, type PurchaseReading } from './purchases/purchases.js';
import { recordRead, recordUpdates, type RecordedRead } from './purchases/record.js';
import { readRefund, readRefundReview, readWithRefunds } from './refunds.js';
import type { AppliedNotification, ReadNotification, RetryOptions, StoredNotification } from '../store-integration.js';
import { contextOfNotification, fieldsOf, outcomeOf } from '../inbox/inbox.js';

/** Throws {@link NotificationRefused} if it is about another app or not a notification. */
export function readAndroidNotification(app: App, body: unknown): ReadNotification {
  const message = readPushBody(pushBody.parse(body));
  if (!message) throw new NotificationRefused('unreadable', 'message.data must be a developer notification in base64');
  const { messageId: key, notification: decoded } = message;
  const { packageName } = decoded;
  if (packageName !== app.storeIdentifier)
    throw new NotificationRefused('other-app', 'the notification is about another app', packageName);
  const signedAt = isoFromMs(decoded.eventTimeMillis);
  return { key, notificationType: notificationTypeOf(decoded), subtype: null, decoded, signedAt };
}

/** Decodes the raw body with this version; falls back to the stored content. */
async function decodeAgain({ log }: AndroidDeps, event: StoredNotification): Promise<AndroidNotification> {
  const body = pushBody.safeParse(fieldsOf(await readRawBody(log, event.data.rawBody)));
  const message = body.success ? readPushBody(body.data) : null;
  return message?.notification ?? decodedOf(event);
}

/** Content as the service decoded it on receipt. */
function decodedOf({ data }: StoredNotification): AndroidNotification {
  return data.decoded as AndroidNotification;
}

/** Returns the push message with its data decoded; the unchanged body if it is not a push message. */
export function decodeAndroidNotification(rawBody: string): Readonly<Record<string, unknown>> {
  const body = pushBody.safeParse(fieldsOf(rawBody)).data;
  if (!body) return fieldsOf(rawBody);
  return { ...body, message: { ...body.message, data: fieldsOf(Buffer.from(body.message.data, 'base64').toString()) } };
}

/** Maximum delay between a notification and the purchase in the store's API; a purchase not shown by then will not appear. */
const MAX_PURCHASE_LAG_MS = 3_600_000;

/**
 * Reads the purchase as it is now and records it. Throws `Unavailable`, `NoCredentials`, {@link NotShownYet} and {@link
 * AndroidStoreRefusal} `forbidden`: retry when something has changed.
 */
export async function applyAndroidNotification(
  deps: AndroidDeps,
  app: StoreApp,
  event: StoredNotification,
  retry: RetryOptions | null,
): Promise<AppliedNotification> {
  const projectId = event.meta.projectId ?? '';
  const decoded = retry ? await decodeAgain(deps, event) : decodedOf(event);
  // The sender's time is not proven: one in the future would make all store messages until then stale.
  const storeTime = earliest(event.data.signedAt, event.meta.recordedAt);
  const type = notificationTypeOf(decoded);
  if (type === 'TEST') return { outcome: 'no_change', reason: null, eventIds: [] };
  if (type.startsWith(UNKNOWN_TYPE)) return { outcome: 'ignored_unknown_type', reason: null, eventIds: [] };
  const question = { projectId, app, type, storeTime, offeringId: null, claimed: null };
  try {
    const read = await readFor(deps, question, decoded);
    const purchaseToken = purchaseTokenOf(decoded) ?? '';
    const ctx = retry ? retry.contextOf(event, read.updates) : contextOfNotification(event);
    const record = retry?.isDryRun ? recordUpdates : recordRead;
    return sumOf(event, await record(deps, { question, read, purchaseToken }, ctx));
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
    const knownForMs = deps.runtime.now() - msFromIso(event.meta.recordedAt);
    if (err.reason === 'unknown' && knownForMs < MAX_PURCHASE_LAG_MS) throw new NotShownYet('this purchase');
    return { outcome: 'refused', reason: `the store does not show this purchase (${err.reason})`, eventIds: [] };
  }
}

const NO_RESULT: PurchaseReading = { updates: [], unacknowledged: null, tokens: [] };

function readFor(deps: AndroidDeps, question: PurchaseRequest, n: AndroidNotification): Promise<PurchaseReading> {
  const { subscriptionNotification: s, oneTimeProductNotification: p, voidedPurchaseNotification: v } = n;
  const { pendingRefundReviewNotification: review } = n;
  if (s) return readWithRefunds(deps, question, s.purchaseToken);
  if (p) return readProduct(deps, question, p.sku, p.purchaseToken);
  if (v) return readRefund(deps, question, v);
  return review ? readRefundReview(deps, question, review) : Promise.resolve(NO_RESULT);
}

function sumOf(event: StoredNotification, recorded: readonly RecordedRead[]): AppliedNotification {
  const outcomes = recorded.map(({ update, result }) => outcomeOf(event, update, result));
  const [first = { outcome: 'no_change' as const, reason: null, customerId: undefined }] = outcomes;
  const { outcome, reason, customerId } = outcomes.find((o) => o.outcome === 'applied') ?? first;
  return { outcome, reason, eventIds: outcomes.flatMap((o) => o.eventIds), customerId };
}
