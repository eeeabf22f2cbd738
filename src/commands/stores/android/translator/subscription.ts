// The android-store's response about a subscription turned into store commands. Pure; everything that is the store's own stays here and
// in its adapter. The response is a full snapshot and the only truth: the notification that led to it only marks what is news in it.
// States: Play Developer API v3, "SubscriptionPurchaseV2"; types: the store's page "Real-time developer notifications".
import type { AndroidLineItem, AndroidSubscription } from '../../../../adapters/android-store/port.js';
import { subscriptionId } from '../../../../domain/ids.js';
import type { ExpirationReason } from '../../../../domain/subscriber/events/blocks.js';
import type { RecordPeriod, StoreCommand } from '../../../../domain/subscriber/decide/store-commands.js';
import { intentCommands, isUnpaid, stateOf, triesToCharge } from './intents.js';
import { chargesUpTo, missedPeriods, servicePeriodOf, shortened, wantedOrders } from './missed.js';
import {
  accountTokenOf,
  chargeNameOf,
  countryOf,
  needsOrder,
  offerOf,
  periodMoney,
  periodTypeOf,
  productOf,
  purchaseOf,
  renewalOf,
  storeProductIdOf,
  type AndroidContext,
} from './purchase.js';
import type { KnownItems, SubscriptionReading } from './reading.js';
import type { LineUpdate } from '../../line-update.js';

/** The subscription itself, and what was added to it, each a subscription of its own; also what is no longer part of the purchase. */
export function translateAndroidSubscription(r: Reading, ctx: AndroidContext): readonly LineUpdate[] {
  const main = mainItemOf(r.subscription, r.known);
  const own = main ? [updateOf(main, { ...r, isAddOn: false }, ctx)] : [];
  const others = addOnsOf(r.subscription, r.known).map((item) => {
    // Its orders are those of the whole purchase, which the main item accounts for.
    const apart = { storeChainId: addOnChainOf(r.purchaseToken, item.productId), replacedProductId: null };
    const update = updateOf(item, { ...r, ...apart, charges: Infinity, isAddOn: true }, ctx);
    const over = r.isReplaced ? [endOf(apart.storeChainId, r, 'product_change')] : [];
    return { ...update, commands: [...update.commands, ...over], ownedWith: r.storeChainId };
  });
  return [...own, ...others, ...removedUpdates(r)];
}

type Reading = Omit<SubscriptionReading, 'isAddOn'>;

/** The item that was the subscription before; else, of what was not added to it, the one that ends last. Null: that is gone. */
export function mainItemOf(subscription: AndroidSubscription, known: KnownItems): AndroidLineItem | null {
  const items = paidItems(subscription);
  const [bare] = (known.storeProductId ?? '').split(':');
  const remembered = items.find((item) => item.productId === bare);
  if (remembered) return remembered;
  const candidates = items.filter((item) => !known.addOns.includes(item.productId));
  const [first = null] = candidates;
  return candidates.reduce((best, item) => (lastsLonger(item, best) ? item : best), first);
}

export function addOnsOf(subscription: AndroidSubscription, known: KnownItems): readonly AndroidLineItem[] {
  const main = mainItemOf(subscription, known);
  return paidItems(subscription).filter((item) => item !== main);
}

/** Beside what the customer holds the store lists what will take its place at the renewal: that has no end yet. */
function paidItems({ lineItems }: AndroidSubscription): readonly AndroidLineItem[] {
  const paid = lineItems.filter((item) => item.expiryTime !== undefined);
  return paid.length > 0 ? paid : lineItems;
}

export function addOnChainOf(purchaseToken: string, productId: string): string {
  return `${purchaseToken}#${productId}`;
}

function lastsLonger(item: AndroidLineItem, than: AndroidLineItem | null): boolean {
  return (item.expiryTime ?? '') > (than?.expiryTime ?? '');
}

/** Added once, and not part of the purchase any more. */
function removedUpdates(r: Reading): readonly LineUpdate[] {
  if (isUnpaid(r.subscription)) return [];
  const shown = new Set(r.subscription.lineItems.map((item) => item.productId));
  const removed = r.known.addOns.filter((productId) => !shown.has(productId));
  return removed.map((productId) => {
    const storeChainId = addOnChainOf(r.purchaseToken, productId);
    const commands = [endOf(storeChainId, r, 'unsubscribe')];
    return { storeChainId, commands, accountToken: null, firstAt: r.storeTime, ownedWith: r.storeChainId };
  });
}

function endOf(storeChainId: string, { storeTime }: Reading, reason: ExpirationReason): StoreCommand {
  return { kind: 'recordExpiry', storeChainId, storeTime, reason };
}

function updateOf(item: AndroidLineItem, r: SubscriptionReading, ctx: AndroidContext): LineUpdate {
  const { subscription, storeChainId, storeTime } = r;
  const shared = { storeChainId, storeTime, shown: chargeNameOf(orderOf(item, r), item, r.isAddOn) };
  return {
    storeChainId,
    commands: [
      ...pendingCommands(item, r, ctx),
      ...periodCommands(item, r, ctx),
      ...(r.isReplaced ? [] : intentCommands(item, r, shared, ctx)),
    ],
    accountToken: accountTokenOf(subscription),
    firstAt: subscription.startTime ?? storeTime,
  };
}

/** In these states the end that the store shows is not that of the paid time. */
const ENDS_OTHERWISE = new Set(['IN_GRACE_PERIOD', 'ON_HOLD', 'PAUSED', 'EXPIRED']);
const ANNOUNCING = new Set([
  'SUBSCRIPTION_PURCHASED',
  'SUBSCRIPTION_RENEWED',
  'SUBSCRIPTION_RECOVERED',
  'SUBSCRIPTION_ITEMS_CHANGED',
]);

/** Bought and not paid yet, or not paid after all. */
function pendingCommands(item: AndroidLineItem, r: SubscriptionReading, ctx: AndroidContext): StoreCommand[] {
  const { subscription, storeChainId, storeTime } = r;
  const state = stateOf(subscription);
  if (state === 'PENDING_PURCHASE_CANCELED') {
    return [{ kind: 'recordPendingCancelled', storeChainId, storeTime, purchase: null, reason: 'cancelled' }];
  }
  // More time for what runs already: that goes on, paid or not.
  if (state !== 'PENDING' || r.replacedProductId === storeProductIdOf(item, ctx)) return [];
  const transactionId = chargeNameOf(orderOf(item, r), item, r.isAddOn);
  const { purchase, newSubscriptionId } = namedBy(transactionId, item, r, ctx);
  const pendingSince = subscription.startTime ?? storeTime;
  return [{ kind: 'recordPending', storeChainId, storeTime, purchase, newSubscriptionId, pendingSince }];
}

function orderOf(
  item: AndroidLineItem,
  { subscription, purchaseToken }: Pick<SubscriptionReading, 'subscription' | 'purchaseToken'>,
): string {
  return item.latestSuccessfulOrderId ?? subscription.latestOrderId ?? purchaseToken;
}

function namedBy(transactionId: string, item: AndroidLineItem, r: SubscriptionReading, ctx: AndroidContext) {
  const { purchaseToken, storeChainId, subscription } = r;
  const storeProductId = storeProductIdOf(item, ctx);
  const isTest = subscription.testPurchase !== undefined;
  const country = countryOf(subscription);
  return {
    purchase: purchaseOf({ transactionId, purchaseToken, storeChainId, storeProductId, isTest, country }, ctx),
    newSubscriptionId: subscriptionId(ctx.hash, ctx.projectId, storeChainId, transactionId),
  };
}

function periodCommands(item: AndroidLineItem, r: SubscriptionReading, ctx: AndroidContext): RecordPeriod[] {
  const { subscription, storeChainId, storeTime, type } = r;
  const state = stateOf(subscription);
  if (isUnpaid(subscription) || item.expiryTime === undefined) return [];
  // Without the order that was paid only the one is named that was declined.
  if (triesToCharge(subscription) && item.latestSuccessfulOrderId === undefined) return [];
  const orderId = orderOf(item, r);
  const renewal = renewalOf(orderId);
  const storeProductId = storeProductIdOf(item, ctx);
  const isSameAgain = renewal === null && r.replacedProductId === storeProductId;
  // Signed up again before the end: paid when the running period is over, so nothing has been bought yet.
  if (isSameAgain && !item.prepaidPlan) return [];
  const product = productOf(storeProductId, ctx);
  const paid = servicePeriodOf(ctx.orders.get(orderId), item.productId);
  const grace = product?.gracePeriodDuration ?? null;
  const endsOtherwise = ENDS_OTHERWISE.has(state);
  const shownEnd = contractEndOf(item.expiryTime, state, storeTime, grace);
  const expiresAt = (endsOtherwise ? paid.to : undefined) ?? shownEnd;
  const begun = renewal !== null && paid.from !== undefined && paid.from < expiresAt ? paid.from : null;
  const duration = product?.duration ?? null;
  const purchasedAt = begun ?? beginningOf({ r, orderId, expiresAt, isFirst: renewal === null, duration });
  const country = countryOf(subscription);
  const periodType = periodTypeOf(item, renewal === null, purchasedAt, ctx);
  const isFollowing = renewal !== null || isSameAgain;
  const follows = isFollowing && begun === null;
  const latest: RecordPeriod = {
    kind: 'recordPeriod',
    storeChainId,
    storeTime,
    ...namedBy(chargeNameOf(orderId, item, r.isAddOn), item, r, ctx),
    reason: isFollowing ? 'renewal' : 'purchase',
    periodType,
    periodDuration: periodType === 'trial' ? (product?.trialDuration ?? null) : (product?.duration ?? null),
    productDuration: product?.duration ?? null,
    purchasedAt,
    expiresAt,
    money: periodMoney({ item, orderId, type: periodType, country, at: purchasedAt, ctx }),
    offer: offerOf(item, periodType),
    inferred: type !== null && !ANNOUNCING.has(type),
    ...(follows && { followsOn: type === 'SUBSCRIPTION_RECOVERED' ? 'inGrace' : 'always' }),
    ...((endsOtherwise || type === 'SUBSCRIPTION_DEFERRED') && { keepsEnd: true }),
    ...(r.replacedProductId !== null && { replacesRunning: true }),
  };
  return [...missedPeriods(latest, item, r, ctx), latest];
}

/** The orders with data that the purchase itself lacks: prices that it leaves out, and charges that were not read when they were made. */
export function ordersToRead(
  r: Pick<SubscriptionReading, 'purchaseToken' | 'subscription' | 'charges' | 'known'>,
): readonly string[] {
  const { lineItems } = r.subscription;
  const priced = lineItems.filter(needsOrder).flatMap((item) => item.latestSuccessfulOrderId ?? []);
  const main = mainItemOf(r.subscription, r.known);
  if (!main || main.expiryTime === undefined || isUnpaid(r.subscription)) return priced;
  const missed = wantedOrders(orderOf(main, r), r.charges, ENDS_OTHERWISE.has(stateOf(r.subscription)));
  return [...new Set([...priced, ...missed])];
}

/** While a grace period runs, the store shows its end in place of the contract's, which is only known to be a little before now. */
function contractEndOf(expiryTime: string, state: string, storeTime: string, grace: string | null): string {
  if (state !== 'IN_GRACE_PERIOD') return expiryTime;
  const before = grace === null ? storeTime : shortened(expiryTime, grace);
  return before < expiryTime ? before : expiryTime;
}

/** The store shows when a purchase began, not when its latest period did. */
function beginningOf(o: {
  readonly r: SubscriptionReading;
  readonly orderId: string;
  readonly expiresAt: string;
  readonly isFirst: boolean;
  readonly duration: string | null;
}): string {
  const { r, orderId, expiresAt, isFirst, duration } = o;
  const { startTime } = r.subscription;
  const isOfRenewal = r.type === 'SUBSCRIPTION_RENEWED' || r.type === 'SUBSCRIPTION_RECOVERED';
  // Its message may be that of a renewal before, whose successor is known already.
  const isNews = isOfRenewal && chargesUpTo(orderId) === r.charges + 1;
  const reckoned = duration === null ? undefined : shortened(expiresAt, duration);
  const begunAt = isFirst ? startTime : isNews ? r.storeTime : (reckoned ?? startTime);
  const begun = begunAt ?? r.storeTime;
  return begun < expiresAt ? begun : (reckoned ?? startTime ?? expiresAt);
}
