// Offerings of a project, and their packages.
import { z } from 'zod';
import {
  createOffering,
  updateOffering,
  changePackage,
  createPackage,
  deletePackage,
} from '../../commands/catalog/offerings.js';
import { offerings, type PackageDoc } from '../../projections/models/offerings.js';
import { offering, offeredPackage } from './responses.js';
import { listOf, deletionOf } from '../bodies/response-schemas.js';
import { requireWrittenOffering, findOffering, requireWrittenPackage } from './find-offering.js';
import { MAX_METADATA_KIB } from '../../domain/catalog/offerings.js';
import { lookupKey, packageKey } from '../../domain/values/catalogue-keys.js';
import { freeForm, id, page, projectParams } from '../bodies/request-schemas.js';
import { listBody, readNewestFirst, unknownCursorError } from '../bodies/paging.js';
import { presentOffering, presentPackage } from './present-offerings.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';
import { productIdsOf, productsBody, productsQuery } from './product-ids.js';

const displayName = text(200);
const metadata = freeForm(MAX_METADATA_KIB)
  .nullable()
  .transform((m) => m ?? {});

const offeringBody = z.strictObject({
  lookupKey,
  displayName,
  metadata: metadata.default({}),
  isCurrent: z.boolean().default(false),
});

const offeringChanges = z.strictObject({
  displayName: displayName.optional(),
  metadata: metadata.optional(),
  isCurrent: z.boolean().optional(),
  archived: z.boolean().optional(),
});

export const offeringRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/offerings',
    access: 'project',
    permission: 'readSetup',
    summary: 'List offerings',
    params: projectParams,
    query: page.extend({ expand: z.enum(['packages']).optional() }),
    response: listOf(offering),
    handle: async ({ scope, query }, { readModels }) => {
      const { docs, lastId } = await readNewestFirst(readModels, offerings, 'project', scope.projectId, query);
      const { limit, expand } = query;
      const items = docs.map((o) => presentOffering(o, { packages: expand === 'packages' }));
      const url = `/v1/projects/${scope.projectId}/offerings`;
      return { body: listBody(url, items, { lastId, limit, extra: { expand } }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/offerings',
    access: 'project',
    permission: 'configure',
    summary: 'Create offering',
    description: 'The first one becomes current.',
    example: { lookupKey: 'default', displayName: 'Default', metadata: { accent: 'gold' } },
    params: projectParams,
    body: offeringBody,
    response: offering,
    statuses: [201],
    handle: async ({ scope, body, by }, { deps, readModels }) => {
      const { offeringId, position } = await createOffering(deps, by, scope.projectId, body);
      const present = async () => presentOffering(await requireWrittenOffering(readModels, offeringId));
      return { status: 201, body: present, after: readModelsAt(position, offerings) };
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/v1/projects/:id/offerings/:oid',
    access: 'project',
    permission: 'configure',
    summary: 'Update offering',
    description: 'Setting an offering as current replaces the previous one atomically.',
    example: { isCurrent: true },
    params: z.object({ id, oid: text(200) }),
    body: offeringChanges,
    response: offering,
    handle: async ({ params, scope, body, by }, { deps, readModels }) => {
      const { offeringId, position } = await updateOffering(deps, by, scope.projectId, params.oid, body);
      const present = async () => presentOffering(await requireWrittenOffering(readModels, offeringId));
      return { body: present, after: readModelsAt(position, offerings) };
    },
  }),
];

const packagesPath = '/v1/projects/:id/offerings/:oid/packages';
const packagesParams = z.object({ id, oid: text(200) });
const packageParams = packagesParams.extend({ pid: text(201) });

const packageBody = z.strictObject({
  lookupKey: packageKey,
  displayName: text(200),
  position: z.int().min(0).max(1_000_000).optional(),
});

/** `afterPosition` marks the start of the page if the package before it was deleted in between. */
const listQuery = page.extend({ afterPosition: z.coerce.number().int().min(0).max(10_000_000).optional() });

/** Returns a page of packages in the order of the document. */
function pageOf(packages: readonly PackageDoc[], { limit, ...from }: z.output<typeof listQuery>) {
  const first = startIndexOf(packages, from);
  const docs = packages.slice(first, first + limit);
  return { docs, last: first + limit >= packages.length ? undefined : docs.at(-1) };
}

function startIndexOf(packages: readonly PackageDoc[], o: Omit<z.output<typeof listQuery>, 'limit'>): number {
  const { startingAfter, afterPosition } = o;
  if (startingAfter === undefined) return 0;
  const last = packages.findIndex((p) => p.packageId === startingAfter);
  if (last >= 0) return last + 1;
  if (afterPosition === undefined || !startingAfter.startsWith('pkg_')) throw unknownCursorError();
  const next = packages.findIndex(
    (p) => p.position > afterPosition || (p.position === afterPosition && p.packageId > startingAfter),
  );
  return next < 0 ? packages.length : next;
}

function defineAttachmentRoute(
  method: 'post' | 'delete',
  kind: 'attachToPackage' | 'detachFromPackage',
  summary: string,
): Route {
  return defineRoute({
    method,
    path: `${packagesPath}/:pid/products`,
    access: 'project',
    permission: 'configure',
    summary,
    example: { productIds: ['prod_01k9zq3v8n4t5w6x7y8z9a0b1c'] },
    params: packageParams,
    query: productsQuery,
    body: productsBody.optional(),
    response: offeredPackage,
    handle: async ({ params, query, body, scope, by }, { deps, readModels }) => {
      const productIds = productIdsOf(body, method === 'delete' ? query.productIds : undefined);
      const change = { kind, offering: params.oid, package: params.pid, productIds };
      const { offeringId, packageId, position } = await changePackage(deps, by, scope.projectId, change);
      const present = async () =>
        presentPackage(offeringId, await requireWrittenPackage(readModels, { offeringId, packageId }));
      return { body: present, after: readModelsAt(position, offerings) };
    },
  });
}

export const packageRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: packagesPath,
    access: 'project',
    permission: 'readSetup',
    summary: 'List packages',
    params: packagesParams,
    query: listQuery,
    response: listOf(offeredPackage),
    handle: async ({ params, scope, query }, { readModels }) => {
      const { offeringId, packages } = await findOffering(readModels, scope.projectId, params.oid);
      const { docs, last } = pageOf(packages, query);
      const items = docs.map((p) => presentPackage(offeringId, p));
      const url = `/v1/projects/${scope.projectId}/offerings/${encodeURIComponent(params.oid)}/packages`;
      const extra = { afterPosition: last?.position.toString() };
      return { body: listBody(url, items, { lastId: last?.packageId ?? null, limit: query.limit, extra }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: packagesPath,
    access: 'project',
    permission: 'configure',
    summary: 'Create package',
    description:
      'Keys that begin with `$` are `$weekly`, `$monthly`, `$two_month`, `$three_month`, `$six_month`, `$annual` and `$lifetime`.',
    example: { lookupKey: '$monthly', displayName: 'Monthly' },
    params: packagesParams,
    body: packageBody,
    response: offeredPackage,
    statuses: [201],
    handle: async ({ params, scope, body, by }, { deps, readModels }) => {
      const o = { ...body, position: body.position ?? null };
      const { offeringId, packageId, position } = await createPackage(deps, by, scope.projectId, params.oid, o);
      const present = async () =>
        presentPackage(offeringId, await requireWrittenPackage(readModels, { offeringId, packageId }));
      return { status: 201, body: present, after: readModelsAt(position, offerings) };
    },
  }),
  defineAttachmentRoute('post', 'attachToPackage', 'Attach product to package'),
  defineAttachmentRoute('delete', 'detachFromPackage', 'Detach product from package'),
  defineRoute({
    method: 'delete',
    path: `${packagesPath}/:pid`,
    access: 'project',
    permission: 'configure',
    summary: 'Delete package',
    params: packageParams,
    response: deletionOf('package'),
    handle: async ({ params, scope, by }, { deps }) => {
      const o = { offering: params.oid, package: params.pid };
      const { packageId, position } = await deletePackage(deps, by, scope.projectId, o);
      return { body: { object: 'package', id: packageId, deleted: true }, after: readModelsAt(position, offerings) };
    },
  }),
];
