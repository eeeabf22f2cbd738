// Translation of the ios-store's renewal info into store commands. Every payload is a snapshot, from which a change without its own
// notification is inferred. Pure. Fields: the store's page "JWSRenewalInfoDecodedPayload".
import type { IosNotification, IosRenewalInfo, IosTransaction } from '../../../../adapters/ios-store/port.js';
import type { Catalog } from '../../../../domain/catalog/catalog.js';
import { storeProductOf } from '../../../../domain/catalog/products.js';
import type { App } from '../../../../domain/project/events.js';
import type { ExpirationReason } from '../../../../domain/subscriber/events/blocks.js';
import type { RecordPriceIncrease, StoreCommand } from '../../../../domain/subscriber/decide/store-commands.js';
import { addDuration, isoFromMs } from '../../../../domain/time.js';
import { changesAt, newPriceOf, renewsAfterTerm, termEndOf, isCommitment, type SnapshotView } from './commitment.js';

export type SharedFields = { readonly storeChainId: string; readonly storeTime: string; readonly shown: string };
export type RenewalContext = { readonly app: App; readonly catalog: Catalog };

/** Status value of a notification in the grace period. */
const IN_GRACE = 4;

/** Notification types that show the course of a failed payment. */
const ABOUT_PAYMENT = new Set(['DID_FAIL_TO_RENEW', 'GRACE_PERIOD_EXPIRED', 'EXPIRED']);

/** Precedes the rest of the same payload, because a refund in the grace period ends it. */
export function failureInSnapshot(
  n: IosNotification,
  { transaction, renewal }: SnapshotView,
  shared: SharedFields,
  ctx: RenewalContext,
): StoreCommand[] {
  if (!renewal?.isInBillingRetryPeriod || ABOUT_PAYMENT.has(n.notificationType)) return [];
  const isInGrace = n.data?.status === IN_GRACE || (renewal.gracePeriodExpiresDate ?? 0) > n.signedDate;
  const graceEndsAt = isInGrace ? graceEndOf(transaction, renewal, ctx) : null;
  return [{ kind: 'recordBillingFailure', ...shared, graceEndsAt, inferred: true }];
}

/** Returns planned changes, unless the notification itself announces them. */
export function plansInSnapshot(
  n: IosNotification,
  view: SnapshotView,
  shared: SharedFields,
  ctx: RenewalContext,
): StoreCommand[] {
  const { renewal } = view;
  if (!renewal) return [];
  const { notificationType: type, subtype } = n;
  const commands: StoreCommand[] = [];
  const on = renewsAfterTerm(view);
  if (on !== null && type !== 'DID_CHANGE_RENEWAL_STATUS') commands.push(autoRenew(view, shared, on, true));
  const isAboutProduct = type === 'DID_CHANGE_RENEWAL_PREF' || (type === 'OFFER_REDEEMED' && subtype === 'DOWNGRADE');
  if (!isAboutProduct) commands.push(...nextProduct(view, shared, true, ctx));
  const isAccepted = renewal.priceIncreaseStatus === 1;
  if (renewal.priceIncreaseStatus !== undefined && type !== 'PRICE_INCREASE')
    commands.push(priceIncrease(view, shared, isAccepted ? 'accepted' : 'requested', true));
  return commands;
}

/** A cancellation within a commitment takes effect at its end. */
export function autoRenew(view: SnapshotView, shared: SharedFields, on: boolean, inferred: boolean): StoreCommand {
  const effectiveAt = on ? null : termEndOf(view);
  const off = effectiveAt === null ? {} : { effectiveAt };
  return { kind: 'recordAutoRenew', ...shared, on, reason: 'unsubscribe', ...off, inferred };
}

/** Within a commitment, another product is charged after its end. */
export function nextProduct(
  view: SnapshotView,
  shared: SharedFields,
  inferred: boolean,
  { app, catalog }: RenewalContext,
): StoreCommand[] {
  const { renewal } = view;
  const afterTerm = isCommitment(view.transaction) ? renewal?.commitmentInfo?.commitmentAutoRenewProductId : undefined;
  const storeProductId = afterTerm ?? renewal?.autoRenewProductId;
  if (storeProductId === undefined) return [];
  const product = storeProductOf(catalog, app.appId, storeProductId);
  const planned = { productId: product?.productId ?? null, storeProductId, effectiveAt: changesAt(view) };
  return [{ kind: 'recordNextProduct', ...shared, ...planned, inferred }];
}

export function priceIncrease(
  view: SnapshotView,
  shared: SharedFields,
  status: RecordPriceIncrease['status'],
  inferred: boolean,
): StoreCommand {
  const priceIncrease = { newPrice: newPriceOf(view), effectiveAt: changesAt(view), respondBy: null };
  return { kind: 'recordPriceIncrease', ...shared, status, ...priceIncrease, inferred };
}

export function billingFailure(
  subtype: string | undefined,
  { transaction, renewal }: SnapshotView,
  shared: SharedFields,
  ctx: RenewalContext,
): StoreCommand {
  const graceEndsAt = subtype === 'GRACE_PERIOD' ? graceEndOf(transaction, renewal, ctx) : null;
  return { kind: 'recordBillingFailure', ...shared, graceEndsAt, inferred: false };
}

/** Shortest of the configurable durations 3, 16 and 28 days (the store's page "Enable Billing Grace Period"). */
const MIN_GRACE_PERIOD = 'P3D';

/** Falls back to the product's configured duration, or the shortest, because the store sometimes sends no end of the grace period. */
function graceEndOf(t: IosTransaction, renewal: IosRenewalInfo | undefined, { app, catalog }: RenewalContext): string {
  const graceEndMs = renewal?.gracePeriodExpiresDate;
  if (graceEndMs !== undefined) return isoFromMs(graceEndMs);
  const product = storeProductOf(catalog, app.appId, t.productId);
  return addDuration(isoFromMs(t.expiresDate ?? t.purchaseDate), product?.gracePeriodDuration ?? MIN_GRACE_PERIOD);
}

const SUBTYPE_REASONS: ReadonlyMap<string, ExpirationReason> = new Map([
  ['VOLUNTARY', 'unsubscribe'],
  ['BILLING_RETRY', 'billing_error'],
  ['PRICE_INCREASE', 'price_increase'],
  ['PRODUCT_NOT_FOR_SALE', 'product_not_for_sale'],
]);
const INTENT_REASONS: readonly (ExpirationReason | undefined)[] = [
  undefined,
  'unsubscribe',
  'billing_error',
  'price_increase',
  'product_not_for_sale',
  'unknown',
];

export function expiryReasonOf(subtype: string | undefined, renewal: IosRenewalInfo | undefined): ExpirationReason {
  return SUBTYPE_REASONS.get(subtype ?? '') ?? INTENT_REASONS[renewal?.expirationIntent ?? 0] ?? 'unknown';
}
