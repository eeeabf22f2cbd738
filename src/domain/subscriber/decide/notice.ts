// Rules for events outside the renewal cycle: pending payments, redeemed offers, the developer's own requests.
import { isRunning } from '../access.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { withoutRepeats } from '../state/recorded-notices.js';
import { chainOf } from '../state/line.js';
import type { Subscriber } from '../state/state.js';
import type { RecordRefundAnswer } from './commands.js';
import type {
  RecordConsumptionRequest,
  RecordExtensionFailure,
  RecordMetadata,
  RecordMigration,
  RecordOffer,
  RecordPending,
  RecordPendingCancelled,
  RecordRefundDeclined,
} from './store-commands.js';

export function recordPending(c: RecordPending, { profile, transactions }: Subscriber): SubscriberEvent[] {
  const { purchase, newSubscriptionId: subscriptionId, storeTime } = c;
  const isKnown = profile.subscriptions.some((s) => s.purchase.subscriptionId === subscriptionId);
  if (isKnown || transactions.has(purchase.transactionId)) return [];
  const running = chainOf(profile, c.storeChainId).at(-1);
  const isSame = running?.purchase.storeProductId === purchase.storeProductId;
  // A top-up of the running subscription: it continues whether paid or not.
  if (c.replacesRunning && isSame && isRunning(running, c.pendingSince)) return [];
  const data = { purchase: { ...purchase, subscriptionId }, storeTime, expectedProductId: purchase.productId };
  return [e.SubscriptionPending.of(data, { at: c.pendingSince })];
}

export function recordPendingCancelled(c: RecordPendingCancelled, state: Subscriber): SubscriberEvent[] {
  const { storeChainId, storeTime, purchase, reason } = c;
  if (purchase)
    return withoutRepeats([e.OneTimePurchasePendingCancelled.of({ purchase, reason }, timeOf(c))], state.noted);
  const waiting = state.profile.subscriptions.find(
    (s) => s.purchase.storeChainId === storeChainId && s.pending === 'waiting',
  );
  return waiting ? [e.SubscriptionPendingCancelled.of({ purchase: waiting.purchase, storeTime }, timeOf(c))] : [];
}

export function recordOffer(c: RecordOffer, state: Subscriber): SubscriberEvent[] {
  return recordOnLatest(c, state, (shared, meta) => e.OfferRedeemed.of({ ...shared, offer: c.offer }, meta));
}

export function recordExtensionFailure(c: RecordExtensionFailure, state: Subscriber): SubscriberEvent[] {
  const { requestIdentifier } = c;
  return recordOnLatest(c, state, (shared, meta) =>
    e.SubscriptionExtensionFailed.of({ ...shared, requestIdentifier }, meta),
  );
}

export function recordMetadata(c: RecordMetadata, state: Subscriber): SubscriberEvent[] {
  const { details } = c;
  return recordOnLatest(c, state, (shared, meta) => e.SubscriptionMetadataChanged.of({ ...shared, details }, meta));
}

/** Keeps the subscription under the new name of its chain. */
export function recordMigration(c: RecordMigration, { profile }: Subscriber): SubscriberEvent[] {
  const { fromChainId, storeChainId: toChainId, storeTime } = c;
  const s = chainOf(profile, fromChainId).at(-1);
  if (!s) return [];
  const purchase = { ...s.purchase, storeChainId: toChainId };
  return [e.SubscriptionMigrated.of({ purchase, storeTime, fromChainId, toChainId }, timeOf(c))];
}

export function recordRefundDeclined(c: RecordRefundDeclined, state: Subscriber): SubscriberEvent[] {
  const found = state.transactions.get(c.transactionId);
  if (!found) return [];
  const { purchase, transactionId } = found;
  return withoutRepeats([e.RefundDeclined.of({ purchase, transactionId }, timeOf(c))], state.noted);
}

export function recordConsumptionRequest(c: RecordConsumptionRequest, state: Subscriber): SubscriberEvent[] {
  const found = state.transactions.get(c.transactionId);
  if (!found) return [];
  const { purchase, transactionId } = found;
  const { reason, respondBy, pendingRefundToken } = c;
  const data = { purchase, transactionId, reason, respondBy, pendingRefundToken };
  return withoutRepeats([e.ConsumptionInformationRequested.of(data, timeOf(c))], state.noted);
}

/** The caller sends one answer to a question under one command ID, which makes a repeat append nothing. */
export function recordRefundAnswer({ answer }: RecordRefundAnswer): SubscriberEvent[] {
  return [e.RefundAnswerSent.of(answer)];
}

type NoticeFields = {
  readonly purchase: Parameters<typeof e.OfferRedeemed.of>[0]['purchase'];
  storeTime: string | null;
};

/** Records an event about the chain's latest subscription once, independent of the order of arrival. */
function recordOnLatest(
  c: { readonly storeChainId: string; readonly storeTime: string | null },
  { profile, noted }: Subscriber,
  make: (shared: NoticeFields, meta: { at?: string }) => SubscriberEvent,
): SubscriberEvent[] {
  const s = chainOf(profile, c.storeChainId).at(-1);
  return s ? withoutRepeats([make({ purchase: s.purchase, storeTime: c.storeTime }, timeOf(c))], noted) : [];
}

function timeOf({ storeTime }: { readonly storeTime: string | null }): { at?: string } {
  return storeTime === null ? {} : { at: storeTime };
}
