// Responses about the catalogue: products, prices, entitlements, offerings, packages, paywalls.
import { z } from 'zod';
import { paywallStatus } from '../../domain/catalog/paywalls.js';
import { productType } from '../../domain/catalog/products.js';
import { condition } from '../../domain/catalog/targeting.js';
import { appStore } from '../../domain/store-kinds.js';
import { freeObject, personal, time } from '../bodies/response-schemas.js';

export const price = z
  .strictObject({
    object: z.literal('price'),
    id: z.string(),
    productId: z.string(),
    amount: z.number(),
    amountMicros: z.int(),
    currency: z.string(),
    country: z.string().nullable(),
    startsAt: time.nullable(),
  })
  .meta({ id: 'Price' });

export const product = z
  .strictObject({
    object: z.literal('product'),
    id: z.string(),
    appId: z.string(),
    store: appStore,
    storeProductId: z.string(),
    displayName: z.string(),
    type: productType,
    duration: z.string().nullable(),
    trialDuration: z.string().nullable(),
    gracePeriodDuration: z.string().nullable(),
    prices: z.array(price),
    entitlementIds: z.array(z.string()),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Product' });

const entitlementFields = {
  object: z.literal('entitlement'),
  id: z.string(),
  lookupKey: z.string(),
  displayName: z.string(),
  description: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
};
export const entitlement = z.strictObject(entitlementFields).meta({ id: 'Entitlement' });
export const entitlementWithProducts = z
  .strictObject({ ...entitlementFields, products: z.array(product) })
  .meta({ id: 'EntitlementWithProducts' });

const packageType = z.enum([
  'weekly',
  'monthly',
  'two_month',
  'three_month',
  'six_month',
  'annual',
  'lifetime',
  'custom',
]);

export const offeredPackage = z
  .strictObject({
    object: z.literal('package'),
    id: z.string(),
    offeringId: z.string(),
    lookupKey: z.string(),
    packageType,
    displayName: z.string(),
    position: z.int(),
    products: z.array(z.strictObject({ id: z.string(), appId: z.string(), storeProductId: z.string() })),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Package' });

export const offering = z
  .strictObject({
    object: z.literal('offering'),
    id: z.string(),
    lookupKey: z.string(),
    displayName: z.string(),
    metadata: freeObject,
    isCurrent: z.boolean(),
    archived: z.boolean(),
    packages: z.array(offeredPackage).optional().meta({ description: 'Only with `?expand=packages`.' }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Offering' });

export const paywall = z
  .strictObject({
    object: z.literal('paywall'),
    id: z.string(),
    offeringId: z.string(),
    name: z.string(),
    status: paywallStatus,
    config: freeObject,
    defaultLocale: z.string(),
    localizations: freeObject,
    revision: z.int(),
    publishedAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Paywall' });

export const placement = z
  .strictObject({
    object: z.literal('placement'),
    id: z.string(),
    lookupKey: z.string(),
    displayName: z.string(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Placement' });

export const targetingRule = z
  .strictObject({
    object: z.literal('targetingRule'),
    id: z.string(),
    name: z.string(),
    isActive: z.boolean(),
    position: z.int(),
    conditions: z.array(condition),
    offeringId: z.string().nullable(),
    placements: z.array(z.strictObject({ placementId: z.string(), offeringId: z.string().nullable() })),
    revision: z.int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'TargetingRule' });

const offeringRef = z.strictObject({ id: z.string(), lookupKey: z.string() }).nullable();
const explained = { isMet: z.boolean(), actual: z.string().nullable() };
/** A caller without personal data gets the result, without the facts about the customer. */
export const offeringPreview = z
  .strictObject({
    object: z.literal('offeringPreview'),
    customerId: z.string(),
    at: time,
    offering: offeringRef.meta({
      description: 'In place of the current offering, and at each placement without its own.',
    }),
    placements: z.array(z.strictObject({ placementId: z.string(), lookupKey: z.string(), offering: offeringRef })),
    experiment: z
      .strictObject({ id: z.string(), variantId: z.string(), isEnrolled: z.boolean() })
      .nullable()
      .meta({ description: '`isEnrolled` false: the next request of the app enrols the customer.' }),
    targeting: z.strictObject({ ruleId: z.string(), revision: z.int() }).nullable(),
    sentence: z.string(),
    facts: personal(
      z.strictObject({
        country: z.string().nullable(),
        platform: z.string().nullable(),
        appVersion: z.string().nullable(),
        firstSeenAt: time,
        isSubscriber: z.boolean(),
      }),
    ),
    rules: personal(
      z.array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          revision: z.int(),
          result: z.enum(['chosen', 'not_met', 'inactive', 'not_reached']),
          conditions: z.array(z.union(condition.options.map((one) => one.extend(explained)))),
        }),
      ),
    ),
  })
  .meta({ id: 'OfferingPreview' });

export const sdkProduct = z
  .strictObject({
    id: z.string(),
    appId: z.string(),
    storeProductId: z.string(),
    store: appStore,
    type: productType,
    duration: z.string().nullable(),
  })
  .meta({ id: 'SdkProduct' });
const sdkPackage = z
  .strictObject({
    id: z.string(),
    lookupKey: z.string(),
    packageType,
    displayName: z.string(),
    products: z.array(sdkProduct),
  })
  .meta({ id: 'SdkPackage' });
export const sdkOffering = z
  .strictObject({
    id: z.string(),
    lookupKey: z.string(),
    displayName: z.string(),
    metadata: freeObject,
    packages: z.array(sdkPackage),
  })
  .meta({ id: 'SdkOffering' });

const allOfferings = {
  currentOfferingId: z.string().nullable().meta({ description: 'The `lookupKey` of the current offering.' }),
  offerings: z.array(sdkOffering),
};
const oneOffering = { offering: sdkOffering.nullable() };
const experiment = z
  .strictObject({ id: z.string(), variantId: z.string() })
  .nullable()
  .meta({ description: 'The experiment whose variant is shown, if any.' });

const placements = z
  .strictObject({
    fallbackOfferingId: z.string().nullable(),
    offeringIdsByPlacement: z.record(z.string(), z.string().nullable()),
  })
  .meta({
    description:
      'The offering at each placement, both by `lookupKey`; null: show nothing. A placement that is not listed shows `fallbackOfferingId`.',
  });
const targeting = z
  .strictObject({ ruleId: z.string(), revision: z.int() })
  .nullable()
  .meta({ description: 'The targeting rule that chose, if any.' });

/** The second form is the response to `?currentOnly=true`. */
export const sdkOfferings = z.union([z.strictObject(allOfferings), z.strictObject(oneOffering)]);
export const subscriberOfferings = z.union([
  z.strictObject({ ...allOfferings, placements, targeting, experiment }),
  z.strictObject({ ...oneOffering, targeting, experiment }),
]);
