// Rules for a period whose end the store moved, mostly to a later time.
import { isSameInstant, msFromIso } from '../../time.js';
import { isOver } from '../access.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { chainOf } from '../state/line.js';
import type { Subscriber, Subscription } from '../state/state.js';
import type { RecordPeriod } from './store-commands.js';

/**
 * Moves the end of the transaction's period independent of the order of arrival: messages and devices only move it to a later time; a
 * current response of a store may also shorten it. Unpaid time after a failed charge is grace, not an extension.
 */
export function movePeriodEnd(c: RecordPeriod, { profile }: Subscriber): SubscriberEvent[] {
  const { transactionId } = c.purchase;
  const current = chainOf(profile, c.storeChainId).find((s) => s.purchase.transactionId === transactionId);
  const { storeTime, expiresAt } = c;
  const at = storeTime ?? c.signedAt ?? c.readAt;
  if (!current || at === undefined || c.keepsEnd) return [];
  if (isGraceEnd(c, current)) return enterGrace(c, current, at);
  if (c.isCurrentEnd && msFromIso(current.contractEndsAt) - msFromIso(expiresAt) > MIN_SHORTENING_MS)
    return moveEnd(current, { storeTime, at, expiresAt, inferred: true });
  return extendSubscription(current, { storeTime, at, expiresAt, inferred: c.inferred || storeTime === null });
}

/** Differences below it are two reports of the same end. */
const MIN_SHORTENING_MS = 60_000;

/** Returns true for a purchase that was cancelled after its charge had failed: the store shows the end of the grace period. */
function isGraceEnd({ cancelledAt, expiresAt }: RecordPeriod, s: Subscription): boolean {
  if (cancelledAt === undefined || expiresAt <= s.contractEndsAt || isSameInstant(expiresAt, s.contractEndsAt))
    return false;
  return s.billingIssueAt !== null || s.graceEndsAt !== null || cancelledAt > s.contractEndsAt;
}

function enterGrace({ storeTime, expiresAt }: RecordPeriod, s: Subscription, at: string): SubscriberEvent[] {
  if (isOver(s) || s.retrySince !== null || s.graceEndsAt === expiresAt) return [];
  const data = { purchase: s.purchase, storeTime, gracePeriodExpiresAt: expiresAt };
  const meta = { at, inferred: true };
  const failed = s.billingIssueAt === null ? [e.SubscriptionBillingIssueDetected.of(data, meta)] : [];
  return [...failed, e.SubscriptionGracePeriodEntered.of(data, meta)];
}

/** Ignores subscriptions that the store ended early: later messages still contain the longer end. */
export function extendSubscription(s: Subscription, o: MovedEnd): SubscriberEvent[] {
  const isLater = o.expiresAt > s.contractEndsAt && !isSameInstant(o.expiresAt, s.contractEndsAt);
  return isLater ? moveEnd(s, o) : [];
}

type MovedEnd = {
  readonly storeTime: string | null;
  readonly at: string;
  readonly expiresAt: string;
  readonly inferred: boolean;
};

function moveEnd(s: Subscription, o: MovedEnd): SubscriberEvent[] {
  const isCut = s.ended?.by === 'store' || s.refundedAt !== null || s.revokedAt !== null;
  if (isCut) return [];
  const { purchase, contractEndsAt: previousExpiresAt } = s;
  const data = { purchase, storeTime: o.storeTime, previousExpiresAt, expiresAt: o.expiresAt };
  return [e.SubscriptionExtended.of(data, { at: o.at, inferred: o.inferred })];
}
