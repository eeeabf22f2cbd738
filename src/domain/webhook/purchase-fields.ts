// The fields of a webhook event about a purchase: its references, its terms and its money.
import { z } from 'zod';
import type { Money } from '../money.js';
import type { OneTimePurchaseRef, Offer, Price } from '../subscriber/events/blocks.js';
import { isAllowed, productOf, type EntitlementRules } from '../subscriber/entitlements.js';
import { ownedUntil } from '../subscriber/access.js';
import type { OwnedPurchase, Profile, Subscription } from '../subscriber/state/state.js';
import { earliest, msFromIso } from '../time.js';
import { groupsOf, inGroups } from '../values/field-groups.js';

export type Fields = { readonly [name: string]: unknown };

/** Returns the product of a purchase in the catalogue, and the lookup keys of the entitlements that it unlocks. */
export type ProductLookup = (p: OneTimePurchaseRef & { readonly subscriptionId?: string }) => {
  readonly productId: string | null;
  readonly lookupKeys: readonly string[];
};

/** `at`: time of purchase for purchases that the profile does not contain. */
export function productLookup(rules: EntitlementRules, { subscriptions, owned }: Profile, at: string): ProductLookup {
  return (p) => {
    const s = subscriptions.find((one) => one.purchase.subscriptionId === p.subscriptionId);
    const item = owned.find((one) => one.purchase.transactionId === p.transactionId);
    const boughtAt = s?.startedAt ?? item?.purchasedAt ?? at;
    const unlocked = isAllowed(p, rules) ? rules.unlocks(p.appId, p.storeProductId, boughtAt) : [];
    return { productId: productOf(p, rules), lookupKeys: unlocked.map((u) => u.lookupKey) };
  };
}

const MICROS = 1_000_000;

const money = <S extends z.ZodType>(schema: S): S => inGroups(schema, 'money');
const amount = money(z.number().nullable());
const currency = money(z.string().nullable());
const share = money(z.number().nullable());

/** The money of an event, in currency units, shares 0..1; `price` in US dollars. */
const movedMoney = z.strictObject({
  price: amount,
  currency,
  priceInPurchasedCurrency: amount,
  taxPercentage: share,
  commissionPercentage: share,
});
/** The next price of a subscription. */
const nextPrice = z.strictObject({ newPrice: amount, newPriceCurrency: currency });
/** RevenueCat's share of the price after the commission. */
const takehome = z.strictObject({ takehomePercentage: share });
/** Sums of the books by currency. */
const sums = z.strictObject({ totals: money(z.array(z.record(z.string(), z.string()))) });
/** Figure of a chart with its band, and the sentence about them. */
const chartFigure = z.strictObject({
  figure: money(z.record(z.string(), z.number())),
  sentence: money(z.string()),
});
const shapes: Readonly<Record<string, z.ZodType>> = {
  ...movedMoney.shape,
  ...nextPrice.shape,
  ...takehome.shape,
  ...sums.shape,
  ...chartFigure.shape,
};

/** Returns true if a field of an event is marked as money. */
export function isMoneyField(name: string): boolean {
  const schema = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
  return schema !== undefined && groupsOf(schema).includes('money');
}

/** `money` null: the event moves no money. */
export function moneyFields(money: Money | null, sign: 1 | -1 = 1): z.output<typeof movedMoney> {
  if (money === null) {
    return {
      price: 0,
      currency: null,
      priceInPurchasedCurrency: 0,
      taxPercentage: null,
      commissionPercentage: null,
    };
  }
  return {
    price: unitsOf(money.usdMicros, sign),
    currency: money.currency,
    priceInPurchasedCurrency: unitsOf(money.amountMicros, sign),
    taxPercentage: money.taxRate,
    commissionPercentage: money.commissionRate,
  };
}

type Correction = { readonly previous: Money; readonly money: Money; readonly refundedShare: number };

/** Returns the amounts missing in those sent before, less the refunded share: equal to the addition to the customer's total. */
export function correctionFields({ previous, money, refundedShare }: Correction): Fields {
  const missing = (known: number | null, before: number | null) =>
    known === null ? null : Math.round((known - (before ?? 0)) * (1 - refundedShare));
  const usdMicros = missing(money.usdMicros, previous.usdMicros);
  return moneyFields({ ...money, usdMicros, amountMicros: missing(money.amountMicros, previous.amountMicros) });
}

/** Returns null fields if the store has not reported the price. */
export function nextPriceFields(price: Price | null): z.output<typeof nextPrice> {
  return { newPrice: price && price.amountMicros / MICROS, newPriceCurrency: price?.currency ?? null };
}

export function refFields(p: Parameters<ProductLookup>[0], sold: ProductLookup): Fields {
  const { productId, lookupKeys: keys } = sold(p);
  return {
    appId: p.appId,
    environment: p.environment.toUpperCase(),
    store: p.store,
    productId,
    storeProductId: p.storeProductId,
    entitlementIds: keys.length === 0 ? null : keys,
    presentedOfferingId: p.offeringId,
    transactionId: p.transactionId,
    originalTransactionId: p.originalTransactionId,
    countryCode: p.country,
    isFamilyShare: p.ownership === 'family_shared',
  };
}

/** Returns the period of a subscription after the event. A refund or a revocation ends it before its contract. */
export function periodFields(s: Subscription | undefined): Fields {
  if (!s) return { subscriptionId: null, periodType: null, purchasedAtMs: null, expirationAtMs: null };
  return {
    subscriptionId: s.purchase.subscriptionId,
    periodType: s.period.type.toUpperCase(),
    purchasedAtMs: msFromIso(s.period.purchasedAt),
    expirationAtMs: msFromIso([s.refundedAt, s.revokedAt].reduce<string>(earlierOf, s.contractEndsAt)),
    renewalNumber: s.renewalNumber,
  };
}

export function termFields(o: { readonly purchasedAt: string; readonly expiresAt: string | null }): Fields {
  return { purchasedAtMs: msFromIso(o.purchasedAt), expirationAtMs: o.expiresAt && msFromIso(o.expiresAt) };
}

function earlierOf(end: string, cutAt: string | null): string {
  return cutAt === null ? end : earliest(end, cutAt);
}

/** Returns the terms of a one-time purchase that lasts, after the event. */
export function ownedFields(o: OwnedPurchase): Fields {
  return { periodType: 'NORMAL', ...termFields({ purchasedAt: o.purchasedAt, expiresAt: ownedUntil(o) }) };
}

export function offerFields({ offerType, offerId }: Offer): Fields {
  return { offerCode: offerType === 'offer_code' ? offerId : null };
}

function unitsOf(micros: number | null, sign: 1 | -1): number | null {
  return micros === null ? null : micros === 0 ? 0 : (sign * micros) / MICROS;
}
