// Projects and the progress of their setup.
import { z } from 'zod';
import { lockKeys } from '../../commands/handling/keyed-mutex.js';
import { createProject, deleteProject, updateProject } from '../../commands/projects/projects.js';
import { sandboxAccess, transferBehavior } from '../../domain/project/events.js';
import { apiKeys, projects, type MembershipDoc } from '../../projections/models/projects.js';
import { isStoreApp } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import {
  setupStatus,
  setupSteps,
  type SetupStatusDoc,
  type SetupStep,
} from '../../projections/queries/setup-status.js';
import { project, setupStatus as shownSetup } from '../accounts/responses.js';
import { deletionOf, listOf, type BodyOf } from '../bodies/response-schemas.js';
import type { Scope } from '../dispatch/caller.js';
import type { Services } from '../dispatch/services.js';
import { waitForReadModels } from '../dispatch/consistency.js';
import { HttpError } from '../bodies/errors.js';
import { readMemberships } from './memberships.js';
import { listBody, olderThanBound } from '../bodies/paging.js';
import { presentProject } from './present-resources.js';
import { evidenceReadModels, readSetupEvidence } from './setup-evidence.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';
import { currency, page, timeZone, type PageQuery } from '../bodies/request-schemas.js';

const displayCurrency = currency.meta({ description: 'Currency in which the dashboard opens charts.' });
const timezone = timeZone.meta({
  description:
    'IANA name of the time zone in which the dashboard shows times, such as Europe/Berlin. Days of charts are of UTC.',
});

const createBody = z.strictObject({
  name: text(100),
  timezone: timezone.default('UTC'),
  transferBehavior: transferBehavior.default('transfer'),
  sandboxAccess: sandboxAccess.default('anybody'),
  displayCurrency: displayCurrency.default('USD'),
});

const changesBody = z.strictObject({
  name: text(100).optional(),
  timezone: timezone.optional(),
  transferBehavior: transferBehavior.optional(),
  sandboxAccess: sandboxAccess.optional(),
  displayCurrency: displayCurrency.optional(),
});

async function presentScopeProject({ readModels, demo }: Services, { projectId, role }: Scope) {
  const project = await readModels.get(projects, projectId);
  if (!project || role === '') throw new HttpError(404, 'project not found');
  return presentProject(project, role, demo);
}

async function readProjects({ readModels, demo }: Services, userId: string, { limit, startingAfter }: PageQuery) {
  const scan = { index: 'user', eq: [userId], limit, reverse: true, ...olderThanBound(startingAfter, 'projectId') };
  const { rows, next } = await readModels.scanDerived<MembershipDoc>(projects, 'memberships', scan);
  const found = await readModels.getMany(
    projects,
    rows.map((r) => r.doc.projectId),
  );
  const items = rows.flatMap(({ doc }) => {
    const project = found.get(doc.projectId);
    return project ? [presentProject(project, doc.role, demo)] : [];
  });
  return { items, lastId: next === undefined ? null : (rows.at(-1)?.doc.projectId ?? null) };
}

/** Throws {@link HttpError} 409. Counts the projects that the user created and is still a member of, whoever else owns them. */
async function expectProjectQuota({ readModels, maxProjectsPerUser }: Services, userId: string): Promise<void> {
  let count = 0;
  for await (const { project } of readMemberships(readModels, userId)) if (project.ownerId === userId) count++;
  if (count < maxProjectsPerUser) return;
  throw new HttpError(
    409,
    `you have created ${count} projects, the maximum on this server; delete one, or ask the operator to raise MAX_PROJECTS_PER_USER`,
  );
}

export const projectRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects',
    access: 'account',
    summary: 'List projects',
    query: page,
    response: listOf(project),
    handle: async ({ caller, query }, services) => {
      const { readModels, demo } = services;
      if (caller.kind !== 'key') {
        const { items, lastId } = await readProjects(services, caller.kind === 'user' ? caller.userId : '', query);
        return { body: listBody('/v1/projects', items, { lastId, limit: query.limit }) };
      }
      const own = await readModels.get(projects, caller.projectId);
      const items = own ? [presentProject(own, 'owner', demo)] : [];
      return { body: listBody('/v1/projects', items, { lastId: null, limit: query.limit }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects',
    access: 'accountUser',
    summary: 'Create project',
    example: { name: 'Stargazer' },
    body: createBody,
    response: project,
    statuses: [201],
    handle: async ({ caller, body, by }, services) => {
      const { deps, runtime, readModels, demo } = services;
      const ownerId = caller.kind === 'user' ? caller.userId : '';
      const { projectId, position } = await deps.mutex.run(lockKeys.projects(ownerId), async () => {
        await expectProjectQuota(services, ownerId);
        const created = await createProject(deps, by, { ...body, ownerId });
        await waitForReadModels(services, created.position ?? undefined, [projects]);
        return created;
      });
      const at = new Date(runtime.now()).toISOString();
      const none = { members: [], invitations: [] };
      const doc = { projectId, ...body, ownerId, createdAt: at, updatedAt: at, ...none };
      const present = async () => presentProject((await readModels.get(projects, projectId)) ?? doc, 'owner', demo);
      return { body: present, after: readModelsAt(position, projects) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id',
    permission: 'readSetup',
    summary: 'Get project details',
    response: project,
    handle: async ({ scope }, services) => ({ body: await presentScopeProject(services, scope) }),
  }),
  defineRoute({
    method: 'patch',
    path: '/v1/projects/:id',
    permission: 'administer',
    summary: 'Update project',
    example: { transferBehavior: 'keep' },
    body: changesBody,
    response: project,
    handle: async ({ scope, body, by }, services) => {
      const { position } = await updateProject(services.deps, by, scope.projectId, body);
      return { body: () => presentScopeProject(services, scope), after: readModelsAt(position, projects) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id',
    access: 'projectUser',
    permission: 'deleteProject',
    summary: 'Delete project',
    response: deletionOf('project'),
    handle: async ({ scope, by }, { deps }) => {
      if (scope.role !== 'owner') throw new HttpError(403, 'only the owner may delete a project');
      const { position } = await deleteProject(deps, by, scope.projectId);
      return {
        body: { object: 'project', id: scope.projectId, deleted: true },
        after: readModelsAt(position, projects, apiKeys),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/setup-status',
    permission: 'readSetup',
    summary: 'Get setup progress status',
    response: shownSetup,
    handle: async ({ scope }, services) => {
      // Any event may complete a step, and the client has no position of that event: wait for the head of the log.
      await waitForReadModels(services, await services.deps.log.head(), [setupStatus, ...evidenceReadModels]);
      const doc = await services.readModels.get(setupStatus, scope.projectId);
      const evidence = await readSetupEvidence(services, scope.projectId);
      const project = await services.deps.projects.get(streams.project(scope.projectId));
      const isTestOnly = project !== null && project.apps.length > 0 && !project.apps.some(isStoreApp);
      return { body: { ...presentSetupStatus(doc, isTestOnly), evidence } };
    },
  }),
];

/** Steps that need a store with a server. */
const STORE_STEPS: ReadonlySet<string> = new Set<SetupStep>(['add_credentials', 'receive_store_notification']);

/** Returns the steps in order, and counts of the required ones. `isTestOnly`: all apps are of the test store. */
function presentSetupStatus(
  doc: SetupStatusDoc | undefined,
  isTestOnly: boolean,
): Omit<BodyOf<typeof shownSetup>, 'evidence'> {
  const steps = setupSteps.map(({ id, title, required: isRequired }) => {
    const doneAt = doc?.doneAt[id] ?? null;
    return { id, title, done: doneAt !== null, doneAt, required: isRequired && !(isTestOnly && STORE_STEPS.has(id)) };
  });
  const required = steps.filter((s) => s.required);
  const completedSteps = required.filter((s) => s.done).length;
  const totalSteps = required.length;
  return { object: 'setupStatus', complete: completedSteps === totalSteps, completedSteps, totalSteps, steps };
}
