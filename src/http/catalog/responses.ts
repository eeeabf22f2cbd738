// Responses about the catalogue: products, prices, entitlements, offerings, packages, paywalls.
import { z } from 'zod';
import { paywallStatus } from '../../domain/catalog/paywalls.js';
import { productType } from '../../domain/catalog/products.js';
import { appStore } from '../../domain/store-kinds.js';
import { freeObject, time } from '../bodies/response-schemas.js';

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

const sdkProduct = z
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
const sdkOffering = z
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

/** The second form is the response to `?currentOnly=true`. */
export const sdkOfferings = z.union([z.strictObject(allOfferings), z.strictObject(oneOffering)]);
export const subscriberOfferings = z.union([
  z.strictObject({ ...allOfferings, experiment }),
  z.strictObject({ ...oneOffering, experiment }),
]);
