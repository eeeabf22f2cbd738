// Packages of an offering, and the products in them.
import { z } from 'zod';
import { changePackage, createPackage, deletePackage } from '../../commands/offerings.js';
import { offerings, type PackageDoc } from '../../projections/offerings.js';
import { findOffering, writtenPackage } from '../find-offering.js';
import { namedProducts, productsBody, productsQuery } from '../named-products.js';
import { listBody, unknownCursor } from '../paging.js';
import { presentPackage } from '../present/offerings.js';
import { defineRoute, shownIn, type Route } from '../route.js';
import { id, page, text, type PageQuery } from '../schemas.js';

const packagesPath = '/v1/projects/:id/offerings/:oid/packages';
const packagesParams = z.object({ id, oid: text(200) });
const packageParams = packagesParams.extend({ pid: text(201) });

/** Which keys with `$` there are is a rule of the catalogue. */
const packageBody = z.strictObject({
  lookupKey: z.string().regex(/^\$?[a-zA-Z0-9_.-]{1,200}$/, 'must be 1 to 200 of letters, digits, _ . -'),
  displayName: text(200),
  position: z.int().min(0).max(1_000_000).optional(),
});

/** In their order, which is the document's own. */
function pageOf(packages: readonly PackageDoc[], { limit, startingAfter }: PageQuery) {
  const last = packages.findIndex((p) => p.packageId === startingAfter);
  if (startingAfter !== undefined && last === -1) throw unknownCursor();
  const docs = packages.slice(last + 1, last + 1 + limit);
  const isLast = last + 1 + limit >= packages.length;
  return { docs, lastId: isLast ? null : (docs.at(-1)?.packageId ?? null) };
}

function attachment(method: 'post' | 'delete', kind: 'attachToPackage' | 'detachFromPackage', summary: string): Route {
  return defineRoute({
    method,
    path: `${packagesPath}/:pid/products`,
    access: 'project',
    summary,
    params: packageParams,
    query: productsQuery,
    body: productsBody.optional(),
    handle: async ({ params, query, body, scope, by }, { deps, views }) => {
      const productIds = namedProducts(body, method === 'delete' ? query.productIds : undefined);
      const change = { kind, offering: params.oid, package: params.pid, productIds };
      const { offeringId, packageId, position } = await changePackage(deps, by, scope.projectId, change);
      const shown = async () => presentPackage(offeringId, await writtenPackage(views, { offeringId, packageId }));
      return { body: shown, after: shownIn(position, offerings) };
    },
  });
}

export const packageRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: packagesPath,
    access: 'project',
    summary: 'List packages',
    params: packagesParams,
    query: page,
    handle: async ({ params, scope, query }, { views }) => {
      const { offeringId, packages } = await findOffering(views, scope.projectId, params.oid);
      const { docs, lastId } = pageOf(packages, query);
      const items = docs.map((p) => presentPackage(offeringId, p));
      const url = `/v1/projects/${scope.projectId}/offerings/${encodeURIComponent(params.oid)}/packages`;
      return { body: listBody(url, items, { lastId, limit: query.limit }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: packagesPath,
    access: 'project',
    summary: 'Create package',
    params: packagesParams,
    body: packageBody,
    handle: async ({ params, scope, body, by }, { deps, views }) => {
      const o = { ...body, position: body.position ?? null };
      const { offeringId, packageId, position } = await createPackage(deps, by, scope.projectId, params.oid, o);
      const shown = async () => presentPackage(offeringId, await writtenPackage(views, { offeringId, packageId }));
      return { status: 201, body: shown, after: shownIn(position, offerings) };
    },
  }),
  attachment('post', 'attachToPackage', 'Attach product to package'),
  attachment('delete', 'detachFromPackage', 'Detach product from package'),
  defineRoute({
    method: 'delete',
    path: `${packagesPath}/:pid`,
    access: 'project',
    summary: 'Delete package',
    params: packageParams,
    handle: async ({ params, scope, by }, { deps }) => {
      const o = { offering: params.oid, package: params.pid };
      const { packageId, position } = await deletePackage(deps, by, scope.projectId, o);
      return { body: { object: 'package', id: packageId, deleted: true }, after: shownIn(position, offerings) };
    },
  }),
];
