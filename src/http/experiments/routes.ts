// Experiments of a project, which compare the revenue of offerings.
import { z } from 'zod';
import {
  addVariant,
  createExperiment,
  deleteExperiment,
  deleteVariant,
  updateExperiment,
} from '../../commands/catalog/experiments.js';
import { experimentStatus, primaryMetrics } from '../../domain/experiment/events.js';
import { experimentSegments, type ExperimentSegment } from '../../domain/experiment/results.js';
import { experiments, type ExperimentDoc } from '../../projections/models/experiments.js';
import {
  experiment,
  experimentDetail,
  variant,
  presentExperiment,
  presentExperimentDetail,
  presentVariant,
} from './responses.js';
import { deletionOf } from '../bodies/response-schemas.js';
import { notReadableYetError, requireDoc, requireWritten } from '../bodies/find-document.js';
import { readNewestFirst } from '../bodies/paging.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { APP_VERSION, MAX_VERSION_LENGTH } from '../../domain/values/app-version.js';
import { text } from '../../domain/values/user-text.js';
import { country, id, page, platform } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';

const some = <T extends z.ZodType>(item: T) => z.array(item).min(1).max(250).nullable().default(null);
const audience = z
  .strictObject({
    countries: some(country),
    platforms: some(platform),
    appIds: some(id),
    minAppVersion: z
      .string()
      .max(MAX_VERSION_LENGTH)
      .regex(APP_VERSION, 'must be numbers separated by dots, such as 2.1')
      .nullable()
      .default(null),
  })
  .transform(({ countries, platforms, appIds, minAppVersion }) => ({ countries, platforms, appIds, minAppVersion }));
const WHOLE_AUDIENCE = { countries: null, platforms: null, appIds: null, minAppVersion: null };

const settings = {
  name: text(100),
  description: text(1000).nullable(),
  enrollmentPercentage: z.int().min(1).max(100),
  audience,
  primaryMetric: z.enum(primaryMetrics, { error: `must be one of ${primaryMetrics.join(', ')}` }),
};
const createBody = z.strictObject({
  ...settings,
  description: settings.description.default(null),
  enrollmentPercentage: settings.enrollmentPercentage.default(100),
  audience: audience.default(WHOLE_AUDIENCE),
  primaryMetric: settings.primaryMetric.default('realized_ltv_per_customer'),
  status: z.literal('draft').optional(),
});
const changesBody = z.strictObject({
  name: settings.name.optional(),
  description: settings.description.optional(),
  enrollmentPercentage: settings.enrollmentPercentage.optional(),
  audience: audience.optional(),
  primaryMetric: settings.primaryMetric.optional(),
  winnerVariantId: id.nullable().optional(),
  status: experimentStatus.optional(),
});
const variantBody = z.strictObject({
  name: text(100),
  offeringId: text(200),
  weight: z.int().min(1).max(1000).default(1),
  isControl: z.boolean().nullable().default(null),
});

const path = '/v1/projects/:id/experiments';
const params = z.object({ id, eid: id });

/** Results include this time after the end. */
const RESULTS_AFTER_STOP_MS = 400 * 86_400_000;

function requireWrittenExperiment({ readModels }: Services, eid: string): Promise<ExperimentDoc> {
  return requireWritten(readModels, experiments, eid, 'experiment');
}

async function presentDetail(services: Services, doc: ExperimentDoc, segment: ExperimentSegment | null = null) {
  const { runtime, chartLedger } = services;
  const end = doc.stoppedAt === '' ? Infinity : Date.parse(doc.stoppedAt) + RESULTS_AFTER_STOP_MS;
  const { experimentId, projectId } = doc;
  // Includes events recorded in this millisecond.
  const asOf = Math.min(runtime.now(), end) + 1;
  const results = doc.variants.map(({ variantId }) =>
    chartLedger.ask('variant', projectId, { experimentId, variantId, asOf, segment }),
  );
  return presentExperimentDetail(doc, await Promise.all(results));
}

export const experimentRoutes: readonly Route[] = [
  defineListRoute({
    path,
    permission: 'readSetup',
    summary: 'List experiments',
    query: page,
    item: experiment,
    list: async ({ scope, query }, { readModels }) => {
      const { docs, lastId } = await readNewestFirst(readModels, experiments, 'project', scope.projectId, query);
      return { items: docs.map(presentExperiment), lastId };
    },
  }),
  defineRoute({
    method: 'post',
    path,
    permission: 'configure',
    summary: 'Create experiment',
    body: createBody,
    response: experimentDetail,
    statuses: [201],
    handle: async ({ scope, body, by }, services) => {
      const { status: _draft, ...changes } = body;
      const { experimentId, position } = await createExperiment(services.deps, by, scope.projectId, changes);
      const present = async () => presentDetail(services, await requireWrittenExperiment(services, experimentId));
      return { body: present, after: readModelsAt(position, experiments) };
    },
  }),
  defineRoute({
    method: 'get',
    path: `${path}/:eid`,
    permission: 'readSetup',
    summary: 'Get experiment details, with the results of each variant',
    params,
    query: z.strictObject({
      segment: z
        .enum(experimentSegments, { error: `must be one of ${experimentSegments.join(', ')}` })
        .optional()
        .meta({ description: 'Adds the results by the country or platform that the customer was created with.' }),
    }),
    response: experimentDetail,
    handle: async ({ params: { eid }, query, scope }, services) => {
      const doc = await requireDoc(services.readModels, experiments, scope.projectId, eid, 'experiment');
      return { body: await presentDetail(services, doc, query.segment) };
    },
  }),
  defineRoute({
    method: 'patch',
    path: `${path}/:eid`,
    permission: 'configure',
    summary: 'Update experiment; `status` starts, pauses and stops it',
    params,
    body: changesBody,
    response: experimentDetail,
    handle: async ({ params: { eid }, scope, body, by }, services) => {
      const ref = { projectId: scope.projectId, experimentId: eid };
      const { position } = await updateExperiment(services.deps, by, ref, body);
      const present = async () => presentDetail(services, await requireWrittenExperiment(services, eid));
      return { body: present, after: readModelsAt(position, experiments) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${path}/:eid`,
    permission: 'configure',
    summary: 'Delete experiment',
    params,
    response: deletionOf('experiment'),
    handle: async ({ params: { eid }, scope, by }, { deps }) => {
      const { position } = await deleteExperiment(deps, by, { projectId: scope.projectId, experimentId: eid });
      return { body: { object: 'experiment', id: eid, deleted: true }, after: readModelsAt(position, experiments) };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${path}/:eid/variants`,
    permission: 'configure',
    summary: 'Add variant',
    params,
    body: variantBody,
    response: variant,
    statuses: [201],
    handle: async ({ params: { eid }, scope, body, by }, services) => {
      const ref = { projectId: scope.projectId, experimentId: eid };
      const { variantId, position } = await addVariant(services.deps, by, ref, body);
      const present = async () => {
        const found = (await requireWrittenExperiment(services, eid)).variants.find((v) => v.variantId === variantId);
        if (!found) throw notReadableYetError('variant');
        return presentVariant(eid, found);
      };
      return { body: present, after: readModelsAt(position, experiments) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${path}/:eid/variants/:vid`,
    permission: 'configure',
    summary: 'Delete variant',
    params: params.extend({ vid: id }),
    response: deletionOf('variant'),
    handle: async ({ params: { eid, vid }, scope, by }, { deps }) => {
      const ref = { projectId: scope.projectId, experimentId: eid };
      const { position } = await deleteVariant(deps, by, ref, vid);
      return { body: { object: 'variant', id: vid, deleted: true }, after: readModelsAt(position, experiments) };
    },
  }),
];
