// Rules for changes scheduled for the end of the period: another product, another price, a pause, a later end.
import { isOver } from '../access.js';
import { extendSubscription } from './extension.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { findIntentTarget, confirmStoreTime, type IntentTarget } from './intent.js';
import { withoutRepeats } from '../state/recorded-notices.js';
import { storeTimeOf } from '../state/line.js';
import type { PriceIncrease, Subscriber } from '../state/state.js';
import type {
  RecordExtension,
  RecordNextProduct,
  RecordPause,
  RecordPausePlan,
  RecordPriceIncrease,
} from './store-commands.js';

export function recordNextProduct(c: RecordNextProduct, state: Subscriber): SubscriberEvent[] {
  const found = findIntentTarget(c, state);
  if (!found || isOver(found.s)) return [];
  const { s, storeTime } = found;
  const { purchase } = s;
  const meta = { at: storeTime, inferred: c.inferred };
  if (c.storeProductId === purchase.storeProductId) {
    if (s.nextProduct === null) return confirmUnlessInferred(c, found, state);
    return [e.SubscriptionProductChangeCancelled.of({ purchase, storeTime }, meta)];
  }
  if (s.nextProduct?.storeProductId === c.storeProductId) return confirmUnlessInferred(c, found, state);
  const { productId: newProductId, storeProductId: newStoreProductId } = c;
  const data = { purchase, storeTime, newProductId, newStoreProductId, effectiveAt: c.effectiveAt ?? s.contractEndsAt };
  return [e.SubscriptionProductChangeScheduled.of(data, meta)];
}

/** An acceptance without an earlier request for consent counts only in its own message: later snapshots repeat it. */
export function recordPriceIncrease(c: RecordPriceIncrease, state: Subscriber): SubscriberEvent[] {
  const found = findIntentTarget(c, state);
  if (!found || isOver(found.s)) return [];
  const { s, storeTime } = found;
  const meta = { at: storeTime, inferred: c.inferred };
  const terms = { newPrice: c.newPrice, effectiveAt: c.effectiveAt ?? s.contractEndsAt };
  const data = { purchase: s.purchase, storeTime, ...terms };
  if (c.status === 'changed') return withoutRepeats([e.SubscriptionPriceChanged.of(data, meta)], state.noted);
  const isAccepted = c.status === 'accepted';
  if (isSameIncrease(s.priceIncrease, { ...terms, isAccepted })) return confirmUnlessInferred(c, found, state);
  if (!isAccepted) return [e.PriceIncreaseConsentRequested.of({ ...data, respondBy: c.respondBy }, meta)];
  if (c.inferred && s.priceIncrease === null) return [];
  return [e.PriceIncreaseAccepted.of(data, meta)];
}

export function recordPausePlan(c: RecordPausePlan, state: Subscriber): SubscriberEvent[] {
  const found = findIntentTarget(c, state);
  if (!found || isOver(found.s) || found.s.pause?.begun) return [];
  const { s, storeTime } = found;
  const { purchase, pause } = s;
  const meta = { at: storeTime, inferred: c.inferred };
  // A message with the same store time is a repeat, not the opposite request.
  if (c.planned === null && storeTimeOf(state.profile, c.storeChainId) === storeTime) return [];
  // If the store shows no plan, only the message has it: one older than the current period is outdated.
  if (c.planned === null && c.storeTime !== null && c.storeTime < s.period.purchasedAt) return [];
  if (!(c.planned ?? pause === null)) {
    if (pause === null) return confirmUnlessInferred(c, found, state);
    const withdrawn = { pauseAt: pause.at, autoResumeAt: pause.autoResumeAt };
    return [e.SubscriptionPauseCancelled.of({ purchase, storeTime, ...withdrawn }, meta)];
  }
  const pauseAt = c.pauseAt ?? s.contractEndsAt;
  if (pause?.at === pauseAt && pause.autoResumeAt === c.autoResumeAt) return confirmUnlessInferred(c, found, state);
  return [e.SubscriptionPauseScheduled.of({ purchase, storeTime, pauseAt, autoResumeAt: c.autoResumeAt }, meta)];
}

/** Records the pause even if a deadline ended the subscription before the message arrived. */
export function recordPause(c: RecordPause, state: Subscriber): SubscriberEvent[] {
  const found = findIntentTarget(c, state);
  if (!found || (isOver(found.s) && found.s.ended?.by !== 'sweeper')) return [];
  const { s, storeTime } = found;
  if (s.pause?.begun) return confirmUnlessInferred(c, found, state);
  const data = { purchase: s.purchase, storeTime, autoResumeAt: c.autoResumeAt };
  return [e.SubscriptionPaused.of(data, { at: c.pausedAt, inferred: c.inferred })];
}

export function recordExtension(c: RecordExtension, state: Subscriber): SubscriberEvent[] {
  const found = findIntentTarget(c, state);
  if (!found) return [];
  const { storeTime } = found;
  return extendSubscription(found.s, { storeTime, at: storeTime, expiresAt: c.expiresAt, inferred: c.inferred });
}

/** Records the store time of an unchanged state if the message is about it; ignores snapshots. */
function confirmUnlessInferred(
  { inferred }: { readonly inferred: boolean },
  found: IntentTarget,
  state: Subscriber,
): SubscriberEvent[] {
  return inferred ? [] : confirmStoreTime(found, state);
}

/** Compares price increases; a snapshot without a price matches any price. */
function isSameIncrease(known: PriceIncrease | null, next: PriceIncrease): boolean {
  if (known?.isAccepted !== next.isAccepted) return false;
  const [a, b] = [known.newPrice, next.newPrice];
  return a === null || b === null || (a.amountMicros === b.amountMicros && a.currency === b.currency);
}
