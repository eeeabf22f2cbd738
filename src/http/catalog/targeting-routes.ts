// Placements and targeting rules of a project, as of now or of an instant.
import { z } from 'zod';
import {
  createPlacement,
  createTargetingRule,
  deletePlacement,
  deleteTargetingRule,
  updatePlacement,
  updateTargetingRule,
} from '../../commands/catalog/targeting.js';
import { MAX_CONDITIONS_KIB, targetingLimits } from '../../domain/catalog/decide-targeting.js';
import type { NewPlacement, TargetingRule } from '../../domain/catalog/targeting.js';
import { isTargetableAttribute, MAX_ATTRIBUTE_LENGTH } from '../../domain/subscriber/attribute-rules.js';
import { APP_VERSION, MAX_VERSION_LENGTH } from '../../domain/values/app-version.js';
import { lookupKey, text } from '../../domain/values/user-text.js';
import { emptyTargeting, targeting, timesOf, type TargetingDoc } from '../../projections/models/targeting.js';
import { readTargetingAsOf } from '../../projections/queries/as-of.js';
import { notReadableYetError } from '../bodies/find-document.js';
import { pageAfter } from '../bodies/paging.js';
import { country, id, instant, page, platform } from '../bodies/request-schemas.js';
import { deletionOf, type BodyOf } from '../bodies/response-schemas.js';
import { expectAsOf } from '../customers/read-customer.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { placement, targetingRule } from './responses.js';

const MAX_CONDITIONS = 10;
const MAX_VALUES = 250;

const listOf = (item: z.ZodType<string>) => z.array(item).min(1, 'must not be empty').max(MAX_VALUES);
const membership = z.enum(['in', 'not_in']);
const attributeName = z.string().refine(isTargetableAttribute, {
  error: 'must be an attribute of your own, or a reserved one that many customers share, such as $campaign',
});

const condition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('country'), operator: membership, values: listOf(country) }),
  z.strictObject({ kind: z.literal('platform'), operator: membership, values: listOf(platform) }),
  z.strictObject({
    kind: z.literal('app_version'),
    operator: z.enum(['at_least', 'below']),
    value: z.string().max(MAX_VERSION_LENGTH).regex(APP_VERSION, 'must be numbers separated by dots, such as 2.1'),
  }),
  z.strictObject({
    kind: z.literal('attribute'),
    name: attributeName,
    operator: membership,
    values: listOf(text(MAX_ATTRIBUTE_LENGTH)),
  }),
  z.strictObject({ kind: z.literal('attribute_set'), name: attributeName, value: z.boolean() }),
  z.strictObject({ kind: z.literal('first_seen'), operator: z.enum(['before', 'from']), at: instant }),
  z.strictObject({ kind: z.literal('subscriber'), value: z.boolean() }),
]);

const conditions = z
  .array(condition)
  .max(MAX_CONDITIONS)
  .refine((all) => Buffer.byteLength(JSON.stringify(all)) <= MAX_CONDITIONS_KIB * 1024, {
    error: `must have at most ${MAX_CONDITIONS_KIB} KiB as JSON`,
  });
const settings = {
  name: text(100),
  isActive: z.boolean(),
  conditions,
  offeringId: text(200).nullable(),
  placements: z
    .array(z.strictObject({ placementId: text(200), offeringId: text(200).nullable() }))
    .max(targetingLimits.placements),
  position: z.int().min(0).max(targetingLimits.rules),
};
const ruleBody = z.strictObject({
  ...settings,
  isActive: settings.isActive.default(true),
  conditions: settings.conditions.default([]),
  offeringId: settings.offeringId.default(null),
  placements: settings.placements.default([]),
  position: settings.position.nullable().default(null),
});
const ruleChanges = z.strictObject(settings).partial();

const listQuery = page.extend({ asOf: instant.optional() });
const placementPath = '/v1/projects/:id/placements/:plid';
const placementParams = z.object({ id, plid: text(200) });
const rulePath = '/v1/projects/:id/targeting-rules/:ruleId';
const ruleParams = z.object({ id, ruleId: id });

async function readTargeting(services: Services, projectId: string, asOf: string | undefined): Promise<TargetingDoc> {
  if (asOf === undefined) {
    return (await services.readModels.get(targeting, projectId)) ?? emptyTargeting(projectId);
  }
  await expectAsOf(services, projectId, asOf);
  return readTargetingAsOf(services.deps.log, projectId, asOf);
}

function presentPlacement({ placementId, ...p }: NewPlacement, doc: TargetingDoc): BodyOf<typeof placement> {
  return { object: 'placement', id: placementId, ...p, ...timesOf(doc, placementId) };
}

function presentRule({ ruleId, ...rule }: TargetingRule, doc: TargetingDoc): BodyOf<typeof targetingRule> {
  const position = doc.rules.findIndex((r) => r.ruleId === ruleId);
  return { object: 'targetingRule', id: ruleId, ...rule, position, ...timesOf(doc, ruleId) };
}

async function presentWrittenPlacement({ readModels }: Services, projectId: string, placementId: string) {
  const doc = await readModels.get(targeting, projectId);
  const found = doc?.placements.find((p) => p.placementId === placementId);
  if (!doc || !found) throw notReadableYetError('placement');
  return presentPlacement(found, doc);
}

async function presentWrittenRule({ readModels }: Services, projectId: string, ruleId: string) {
  const doc = await readModels.get(targeting, projectId);
  const found = doc?.rules.find((r) => r.ruleId === ruleId);
  if (!doc || !found) throw notReadableYetError('targeting rule');
  return presentRule(found, doc);
}

const placementRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/placements',
    permission: 'readSetup',
    summary: 'List placements',
    description: 'Oldest first. `asOf`: as they were at this instant.',
    query: listQuery,
    item: placement,
    list: async ({ scope, query }, services) => {
      const doc = await readTargeting(services, scope.projectId, query.asOf);
      const placements = doc.placements.map((p) => presentPlacement(p, doc));
      return pageAfter(placements, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/placements',
    permission: 'configure',
    summary: 'Create placement',
    description: 'A place in the app that offers something. Targeting rules choose the offering that it shows.',
    example: { lookupKey: 'onboarding_end', displayName: 'End of the onboarding' },
    body: z.strictObject({ lookupKey, displayName: text(200) }),
    response: placement,
    statuses: [201],
    handle: async ({ scope: { projectId }, body, by }, services) => {
      const { placementId, position } = await createPlacement(services.deps, by, projectId, body);
      const present = () => presentWrittenPlacement(services, projectId, placementId);
      return { body: present, after: readModelsAt(position, targeting) };
    },
  }),
  defineRoute({
    method: 'patch',
    path: placementPath,
    permission: 'configure',
    summary: 'Update placement',
    example: { displayName: 'After the onboarding' },
    params: placementParams,
    body: z.strictObject({ displayName: text(200).optional() }),
    response: placement,
    handle: async ({ scope: { projectId }, params, body, by }, services) => {
      const change = { placement: params.plid, displayName: body.displayName };
      const { placementId, position } = await updatePlacement(services.deps, by, projectId, change);
      const present = () => presentWrittenPlacement(services, projectId, placementId);
      return { body: present, after: readModelsAt(position, targeting) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: placementPath,
    permission: 'configure',
    summary: 'Delete placement',
    description: '409 while a targeting rule names it.',
    params: placementParams,
    response: deletionOf('placement'),
    handle: async ({ scope, params, by }, { deps }) => {
      const { placementId, position } = await deletePlacement(deps, by, scope.projectId, params.plid);
      return {
        body: { object: 'placement', id: placementId, deleted: true },
        after: readModelsAt(position, targeting),
      };
    },
  }),
];

export const targetingRoutes: readonly Route[] = [
  ...placementRoutes,
  defineListRoute({
    path: '/v1/projects/:id/targeting-rules',
    permission: 'readSetup',
    summary: 'List targeting rules',
    description: 'In their order. `asOf`: as they were at this instant.',
    query: listQuery,
    item: targetingRule,
    list: async ({ scope, query }, services) => {
      const doc = await readTargeting(services, scope.projectId, query.asOf);
      const rules = doc.rules.map((r) => presentRule(r, doc));
      return pageAfter(rules, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/targeting-rules',
    permission: 'configure',
    summary: 'Create targeting rule',
    description:
      'The first active rule whose conditions all hold chooses the offerings of a customer; without conditions it holds for everybody. `offeringId` replaces the current offering (null: it does not). `placements` are exceptions to it; an `offeringId` of null shows nothing there. A running experiment that the customer takes part in wins over all rules. Offerings and placements: id or `lookupKey`.',
    example: {
      name: 'Winter sale in Germany',
      conditions: [
        { kind: 'country', operator: 'in', values: ['DE', 'AT'] },
        { kind: 'subscriber', value: false },
      ],
      offeringId: 'winter',
      placements: [{ placementId: 'onboarding_end', offeringId: null }],
    },
    body: ruleBody,
    response: targetingRule,
    statuses: [201],
    handle: async ({ scope: { projectId }, body, by }, services) => {
      const { ruleId, position } = await createTargetingRule(services.deps, by, projectId, body);
      const present = () => presentWrittenRule(services, projectId, ruleId);
      return { body: present, after: readModelsAt(position, targeting) };
    },
  }),
  defineRoute({
    method: 'patch',
    path: rulePath,
    permission: 'configure',
    summary: 'Update targeting rule',
    description: '`position` moves it in the order; 0 is first. Each change adds one to `revision`.',
    example: { position: 0 },
    params: ruleParams,
    body: ruleChanges,
    response: targetingRule,
    handle: async ({ scope: { projectId }, params: { ruleId }, body, by }, services) => {
      const { position } = await updateTargetingRule(services.deps, by, projectId, { ruleId, set: body });
      const present = () => presentWrittenRule(services, projectId, ruleId);
      return { body: present, after: readModelsAt(position, targeting) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: rulePath,
    permission: 'configure',
    summary: 'Delete targeting rule',
    params: ruleParams,
    response: deletionOf('targetingRule'),
    handle: async ({ scope, params: { ruleId }, by }, { deps }) => {
      const { position } = await deleteTargetingRule(deps, by, scope.projectId, ruleId);
      return { body: { object: 'targetingRule', id: ruleId, deleted: true }, after: readModelsAt(position, targeting) };
    },
  }),
];
