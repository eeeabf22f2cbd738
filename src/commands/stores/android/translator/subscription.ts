// Translation of the android-store's response about a subscription into store commands. Pure; store specifics stay here and in its
// adapter. The response is a full snapshot and the only source of truth: the notification only marks which part of it is news.
// States: Play Developer API v3, "SubscriptionPurchaseV2"; types: the store's page "Real-time developer notifications".
import type { AndroidLineItem } from '../../../../adapters/android-store/port.js';
import type { ExpirationReason } from '../../../../domain/subscriber/events/blocks.js';
import type { RecordExpiry, StoreCommand } from '../../../../domain/subscriber/decide/store-commands.js';
import { intentCommands, isUnpaid, stateOf } from './intents.js';
import { addOnChainOf, addOnsOf, mainItemOf, type SubscriptionReading } from './subscription-reading.js';
import { namedBy, orderOf, periodCommands } from './periods.js';
import { accountTokenOf, chargeNameOf, storeProductIdOf, type AndroidContext } from './purchase.js';
import type { LineUpdate } from '../../line-update.js';

/** Translates the subscription and its add-ons, each as a subscription of its own; also items that are no longer part of the purchase. */
export function translateAndroidSubscription(r: SubscriptionWithItems, ctx: AndroidContext): readonly LineUpdate[] {
  const main = mainItemOf(r.subscription, r.known);
  const own = main ? [updateOf(main, { ...r, isAddOn: false }, ctx)] : [];
  const others = addOnsOf(r.subscription, r.known).map((item) => {
    // Its orders are those of the whole purchase, which the main item accounts for.
    const storeChainId = addOnChainOf(r.purchaseToken, r.known, item.productId);
    const isSharedChain = r.known.addOnRoot !== null;
    const replacedProductId = isSharedChain ? storeProductIdOf(item, ctx) : null;
    const apart = { storeChainId, replacedProductId, isOtherProduct: false, charges: Infinity, isAddOn: true };
    const update = updateOf(item, { ...r, ...apart }, ctx);
    const over = r.isReplaced && !r.handsOnAddOns ? [endOf(storeChainId, r, 'product_change')] : [];
    return { ...update, commands: [...update.commands, ...over], ownedWith: r.storeChainId };
  });
  return [...own, ...others, ...removedUpdates(r)];
}

type SubscriptionWithItems = Omit<SubscriptionReading, 'isAddOn'>;

/** Returns the ends of add-ons that are no longer part of the purchase. */
function removedUpdates(r: SubscriptionWithItems): readonly LineUpdate[] {
  if (isUnpaid(r.subscription)) return [];
  // The first response about a replacing purchase shows which items of the former it continues.
  const isReplacement = r.known.addOnRoot !== null && r.charges === 0;
  const productIds = new Set(r.subscription.lineItems.map((item) => item.productId));
  const removed = r.known.addOns.filter((productId) => !productIds.has(productId));
  return removed.map((productId) => {
    const storeChainId = addOnChainOf(r.purchaseToken, r.known, productId);
    const commands = [endOf(storeChainId, r, isReplacement ? 'product_change' : 'unsubscribe')];
    return { storeChainId, commands, accountToken: null, firstAt: r.storeTime, ownedWith: r.storeChainId };
  });
}

function endOf(storeChainId: string, { storeTime }: SubscriptionWithItems, reason: ExpirationReason): RecordExpiry {
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
      ...endedAddOn(item, r),
      ...(r.isReplaced ? [] : intentCommands(item, r, shared, ctx)),
    ],
    accountToken: accountTokenOf(subscription),
    firstAt: subscription.startTime ?? storeTime,
  };
}

/**
 * Returns the end of an add-on that the store still lists: revoked alone, or not renewed. The state of the purchase is that of its other
 * items.
 */
function endedAddOn(item: AndroidLineItem, r: SubscriptionReading): StoreCommand[] {
  const { expiryTime } = item;
  const isOver = expiryTime !== undefined && expiryTime <= r.storeTime && !item.autoRenewingPlan?.autoRenewEnabled;
  if (!r.isAddOn || !isOver || !RUNNING.has(stateOf(r.subscription))) return [];
  return [
    { ...endOf(r.storeChainId, r, 'unknown'), shown: chargeNameOf(orderOf(item, r), item, true), endedAt: expiryTime },
  ];
}

const RUNNING: ReadonlySet<string> = new Set(['ACTIVE', 'CANCELED']);

/** Returns the command for a purchase that is not paid yet, or was cancelled before the payment. */
function pendingCommands(item: AndroidLineItem, r: SubscriptionReading, ctx: AndroidContext): StoreCommand[] {
  const { subscription, storeChainId, storeTime } = r;
  const state = stateOf(subscription);
  if (state === 'PENDING_PURCHASE_CANCELED') {
    return [{ kind: 'recordPendingCancelled', storeChainId, storeTime, purchase: null, reason: 'cancelled' }];
  }
  if (state !== 'PENDING') return [];
  const transactionId = chargeNameOf(orderOf(item, r), item, r.isAddOn);
  const { purchase, newSubscriptionId } = namedBy(transactionId, item, r, ctx);
  const pendingSince = subscription.startTime ?? storeTime;
  const pending = { storeChainId, storeTime, purchase, newSubscriptionId, pendingSince };
  return [{ kind: 'recordPending', ...pending, ...(r.replacedProductId !== null && { replacesRunning: true }) }];
}

/** Groups the updates by chain, in the order of first appearance. The owner in the last update counts. */
export function groupByChain(updates: readonly LineUpdate[]): readonly LineUpdate[] {
  const chains = new Map<string, LineUpdate>();
  for (const one of updates) {
    const { commands = [] } = chains.get(one.storeChainId) ?? {};
    chains.set(one.storeChainId, { ...one, commands: [...commands, ...one.commands] });
  }
  return [...chains.values()];
}
