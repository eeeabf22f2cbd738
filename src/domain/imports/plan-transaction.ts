// Completes an imported transaction from the project's catalogue and apps.
import type { Catalog } from '../catalog/catalog.js';
import { findEntitlement } from '../catalog/entitlements.js';
import { storeProductOf, type Product } from '../catalog/products.js';
import { storeCommission, toUnconvertedMoney, type Money } from '../money.js';
import type { App } from '../project/events.js';
import { rulesOfStore } from '../store-kinds.js';
import { addDuration } from '../time.js';
import { accessEndOf, type ImportedTransaction } from './chain-updates.js';
import type { ImportContext } from './context.js';
import type { ImportedFact, ImportedPurchase } from './facts.js';
import type { ImportProblem, ImportProblemCode } from './problems.js';

const MISSING = {
  refund_time: 'refund-time-missing',
  first_transaction: 'first-transaction-missing',
  end: 'end-missing',
} as const satisfies Readonly<Record<NonNullable<ImportedPurchase['missing']>, ImportProblemCode>>;

/** Returns the transaction with its purchase and money; null if it is left out, for the reason added to `problems`. */
export function planTransaction(
  { purchase: stated, from, updatedAt: statedAt }: ImportedFact,
  ctx: ImportContext,
  problems: ImportProblem[],
): ImportedTransaction | null {
  if (!stated) return null;
  const drop = (code: ImportProblemCode, detail: string) => {
    problems.push({ code, from, detail });
    return null;
  };
  if (stated.environment === 'sandbox' && ctx.options.sandbox === 'skip') return drop('sandbox', stated.storeProductId);
  if (stated.kind !== 'one_time' && stated.expiresAt !== null && stated.expiresAt < stated.purchasedAt)
    return drop('never-started', stated.transactionId);
  if (stated.missing !== null && stated.missing !== 'end') return drop(MISSING[stated.missing], stated.transactionId);
  const apps = appsFor(stated, ctx);
  const [app] = apps;
  if (!app) return drop('no-app', stated.store);
  if (apps.length > 1) return drop('several-apps', stated.storeProductId);
  const product = productFor(ctx.catalog, app.appId, stated.storeProductId);
  const fact = stated.missing === 'end' ? withEnd(stated, product) : stated;
  if (!fact) return drop(MISSING.end, stated.transactionId);
  if (!product) problems.push({ code: 'unknown-product', from, detail: fact.storeProductId });
  else if (lastsAt(fact, ctx.now)) {
    for (const key of missingEntitlements(ctx.catalog, product, fact.entitlements))
      problems.push({ code: 'entitlement-differs', from, detail: `${key}, by ${fact.storeProductId}` });
  }
  const isFree = fact.kind === 'trial' || fact.ownership === 'family_shared';
  if (!isFree && fact.amountMicros === null) problems.push({ code: 'price-unknown', from, detail: fact.transactionId });
  const offering = ctx.catalog.offerings.find(({ lookupKey }) => lookupKey === fact.offering);
  const purchase = {
    transactionId: fact.transactionId,
    originalTransactionId: fact.purchaseToken ?? fact.originalTransactionId ?? fact.transactionId,
    storeChainId: '',
    store: fact.store,
    appId: app.appId,
    productId: product?.productId ?? null,
    storeProductId: product?.storeProductId ?? fact.storeProductId,
    environment: fact.environment,
    ownership: fact.ownership,
    country: fact.country,
    offeringId: offering?.offeringId ?? null,
    placementId: null,
  };
  const completed = { purchase, product: product ?? null, money: moneyOf(fact, app, ctx), policy: policyOf(fact, app) };
  return { fact, from, statedAt, ...completed };
}

/** Returns the purchase with the end that its product here gives it; null if that lasts for a period whose duration is unknown. */
function withEnd(fact: ImportedPurchase, product: Product | undefined): ImportedPurchase | null {
  const { type, duration } = product ?? {};
  if (type !== 'subscription' && type !== 'non_renewing_subscription') return fact;
  if (duration == null) return null;
  const isPrepaid = rulesOfStore(fact.store).namesChainBy === 'purchaseToken';
  const kind = fact.kind !== 'one_time' || type !== 'subscription' ? fact.kind : isPrepaid ? 'prepaid' : 'normal';
  return { ...fact, kind, expiresAt: addDuration(fact.purchasedAt, duration) };
}

/** A refund of a part of the price ends no access, and a file that knows when access ended decides about the others. */
function policyOf(
  { refundShare, refundedAt, accessEndsAt }: ImportedPurchase,
  { refundPolicy }: App,
): App['refundPolicy'] {
  if (accessEndsAt !== null && refundedAt !== null)
    return accessEndsAt > refundedAt ? 'keep_until_expiry' : 'revoke_immediately';
  return refundShare < 1 ? 'keep_until_expiry' : refundPolicy;
}

/** Returns true if the purchase gives access at the instant, as far as the file knows. */
function lastsAt(fact: ImportedPurchase, now: string): boolean {
  if (fact.refundedAt !== null && fact.refundShare === 1) return false;
  const end = fact.accessEndsAt ?? accessEndOf(fact);
  return fact.expiresAt === null ? fact.kind === 'one_time' : end > now;
}

/** Returns the entitlements that the product does not unlock here. */
function missingEntitlements(catalog: Catalog, { productId }: Product, keys: readonly string[]): readonly string[] {
  return keys.filter((key) => !findEntitlement(catalog, key)?.productIds.includes(productId));
}

function appsFor({ store, appId, storeProductId }: ImportedPurchase, { apps, catalog, options }: ImportContext) {
  const ofStore = apps.filter((app) => app.store === store);
  const candidates = ofStore.filter(
    (app) => app.appId === appId || (appId === null && options.appIds.includes(app.appId)),
  );
  if (candidates.length > 0 || ofStore.length < 2) return candidates.length > 0 ? candidates : ofStore;
  const selling = ofStore.filter((app) => productFor(catalog, app.appId, storeProductId));
  return selling.length > 0 ? selling : ofStore;
}

/** Finds a product by its whole name, or by the name without a base plan if only one product has it. */
function productFor(catalog: Catalog, appId: string, storeProductId: string): Product | undefined {
  const exact = storeProductOf(catalog, appId, storeProductId);
  if (exact) return exact;
  const plans = catalog.products.filter((p) => p.appId === appId && p.storeProductId.startsWith(`${storeProductId}:`));
  return plans.length === 1 ? plans[0] : undefined;
}

function moneyOf(fact: ImportedPurchase, app: App, { options }: ImportContext): Money {
  const isFree = fact.kind === 'trial' || fact.ownership === 'family_shared';
  const amount = { currency: fact.currency, amountMicros: isFree ? 0 : fact.amountMicros };
  const unconverted = toUnconvertedMoney(amount);
  const hasUsd = options.usd === 'keep' && fact.usdMicros !== null && unconverted.usdMicros === null;
  const isSubscription = fact.kind !== 'one_time';
  const usual = storeCommission({
    store: fact.store,
    smallBusiness: app.iosStoreSmallBusiness,
    isSubscription,
    originallyPurchasedAt: fact.purchasedAt,
    purchasedAt: fact.purchasedAt,
  });
  return {
    ...unconverted,
    ...(hasUsd && { usdMicros: fact.usdMicros, fxRate: rateOf(fact), fxDate: fact.purchasedAt.slice(0, 10) }),
    taxRate: fact.taxRate ?? 0,
    commissionRate: fact.commissionRate ?? usual,
  };
}

/** Returns the rate by which the file converted the price, with the precision of published rates. */
function rateOf({ usdMicros, amountMicros }: ImportedPurchase): string | null {
  return usdMicros === null || !amountMicros ? null : String(Number((usdMicros / amountMicros).toPrecision(8)));
}
