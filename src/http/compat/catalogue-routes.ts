// Routes of what the SDKs read to sell: offerings, the entitlement mapping, and products of the test store.
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
import { entitlementMapping, offerings, testProducts } from './responses.js';
import { SUBSCRIBER_PATH } from './paths.js';

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
];
