// Tools to read charts: the list, one chart, and the customers behind a figure.
import { z } from 'zod';
import type { Client, Schemas } from '#sdk/client.js';
import { findChart } from '../../../domain/charts/catalogue/catalogue.js';
import { defaultSelectors } from '../../../domain/charts/catalogue/chart.js';
import { unitOf } from '../../../domain/charts/result/result.js';
import { chartData, chartDescription, customerBehindValue, overview } from '../../charts/responses.js';
import { replay as replaySchema } from '../../replays/routes.js';
import { figure, mapFigures, toFigure } from '../amounts.js';
import {
  chartInput,
  chartId,
  chartPage,
  chartParametersOf,
  type ChartInput,
  environment,
  knowledgeInput,
  segmentInput,
  replay,
  asOf,
  cursor,
  limit,
  nextCursor,
  queryTextOf,
  shownOf,
} from '../inputs.js';
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
        .omit({ object: true, drawing: true, isWatchable: true })
        .partial({ measures: true, intervals: true, filters: true, segments: true, selectors: true })
        .strip(),
    ),
  }),
  run: async ({ chart }, { client, projectId: id }) => {
    const { items } = bodyOf(await client.GET('/v1/projects/{id}/metrics/charts', { params: { path: { id } } }));
    const short = items.map(({ id, name, description, category, kind, unit }) => {
      return { id, name, description, category, kind, unit };
    });
    const listedCharts = chart === undefined ? short : items.filter((one) => one.id === chart);
    return { data: { charts: listedCharts }, page: chart === undefined ? '/charts' : `/charts/${chart}` };
  },
});

const { shape } = chartData;
const isIncomplete = z.literal(true).optional().meta({ description: 'The figure can still change.' });
const bucket = shape.buckets
  .unwrap()
  .element.omit({ end: true, incomplete: true })
  .extend({ incomplete: isIncomplete, values: z.record(z.string(), figure.nullable()) })
  .strip();
const row = shape.rows
  .unwrap()
  .element.omit({ end: true, incomplete: true })
  .extend({
    incomplete: isIncomplete,
    columns: z.array(z.record(z.string(), z.union([figure, z.boolean()]).nullable())),
  })
  .strip();
const summary = z.record(
  z.string(),
  z.object({ total: figure.optional(), average: figure.nullable(), last: figure.nullable() }),
);
const figures = { buckets: z.array(bucket).optional(), rows: z.array(row).optional(), summary };
const segment = shape.segments.unwrap().valueType.extend(figures).strip();

type Points = Pick<Schemas['ChartData'], 'buckets' | 'rows'>;
type Figures = Points & Pick<Schemas['ChartData'], 'summary'>;

/** Drops the end of each bucket, which is the start of the next, and the mark of complete ones. */
function figuresOf({ buckets, rows, summary }: Figures, measures: Schemas['ChartData']['measures']) {
  const compact = <T extends { end: string; incomplete: boolean }>({ end: _next, incomplete, ...one }: T) => ({
    ...one,
    ...(incomplete && { incomplete: true }),
  });
  const values = <T>(all: Readonly<Record<string, T>>) => mapFigures(measures, all, toFigure);
  return {
    ...(buckets && { buckets: buckets.map((one) => ({ ...compact(one), values: values(one.values) })) }),
    ...(rows && { rows: rows.map((one) => ({ ...compact(one), columns: one.columns.map(values) })) }),
    summary: mapFigures(measures, summary, (unit, one) =>
      Object.fromEntries(Object.entries(one).map(([name, value]) => [name, toFigure(unit, value)])),
    ),
  };
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
    .extend({ ...figures, definition: z.string(), segments: z.record(z.string(), segment).optional() })
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
    const { measures } = found;
    const segments = Object.entries(found.segments ?? {}).map(([value, { name, ...one }]) => [
      value,
      { name, ...figuresOf(one, measures) },
    ]);
    const bySegment: object = Object.fromEntries(segments);
    const data = {
      ...found,
      ...(found.segments && { segments: bySegment }),
      // With segments, the figures of all together are in the total.
      ...figuresOf(found.total ?? found, measures),
      definition: findChart(chart)?.description ?? '',
      csv: `/v1/projects/${id}/metrics/charts/${chart}?${queryTextOf(query)}`,
    };
    return { data, page: chartPage(input, shownOf(found), { segment, asOf, replay }), asOf: found.asOf };
  },
});

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
  output: z.object({
    customers: z.array(customerBehindValue.omit({ object: true }).extend({ value: figure }).strip()),
    nextCursor,
  }),
  run: async ({ bucket, measure, limit, cursor: startingAfter, ...input }, { client, projectId: id }) => {
    const { chart, asOf, replay } = input;
    const query = given({ ...chartParametersOf(input), bucket, measure, limit, startingAfter, asOf, replay });
    const found = bodyOf(
      await client.GET('/v1/projects/{id}/metrics/charts/{chartId}/customers', {
        params: { path: { id, chartId: chart }, query },
      }),
    );
    const unit = unitOfMeasure(input, measure);
    const customers = found.items.map((one) => ({ ...one, value: toFigure(unit, one.value) }));
    return { data: { customers, nextCursor: cursorOf(found) }, page: chartPage(input, {}, { asOf, replay }), asOf };
  },
});

/** Returns the unit of a measure; the default is the one that the endpoint lists. `size` of a cohort is a count. */
function unitOfMeasure({ chart: id, selectors }: ChartInput, measure: string | undefined): string {
  const chart = findChart(id);
  const { statusMeasure, cohortMeasure } = selectors ?? {};
  const found = chart?.measures.find((one) => (measure === undefined ? one.unit !== 'percent' : one.id === measure));
  return chart && found
    ? unitOf(chart, { ...defaultSelectors, ...given({ statusMeasure, cohortMeasure }) }, found.unit)
    : 'count';
}

const { shape: overviewShape } = overview;
const metric = overviewShape.metrics.element.extend({ value: figure.nullable(), previousValue: figure.nullable() });

const getOverview = defineTool({
  name: 'get_overview',
  title: 'Get the overview',
  description:
    'The main figures at a glance: active subscriptions and trials, MRR, and the revenue and new customers of the last 28 days, with the previous values.',
  uses: ['GET /v1/projects/{id}/metrics/overview'],
  input: z.strictObject({ environment, asOf, replay: replay.optional() }),
  output: overview
    .omit({ object: true })
    .extend({ metrics: z.array(metric) })
    .strip(),
  run: async ({ environment, asOf, replay }, { client, projectId: id }) => {
    const query = given({ environment, asOf, replay });
    const found = bodyOf(await client.GET('/v1/projects/{id}/metrics/overview', { params: { path: { id }, query } }));
    const metrics = found.metrics.map(({ unit, ...one }) => {
      return { ...one, unit, value: toFigure(unit, one.value), previousValue: toFigure(unit, one.previousValue) };
    });
    return { data: { ...found, metrics }, page: `/overview?environment=${environment}`, asOf };
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
