// The intents in the android-store's response about a subscription. Pure. A state with a notification of its own is news; any other is
// inferred.
import type { AndroidLineItem, AndroidSubscription } from '../../../../adapters/android-store/port.js';
import type { CancelReason } from '../../../../domain/subscriber/events/blocks.js';
import type {
  RecordAutoRenew,
  RecordPriceIncrease,
  StoreCommand,
} from '../../../../domain/subscriber/decide/store-commands.js';
import { addDuration, earliest, latest } from '../../../../domain/time.js';
import { plausibleChargeOf } from './money.js';
import { chargeNameOf, productOf, storeProductIdOf, type AndroidContext } from './purchase.js';
import type { SubscriptionReading } from './subscription-reading.js';

type SharedFields = { readonly storeChainId: string; readonly storeTime: string; readonly shown: string };

export function stateOf({ subscriptionState }: AndroidSubscription): string {
  return subscriptionState.replace(/^SUBSCRIPTION_STATE_/, '');
}

const UNPAID: ReadonlySet<string> = new Set(['PENDING', 'PENDING_PURCHASE_CANCELED']);

export function isUnpaid(subscription: AndroidSubscription): boolean {
  return UNPAID.has(stateOf(subscription));
}

const TRIES_TO_CHARGE: ReadonlySet<string> = new Set(['IN_GRACE_PERIOD', 'ON_HOLD']);

export function triesToCharge(subscription: AndroidSubscription): boolean {
  return TRIES_TO_CHARGE.has(stateOf(subscription));
}

/** To be called only for a purchase that was not replaced by another. */
export function intentCommands(
  item: AndroidLineItem,
  r: SubscriptionReading,
  shared: SharedFields,
  ctx: AndroidContext,
): StoreCommand[] {
  const { subscription, type } = r;
  const cancelled = cancelReasonOf(subscription, item);
  const isAnnouncedBy = (...types: readonly string[]) => types.includes(type ?? '');
  switch (stateOf(subscription)) {
    case 'ACTIVE':
      return [
        ...extensionCommands(item, r, shared),
        ...renewalIntent(item, r, shared, ctx),
        ...nextProduct(item, r, shared, ctx),
        ...priceIncrease(item, r, shared),
        ...pausePlan(r, shared),
      ];
    case 'CANCELED': {
      if (cancelled === null) return [];
      const isAnnounced = isAnnouncedBy('SUBSCRIPTION_CANCELED', 'SUBSCRIPTION_CANCELLATION_SCHEDULED');
      return [...extensionCommands(item, r, shared), autoRenew(cancelledAt(r, shared), false, cancelled, !isAnnounced)];
    }
    case 'IN_GRACE_PERIOD': {
      const inferred = !isAnnouncedBy('SUBSCRIPTION_IN_GRACE_PERIOD');
      return [{ kind: 'recordBillingFailure', ...shared, graceEndsAt: item.expiryTime ?? null, inferred }];
    }
    case 'ON_HOLD': {
      const inferred = !isAnnouncedBy('SUBSCRIPTION_ON_HOLD');
      return [{ kind: 'recordBillingFailure', ...shared, graceEndsAt: null, inferred }];
    }
    case 'PAUSED': {
      const { autoResumeTime: autoResumeAt = null } = subscription.pausedStateContext ?? {};
      const pausedAt = earliest(shared.storeTime, item.expiryTime ?? shared.storeTime);
      return [
        { kind: 'recordPause', ...shared, pausedAt, autoResumeAt, inferred: !isAnnouncedBy('SUBSCRIPTION_PAUSED') },
      ];
    }
    case 'EXPIRED':
      return [
        ...revocationCommands(item, r, shared),
        ...(cancelled === null ? [] : [expiryCommand(item, shared, cancelled)]),
      ];
    default:
      return [];
  }
}

/** Includes the end of access, which the store shows in every response. */
function expiryCommand(
  { expiryTime: endedAt }: AndroidLineItem,
  shared: SharedFields,
  reason: CancelReason,
): StoreCommand {
  return { kind: 'recordExpiry', ...shared, reason, ...(endedAt !== undefined && { endedAt }) };
}

/** Uses the time of cancellation that the store shows, if it is later than the notification that caused the read. */
function cancelledAt({ subscription }: SubscriptionReading, shared: SharedFields): SharedFields {
  const cancelTime = subscription.canceledStateContext?.userInitiatedCancellation?.cancelTime;
  return cancelTime === undefined ? shared : { ...shared, storeTime: latest(shared.storeTime, cancelTime) };
}

function renewalIntent(
  item: AndroidLineItem,
  r: SubscriptionReading,
  shared: SharedFields,
  ctx: AndroidContext,
): StoreCommand[] {
  if (!item.autoRenewingPlan) return [];
  const { installmentDetails } = item.autoRenewingPlan;
  if (installmentDetails?.pendingCancellation) {
    const switchedOff = autoRenew(shared, false, 'unsubscribe', r.type !== 'SUBSCRIPTION_CANCELLATION_SCHEDULED');
    return [{ ...switchedOff, ...commitmentEnd(item, ctx) }];
  }
  // The API omits false values. An item with a scheduled replacement renews as that one.
  const on = hasScheduledReplacement(item) || (item.autoRenewingPlan.autoRenewEnabled ?? false);
  const isSignedUpAgain = r.replacedProductId !== null && r.type === 'SUBSCRIPTION_PURCHASED';
  const isAnnounced = r.type === 'SUBSCRIPTION_RESTARTED' || isSignedUpAgain;
  return [autoRenew(shared, on, 'unsubscribe', !(isAnnounced && on))];
}

/** Returns the end of the remaining charges before the cancellation takes effect. */
function commitmentEnd(item: AndroidLineItem, ctx: AndroidContext): { readonly effectiveAt?: string } {
  const remaining = item.autoRenewingPlan?.installmentDetails?.remainingCommittedPaymentsCount ?? 0;
  const duration = productOf(storeProductIdOf(item, ctx), ctx)?.duration ?? null;
  if (item.expiryTime === undefined || duration === null) return {};
  return {
    effectiveAt: Array.from({ length: remaining }).reduce<string>((at) => addDuration(at, duration), item.expiryTime),
  };
}

function autoRenew(shared: SharedFields, on: boolean, reason: CancelReason, inferred: boolean): RecordAutoRenew {
  return { kind: 'recordAutoRenew', ...shared, on, reason, inferred };
}

/** Returns the product of the next renewal; the current product means that no change is scheduled. */
function nextProduct(
  item: AndroidLineItem,
  { subscription }: SubscriptionReading,
  shared: SharedFields,
  ctx: AndroidContext,
): StoreCommand[] {
  const next = item.deferredItemReplacement?.productId;
  const storeProductId = next === undefined ? storeProductIdOf(item, ctx) : plannedProductOf(next, subscription, ctx);
  const productId = productOf(storeProductId, ctx)?.productId ?? null;
  return [{ kind: 'recordNextProduct', ...shared, productId, storeProductId, effectiveAt: null, inferred: true }];
}

/** Returns true if a product change is scheduled; after a cancellation the item has none. */
function hasScheduledReplacement({ deferredItemReplacement }: AndroidLineItem): boolean {
  return deferredItemReplacement?.productId !== undefined;
}

/** The store reports the scheduled product without its base plan, unless there is an item for it: then none is named. */
function plannedProductOf(next: string, { lineItems }: AndroidSubscription, ctx: AndroidContext): string {
  const planned = lineItems.find((item) => item.productId === next && item.expiryTime === undefined);
  return planned ? storeProductIdOf(planned, ctx) : next;
}

const PRICE_NEWS = new Set(['SUBSCRIPTION_PRICE_CHANGE_UPDATED', 'SUBSCRIPTION_PRICE_CHANGE_CONFIRMED']);
const STEP_UP = 'SUBSCRIPTION_PRICE_STEP_UP_CONSENT_UPDATED';

/** Values of the store for requested consent and for given consent. */
const CONSENT_REQUESTED = new Set(['OUTSTANDING', 'PENDING']);
const CONSENT_GIVEN = new Set(['CONFIRMED', 'COMPLETED']);

function priceIncrease(item: AndroidLineItem, r: SubscriptionReading, shared: SharedFields): RecordPriceIncrease[] {
  const { priceChangeDetails: change, priceStepUpConsentDetails: stepUp } = item.autoRenewingPlan ?? {};
  const type = r.type ?? '';
  if (stepUp) {
    const { consentDeadlineTime: respondBy = null, newPrice = null } = stepUp;
    const status = statusOf(stepUp.state);
    const terms = { newPrice: newPrice && plausibleChargeOf(newPrice), effectiveAt: null, respondBy };
    return status ? [{ kind: 'recordPriceIncrease', ...shared, status, ...terms, inferred: type !== STEP_UP }] : [];
  }
  if (!change) return [];
  const terms = {
    newPrice: change.newPrice ? plausibleChargeOf(change.newPrice) : null,
    effectiveAt: change.expectedNewPriceChargeTime ?? null,
    respondBy: null,
  };
  const inferred = !PRICE_NEWS.has(type);
  const needsConsent = change.priceChangeMode === undefined || change.priceChangeMode === 'PRICE_INCREASE';
  if (needsConsent) {
    const status = statusOf(change.priceChangeState);
    return status ? [{ kind: 'recordPriceIncrease', ...shared, status, ...terms, inferred }] : [];
  }
  // Needs no consent: recorded once, from its own notification.
  return inferred ? [] : [{ kind: 'recordPriceIncrease', ...shared, status: 'changed', ...terms, inferred }];
}

function statusOf(state: string | undefined): 'requested' | 'accepted' | null {
  if (CONSENT_REQUESTED.has(state ?? '')) return 'requested';
  return CONSENT_GIVEN.has(state ?? '') ? 'accepted' : null;
}

/** The store omits the plan before the pause begins in some responses; then only the change itself is recorded. */
function pausePlan({ subscription, type }: SubscriptionReading, shared: SharedFields): StoreCommand[] {
  if (type !== 'SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED') return [];
  const { autoResumeTime: autoResumeAt = null } = subscription.pausedStateContext ?? {};
  const planned = subscription.pausedStateContext ? true : null;
  return [{ kind: 'recordPausePlan', ...shared, planned, pauseAt: null, autoResumeAt, inferred: false }];
}

/** Extension by the developer, from its own notification; otherwise a later end is part of the period. */
function extensionCommands(item: AndroidLineItem, { type }: SubscriptionReading, shared: SharedFields): StoreCommand[] {
  if (type !== 'SUBSCRIPTION_DEFERRED' || item.expiryTime === undefined) return [];
  return [{ kind: 'recordExtension', ...shared, expiresAt: item.expiryTime, inferred: false }];
}

function revocationCommands(item: AndroidLineItem, r: SubscriptionReading, shared: SharedFields): StoreCommand[] {
  if (r.type !== 'SUBSCRIPTION_REVOKED') return [];
  const orderId = item.latestSuccessfulOrderId ?? r.subscription.latestOrderId ?? r.purchaseToken;
  const transactionId = chargeNameOf(orderId, item, r.isAddOn);
  return [{ kind: 'recordRevocation', ...shared, transactionId, revokedAt: shared.storeTime, reason: 'store' }];
}

const NO_CANCELLATION: ReadonlySet<CancelReason | null> = new Set(['unknown', 'developer_initiated']);

/** Returns true if it was ended by the store or the developer, or for an unknown reason. */
export function endsWithoutCause(subscription: AndroidSubscription, type: string | null): boolean {
  if (stateOf(subscription) !== 'EXPIRED') return false;
  return type === 'SUBSCRIPTION_REVOKED' || NO_CANCELLATION.has(cancelReasonOf(subscription, null));
}

/**
 * Returns null if another purchase replaced it, which has its own commands. The store cancels for want of consent to a price step-up as for
 * a failed charge.
 */
function cancelReasonOf(
  { canceledStateContext: c }: AndroidSubscription,
  item: AndroidLineItem | null,
): CancelReason | null {
  if (c?.replacementCancellation) return null;
  if (c?.userInitiatedCancellation) return 'unsubscribe';
  const awaitsConsent = CONSENT_REQUESTED.has(item?.autoRenewingPlan?.priceStepUpConsentDetails?.state ?? '');
  if (c?.systemInitiatedCancellation) return awaitsConsent ? 'price_increase' : 'billing_error';
  return c?.developerInitiatedCancellation ? 'developer_initiated' : 'unknown';
}
