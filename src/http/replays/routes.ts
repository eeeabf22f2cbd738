// Named replays: charts as of an instant or under other rules, selected by `?replay=`.
import { z } from 'zod';
import {
  createChartReplay,
  deleteChartReplay,
  listChartReplays,
  type ChartReplay,
} from '../../commands/projects/chart-replays.js';
import { REPLAY_NAME, whatIfSchema, whatIfText } from '../../domain/charts/what-if.js';
import type { LedgerProgress } from '../../projections/charts/ledger/ledgers.js';
import { deletionOf, time, type BodyOf } from '../bodies/response-schemas.js';
import { id, instant } from '../bodies/request-schemas.js';
import { expectAsOf } from '../customers/read-customer.js';
import { defineListRoute, defineRoute, type Route } from '../dispatch/route.js';

const replayName = z.string().regex(REPLAY_NAME, 'must be 1 to 64 of lower-case letters, digits, - and _');

const { refundPolicy, commission } = whatIfSchema.shape;
const whatIf = whatIfSchema.extend({
  refundPolicy: refundPolicy.meta({ description: 'Whether refunds end access.' }),
  commission: commission.meta({ description: 'Share of the price (0 to 1) that the stores keep.' }),
});

export const replay = z
  .strictObject({
    object: z.literal('replay'),
    name: z.string(),
    until: time.nullable().meta({ description: 'Includes events recorded by then; null for all events.' }),
    whatIf: z.record(z.string(), z.union([z.string(), z.number()])),
    state: z.enum(['building', 'ready']).meta({
      description: '`building` while its chart data is being prepared after a request, else `ready`.',
    }),
    progress: z.number().meta({ description: 'From 0 to 1.' }),
    madeAt: time,
  })
  .meta({ id: 'Replay' });

/** Presents a replay. Its progress is the lowest of the ledgers that are being filled for its rules. */
function presentReplay(
  { name, until, whatIf, madeAt }: ChartReplay,
  ledgers: readonly LedgerProgress[],
): BodyOf<typeof replay> {
  const rules = whatIfText(whatIf);
  const own = ledgers.filter((ledger) => whatIfText(ledger.whatIf) === rules).map((ledger) => ledger.progress);
  const progress = Math.round(Math.min(1, ...own) * 1000) / 1000;
  const { refundPolicy: policy, commission: share } = whatIf;
  const rulesOfReplay = { ...(policy && { refundPolicy: policy }), ...(share !== undefined && { commission: share }) };
  const state = own.length > 0 ? 'building' : 'ready';
  return { object: 'replay', name, until, whatIf: rulesOfReplay, state, progress, madeAt };
}

export const replayRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/metrics/replays',
    permission: 'readCharts',
    summary: 'List replays, by name',
    item: replay,
    list: async ({ scope: { projectId } }, { deps, chartLedger }) => {
      const found = await listChartReplays(deps, projectId);
      const ledgers = await chartLedger.progress(projectId);
      return { items: found.map((one) => presentReplay(one, ledgers)), lastId: null };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/metrics/replays',
    permission: 'keepReplays',
    summary: 'Create a replay',
    description:
      'Names the charts as of `until`, or under other rules; use it with `?replay=`. Later events do not change it. At most 20 per project.',
    example: { name: 'small-business', whatIf: { commission: 0.15 } },
    body: z.strictObject({ name: replayName, until: instant.optional(), whatIf: whatIf.default({}) }),
    response: replay,
    statuses: [202],
    handle: async ({ scope: { projectId }, body: { name, until, whatIf } }, services) => {
      if (until !== undefined) await expectAsOf(services, projectId, until, 'until');
      const created = await createChartReplay(services.deps, { projectId, name, until: until ?? null, whatIf });
      return { body: presentReplay(created, []) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/metrics/replays/:name',
    permission: 'keepReplays',
    summary: 'Delete a replay',
    params: z.object({ id, name: z.string().max(64) }),
    response: deletionOf('replay'),
    handle: async ({ params: { name }, scope: { projectId } }, { deps }) => {
      await deleteChartReplay(deps, { projectId, name });
      return { body: { object: 'replay', id: name, deleted: true } };
    },
  }),
];
