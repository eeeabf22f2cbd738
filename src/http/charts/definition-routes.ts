// The definition of a chart in words, with an example.
import { z } from 'zod';
import type { Chart } from '../../domain/charts/catalogue/chart.js';
import { edgeCases } from '../../domain/charts/catalogue/definitions/definition.js';
import { describeStory, STORY_AS_OF } from '../../domain/charts/catalogue/definitions/stories.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { chartParams, requireChart } from './chart-request.js';

const chartDefinition = z
  .strictObject({
    object: z.literal('chartDefinition'),
    id: z.string(),
    name: z.string(),
    description: z.string(),
    formulas: z.array(z.strictObject({ measure: z.string(), name: z.string(), text: z.string() })),
    edgeCases: z.array(z.strictObject({ case: z.enum(edgeCases), text: z.string() })),
    example: z.strictObject({
      steps: z.array(z.string()).meta({ description: 'What the customers of the example do, one sentence each.' }),
      month: z.iso.date().meta({ description: 'First day of the month that the figures are of.' }),
      column: z.int().optional().meta({ description: 'Index of the column that the figures of a cohort are of.' }),
      asOf: z.iso.date().meta({ description: 'What happened before this day is known.' }),
      figures: z.array(
        z.strictObject({
          measure: z.string(),
          name: z.string(),
          unit: z.enum(['count', 'usd', 'percent']),
          calculation: z.string().meta({ description: 'Calculation by hand, whose result is the value.' }),
          value: z.number(),
        }),
      ),
      because: z.string(),
    }),
  })
  .meta({ id: 'ChartDefinition' });

export const definitionRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/charts/:chartId/definition',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get the definition of a chart',
    description:
      'The formula of each measure in words, what applies to trials, grace periods, yearly plans, taxes, refunds and currencies, and an example with numbers. It is the same for all projects.',
    params: chartParams,
    response: chartDefinition,
    handle: ({ params }) => Promise.resolve({ body: presentDefinition(requireChart(params.chartId)) }),
  }),
];

function presentDefinition(chart: Chart): BodyOf<typeof chartDefinition> {
  const { id, name, description, definition } = chart;
  const { story, month, column, figures, because } = definition.example;
  const measureOf = (measure: string) =>
    chart.measures.find((m) => m.id === measure) ?? { name: 'Size', unit: 'count' as const };
  return {
    object: 'chartDefinition',
    ...{ id, name, description },
    formulas: Object.entries(definition.formulas).map(([measure, text]) => {
      return { measure, name: measureOf(measure).name, text };
    }),
    edgeCases: edgeCases.map((one) => ({ case: one, text: definition.edgeCases[one] })),
    example: {
      steps: [...describeStory(story)],
      month,
      ...(column !== undefined && { column }),
      asOf: STORY_AS_OF,
      figures: figures.map(({ measure, calculation, value }) => {
        return { measure, name: measureOf(measure).name, unit: measureOf(measure).unit, calculation, value };
      }),
      because,
    },
  };
}
