// Paywalls of a project.
import { z } from 'zod';
import { createPaywall, deletePaywall, updatePaywall } from '../../commands/catalog/paywalls.js';
import { paywallStatus } from '../../domain/catalog/paywalls.js';
import { paywalls, type PaywallDoc } from '../../projections/models/paywalls.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { paywall } from './responses.js';
import { deletionOf } from '../bodies/response-schemas.js';
import { requireDoc, requireWritten } from '../bodies/find-document.js';
import { freeForm, id, page, type PageQuery } from '../bodies/request-schemas.js';
import { readNewestFirst } from '../bodies/paging.js';
import { presentPaywall } from './present-offerings.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';

const DOCUMENT_KIB = 256;

const config = freeForm(DOCUMENT_KIB);
const locale = z.string().regex(/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag such as de-AT');
const localizations = freeForm(DOCUMENT_KIB).superRefine((value, ctx) => {
  for (const [tag, texts] of Object.entries(value)) {
    const isTexts = typeof texts === 'object' && texts !== null && !Array.isArray(texts);
    if (isTexts && locale.safeParse(tag).success) continue;
    const message = 'must contain an object for each language tag, such as { "de": { … } }';
    return ctx.addIssue({ code: 'custom', message });
  }
});

const paywallBody = z.strictObject({
  name: text(200),
  offeringId: id,
  config,
  defaultLocale: locale.default('en'),
  localizations: localizations.default({}),
  status: paywallStatus.default('draft'),
});

const paywallChanges = z.strictObject({
  name: text(200).optional(),
  offeringId: id.optional(),
  config: config.optional(),
  defaultLocale: locale.optional(),
  localizations: localizations.optional(),
  status: paywallStatus.optional(),
});

const paywallPath = '/v1/projects/:id/paywalls/:pwid';
const paywallParams = z.object({ id, pwid: id });

const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;
const STEP_SIZE = 5;

/** Reads a page, which ends early if its paywalls are large: a hundred could be fifty megabytes. */
async function readPage(readModels: ReadModels, projectId: string, { limit, startingAfter }: PageQuery) {
  const docs: PaywallDoc[] = [];
  let characters = 0;
  for (;;) {
    const step = {
      limit: Math.min(STEP_SIZE, limit - docs.length),
      startingAfter: docs.at(-1)?.paywallId ?? startingAfter,
    };
    const found = await readNewestFirst(readModels, paywalls, 'project', projectId, step);
    docs.push(...found.docs);
    characters += JSON.stringify(found.docs).length;
    const lastId = found.isLast ? null : (docs.at(-1)?.paywallId ?? null);
    if (found.isLast || docs.length >= limit || characters >= MAX_PAGE_CHARACTERS) return { docs, lastId };
  }
}

async function presentWrittenPaywall(readModels: ReadModels, paywallId: string) {
  return presentPaywall(await requireWritten(readModels, paywalls, paywallId, 'paywall'));
}

export const paywallRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/paywalls',
    permission: 'readSetup',
    summary: 'List paywalls',
    query: page,
    item: paywall,
    list: async ({ scope, query }, { readModels }) => {
      const { docs, lastId } = await readPage(readModels, scope.projectId, query);
      return { items: docs.map(presentPaywall), lastId };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/paywalls',
    permission: 'configure',
    summary: 'Create paywall',
    description: 'Each offering has at most one published paywall: publishing one unpublishes the previous.',
    example: {
      name: 'Winter',
      offeringId: 'ofr_01k9zq3v8n4t5w6x7y8z9a0b1c',
      config: { layout: 'cards' },
      status: 'published',
    },
    body: paywallBody,
    response: paywall,
    statuses: [201],
    handle: async ({ scope, body, by }, { deps, readModels }) => {
      const { paywallId, position } = await createPaywall(deps, by, scope.projectId, body);
      return {
        body: () => presentWrittenPaywall(readModels, paywallId),
        after: readModelsAt(position, paywalls),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: paywallPath,
    permission: 'readSetup',
    summary: 'Get paywall details',
    params: paywallParams,
    response: paywall,
    handle: async ({ params, scope }, { readModels }) => ({
      body: presentPaywall(await requireDoc(readModels, paywalls, scope.projectId, params.pwid, 'paywall')),
    }),
  }),
  defineRoute({
    method: 'patch',
    path: paywallPath,
    permission: 'configure',
    summary: 'Update paywall',
    example: { config: { layout: 'list' } },
    params: paywallParams,
    body: paywallChanges,
    response: paywall,
    handle: async ({ params, scope, body, by }, { deps, readModels }) => {
      const { position } = await updatePaywall(deps, by, scope.projectId, params.pwid, body);
      return { body: () => presentWrittenPaywall(readModels, params.pwid), after: readModelsAt(position, paywalls) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: paywallPath,
    permission: 'configure',
    summary: 'Delete paywall',
    params: paywallParams,
    response: deletionOf('paywall'),
    handle: async ({ params, scope, by }, { deps }) => {
      const { position } = await deletePaywall(deps, by, scope.projectId, params.pwid);
      return { body: { object: 'paywall', id: params.pwid, deleted: true }, after: readModelsAt(position, paywalls) };
    },
  }),
];
