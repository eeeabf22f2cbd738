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
import { deletionOf } from '../bodies/response-schemas.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { notReadableYetError, requireByKey, requireWritten } from '../bodies/find-document.js';
import { MAX_METADATA_KIB } from '../../domain/catalog/offerings.js';
import { lookupKey, packageKey, text } from '../../domain/values/user-text.js';
import { freeForm, id, page } from '../bodies/request-schemas.js';
import { readNewestFirst, unknownCursorError } from '../bodies/paging.js';
import { presentOffering, presentPackage } from './present-offerings.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { defineAttachmentRoutes } from './attachment-routes.js';

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
  defineListRoute({
    path: '/v1/projects/:id/offerings',
    permission: 'readSetup',
    summary: 'List offerings',
    query: page.extend({ expand: z.enum(['packages']).optional() }),
    item: offering,
    list: async ({ scope, query }, { readModels }) => {
      const { docs, lastId } = await readNewestFirst(readModels, offerings, 'project', scope.projectId, query);
      return { items: docs.map((o) => presentOffering(o, { packages: query.expand === 'packages' })), lastId };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/offerings',
    permission: 'configure',
    summary: 'Create offering',
    description: 'The first one becomes current.',
    example: { lookupKey: 'default', displayName: 'Default', metadata: { accent: 'gold' } },
    body: offeringBody,
    response: offering,
    statuses: [201],
    handle: async ({ scope, body, by }, { deps, readModels }) => {
      const { offeringId, position } = await createOffering(deps, by, scope.projectId, body);
      const present = () => presentWrittenOffering(readModels, offeringId);
      return { body: present, after: readModelsAt(position, offerings) };
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/v1/projects/:id/offerings/:oid',
    permission: 'configure',
    summary: 'Update offering',
    description: 'Setting an offering as current replaces the previous one atomically.',
    example: { isCurrent: true },
    params: z.object({ id, oid: text(200) }),
    body: offeringChanges,
    response: offering,
    handle: async ({ params, scope, body, by }, { deps, readModels }) => {
      const { offeringId, position } = await updateOffering(deps, by, scope.projectId, params.oid, body);
      const present = () => presentWrittenOffering(readModels, offeringId);
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

async function presentWrittenOffering(readModels: ReadModels, offeringId: string) {
  return presentOffering(await requireWritten(readModels, offerings, offeringId, 'offering'));
}

async function presentWrittenPackage(readModels: ReadModels, offeringId: string, packageId: string) {
  const { packages } = await requireWritten(readModels, offerings, offeringId, 'offering');
  const doc = packages.find((p) => p.packageId === packageId);
  if (!doc) throw notReadableYetError('package');
  return presentPackage(offeringId, doc);
}

export const packageRoutes: readonly Route[] = [
  defineListRoute({
    path: packagesPath,
    permission: 'readSetup',
    summary: 'List packages',
    params: packagesParams,
    query: listQuery,
    item: offeredPackage,
    list: async ({ params, scope, query }, { readModels }) => {
      const { offeringId, packages } = await requireByKey(
        readModels,
        offerings,
        scope.projectId,
        params.oid,
        'offering',
      );
      const { docs, last } = pageOf(packages, query);
      const items = docs.map((p) => presentPackage(offeringId, p));
      return { items, lastId: last?.packageId ?? null, extra: { afterPosition: last?.position.toString() } };
    },
  }),
  defineRoute({
    method: 'post',
    path: packagesPath,
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
      const present = () => presentWrittenPackage(readModels, offeringId, packageId);
      return { body: present, after: readModelsAt(position, offerings) };
    },
  }),
  ...defineAttachmentRoutes({
    path: `${packagesPath}/:pid/products`,
    params: packageParams,
    response: offeredPackage,
    summaries: { attach: 'Attach product to package', detach: 'Detach product from package' },
    change: async (action, productIds, { params, scope, by }, { deps, readModels }) => {
      const kind = action === 'attach' ? 'attachToPackage' : 'detachFromPackage';
      const change = { kind, offering: params.oid, package: params.pid, productIds } as const;
      const { offeringId, packageId, position } = await changePackage(deps, by, scope.projectId, change);
      const present = () => presentWrittenPackage(readModels, offeringId, packageId);
      return { body: present, after: readModelsAt(position, offerings) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${packagesPath}/:pid`,
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
