// Routes of what the SDKs read to sell: offerings, the entitlement mapping, products of the test store, and offers.
import { z } from 'zod';
import { isoFromMs } from '../../domain/time.js';
import { streams } from '../../domain/streams.js';
import { subscriberParams } from '../bodies/request-schemas.js';
import { findSubscriber } from '../customers/find-customer.js';
import { offeringsForSubscriber } from '../catalog/sdk-offering-routes.js';
import { isPublicKey, ownAppIdOf } from '../dispatch/caller.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { presentEntitlementMapping, presentOfferings, presentTestProducts, type Offerings } from './catalogue.js';
import { CODES, CompatError } from './errors.js';
import { entitlementMapping, nothing, offerings, testProducts, unsignedOffers } from './responses.js';
import { SUBSCRIBER_PATH } from './paths.js';

const MAX_PRODUCTS = 1000;

const offersBody = z.looseObject({
  generate_offers: z.array(z.looseObject({ offer_id: z.string(), product_id: z.string() })).max(MAX_PRODUCTS),
});

/** The SDK gives the error to the app for this offer alone. */
function presentUnsigned({ offer_id, product_id }: z.output<typeof offersBody>['generate_offers'][number]) {
  const message = 'promotional offers are not signed by this service';
  const signature_error = { code: CODES.offerKeyMissing, message };
  return { offer_id, product_id, key_id: '', signature_data: null, signature_error };
}

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
      const { offered } = await offeringsForSubscriber(services, input, {});
      return { body: presentOfferings(offered as Offerings), etag: true };
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
      return { body: presentTestProducts(catalog, [query.id ?? []].flat(), about) };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${SUBSCRIBER_PATH}/intro_eligibility`,
    access: 'sdkKey',
    permission: 'readCustomers',
    summary: 'Get eligibility for introductory offers: unknown, so that the device decides',
    body: z.unknown(),
    response: nothing,
    handle: () => Promise.resolve({ body: {} }),
  }),
  defineRoute({
    method: 'post',
    path: '/v1/offers',
    access: 'sdkKey',
    permission: 'readCustomers',
    summary: 'Sign promotional offers, which needs a key that is not registered here',
    body: offersBody,
    response: unsignedOffers,
    handle: ({ body }) => Promise.resolve({ body: { offers: body.generate_offers.map(presentUnsigned) } }),
  }),
];
