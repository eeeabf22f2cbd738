// Response of the android-store about one purchase token: its line items, which are the subscription itself and its add-ons, with the
// recorded facts about them. Pure.
import type { AndroidSubscription, AndroidLineItem } from '../../../../adapters/android-store/port.js';

export type SubscriptionReading = {
  readonly purchaseToken: string;
  /** First token of the linked purchases. */
  readonly storeChainId: string;
  readonly subscription: AndroidSubscription;
  /** Type of the notification that triggered the read; null for a receipt, a poll or our own request. */
  readonly type: string | null;
  /** Time of the notification or of the request. */
  readonly storeTime: string;
  /** Product of the replaced purchase. */
  readonly replacedProductId: string | null;
  /** True if another purchase replaced it: it has no intents any more. */
  readonly isReplaced: boolean;
  /** True if its add-ons continue under the same chains in the successor. */
  readonly handsOnAddOns: boolean;
  /** Number of its orders, counted from the first, that have been recorded. */
  readonly charges: number;
  /** True if a planned change has taken place: the token was recorded with another product. */
  readonly isOtherProduct: boolean;
  readonly known: KnownItems;
  /** True for an add-on of the purchase. */
  readonly isAddOn: boolean;
};

/** Recorded items of a token: the subscription itself (null if unknown), and its add-ons. */
export type KnownItems = {
  readonly storeProductId: string | null;
  readonly addOns: readonly string[];
  /** Token that names the chains of its add-ons; null: its own. */
  readonly addOnRoot: string | null;
};

/** Returns the recorded main item or its successor; otherwise, of the items that are not add-ons, the one that ends last, or null. */
export function mainItemOf(subscription: AndroidSubscription, known: KnownItems): AndroidLineItem | null {
  const items = paidItems(subscription);
  const candidates = items.filter((item) => !known.addOns.includes(item.productId));
  const remembered = items.find((item) => item.productId === bareNameOf(known.storeProductId ?? ''));
  if (remembered) return candidates.find((item) => isFollowedBy(remembered, item)) ?? remembered;
  const [first = null] = candidates;
  return candidates.reduce((best, item) => (lastsLonger(item, best) ? item : best), first);
}

export function addOnsOf(subscription: AndroidSubscription, known: KnownItems): readonly AndroidLineItem[] {
  const main = mainItemOf(subscription, known);
  const isFormer = (item: AndroidLineItem) =>
    main !== null && !known.addOns.includes(item.productId) && isFollowedBy(item, main);
  return paidItems(subscription).filter((item) => item !== main && !isFormer(item));
}

/** Excludes pending replacements, which the store also lists: they have no end yet. */
function paidItems({ lineItems }: AndroidSubscription): readonly AndroidLineItem[] {
  const paid = lineItems.filter((item) => item.expiryTime !== undefined);
  return paid.length > 0 ? paid : lineItems;
}

/** After a scheduled change the former product stays in the list: it is not renewed, and the next one has an order of its own. */
function isFollowedBy(former: AndroidLineItem, next: AndroidLineItem): boolean {
  if (next === former || former.autoRenewingPlan?.autoRenewEnabled || !lastsLonger(next, former)) return false;
  const { latestSuccessfulOrderId: orderId } = next;
  return orderId !== undefined && orderId !== former.latestSuccessfulOrderId;
}

function lastsLonger(item: AndroidLineItem, than: AndroidLineItem | null): boolean {
  return (item.expiryTime ?? '') > (than?.expiryTime ?? '');
}

/** Returns the store's product ID without its base plan. */
export function bareNameOf(storeProductId: string): string {
  return storeProductId.split(':')[0] ?? storeProductId;
}

/** An add-on has a chain of its own, which is shared by purchases that replace each other. */
export function addOnChainOf(purchaseToken: string, known: KnownItems, productId: string): string {
  return `${known.addOnRoot ?? purchaseToken}#${productId}`;
}
