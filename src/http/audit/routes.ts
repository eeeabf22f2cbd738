// Audit log: changes of configuration, keys, members, credentials and grants, with their actors.
import { z } from 'zod';
import { encodeCursor } from '../../adapters/documents/index-keys.js';
import { changes, type ChangeDoc } from '../../projections/models/changes.js';
import { readChange, readTargetName, type Change, type ChangeRow } from '../../projections/queries/audit.js';
import { actor, nameActors, readUserName, type ActorViewer } from '../bodies/actors.js';
import { unknownCursorError } from '../bodies/paging.js';
import { freeObject, time, type BodyOf } from '../bodies/response-schemas.js';
import { instant, limit } from '../bodies/request-schemas.js';
import { defineListRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

const listQuery = z.strictObject({
  since: instant.optional(),
  actor: z.string().min(1).max(100).optional(),
  limit,
  startingAfter: z.uuid().optional(),
});

const change = z
  .strictObject({
    object: z.literal('change'),
    id: z.string(),
    at: time,
    actor,
    action: z.string().meta({ description: 'The type of the event, such as `ApiKeyDeleted`.' }),
    target: z.strictObject({
      kind: z.string(),
      id: z.string(),
      name: z
        .string()
        .nullable()
        .meta({ description: 'Its latest name, also if it was deleted. Null if it has none.' }),
      customerId: z.string().nullable().meta({ description: 'Customer of a grant.' }),
    }),
    before: freeObject
      .nullable()
      .meta({ description: 'Null if there was none. A long document is replaced by its size.' }),
    after: freeObject.nullable().meta({ description: 'Null if removed.' }),
  })
  .meta({ id: 'Change' });

async function readRows({ readModels }: Services, projectId: string, q: z.output<typeof listQuery>) {
  const index = q.actor === undefined ? 'project' : 'actor';
  const eq = q.actor === undefined ? [projectId] : [projectId, q.actor];
  const last = q.startingAfter === undefined ? null : await readModels.get(changes, q.startingAfter);
  if (last === undefined || (last && !belongsTo(last, projectId, q.actor))) throw unknownCursorError();
  const fields = changes.indexes.find(({ name }) => name === index)?.fields ?? [];
  const place = last && encodeCursor(index, fields, { id: q.startingAfter ?? '', guard: '', doc: last });
  const bounds = { ...(q.since !== undefined && { from: q.since }), ...(place !== null && { after: place }) };
  const { rows, next } = await readModels.scan(changes, { index, eq, limit: q.limit, reverse: true, ...bounds });
  return { rows, lastId: next === undefined ? null : (rows.at(-1)?.id ?? null) };
}

function belongsTo(doc: ChangeDoc, projectId: string, actorId = doc.actorId): boolean {
  return doc.projectId === projectId && doc.actorId === actorId;
}

async function presentChanges(
  services: Services,
  viewer: ActorViewer,
  rows: readonly ChangeRow[],
): Promise<readonly BodyOf<typeof change>[]> {
  const { deps, readModels } = services;
  const read = await Promise.all(rows.map((row) => readChange(deps.log, readModels, row)));
  const found = read.filter((one) => one !== null);
  const withName = await nameActors(
    services,
    viewer,
    found.map((one) => one.actor),
  );
  const names = await readTargetNames(services, viewer.projectId, found);
  return found.map(({ actor: by, target, ...rest }) => {
    const { kind, id, customerId } = target;
    return {
      object: 'change',
      ...rest,
      actor: withName(by),
      target: { kind, id, name: names.get(id) ?? null, customerId },
    };
  });
}

/** Returns the names of the targets by ID, each read once. */
async function readTargetNames({ deps, readModels }: Services, projectId: string, found: readonly Change[]) {
  const targets = new Map(found.map(({ target }) => [target.id, target]));
  const reading = [...targets].map(async ([id, target]) => {
    const name =
      target.kind === 'member' ? readUserName(readModels, id) : readTargetName(deps.log, readModels, projectId, target);
    return [id, await name] as const;
  });
  return new Map(await Promise.all(reading));
}

export const auditRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/audit',
    permission: 'administer',
    summary: 'List changes, newest first',
    description:
      'Changes of configuration, keys, members, credentials and grants. `actor`: ID of a user or an API key. `since`: recorded at this instant or later. Secrets are never included.',
    query: listQuery,
    item: change,
    list: async ({ scope: { projectId }, caller, query }, services) => {
      const { rows, lastId } = await readRows(services, projectId, query);
      return { items: await presentChanges(services, { projectId, caller }, rows), lastId };
    },
  }),
];
