// The usual band of a chart's daily figure, and whether it is watched: then a webhook gets a message when a day leaves it.
import { z } from 'zod';
import { watchFigure } from '../../commands/projects/figures.js';
import { bandSentence } from '../../domain/charts/band-sentence.js';
import {
  LATENESS_MS,
  findWatchableChart,
  isWatchable,
  lastCompleteDay,
  readUsualFigure,
  type WatchableChart,
} from '../../projections/charts/usual-figure.js';
import { charts } from '../../domain/charts/catalogue/catalogue.js';
import { MIN_COUNT, MIN_DAYS, WEEKS } from '../../domain/charts/usual-band.js';
import { watchedFigures } from '../../projections/models/watched-figures.js';
import { HttpError } from '../bodies/errors.js';
import { type BodyOf } from '../bodies/response-schemas.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { chartParams, expectFresh, requireChart, resolveKnowledge } from './chart-request.js';

const METHOD = `The band is the median of the same weekdays of the ${WEEKS} weeks before (UTC days, production), and four times their spread on either side: the median absolute deviation, scaled to a standard deviation, and at least what chance alone does. It takes ${MIN_DAYS} of these days with data, and ${MIN_COUNT} purchases, customers or subscriptions on a usual one. A day is compared ${LATENESS_MS / 3_600_000} hours after its end.`;

const day = z.iso.date();
const usualBand = z
  .strictObject({
    object: z.literal('usualBand'),
    chartId: z.string(),
    measure: z.string(),
    unit: z.enum(['count', 'usd', 'percent']),
    isWatched: z.boolean(),
    day: day.meta({ description: 'Last complete UTC day.' }),
    value: z.number().nullable().meta({ description: 'Figure of the day; null if there was nothing to divide by.' }),
    verdict: z
      .enum(['usual', 'low', 'high', 'too_few_days', 'too_small'])
      .meta({ description: '`too_few_days`, `too_small`: there is no band.' }),
    band: z
      .strictObject({
        low: z.number(),
        high: z.number(),
        median: z.number(),
        spread: z.number(),
        days: z.int(),
        usualCount: z.number().meta({ description: 'Usual number of what the figure is made of.' }),
      })
      .nullable(),
    earlier: z
      .array(z.strictObject({ day, value: z.number().nullable() }))
      .meta({ description: 'The same weekdays before, latest first.' }),
    sentence: z.string(),
    method: z.string(),
  })
  .meta({ id: 'UsualBand' });

/** Throws {@link HttpError} 400 for a chart whose figures of a day are not final soon after it, or not of a day. */
function requireWatchable(chartId: string): WatchableChart {
  const chart = findWatchableChart(requireChart(chartId).id);
  if (chart) return chart;
  const ids = charts.filter(isWatchable).map(({ id }) => id);
  throw new HttpError(400, `the figure of this chart cannot be watched; charts that can: ${ids.join(', ')}`);
}

async function presentBand(
  services: Services,
  projectId: string,
  chart: WatchableChart,
): Promise<BodyOf<typeof usualBand>> {
  expectFresh(await resolveKnowledge(services, projectId, {}));
  const nowMs = services.runtime.now();
  const figure = await readUsualFigure(services, projectId, chart, { day: lastCompleteDay(nowMs), nowMs });
  const watched = await services.readModels.get(watchedFigures, projectId);
  const { measure, unit, day: on, value, verdict, band, earlier } = figure;
  const name = chart.measures.find(({ id }) => id === measure)?.name ?? chart.name;
  return {
    object: 'usualBand',
    chartId: chart.id,
    ...{ measure, unit, isWatched: watched?.chartIds.includes(chart.id) ?? false },
    ...{ day: on, value, verdict, band, earlier: [...earlier] },
    sentence: bandSentence({ name, unit, day: on, value, verdict, band }),
    method: METHOD,
  };
}

export const bandRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/charts/:chartId/band',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get the usual band of a chart’s daily figure',
    description: METHOD,
    params: chartParams,
    response: usualBand,
    handle: async ({ params, scope: { projectId } }, services) => ({
      body: await presentBand(services, projectId, requireWatchable(params.chartId)),
    }),
  }),
  defineRoute({
    method: 'put',
    path: '/v1/projects/:id/metrics/charts/:chartId/watch',
    access: 'project',
    permission: 'configure',
    summary: 'Watch a chart’s daily figure, or stop it',
    description:
      'While it is watched, each day whose figure leaves its usual band is recorded once, and webhooks get `FIGURE_OUT_OF_BAND`.',
    example: { isWatched: true },
    params: chartParams,
    body: z.strictObject({ isWatched: z.boolean() }),
    response: usualBand,
    handle: async ({ params, scope: { projectId }, body, by }, services) => {
      const chart = requireWatchable(params.chartId);
      const { position } = await watchFigure(services.deps, by, projectId, { chartId: chart.id, ...body });
      const present = () => presentBand(services, projectId, chart);
      return { body: present, after: readModelsAt(position, watchedFigures) };
    },
  }),
];
