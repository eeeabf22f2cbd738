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
import { deletionOf, listOf } from '../bodies/response-schemas.js';
import { HttpError } from '../bodies/errors.js';
import { productIdsOf, productsBody, productsQuery } from './product-ids.js';
import { listBody, readNewestFirst } from '../bodies/paging.js';
import { presentEntitlement, presentProduct } from '../projects/present-resources.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';
import { lookupKey } from '../../domain/values/catalogue-keys.js';
import { id, page, projectParams } from '../bodies/request-schemas.js';
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

async function findEntitlement(readModels: ReadModels, projectId: string, key: string): Promise<EntitlementDoc> {
  const byId = await readModels.get(entitlements, key);
  if (byId?.projectId === projectId) return byId;
  const { rows } = await readModels.scan(entitlements, { index: 'lookupKey', eq: [projectId, key], limit: 1 });
  const [row] = rows;
  if (!row) throw new HttpError(404, 'entitlement not found in this project');
  return row.doc;
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
  const entitlement = await findEntitlement(services.readModels, projectId, key);
  return presentEntitlement(entitlement, await readProducts(services.readModels, entitlement));
}

function defineAttachmentRoute(
  method: 'post' | 'delete',
  kind: 'attachProducts' | 'detachProducts',
  summary: string,
): Route {
  return defineRoute({
    method,
    path: '/v1/projects/:id/entitlements/:eid/products',
    access: 'project',
    permission: 'configure',
    summary,
    example: { productIds: ['prod_01k9zq3v8n4t5w6x7y8z9a0b1c'] },
    params: entitlementParams,
    query: productsQuery,
    body: productsBody.optional(),
    response: entitlementWithProducts,
    handle: async ({ params, query, body, scope, by }, services) => {
      const named = productIdsOf(body, method === 'delete' ? query.productIds : undefined);
      const change = { kind, entitlement: params.eid, productIds: named };
      const { entitlementId, position } = await changeAttachment(services.deps, by, scope.projectId, change);
      const after = readModelsAt(position, entitlements, products, unlocks);
      return { body: () => presentWithProducts(services, scope.projectId, entitlementId), after };
    },
  });
}

export const entitlementRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/entitlements',
    access: 'project',
    permission: 'readSetup',
    summary: 'List entitlements',
    params: projectParams,
    query: page,
    response: listOf(entitlement),
    handle: async ({ scope, query }, { readModels }) => {
      const { docs, lastId } = await readNewestFirst(readModels, entitlements, 'project', scope.projectId, query);
      const url = `/v1/projects/${scope.projectId}/entitlements`;
      return {
        body: listBody(
          url,
          docs.map((e) => presentEntitlement(e)),
          { lastId, limit: query.limit },
        ),
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/entitlements',
    access: 'project',
    permission: 'configure',
    summary: 'Create entitlement',
    example: { lookupKey: 'pro', displayName: 'Pro' },
    params: projectParams,
    body: entitlementBody,
    response: entitlementWithProducts,
    statuses: [201],
    handle: async ({ scope, body, by }, services) => {
      const { entitlementId, position } = await createEntitlement(services.deps, by, scope.projectId, body);
      const present = () => presentWithProducts(services, scope.projectId, entitlementId);
      return { status: 201, body: present, after: readModelsAt(position, entitlements) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/entitlements/:eid',
    access: 'project',
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
    access: 'project',
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
    access: 'project',
    permission: 'configure',
    summary: 'Delete entitlement',
    params: entitlementParams,
    response: deletionOf('entitlement'),
    handle: async ({ params, scope, by }, { deps }) => {
      const { entitlementId, position } = await deleteEntitlement(deps, by, scope.projectId, params.eid);
      const body = { object: 'entitlement', id: entitlementId, deleted: true };
      return { body, after: readModelsAt(position, entitlements, products, unlocks) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/entitlements/:eid/products',
    access: 'project',
    permission: 'readSetup',
    summary: 'List attached products',
    params: entitlementParams,
    response: listOf(product),
    handle: async ({ params, scope }, { readModels }) => {
      const entitlement = await findEntitlement(readModels, scope.projectId, params.eid);
      const items = (await readProducts(readModels, entitlement)).map(presentProduct);
      const url = `/v1/projects/${scope.projectId}/entitlements/${params.eid}/products`;
      return { body: listBody(url, items, { lastId: null, limit: items.length }) };
    },
  }),
  defineAttachmentRoute('post', 'attachProducts', 'Attach product'),
  defineAttachmentRoute('delete', 'detachProducts', 'Detach product'),
];
