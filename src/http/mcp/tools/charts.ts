// Tools to read charts: the list, one chart, and the customers behind a figure.
import { z } from 'zod';
import type { Client, Schemas } from '#sdk/client.js';
import { findChart } from '../../../domain/charts/catalogue/catalogue.js';
import { chartData, chartDescription, customerBehindValue, overview } from '../../charts/responses.js';
import { replay as replaySchema } from '../../replays/routes.js';
import {
  chartInput,
  chartId,
  chartPage,
  chartParametersOf,
  environment,
  knowledgeInput,
  segmentInput,
  replay,
} from '../chart-inputs.js';
import { asOf, cursor, limit, nextCursor } from '../inputs.js';
import { bodyOf, cursorOf, defineTool, given, ToolError, type Tool } from '../tool.js';

const MAX_POINTS = 400;
const COARSER = 'Use a longer interval, a shorter period or fewer segments.';

const listCharts = defineTool({
  name: 'list_charts',
  title: 'List charts',
  description:
    'All charts: what each one measures. With chart, also its measures, options (selectors), and the dimensions by which it can be filtered and split.',
  uses: ['GET /v1/projects/{id}/metrics/charts'],
  input: z.strictObject({ chart: chartId.optional() }),
  output: z.object({
    charts: z.array(
      chartDescription
        .omit({ object: true })
        .partial({ measures: true, intervals: true, filters: true, segments: true, selectors: true })
        .strip(),
    ),
  }),
  run: async ({ chart }, { client, projectId: id }) => {
    const { items } = bodyOf(await client.GET('/v1/projects/{id}/metrics/charts', { params: { path: { id } } }));
    const short = items.map(({ id, name, description, category, kind, unit }) => {
      return { id, name, description, category, kind, unit };
    });
    const shown = chart === undefined ? short : items.filter((one) => one.id === chart);
    return { data: { charts: shown }, page: chart === undefined ? '/charts' : `/charts/${chart}` };
  },
});

const { shape } = chartData;
const isIncomplete = z.literal(true).optional().meta({ description: 'The figure can still change.' });
const bucket = shape.buckets
  .unwrap()
  .element.omit({ end: true, incomplete: true })
  .extend({ incomplete: isIncomplete })
  .strip();
const row = shape.rows
  .unwrap()
  .element.omit({ end: true, incomplete: true })
  .extend({ incomplete: isIncomplete })
  .strip();
const points = { buckets: z.array(bucket).optional(), rows: z.array(row).optional() };
const segment = shape.segments.unwrap().valueType.extend(points).strip();

type Points = Pick<Schemas['ChartData'], 'buckets' | 'rows'>;

/** Drops the end of each bucket, which is the start of the next, and the mark of complete ones. */
function pointsOf({ buckets, rows }: Points) {
  const compact = <T extends { end: string; incomplete: boolean }>({ end: _next, incomplete, ...one }: T) => ({
    ...one,
    ...(incomplete && { incomplete: true }),
  });
  return { ...(buckets && { buckets: buckets.map(compact) }), ...(rows && { rows: rows.map(compact) }) };
}

function countPoints({ buckets = [], rows = [] }: Points): number {
  return buckets.length + rows.reduce((sum, { columns }) => sum + columns.length, 0);
}

const getChart = defineTool({
  name: 'get_chart',
  title: 'Get a chart',
  description:
    'Figures of one chart for a period, with its definition; optionally filtered, split, in another currency, as known at an earlier instant (asOf), or under the rules of a replay. At most 400 points: choose an interval to match the period.',
  uses: ['GET /v1/projects/{id}/metrics/charts/{chartId}'],
  input: z.strictObject({ ...chartInput, ...segmentInput, ...knowledgeInput }),
  output: chartData
    .omit({ object: true, total: true, asOf: true })
    .extend({ ...points, definition: z.string(), segments: z.record(z.string(), segment).optional() })
    .extend({ csv: z.string().meta({ description: 'The same figures as a table, with the header Accept: text/csv.' }) })
    .strip(),
  tooLarge: COARSER,
  run: async (input, { client, projectId: id }) => {
    const { segment, segmentLimit, asOf, replay, chart } = input;
    const split = segment === undefined ? {} : { segment, segmentLimit };
    const query = given({ ...chartParametersOf(input), ...split, asOf, replay });
    const found = await readChart(client, { id, chartId: chart }, query);
    const count = [found, ...Object.values(found.segments ?? {})].reduce((sum, one) => sum + countPoints(one), 0);
    if (count > MAX_POINTS) throw new ToolError(`The chart has ${count} points, at most ${MAX_POINTS} fit. ${COARSER}`);
    const segments = Object.entries(found.segments ?? {}).map(([value, one]) => [value, { ...one, ...pointsOf(one) }]);
    const data = {
      ...found,
      ...pointsOf(found),
      ...(found.segments && { segments: Object.fromEntries(segments) as object }),
      // With segments, the figures of all together are in the total.
      ...(found.total && { ...pointsOf(found.total), summary: found.total.summary }),
      definition: findChart(chart)?.description ?? '',
      csv: `/v1/projects/${id}/metrics/charts/${chart}?${csvQuery(query)}`,
    };
    return { data, page: chartPage(chart, found), asOf: found.asOf };
  },
});

type ChartQuery = NonNullable<Parameters<typeof readChart>[2]>;

async function readChart(
  client: Client,
  path: { readonly id: string; readonly chartId: string },
  query: ReturnType<typeof chartParametersOf> & {
    readonly segment?: Schemas['ChartData']['segment'] & string;
    readonly segmentLimit?: number;
    readonly asOf?: string;
    readonly replay?: string;
  },
): Promise<Schemas['ChartData']> {
  return bodyOf(await client.GET('/v1/projects/{id}/metrics/charts/{chartId}', { params: { path, query } }));
}

function csvQuery(query: ChartQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) parameters.append(name, String(one));
  return parameters.toString();
}

const customersBehind = defineTool({
  name: 'customers_behind',
  title: 'List the customers behind a figure',
  description:
    'Customers that make up one figure of a chart, with their share. bucket is the start of a bucket (or cohort row) of get_chart with the same parameters.',
  uses: ['GET /v1/projects/{id}/metrics/charts/{chartId}/customers'],
  input: z.strictObject({
    ...chartInput,
    ...knowledgeInput,
    bucket: z.string().max(40).meta({ description: '`start` of the bucket.' }),
    measure: z.string().max(64).optional().meta({ description: 'Default: the first one that adds up from customers.' }),
    limit,
    cursor,
  }),
  output: z.object({ customers: z.array(customerBehindValue.omit({ object: true }).strip()), nextCursor }),
  run: async ({ bucket, measure, limit, cursor: startingAfter, ...input }, { client, projectId: id }) => {
    const { chart, asOf, replay } = input;
    const query = given({ ...chartParametersOf(input), bucket, measure, limit, startingAfter, asOf, replay });
    const found = bodyOf(
      await client.GET('/v1/projects/{id}/metrics/charts/{chartId}/customers', {
        params: { path: { id, chartId: chart }, query },
      }),
    );
    return { data: { customers: found.items, nextCursor: cursorOf(found) }, page: `/charts/${chart}`, asOf };
  },
});

const getOverview = defineTool({
  name: 'get_overview',
  title: 'Get the overview',
  description:
    'The main figures at a glance: active subscriptions and trials, MRR, and the revenue and new customers of the last 28 days, with the previous values.',
  uses: ['GET /v1/projects/{id}/metrics/overview'],
  input: z.strictObject({ environment, asOf, replay: replay.optional() }),
  output: overview.omit({ object: true }).strip(),
  run: async ({ environment, asOf, replay }, { client, projectId: id }) => {
    const query = given({ environment, asOf, replay });
    const data = bodyOf(await client.GET('/v1/projects/{id}/metrics/overview', { params: { path: { id }, query } }));
    return { data, page: '/overview', asOf };
  },
});

const listReplays = defineTool({
  name: 'list_replays',
  title: 'List replays',
  description:
    'Named replays: charts as known at an earlier instant, or under other rules (what-if). Their names are valid for replay in chart tools.',
  uses: ['GET /v1/projects/{id}/metrics/replays'],
  input: z.strictObject({}),
  output: z.object({
    replays: z.array(replaySchema.pick({ name: true, until: true, whatIf: true, state: true, madeAt: true }).strip()),
  }),
  run: async (_input, { client, projectId: id }) => {
    const { items } = bodyOf(await client.GET('/v1/projects/{id}/metrics/replays', { params: { path: { id } } }));
    return { data: { replays: items }, page: '/charts' };
  },
});

export const chartTools: readonly Tool[] = [listCharts, getChart, customersBehind, getOverview, listReplays];
