// Catalogue of another service in a neutral form, as it is copied into a project. IDs are those of the other service.
import { z } from 'zod';
import { storeKind } from '../store-kinds.js';
import { jsonObject } from '../values/json-object.js';
import { productType } from './products.js';

const id = z.string();

/** Names are unchecked: what does not fit the rules here is skipped with a reason. */
export const foreignCatalogue = z.strictObject({
  /** `publicKeys`: keys that published versions of the app contain. */
  apps: z.array(
    z.strictObject({ id, name: id, store: storeKind, storeIdentifier: id, publicKeys: z.array(z.string()) }),
  ),
  products: z.array(
    z.strictObject({
      ...{ id, appId: id, storeProductId: id, displayName: id, type: productType },
      duration: z.string().nullable(),
      trialDuration: z.string().nullable(),
      gracePeriodDuration: z.string().nullable(),
    }),
  ),
  entitlements: z.array(z.strictObject({ lookupKey: id, displayName: id, productIds: z.array(id) })),
  /** `productIds` of a package in order of preference: a package has one product of each app. */
  offerings: z.array(
    z.strictObject({
      ...{ lookupKey: id, displayName: id, isCurrent: z.boolean(), metadata: jsonObject },
      packages: z.array(
        z.strictObject({ lookupKey: id, displayName: id, position: z.int().nullable(), productIds: z.array(id) }),
      ),
    }),
  ),
});
export type ForeignCatalogue = z.output<typeof foreignCatalogue>;
export type ForeignApp = ForeignCatalogue['apps'][number];
export type ForeignProduct = ForeignCatalogue['products'][number];
export type ForeignOffering = ForeignCatalogue['offerings'][number];
