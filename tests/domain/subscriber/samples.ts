// A monthly subscription of one customer, as commands and as the events that they become.
// `day(0)` is the first purchase; transaction `t1` opens the subscription `sub_t1` of the chain `t1`.
import type { Money } from '../../../src/domain/money.js';
import { isoFromMs } from '../../../src/domain/time.js';
import type {
  OneTimePurchaseRef,
  PeriodType,
  SubscriptionPurchaseRef,
} from '../../../src/domain/subscriber/events/blocks.js';
import type { RecordOneTimePurchase, RecordPeriod } from '../../../src/domain/subscriber/decide/store-commands.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import { subscriberEvents as e, type SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import { given } from '../spec.js';

const DAY_MS = 86_400_000;

export function day(n: number): string {
  return isoFromMs(Date.UTC(2026, 10, 1, 10) + Math.round(n * DAY_MS));
}

/** One period: days since the first purchase, price in micros of USD. */
export type Term = {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly type?: PeriodType;
  readonly price?: number;
  readonly product?: string;
  readonly shared?: boolean;
  readonly sandbox?: boolean;
};

export const first: Term = { id: 't1', from: 0, to: 31 };
export const second: Term = { id: 't2', from: 31, to: 62 };
export const third: Term = { id: 't3', from: 62, to: 93 };
export const trial: Term = { id: 't1', from: 0, to: 7, type: 'trial', price: 0 };
export const converted: Term = { id: 't2', from: 7, to: 38 };
export const yearly: Term = { id: 't2', from: 10, to: 375, product: 'app.yearly', price: 99_990_000 };
export const chain = 't1';

export function usd(micros: number): Money {
  const rates = { fxRate: '1', fxDate: null, taxRate: 0, commissionRate: 0.3 };
  return { currency: 'USD', amountMicros: micros, usdMicros: micros, ...rates };
}

export function purchaseOf(t: Pick<Term, 'id' | 'product' | 'shared' | 'sandbox'>): OneTimePurchaseRef {
  const product = t.product ?? 'app.monthly';
  return {
    transactionId: t.id,
    originalTransactionId: chain,
    storeChainId: chain,
    store: 'ios-store',
    appId: 'app_1',
    productId: `prod_${product}`,
    storeProductId: product,
    environment: t.sandbox ? 'sandbox' : 'production',
    ownership: t.shared ? 'family_shared' : 'purchased',
    country: 'US',
    offeringId: null,
    placementId: null,
  };
}

export function subPurchaseOf(t: Term, subscriptionId = 'sub_t1'): SubscriptionPurchaseRef {
  return { ...purchaseOf(t), subscriptionId };
}

export const noOffer = { offerType: null, offerId: null, discountType: null } as const;

function termsOf(t: Term) {
  return {
    periodType: t.type ?? ('normal' as const),
    periodDuration: 'P1M',
    productDuration: 'P1M',
    purchasedAt: day(t.from),
    expiresAt: day(t.to),
    money: usd(t.price ?? 9_990_000),
    offer: noOffer,
  };
}

/** `signed`: the day on which the store signed it; null for a receipt. */
export function bought(
  t: Term,
  o: { readonly signed?: number | null; readonly inferred?: boolean } = {},
): RecordPeriod {
  const signed = o.signed === undefined ? t.from : o.signed;
  return {
    kind: 'recordPeriod',
    storeChainId: chain,
    storeTime: signed === null ? null : day(signed),
    purchase: purchaseOf(t),
    newSubscriptionId: `sub_${t.id}`,
    reason: 'purchase',
    ...termsOf(t),
    inferred: o.inferred ?? false,
  };
}

export function charged(t: Term, o: Parameters<typeof bought>[1] = {}): RecordPeriod {
  return { ...bought(t, o), reason: 'renewal' };
}

type StartedEvent = Extract<SubscriberEvent, { type: 'SubscriptionStarted' }>['data'];
type RenewedEvent = Extract<SubscriberEvent, { type: 'SubscriptionRenewed' }>['data'];
type SignedUpdate = { readonly signed?: number | null };

function storeTimeOf(t: Term, { signed }: SignedUpdate): string | null {
  return signed === null ? null : day(signed ?? t.from);
}

export function started(
  t: Term,
  o: SignedUpdate & Partial<Pick<StartedEvent, 'startReason' | 'previousSubscriptionId' | 'atRenewal'>> = {},
): SubscriberEvent {
  const { startReason = 'first_purchase', previousSubscriptionId = null, atRenewal } = o;
  const purchase = subPurchaseOf(t, `sub_${t.id}`);
  const data = { purchase, storeTime: storeTimeOf(t, o), startReason, previousSubscriptionId, ...termsOf(t) };
  if (atRenewal) return e.SubscriptionStarted.of({ ...data, atRenewal }, { at: day(t.from) });
  return e.SubscriptionStarted.of(data, { at: day(t.from) });
}

export function renewed(
  t: Term,
  o: SignedUpdate &
    Partial<Pick<RenewedEvent, 'isTrialConversion' | 'renewalNumber' | 'recoveredFrom'>> & { of?: string } = {},
): SubscriberEvent {
  const { isTrialConversion = false, renewalNumber = 1, recoveredFrom = null } = o;
  const storeTime = storeTimeOf(t, o);
  const purchase = subPurchaseOf(t, o.of);
  const data = { purchase, storeTime, isTrialConversion, renewalNumber, recoveredFrom, ...termsOf(t) };
  return e.SubscriptionRenewed.of(data, { at: day(t.from) });
}

export const customer = e.CustomerCreated.of(
  { appUserId: 'alice', source: 'sdk', country: 'US', platform: 'ios', appVersion: '1.0', isTrusted: false },
  { at: day(0) },
);

/** The events of a customer who is known. */
export function alice(...events: readonly SubscriberEvent[]) {
  return given(subscriberDecider, customer, ...events);
}

export type Item = Pick<RecordOneTimePurchase, 'productType'> & { readonly id?: string; readonly to?: number };
export const coins: Item = { productType: 'consumable' };
export const lifetime: Item = { productType: 'non_consumable' };
export const season: Item = { productType: 'non_renewing_subscription', to: 90 };

function itemOf({ id = 't1', productType, to }: Item) {
  return {
    purchase: purchaseOf({ id, product: 'app.item' }),
    productType,
    quantity: 1,
    purchasedAt: day(0),
    expiresAt: to === undefined ? null : day(to),
    money: usd(4_990_000),
    offer: noOffer,
  };
}

export function boughtItem(item: Item): RecordOneTimePurchase {
  return { kind: 'recordOneTimePurchase', storeChainId: chain, storeTime: day(0), ...itemOf(item) };
}

export function itemCompleted(item: Item): SubscriberEvent {
  return e.OneTimePurchaseCompleted.of(itemOf(item), { at: day(0) });
}
