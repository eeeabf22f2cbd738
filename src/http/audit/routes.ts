// Audit log: changes of configuration, keys, members, credentials and grants, with their actors.
import { z } from 'zod';
import { encodeCursor } from '../../adapters/documents/cursor.js';
import { changes, type ChangeDoc } from '../../projections/models/changes.js';
import { readChange, type ChangeRow } from '../../projections/queries/audit.js';
import { listBody, unknownCursorError } from '../bodies/paging.js';
import { actor, freeObject, listOf, time } from '../bodies/response-schemas.js';
import { instant, limit, projectParams } from '../bodies/request-schemas.js';
import { defineRoute, type Route } from '../dispatch/route.js';
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

async function presentChanges({ deps, readModels }: Services, rows: readonly ChangeRow[]) {
  const read = await Promise.all(rows.map((row) => readChange(deps.log, readModels, row)));
  return read.flatMap((found) => (found ? [{ object: 'change', ...found }] : []));
}

export const auditRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/audit',
    access: 'project',
    permission: 'administer',
    summary: 'List changes, newest first',
    description:
      'Changes of configuration, keys, members, credentials and grants. `actor`: ID of a user or an API key. `since`: recorded at this instant or later. Secrets are never included.',
    params: projectParams,
    query: listQuery,
    response: listOf(change),
    handle: async ({ scope: { projectId }, query }, services) => {
      const { rows, lastId } = await readRows(services, projectId, query);
      const { since, actor } = query;
      const options = { lastId, limit: query.limit, extra: { since, actor } };
      return { body: listBody(`/v1/projects/${projectId}/audit`, await presentChanges(services, rows), options) };
    },
  }),
];
