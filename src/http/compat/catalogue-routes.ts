// Routes of what the SDKs read to sell: offerings, the entitlements of each product, and the products of the test store.
import { z } from 'zod';
import { isoFromMs } from '../../domain/time.js';
import { streams } from '../../domain/streams.js';
import { subscriberParams } from '../bodies/request-schemas.js';
import { findSubscriber } from '../customers/read-customer.js';
import type { OfferingChoice } from '../../domain/catalog/choose-offering.js';
import { offeringsForSubscriber, presentPlacements, type AllOfferings } from '../catalog/sdk-offering-routes.js';
import { isPublicKey, ownAppIdOf } from '../dispatch/caller.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { CODES, CompatError, SUBSCRIBER_PATH } from './protocol.js';
import { entitlementMapping, offerings, testProducts } from './responses.js';
import { hasTrialLeft, testDurationOf } from '../../commands/stores/test/period.js';
import { assumedCharge, type Charge, type Product } from '../../domain/catalog/products.js';
import type { Catalog } from '../../domain/catalog/catalog.js';
import { noProfile, type Profile } from '../../domain/subscriber/state/state.js';
import { reservedPackageKeys } from '../../domain/catalog/offerings.js';
import { splitProductId } from './customer-purchases.js';
import { deviceOf } from './sdk-values.js';
import type { BodyOf } from '../bodies/response-schemas.js';

const MAX_PRODUCTS = 1000;

export const catalogueRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: `${SUBSCRIBER_PATH}/offerings`,
    access: 'sdkKey',
    permission: 'readCustomers',
    summary: 'Get offerings',
    params: subscriberParams,
    response: offerings,
    handle: async (input, services) => {
      if (!isPublicKey(input.caller))
        throw new CompatError(403, CODES.secretKey, 'use a public key of an app for offerings');
      const { offered, choice } = await offeringsForSubscriber(services, input, {}, deviceOf(input));
      if ('offering' in offered) throw new Error('the current offering alone, although all were requested');
      return { body: presentOfferings(offered, choice), etag: true };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/product_entitlement_mapping',
    access: 'sdkKey',
    permission: 'readSetup',
    summary: 'Get the entitlements of each product',
    response: entitlementMapping,
    handle: async ({ caller, scope }, { deps }) => {
      const catalog = await deps.catalogs.get(streams.catalog(scope.projectId));
      return { body: presentEntitlementMapping(catalog, ownAppIdOf(caller)), etag: true };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/rcbilling/v1/subscribers/:appUserId/products',
    access: 'sdkKey',
    permission: 'readSetup',
    summary: 'Get products of the test store',
    params: subscriberParams,
    query: z.looseObject({ id: z.union([z.string(), z.array(z.string()).max(MAX_PRODUCTS)]).optional() }),
    response: testProducts,
    handle: async ({ caller, scope: { projectId }, params, query }, services) => {
      const { deps, runtime } = services;
      const catalog = await deps.catalogs.get(streams.catalog(projectId));
      const buyer = (await findSubscriber(services, projectId, params.appUserId))?.profile;
      const about = { appId: ownAppIdOf(caller) ?? '', buyer, now: isoFromMs(runtime.now()) };
      const { priced, unpriced } = findTestProducts(catalog, [query.id ?? []].flat(), about);
      if (unpriced.length > 0) {
        const storeProductIds = unpriced.map((p) => p.storeProductId);
        services.log.warn(
          { projectId, storeProductIds },
          'test store: products without a price cannot be shown; add one',
        );
      }
      return { body: { product_details: priced } };
    },
  }),
];

const PACKAGE_KEYS = new Map(reservedPackageKeys.map((key) => [key, `$rc_${key.slice(1)}`]));

/** A package without a product of the caller's app is omitted, and an offering without packages: the SDKs drop them. */
function presentOfferings(offered: AllOfferings, choice: OfferingChoice): BodyOf<typeof offerings> {
  const presented = offered.offerings
    .map(({ lookupKey, displayName, metadata, packages }) => ({
      identifier: lookupKey,
      description: displayName,
      metadata,
      packages: packages.flatMap(({ lookupKey: key, products: [product] }) =>
        product ? [{ identifier: PACKAGE_KEYS.get(key) ?? key, ...platformProduct(product.storeProductId) }] : [],
      ),
    }))
    .filter(({ packages }) => packages.length > 0);
  const shownKey = (key: string | null) => presented.find(({ identifier }) => identifier === key)?.identifier ?? null;
  const { fallbackOfferingId, offeringIdsByPlacement } = presentPlacements(choice, offered);
  return {
    // Android takes a text only.
    current_offering_id: shownKey(offered.currentOfferingId) ?? '',
    offerings: presented,
    placements: {
      fallback_offering_id: shownKey(fallbackOfferingId),
      offering_ids_by_placement: Object.fromEntries(
        Object.entries(offeringIdsByPlacement).map(([placement, key]) => [placement, shownKey(key)] as const),
      ),
    },
    ...(choice.rule && { targeting: { revision: choice.rule.revision, rule_id: choice.rule.ruleId } }),
  };
}

function platformProduct(storeProductId: string) {
  const { product, plan } = splitProductId(storeProductId);
  return {
    platform_product_identifier: product,
    ...(plan !== null && { platform_product_plan_identifier: plan }),
  };
}

/** The SDKs store it on the device and use it while this service is unavailable. */
function presentEntitlementMapping(
  { products, entitlements }: Catalog,
  appId: string | null,
): BodyOf<typeof entitlementMapping> {
  const entries = products
    .filter((p) => appId === null || p.appId === appId)
    .map(({ productId, storeProductId }) => {
      const { product, plan } = splitProductId(storeProductId);
      const unlocked = entitlements.filter((e) => e.productIds.includes(productId)).map((e) => e.lookupKey);
      const productFields = { product_identifier: product, ...(plan !== null && { base_plan_id: plan }) };
      return [storeProductId, { ...productFields, entitlements: unlocked }] as const;
    });
  return { product_entitlement_mapping: Object.fromEntries(entries) };
}

const OPTION = 'base_option';
type TestProduct = BodyOf<typeof testProducts>['product_details'][number];
const TYPES: Readonly<Record<Product['type'], TestProduct['product_type']>> = {
  subscription: 'subscription',
  consumable: 'consumable',
  non_consumable: 'non_consumable',
  non_renewing_subscription: 'non_consumable',
};

/**
 * Products of the test store with the catalogue's prices; unknown ones, and those without a price, are omitted: an SDK refuses them. A free
 * trial is offered to a buyer who had none. `buyer` undefined: the customer is unknown.
 */
function findTestProducts(
  catalog: Catalog,
  storeProductIds: readonly string[],
  o: { readonly appId: string; readonly buyer: Profile | undefined; readonly now: string },
) {
  const requested = catalog.products.filter((p) => p.appId === o.appId && storeProductIds.includes(p.storeProductId));
  const chargeOf = (p: Product) => assumedCharge(catalog, { productId: p.productId, country: null, at: o.now });
  const priced = requested.flatMap((p) => {
    const charge = chargeOf(p);
    return charge ? [presentTestProduct(p, charge, hasTrialLeft(p, o.buyer ?? noProfile))] : [];
  });
  return { priced, unpriced: requested.filter((p) => chargeOf(p) === null) };
}

function presentTestProduct(p: Product, { amountMicros, currency }: Charge, offersTrial: boolean): TestProduct {
  const price = { amount_micros: amountMicros, currency };
  const option = { id: OPTION, price_id: `${p.productId}_price` };
  const phase = { period_duration: testDurationOf(p), cycle_count: 1, price };
  const { trialDuration } = p;
  const trial =
    offersTrial && trialDuration !== null ? { ...phase, period_duration: trialDuration, price: null } : null;
  const terms =
    p.type === 'subscription' ? { base: phase, trial, intro_price: null, discount: null } : { base_price: price };
  return {
    identifier: p.storeProductId,
    product_type: TYPES[p.type],
    title: p.displayName,
    description: null,
    default_purchase_option_id: OPTION,
    purchase_options: { [OPTION]: { ...option, ...terms } },
  };
}
