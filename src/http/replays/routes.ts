// Named replays: copies of the charts from what was known at an instant, or under other rules, which `?replay=` reads.
import { z } from 'zod';
import type { CopyState } from '../../projections/build/named-copies.js';
import { HttpError } from '../bodies/errors.js';
import { listBody } from '../bodies/paging.js';
import { deleted, listOf, time } from '../bodies/responses.js';
import { id, instant, projectParams } from '../bodies/schemas.js';
import { checkAsOf } from '../customers/as-of.js';
import { defineRoute, type Route } from '../dispatch/route.js';

const replayName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 of lower-case letters, digits, - and _');

const whatIf = z.strictObject({
  refundPolicy: z
    .enum(['keep_until_expiry', 'revoke_immediately'], 'must be keep_until_expiry or revoke_immediately')
    .optional()
    .meta({ description: 'Whether refunds end access.' }),
  commission: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'The share (0 to 1) of the price that the stores keep.' }),
});

const replay = z
  .strictObject({
    object: z.literal('replay'),
    name: z.string(),
    until: time.nullable().meta({ description: 'What was learned by then is in it; null: all that was known.' }),
    whatIf: z.record(z.string(), z.union([z.string(), z.number()])),
    state: z.enum(['waiting', 'building', 'ready', 'failed']),
    progress: z.number().meta({ description: 'From 0 to 1.' }),
    events: z.int().meta({ description: 'How many it took in; 0 until it is ready.' }),
    sizeBytes: z.int(),
    madeAt: time.nullable(),
    problem: z.string().nullable().meta({ description: 'Why a failed one is not there, and what to do.' }),
  })
  .meta({ id: 'Replay' });

function presentReplay(copy: CopyState) {
  return { object: 'replay', ...copy, progress: Math.round(copy.progress * 1000) / 1000 };
}

export const replayRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/replays',
    access: 'project',
    permission: 'readCharts',
    summary: 'List replays, by name',
    params: projectParams,
    response: listOf(replay),
    handle: async ({ scope: { projectId } }, { namedCopies }) => {
      const found = await namedCopies.list(projectId);
      const url = `/v1/projects/${projectId}/metrics/replays`;
      return { body: listBody(url, found.map(presentReplay), { lastId: null, limit: found.length }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/metrics/replays',
    access: 'project',
    permission: 'keepReplays',
    summary: 'Make a replay',
    description:
      'A copy of the charts from the events learned by `until`, or under other rules. It is made in the background; charts show it with `?replay=` once its `state` is `ready`. A project has at most 20.',
    example: { name: 'small-business', whatIf: { commission: 0.15 } },
    params: projectParams,
    body: z.strictObject({ name: replayName, until: instant.optional(), whatIf: whatIf.default({}) }),
    response: replay,
    statuses: [202],
    handle: async ({ scope: { projectId }, body: { name, until, whatIf } }, services) => {
      if (until !== undefined) await checkAsOf(services, projectId, until, 'until');
      const { refundPolicy, commission } = whatIf;
      const rules = { ...(refundPolicy && { refundPolicy }), ...(commission !== undefined && { commission }) };
      const asked = await services.namedCopies.ask({ projectId, name, until: until ?? null, whatIf: rules });
      if (asked === 'taken')
        throw new HttpError(409, 'there is a replay of this name; delete it, or take another name');
      if (asked === 'too many') throw new HttpError(409, 'a project has at most 20 replays; delete one');
      return { status: 202, body: presentReplay(asked) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/metrics/replays/:name',
    access: 'project',
    permission: 'keepReplays',
    summary: 'Delete a replay, also while it is being made',
    params: z.object({ id, name: z.string().max(64) }),
    response: deleted('replay'),
    handle: async ({ params: { name }, scope: { projectId } }, { namedCopies }) => {
      const removed = await namedCopies.remove(projectId, name);
      if (removed === 'unknown') throw new HttpError(404, 'no such replay; GET …/metrics/replays lists them');
      if (removed === 'of all') {
        throw new HttpError(
          409,
          'this replay is of all projects: its file in DATA_DIR/replays is the operator’s to delete',
        );
      }
      if (removed === 'in use') throw new HttpError(409, 'another process is making this replay; wait for its end');
      return { body: { object: 'replay', id: name, deleted: true } };
    },
  }),
];
