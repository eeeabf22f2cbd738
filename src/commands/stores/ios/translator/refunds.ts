// Refunds and revocations in a transaction of the ios-store; every later payload about the transaction still contains them. Pure.
import type { IosNotification, IosTransaction } from '../../../../adapters/ios-store/port.js';
import type { App } from '../../../../domain/project/events.js';
import type { RecordRefund, StoreCommand } from '../../../../domain/subscriber/decide/store-commands.js';
import { isoFromMs } from '../../../../domain/time.js';
import type { MessageFields } from './transaction.js';

/** Returns the refunds or the revoked family share. Items of a purchase are refunded one by one, at times of their own. */
export function withdrawal(
  n: IosNotification | null,
  t: IosTransaction,
  shared: MessageFields,
  app: App,
): StoreCommand[] {
  const isAnnounced = n?.notificationType === 'REFUND' || n?.notificationType === 'REVOKE';
  if (n?.notificationType === 'REFUND_REVERSED') return [];
  const ofItems = refundsOfItems(t, isAnnounced);
  if (ofItems.length > 0) return refundCommands(t, ofItems, shared, app);
  const withdrawnMs = t.revocationDate ?? (isAnnounced ? n.signedDate : undefined);
  if (withdrawnMs === undefined) return [];
  const at = isoFromMs(withdrawnMs);
  const { transactionId } = t;
  const isFamily = t.inAppOwnershipType === 'FAMILY_SHARED' || t.revocationType === 'FAMILY_REVOKE';
  if (isFamily || n?.notificationType === 'REVOKE')
    return [{ kind: 'recordRevocation', ...shared, transactionId, revokedAt: at, reason: 'family_sharing' }];
  const policy = app.refundPolicy;
  return [{ kind: 'recordRefund', ...shared, transactionId, refundedAt: at, refund: refundedPart(t), policy }];
}

/**
 * `revocationPercentage` is in milliunits of percent: 50000 is half the price. It applies to every type except a full refund, also to an
 * unknown or missing type.
 */
function refundedPart(t: IosTransaction): { readonly kind: 'full' | 'prorated'; readonly share: number } {
  if (t.revocationType === 'REFUND_FULL' || t.revocationPercentage === undefined) return { kind: 'full', share: 1 };
  const share = Math.min(1, Math.max(0, t.revocationPercentage / 100_000));
  return share === 1 && t.revocationType !== 'REFUND_PRORATED' ? { kind: 'full', share } : { kind: 'prorated', share };
}

/** Refunds of one instant. `share`: of the whole price. */
type ItemRefund = { readonly ms: number; readonly share: number };

/**
 * Returns the refunds of the items of an advanced-commerce purchase, one for each instant, oldest first. An item that was revoked with a
 * refund notification and has no amount was refunded in full. Nothing if the whole price is unknown.
 */
function refundsOfItems(t: IosTransaction, isAnnounced: boolean): readonly ItemRefund[] {
  const items = t.advancedCommerceInfo?.items ?? [];
  const whole = t.price ?? items.reduce((sum, { price = 0 }) => sum + price, 0);
  if (whole <= 0) return [];
  const amounts = new Map<number, number>();
  const add = (ms: number, amount: number) => amounts.set(ms, (amounts.get(ms) ?? 0) + amount);
  for (const { price = 0, refunds = [], revocationDate } of items) {
    for (const { refundAmount = price, refundDate = revocationDate } of refunds)
      if (refundDate !== undefined) add(refundDate, refundAmount);
    if (refunds.length === 0 && revocationDate !== undefined && isAnnounced) add(revocationDate, price);
  }
  const sorted = [...amounts].sort(([a], [b]) => a - b);
  return sorted.map(([ms, amount]) => ({ ms, share: Math.min(1, Math.max(0, amount / whole)) }));
}

/** Access goes on until the whole purchase is revoked: by its own date, or with the last of its items. */
function refundCommands(
  t: IosTransaction,
  refunds: readonly ItemRefund[],
  shared: MessageFields,
  { refundPolicy: policy }: App,
): RecordRefund[] {
  const { transactionId } = t;
  const endsMs = revokedMsOf(t);
  const commandOf = (ms: number, refund: RecordRefund['refund']): RecordRefund => {
    return { kind: 'recordRefund', ...shared, transactionId, refundedAt: isoFromMs(ms), refund, policy };
  };
  const before = refunds.filter(({ ms }) => endsMs === null || ms < endsMs);
  const parts = before.map(({ ms, share }) => commandOf(ms, { kind: 'partial_quantity', share }));
  if (endsMs === null) return parts;
  const sumOf = (some: readonly ItemRefund[]) => some.reduce((sum, { share }) => sum + share, 0);
  const whole = t.revocationDate === undefined ? sumOf(refunds) : Math.max(sumOf(refunds), refundedPart(t).share);
  const share = Math.min(1, Math.max(0, whole - sumOf(before)));
  return [...parts, commandOf(endsMs, { kind: 'full', share })];
}

/** Returns the instant at which the whole purchase was revoked, ms since the epoch; null while an item remains. */
function revokedMsOf({ revocationDate, advancedCommerceInfo }: IosTransaction): number | null {
  if (revocationDate !== undefined) return revocationDate;
  const dates = (advancedCommerceInfo?.items ?? []).map((item) => item.revocationDate);
  const all = dates.filter((ms) => ms !== undefined);
  return all.length > 0 && all.length === dates.length ? Math.max(...all) : null;
}
