// Plays lifecycles as the android-store does: updates the purchase in the API, then sends a push message, and continues after the service
// has read the purchase.
import { z } from 'zod';
import type { Client } from '../client.js';
import type { StoreTransaction, Lifecycle, StoreEvent } from '../lifecycle-events.js';
import { currencyOf } from '../markets.js';
import { BUNDLE_ID, offers } from '../offers.js';
import {
  aboutProduct,
  aboutSubscription,
  money,
  orderResource,
  pushBody,
  subscriptionResource,
  type SubscriptionType,
} from './payloads.js';
import type { SimulatedAndroidStore } from './server.js';

export type AndroidPlayer = {
  /** Returns true if a lifecycle belongs to this store. */
  plays(lifecycle: Lifecycle): boolean;
  notify(lifecycle: Lifecycle, index: number, happening: StoreEvent): Promise<void>;
  /** Returns the receipt that a device submits. */
  receipt(bought: StoreTransaction): {
    readonly store: 'android-store';
    readonly receipt: string;
    readonly productId: string;
  };
};

type Kind = StoreEvent['kind'];
type NotificationMapping = readonly [type: SubscriptionType, state: string, reason?: 'user' | 'system'];

const NOTIFICATION_MAPPINGS: Readonly<Partial<Record<Kind, NotificationMapping>>> = {
  started: ['PURCHASED', 'ACTIVE'],
  renewed: ['RENEWED', 'ACTIVE'],
  recovered: ['RECOVERED', 'ACTIVE'],
  renewalOff: ['CANCELED', 'CANCELED', 'user'],
  renewalOn: ['RESTARTED', 'ACTIVE'],
  billingFailed: ['ON_HOLD', 'ON_HOLD'],
  graceEnded: ['ON_HOLD', 'ON_HOLD'],
  expiredByChoice: ['EXPIRED', 'EXPIRED', 'user'],
  expiredUnpaid: ['EXPIRED', 'EXPIRED', 'system'],
};
/** Kinds of events that this store reports as a new purchase or not at all. */
const UNSUPPORTED_KINDS: ReadonlySet<string> = new Set(['resubscribed', 'refundReversed', 'refundRequested']);
const PHASES = { trial: 'freeTrial', intro: 'introductoryPrice', normal: 'basePrice', once: 'basePrice' } as const;
const ORDER_PHASES = { trial: 'FREE_TRIAL', intro: 'INTRODUCTORY', normal: 'BASE', once: 'BASE' } as const;
const anything = z.unknown();

export function createAndroidPlayer(o: {
  readonly store: SimulatedAndroidStore;
  readonly client: Client;
  readonly notificationPath: string;
}): AndroidPlayer {
  const { store } = o;
  const orders = new Map<string, readonly string[]>();
  const tokenOf = ({ chainId }: StoreTransaction) => `purchase-${chainId}`;

  /** Returns the order ID, which counts the charges of a chain. */
  const orderOf = ({ chainId, transactionId }: StoreTransaction): string => {
    const known = orders.get(chainId) ?? [];
    const charges = known.includes(transactionId) ? known : [...known, transactionId];
    orders.set(chainId, charges);
    const n = charges.indexOf(transactionId);
    return `GPA.${chainId}${n === 0 ? '' : `..${n - 1}`}`;
  };

  const storePurchase = (
    bought: StoreTransaction,
    [, state, reason]: NotificationMapping,
    graceEndsAt: number | null,
  ): void => {
    const { offer, purchasedAt, expiresAt, periodType, priceMilli } = bought;
    const orderId = orderOf(bought);
    const productId = offers[offer].storeProductId;
    if (expiresAt === null) {
      store.orders.set(orderId, { orderId, total: money(priceMilli) });
      const resource = { purchaseState: 0, purchaseTimeMillis: String(purchasedAt), orderId, regionCode: 'US' };
      const acknowledgementState = store.products.get(tokenOf(bought))?.resource['acknowledgementState'] ?? 0;
      store.products.set(tokenOf(bought), { productId, resource: { ...resource, acknowledgementState } });
      return;
    }
    const times = { fromMs: purchasedAt, toMs: expiresAt };
    store.orders.set(
      orderId,
      orderResource({ orderId, productId, ...times, priceMilli, offerPhase: ORDER_PHASES[periodType] }),
    );
    const acknowledgementState = store.subscriptions.get(tokenOf(bought))?.['acknowledgementState'];
    const cancellation = reason === 'user' ? 'userInitiatedCancellation' : 'systemInitiatedCancellation';
    const resource = subscriptionResource({
      state: graceEndsAt === null ? state : 'IN_GRACE_PERIOD',
      productId,
      orderId,
      startMs: bought.chainStartedAt,
      expiryMs: graceEndsAt ?? expiresAt,
      priceMilli: offers[offer].priceMilli,
      willRenew: reason === undefined,
      phase: PHASES[periodType],
      also: {
        // A purchase is acknowledged once; its renewals are not.
        ...(acknowledgementState !== undefined && { acknowledgementState }),
        ...(reason !== undefined && { canceledStateContext: { [cancellation]: {} } }),
      },
    });
    store.subscriptions.set(tokenOf(bought), resource);
  };

  return {
    // This simulation of the store knows only prices in dollars.
    plays: ({ index, storefront, events: happenings }) =>
      index % 3 === 2 && currencyOf(storefront) === 'USD' && !happenings.some((h) => UNSUPPORTED_KINDS.has(h.kind)),
    receipt: (bought) => {
      const token = tokenOf(bought);
      const isNew = !store.subscriptions.has(token) && !store.products.has(token);
      if (isNew) storePurchase(bought, ['PURCHASED', 'ACTIVE'], null);
      return { store: 'android-store', receipt: token, productId: offers[bought.offer].storeProductId };
    },
    notify: async (lifecycle, index, { kind, at, bought, graceEndsAt }) => {
      const token = tokenOf(bought);
      const mapping = NOTIFICATION_MAPPINGS[kind] ?? ['PURCHASED', 'ACTIVE'];
      const isRefund = kind === 'refunded';
      const voided = { purchaseToken: token, orderId: orderOf(bought) };
      if (isRefund) store.voided.push({ ...voided, voidedTimeMillis: String(at) });
      else storePurchase(bought, mapping, kind === 'billingFailed' ? graceEndsAt : null);
      const about = () => {
        if (isRefund) return { voidedPurchaseNotification: { ...voided, productType: 1, refundType: 1 } };
        if (kind === 'boughtOnce') return aboutProduct(1, token, offers[bought.offer].storeProductId);
        return aboutSubscription(
          kind === 'billingFailed' && graceEndsAt !== null ? 'IN_GRACE_PERIOD' : mapping[0],
          token,
        );
      };
      const message = { packageName: BUNDLE_ID, atMs: at, messageId: `${lifecycle.index}-${index}`, kind: about() };
      const read = store.nextRead(token);
      await o.client.ask(anything, 'POST', o.notificationPath, { body: pushBody(message), atMs: at });
      await read;
    },
  };
}
