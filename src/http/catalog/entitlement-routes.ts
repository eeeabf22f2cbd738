// Entitlements and the products that unlock them.
import { z } from 'zod';
import {
  changeAttachment,
  createEntitlement,
  deleteEntitlement,
  updateEntitlement,
} from '../../commands/catalog/catalog.js';
import {
  entitlements,
  products,
  unlocks,
  type EntitlementDoc,
  type ProductDoc,
} from '../../projections/models/catalogue.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { entitlement, entitlementWithProducts, product } from './responses.js';
import { deletionOf } from '../bodies/response-schemas.js';
import { requireByKey } from '../bodies/find-document.js';
import { defineAttachmentRoutes } from './attachment-routes.js';
import { readNewestFirst } from '../bodies/paging.js';
import { presentEntitlement, presentProduct } from '../projects/present-resources.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text, lookupKey } from '../../domain/values/user-text.js';
import { id, page } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';

const entitlementBody = z.strictObject({
  lookupKey,
  displayName: text(200),
  description: text(1000).nullable().default(null),
});

const changesBody = z.strictObject({
  displayName: text(200).optional(),
  description: text(1000).nullable().optional(),
});

const entitlementParams = z.object({ id, eid: text(200) });

function requireEntitlement(readModels: ReadModels, projectId: string, key: string): Promise<EntitlementDoc> {
  return requireByKey(readModels, entitlements, projectId, key, 'entitlement');
}

async function readProducts(
  readModels: ReadModels,
  { productIds: ids }: EntitlementDoc,
): Promise<readonly ProductDoc[]> {
  const found = await readModels.getMany(products, ids);
  return ids.flatMap((one) => found.get(one) ?? []);
}

/** Presents an entitlement with its products once the read models show the change. */
async function presentWithProducts(services: Services, projectId: string, key: string) {
  const entitlement = await requireEntitlement(services.readModels, projectId, key);
  const unlocking = await readProducts(services.readModels, entitlement);
  return { ...presentEntitlement(entitlement), products: unlocking.map(presentProduct) };
}

export const entitlementRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/entitlements',
    permission: 'readSetup',
    summary: 'List entitlements',
    query: page,
    item: entitlement,
    list: async ({ scope, query }, { readModels }) => {
      const { docs, lastId } = await readNewestFirst(readModels, entitlements, 'project', scope.projectId, query);
      return { items: docs.map(presentEntitlement), lastId };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/entitlements',
    permission: 'configure',
    summary: 'Create entitlement',
    example: { lookupKey: 'pro', displayName: 'Pro' },
    body: entitlementBody,
    response: entitlementWithProducts,
    statuses: [201],
    handle: async ({ scope, body, by }, services) => {
      const { entitlementId, position } = await createEntitlement(services.deps, by, scope.projectId, body);
      const present = () => presentWithProducts(services, scope.projectId, entitlementId);
      return { body: present, after: readModelsAt(position, entitlements) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/entitlements/:eid',
    permission: 'readSetup',
    summary: 'Get entitlement details',
    params: entitlementParams,
    response: entitlementWithProducts,
    handle: async ({ params, scope }, services) => ({
      body: await presentWithProducts(services, scope.projectId, params.eid),
    }),
  }),
  defineRoute({
    method: 'patch',
    path: '/v1/projects/:id/entitlements/:eid',
    permission: 'configure',
    summary: 'Update entitlement',
    example: { displayName: 'Pro, all features' },
    params: entitlementParams,
    body: changesBody,
    response: entitlementWithProducts,
    handle: async ({ params, scope, body, by }, services) => {
      const change = { entitlement: params.eid, set: body };
      const { entitlementId, position } = await updateEntitlement(services.deps, by, scope.projectId, change);
      const present = () => presentWithProducts(services, scope.projectId, entitlementId);
      return { body: present, after: readModelsAt(position, entitlements) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/entitlements/:eid',
    permission: 'configure',
    summary: 'Delete entitlement',
    params: entitlementParams,
    response: deletionOf('entitlement'),
    handle: async ({ params, scope, by }, { deps }) => {
      const { entitlementId, position } = await deleteEntitlement(deps, by, scope.projectId, params.eid);
      return {
        body: { object: 'entitlement', id: entitlementId, deleted: true },
        after: readModelsAt(position, entitlements, products, unlocks),
      };
    },
  }),
  defineListRoute({
    path: '/v1/projects/:id/entitlements/:eid/products',
    permission: 'readSetup',
    summary: 'List attached products',
    params: entitlementParams,
    item: product,
    list: async ({ params, scope }, { readModels }) => {
      const entitlement = await requireEntitlement(readModels, scope.projectId, params.eid);
      return { items: (await readProducts(readModels, entitlement)).map(presentProduct), lastId: null };
    },
  }),
  ...defineAttachmentRoutes({
    path: '/v1/projects/:id/entitlements/:eid/products',
    params: entitlementParams,
    response: entitlementWithProducts,
    summaries: { attach: 'Attach product', detach: 'Detach product' },
    change: async (action, productIds, { params, scope, by }, services) => {
      const change = { kind: `${action}Products` as const, entitlement: params.eid, productIds };
      const { entitlementId, position } = await changeAttachment(services.deps, by, scope.projectId, change);
      const after = readModelsAt(position, entitlements, products, unlocks);
      return { body: () => presentWithProducts(services, scope.projectId, entitlementId), after };
    },
  }),
];
