// The line items of an android subscription: the subscription itself and its add-ons. Pure.
import type { AndroidLineItem, AndroidSubscription } from '../../../../adapters/android-store/port.js';
import type { KnownItems } from './subscription-reading.js';

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
