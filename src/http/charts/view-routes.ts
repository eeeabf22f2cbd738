// Saved chart views. They belong to a member, so API keys have none.
import { z } from 'zod';
import {
  deleteChartView,
  readChartViews,
  saveChartView,
  type ChartView,
  type Member,
} from '../../commands/projects/chart-views.js';
import { charts, findChart } from '../../domain/charts/catalogue/catalogue.js';
import type { JsonObject } from '../../domain/values/json.js';
import { text } from '../../domain/values/user-text.js';
import { HttpError } from '../bodies/errors.js';
import { listBody, olderThanBound } from '../bodies/paging.js';
import { deletionOf, freeObject, listOf, time, type BodyOf } from '../bodies/response-schemas.js';
import { id, page, projectParams } from '../bodies/request-schemas.js';
import type { Caller } from '../dispatch/caller.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { chartParameters, parseChartQuery, type ChartParameters } from './chart-parameters.js';

const viewQuery = chartParameters.extend({ chartId: z.string().max(64) });

const view = z
  .strictObject({
    object: z.literal('view'),
    id: z.string(),
    name: z.string(),
    query: freeObject.meta({ description: 'Chart ID and parameters, including defaults.' }),
    createdAt: time,
  })
  .meta({ id: 'ChartView' });

const MAX_QUERY_BYTES = 4096;

/** Throws {@link HttpError} 400 for parameters that the chart does not support. */
function expectValidQuery({ chartId, ...parameters }: z.output<typeof viewQuery>, now: number): JsonObject {
  const chart = findChart(chartId);
  if (!chart) throw new HttpError(400, `query.chartId must be one of ${charts.map((c) => c.id).join(', ')}`);
  parseChartQuery(chart, parameters, now, now);
  const query = { chartId, ...toParameters(parameters) };
  if (Buffer.byteLength(JSON.stringify(query)) > MAX_QUERY_BYTES) {
    throw new HttpError(400, `query must have at most ${MAX_QUERY_BYTES / 1024} KiB as JSON`);
  }
  return query;
}

/** Converts parameters to the form in which they can be sent again: an unbounded timeframe is the text `unbounded`. */
function toParameters(parameters: ChartParameters): JsonObject {
  const entries = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, value === null ? 'unbounded' : Array.isArray(value) ? value : String(value)] as const];
  });
  return Object.fromEntries(entries);
}

function requireMember(projectId: string, caller: Caller): Member {
  if (caller.kind !== 'user') throw new HttpError(403, 'not allowed with an API key; log in as a user');
  return { projectId, userId: caller.userId };
}

function presentView({ viewId, name, query, createdAt }: ChartView): BodyOf<typeof view> {
  return { object: 'view', id: viewId, name, query, createdAt };
}

export const viewRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/views',
    access: 'projectUser',
    permission: 'readCharts',
    summary: 'List your saved chart views, newest first',
    params: projectParams,
    query: page,
    response: listOf(view),
    handle: async ({ scope: { projectId }, caller, query: { limit, startingAfter } }, { deps }) => {
      const { to } = olderThanBound(startingAfter, 'viewId');
      const all = [...(await readChartViews(deps, requireMember(projectId, caller)))].reverse();
      const older = to === undefined ? all : all.filter((v) => v.viewId < to);
      const page = older.slice(0, limit);
      const lastId = older.length > page.length ? (page.at(-1)?.viewId ?? null) : null;
      return { body: listBody(`/v1/projects/${projectId}/views`, page.map(presentView), { lastId, limit }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/views',
    access: 'projectUser',
    permission: 'readCharts',
    summary: 'Save a chart view',
    description: '`query` contains the `chartId` and the parameters of that chart. At most 100 views per member.',
    example: { name: 'MRR by store', query: { chartId: 'mrr', period: 'last_12_months', interval: 'month' } },
    params: projectParams,
    body: z.strictObject({ name: text(100), query: viewQuery }),
    response: view,
    statuses: [201],
    handle: async ({ scope: { projectId }, caller, body }, { deps, runtime }) => {
      const query = expectValidQuery(body.query, runtime.now());
      const saved = await saveChartView(deps, requireMember(projectId, caller), { name: body.name, query });
      return { status: 201, body: presentView(saved) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/views/:viewId',
    access: 'projectUser',
    permission: 'readCharts',
    summary: 'Delete a chart view',
    params: z.object({ id, viewId: id }),
    response: deletionOf('view'),
    handle: async ({ params, scope: { projectId }, caller }, { deps }) => {
      await deleteChartView(deps, requireMember(projectId, caller), params.viewId);
      return { body: { object: 'view', id: params.viewId, deleted: true } };
    },
  }),
];
