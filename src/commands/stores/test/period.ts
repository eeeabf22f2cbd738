// A period of a subscription in the test store, with the duration and the price of the catalogue.
import { assumedCharge, storeProductOf, type Product } from '../../../domain/catalog/products.js';
import type { Catalog } from '../../../domain/catalog/catalog.js';
import { subscriptionId } from '../../../domain/ids.js';
import { toUnconvertedMoney, type Money } from '../../../domain/money.js';
import type { RecordPeriod } from '../../../domain/subscriber/decide/store-commands.js';
import type { Offer, OneTimePurchaseRef } from '../../../domain/subscriber/events/blocks.js';
import type { Profile } from '../../../domain/subscriber/state/state.js';
import { addDuration } from '../../../domain/time.js';
import type { Deps } from '../../handling/deps.js';

export type TestPeriod = {
  readonly projectId: string;
  readonly purchase: OneTimePurchaseRef;
  /** Null for a purchase on a device, else the time of the action (ISO 8601 UTC). */
  readonly storeTime: string | null;
  readonly reason: RecordPeriod['reason'];
  readonly isTrial: boolean;
  readonly purchasedAt: string;
  /** Default: the end of the product's duration, or of its trial. */
  readonly expiresAt?: string | undefined;
};

export const NO_OFFER: Offer = { offerType: null, offerId: null, discountType: null };
const TRIAL: Offer = { offerType: 'introductory', offerId: null, discountType: 'free_trial' };

/** Duration of a subscription without one in the catalogue: the most common. */
const DEFAULT_DURATION = 'P1M';

/** Returns how long a period of a subscription lasts in the test store (ISO 8601). */
export function testDurationOf(product: Pick<Product, 'duration'> | undefined): string {
  return product?.duration ?? DEFAULT_DURATION;
}

/** Returns true if the product has a free trial and the customer has had no other subscription to it in the test store. */
export function hasTrialLeft(product: Product, { subscriptions }: Pick<Profile, 'subscriptions'>, token?: string) {
  const { appId, storeProductId, trialDuration } = product;
  const isFormer = ({ purchase }: Profile['subscriptions'][number]) =>
    purchase.appId === appId && purchase.storeProductId === storeProductId && purchase.storeChainId !== token;
  return trialDuration !== null && !subscriptions.some(isFormer);
}

export function testPeriodCommand({ hash }: Pick<Deps, 'hash'>, catalog: Catalog, o: TestPeriod): RecordPeriod {
  const { projectId, purchase, storeTime, reason, purchasedAt, isTrial } = o;
  const { storeChainId, transactionId } = purchase;
  const product = storeProductOf(catalog, purchase.appId, purchase.storeProductId);
  const productDuration = testDurationOf(product);
  const periodDuration = (isTrial ? product?.trialDuration : null) ?? productDuration;
  const money = catalogueMoney(catalog, purchase.productId, purchasedAt);
  return {
    kind: 'recordPeriod',
    storeChainId,
    storeTime,
    inferred: false,
    purchase,
    newSubscriptionId: subscriptionId(hash, projectId, storeChainId, transactionId),
    reason,
    periodType: isTrial ? 'trial' : 'normal',
    periodDuration,
    productDuration,
    purchasedAt,
    expiresAt: o.expiresAt ?? addDuration(purchasedAt, periodDuration),
    money: isTrial && money.currency !== null ? { ...money, amountMicros: 0, usdMicros: 0 } : money,
    offer: isTrial ? TRIAL : NO_OFFER,
  };
}

/** Returns the catalogue price without tax and commission, since nobody pays. */
export function catalogueMoney(catalog: Catalog, productId: string | null, at: string): Money {
  const charge = assumedCharge(catalog, { productId, country: null, at }) ?? { currency: null, amountMicros: null };
  return { ...toUnconvertedMoney(charge), taxRate: 0, commissionRate: 0 };
}
