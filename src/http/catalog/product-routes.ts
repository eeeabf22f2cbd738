// Products and the prices to assume for them.
import { z } from 'zod';
import { addPrice, createProduct, deletePrice, deleteProduct } from '../../commands/catalog/catalog.js';
import { productType } from '../../domain/catalog/products.js';
import { decimalsOf, microsOf } from '../../domain/values/iso-codes.js';
import { isStoreDuration } from '../../domain/time.js';
import { entitlements, products, unlocks } from '../../projections/models/catalogue.js';
import { offerings } from '../../projections/models/offerings.js';
import { apps } from '../../projections/models/projects.js';
import { price, product } from './responses.js';
import { deletionOf } from '../bodies/response-schemas.js';
import { HttpError } from '../bodies/errors.js';
import { requireDoc } from '../bodies/find-document.js';
import { readNewestFirst } from '../bodies/paging.js';
import { presentPrice, presentProduct } from '../projects/present-resources.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text, storeProductId } from '../../domain/values/user-text.js';
import { country, currency, id, instant, page } from '../bodies/request-schemas.js';

const duration = z.string().max(20).refine(isStoreDuration, 'must be an ISO 8601 duration such as P1M');
const productBody = z.strictObject({
  appId: id,
  storeProductId,
  displayName: text(200),
  type: productType,
  duration: duration.nullable().default(null),
  trialDuration: duration.nullable().default(null),
  gracePeriodDuration: duration.nullable().default(null),
});

const chargeFields = { amount: z.number().min(0).max(1_000_000_000), currency };

/** Replaces the amount by micros. */
function withMicros<F extends { readonly amount: number; readonly currency: string }>(
  { amount, ...rest }: F,
  ctx: z.RefinementCtx,
) {
  const amountMicros = microsOf(amount, rest.currency);
  if (amountMicros !== null) return { ...rest, amountMicros };
  const message = `must have at most ${decimalsOf(rest.currency) ?? 0} decimals in ${rest.currency}`;
  ctx.addIssue({ code: 'custom', path: ['amount'], message });
  return z.NEVER;
}

/** Price that a request assumes. */
export const assumedPrice = z.strictObject(chargeFields).transform(withMicros);

const priceBody = z
  .strictObject({
    ...chargeFields,
    country: country.nullable().default(null),
    startsAt: instant.nullable().default(null),
  })
  .transform(withMicros);

const productParams = z.object({ id, pid: id });
const listQuery = page.extend({ appId: id.optional(), type: productType.optional() });

/** Returns the index that serves these filters, and the equal values of its fields. */
function listIndexOf(projectId: string, { appId, type }: z.output<typeof listQuery>): [index: string, eq: string[]] {
  if (appId !== undefined && type !== undefined) return ['appAndType', [projectId, appId, type]];
  if (appId !== undefined) return ['app', [projectId, appId]];
  return type === undefined ? ['project', [projectId]] : ['type', [projectId, type]];
}

const productPath = '/v1/projects/:id/products/:pid';

export const productRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/products',
    permission: 'readSetup',
    summary: 'List products',
    query: listQuery,
    item: product,
    list: async ({ scope, query }, { readModels }) => {
      const app = query.appId === undefined ? undefined : await readModels.get(apps, query.appId);
      if (query.appId !== undefined && app?.projectId !== scope.projectId)
        throw new HttpError(400, 'appId: no app with this ID in this project');
      const [index, eq] = listIndexOf(scope.projectId, query);
      const { docs, lastId } = await readNewestFirst(readModels, products, index, eq, query);
      return { items: docs.map(presentProduct), lastId };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/products',
    permission: 'configure',
    summary: 'Create product',
    example: {
      appId: 'app_01k9zq3v8n4t5w6x7y8z9a0b1c',
      storeProductId: 'com.example.stargazer.pro.month',
      displayName: 'Pro, monthly',
      type: 'subscription',
      duration: 'P1M',
    },
    body: productBody,
    response: product,
    statuses: [201],
    handle: async ({ scope, body, by }, { deps, runtime, readModels }) => {
      const { product, position } = await createProduct(deps, by, scope.projectId, body);
      const at = new Date(runtime.now()).toISOString();
      const empty = { prices: [], entitlementIds: [] };
      const doc = { ...product, ...empty, projectId: scope.projectId, createdAt: at, updatedAt: at };
      const present = async () => presentProduct((await readModels.get(products, product.productId)) ?? doc);
      return { body: present, after: readModelsAt(position, products, unlocks) };
    },
  }),
  defineRoute({
    method: 'get',
    path: productPath,
    permission: 'readSetup',
    summary: 'Get product details',
    params: productParams,
    response: product,
    handle: async ({ params, scope }, { readModels }) => ({
      body: presentProduct(await requireDoc(readModels, products, scope.projectId, params.pid, 'product')),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: productPath,
    permission: 'configure',
    summary: 'Delete product',
    description: 'Returns 409 while an entitlement or a package contains it, unless `?force=true`.',
    params: productParams,
    query: z.strictObject({ force: z.enum(['true', 'false']).default('false') }),
    response: deletionOf('product'),
    handle: async ({ params, query, scope, by }, { deps }) => {
      const o = { productId: params.pid, force: query.force === 'true' };
      const { position } = await deleteProduct(deps, by, scope.projectId, o);
      return {
        body: { object: 'product', id: params.pid, deleted: true },
        after: readModelsAt(position, products, entitlements, unlocks, offerings),
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${productPath}/prices`,
    permission: 'configure',
    summary: 'Add price',
    description: 'Used when the store does not report a price.',
    example: { amount: 9.99, currency: 'USD', country: 'US' },
    params: productParams,
    body: priceBody,
    response: price,
    statuses: [201],
    handle: async ({ params, body, scope, by }, { deps }) => {
      const o = { ...body, productId: params.pid };
      const { price, position } = await addPrice(deps, by, scope.projectId, o);
      return { body: presentPrice(price), after: readModelsAt(position, products) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${productPath}/prices/:priceId`,
    permission: 'configure',
    summary: 'Delete price',
    params: productParams.extend({ priceId: id }),
    response: deletionOf('price'),
    handle: async ({ params, scope, by }, { deps }) => {
      const o = { productId: params.pid, priceId: params.priceId };
      const { position } = await deletePrice(deps, by, scope.projectId, o);
      return { body: { object: 'price', id: params.priceId, deleted: true }, after: readModelsAt(position, products) };
    },
  }),
];
