// Saved chart views. They belong to a member, who may share them with the project; API keys have none.
import { z } from 'zod';
import {
  changeChartView,
  deleteChartView,
  readChartViews,
  saveChartView,
  type ChartView,
  type ViewUser,
} from '../../commands/projects/chart-views.js';
import { roleMay } from '../../domain/project/roles.js';
import { charts, findChart } from '../../domain/charts/catalogue/catalogue.js';
import type { JsonObject } from '../../domain/values/json-object.js';
import { text } from '../../domain/values/user-text.js';
import { HttpError } from '../bodies/errors.js';
import { listBody, olderThanBound } from '../bodies/paging.js';
import { deletionOf, freeObject, listOf, time, type BodyOf } from '../bodies/response-schemas.js';
import { id, page, projectParams } from '../bodies/request-schemas.js';
import type { Caller, Scope } from '../dispatch/caller.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { chartParameters, parseChartQuery, type ChartParameters } from './chart-parameters.js';

const viewQuery = chartParameters.extend({ chartId: z.string().max(64) });

const viewResponse = z
  .strictObject({
    object: z.literal('view'),
    id: z.string(),
    name: z.string(),
    query: freeObject.meta({ description: 'Chart ID and parameters, including defaults.' }),
    pageQuery: z
      .string()
      .meta({ description: 'Query of the dashboard’s page, which opens what was seen; may be empty.' }),
    isShared: z.boolean().meta({ description: 'All members who may read charts see it.' }),
    isOnOverview: z.boolean().meta({ description: 'It is on the overview of those who see it.' }),
    isOwn: z.boolean().meta({ description: 'You saved it.' }),
    createdAt: time,
  })
  .meta({ id: 'ChartView' });

const MAX_QUERY_BYTES = 4096;
const MAX_PAGE_QUERY = 2048;
const pageQuery = z
  .string()
  .max(MAX_PAGE_QUERY)
  .regex(/^[\x21-\x7e]*$/, 'must be the query of an address, with other characters percent-encoded');
const flags = { isShared: z.boolean(), isOnOverview: z.boolean() };

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

/** Owners and admins may change shared views of others. */
function requireMember({ projectId, role }: Scope, caller: Caller): ViewUser {
  if (caller.kind !== 'user') throw new HttpError(403, 'not allowed with an API key; log in as a user');
  return { projectId, userId: caller.userId, managesShared: role !== '' && roleMay(role, 'configure') };
}

/** A viewer reads what others share, as with notes on charts. */
function expectMayShare(isShared: boolean | undefined, { role }: Scope): void {
  if (isShared !== true || (role !== '' && roleMay(role, 'annotate'))) return;
  throw new HttpError(403, 'your role may save views, but not share them; omit isShared');
}

function presentView({ viewId, authorId, ...view }: ChartView, { userId }: ViewUser): BodyOf<typeof viewResponse> {
  const { name, query, pageQuery, isShared, isOnOverview, createdAt } = view;
  const isOwn = authorId === userId;
  return { object: 'view', id: viewId, name, query, pageQuery, isShared, isOnOverview, isOwn, createdAt };
}

export const viewRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/views',
    access: 'projectUser',
    permission: 'readCharts',
    summary: 'List your chart views and shared ones, newest first',
    params: projectParams,
    query: page,
    response: listOf(viewResponse),
    handle: async ({ scope, caller, query: { limit, startingAfter } }, { deps }) => {
      const { to } = olderThanBound(startingAfter, 'viewId');
      const user = requireMember(scope, caller);
      const all = [...(await readChartViews(deps, user))].reverse();
      const older = to === undefined ? all : all.filter((v) => v.viewId < to);
      const page = older.slice(0, limit);
      const lastId = older.length > page.length ? (page.at(-1)?.viewId ?? null) : null;
      const items = page.map((view) => presentView(view, user));
      return { body: listBody(`/v1/projects/${scope.projectId}/views`, items, { lastId, limit }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/views',
    access: 'projectUser',
    permission: 'readCharts',
    summary: 'Save a chart view',
    description:
      '`query` contains the `chartId` and the parameters of that chart, `pageQuery` what the dashboard showed. At most 100 ' +
      'views per member, and 100 shared ones per project.',
    example: { name: 'MRR by store', query: { chartId: 'mrr', period: 'last_12_months', interval: 'month' } },
    params: projectParams,
    body: z.strictObject({
      name: text(100),
      query: viewQuery,
      pageQuery: pageQuery.default(''),
      isShared: flags.isShared.default(false),
      isOnOverview: flags.isOnOverview.default(false),
    }),
    response: viewResponse,
    statuses: [201],
    handle: async ({ scope, caller, body }, { deps, runtime }) => {
      const user = requireMember(scope, caller);
      expectMayShare(body.isShared, scope);
      const query = expectValidQuery(body.query, runtime.now());
      return { status: 201, body: presentView(await saveChartView(deps, user, { ...body, query }), user) };
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/v1/projects/:id/views/:viewId',
    access: 'projectUser',
    permission: 'readCharts',
    summary: 'Rename or share a chart view',
    description:
      'A shared view is changed by its author, an owner or an admin. `isShared: false` returns it to its author.',
    params: z.object({ id, viewId: id }),
    body: z.strictObject({
      name: text(100).optional(),
      isShared: flags.isShared.optional(),
      isOnOverview: flags.isOnOverview.optional(),
    }),
    response: viewResponse,
    handle: async ({ params, scope, caller, body }, { deps }) => {
      const user = requireMember(scope, caller);
      expectMayShare(body.isShared, scope);
      return { body: presentView(await changeChartView(deps, user, params.viewId, body), user) };
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
    handle: async ({ params, scope, caller }, { deps }) => {
      await deleteChartView(deps, requireMember(scope, caller), params.viewId);
      return { body: { object: 'view', id: params.viewId, deleted: true } };
    },
  }),
];
