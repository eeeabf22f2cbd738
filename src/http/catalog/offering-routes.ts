// Offerings of a project.
import { z } from 'zod';
import { createOffering, updateOffering } from '../../commands/catalog/offerings.js';
import { offerings } from '../../projections/models/offerings.js';
import { offering } from './responses.js';
import { listOf } from '../bodies/response-schemas.js';
import { requireWrittenOffering } from './find-offering.js';
import { MAX_METADATA_KIB } from '../../domain/catalog/offerings.js';
import { lookupKey } from '../../domain/values/catalogue-keys.js';
import { freeForm, id, page, projectParams } from '../bodies/request-schemas.js';
import { listBody, readNewestFirst } from '../bodies/paging.js';
import { presentOffering } from './present-offerings.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';

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
