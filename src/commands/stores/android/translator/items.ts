// The line items of an android subscription: which one is the subscription itself, and which were added to it. Pure.
import type { AndroidLineItem, AndroidSubscription } from '../../../../adapters/android-store/port.js';
import type { KnownItems } from './subscription-reading.js';

/** The item that was the subscription before; else, of what was not added to it, the one that ends last. Null: that is gone. */
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

/** The store lists pending replacements next to the customer's items: they have no end yet. */
function paidItems({ lineItems }: AndroidSubscription): readonly AndroidLineItem[] {
  const paid = lineItems.filter((item) => item.expiryTime !== undefined);
  return paid.length > 0 ? paid : lineItems;
}

/** After a planned change the former product stays in the list: it is not renewed, and the next one has an order of its own. */
function isFollowedBy(former: AndroidLineItem, next: AndroidLineItem): boolean {
  if (next === former || former.autoRenewingPlan?.autoRenewEnabled || !lastsLonger(next, former)) return false;
  const { latestSuccessfulOrderId: orderId } = next;
  return orderId !== undefined && orderId !== former.latestSuccessfulOrderId;
}

function lastsLonger(item: AndroidLineItem, than: AndroidLineItem | null): boolean {
  return (item.expiryTime ?? '') > (than?.expiryTime ?? '');
}

/** The store's name of a product without its base plan. */
export function bareNameOf(storeProductId: string): string {
  return storeProductId.split(':')[0] ?? storeProductId;
}

/** An added part has a chain of its own, which purchases that take each other's place share. */
export function addOnChainOf(purchaseToken: string, known: KnownItems, productId: string): string {
  return `${known.addOnRoot ?? purchaseToken}#${productId}`;
}
