// Responses about the differences of charts.
import { z } from 'zod';
import { dimensions } from '../../../domain/charts/catalogue/chart-query.js';
import { time } from '../../bodies/responses.js';
import { chartData } from '../responses.js';

const reason = z
  .strictObject({
    kind: z.string(),
    amount: z.number(),
    count: z.int(),
    customers: z.array(z.string()),
  })
  .meta({
    id: 'ChartReason',
    description:
      'A part of a difference. `kind`: the type of the events that were learned in between, or `time` for what time alone changed, `setting` for what a replay supposes, `rates` and `products` for exchange rates and products of the catalogue learned since. `count`: how many customers; `customers`: 20 of them at most.',
  });

const value = z.number().nullable();
const difference = z
  .strictObject({ then: value, now: value, difference: value, reasons: z.array(reason).optional() })
  .meta({
    id: 'ChartDifference',
    description:
      'The `reasons` add up to the `difference`. Left out for rates, for periods, and where nobody has changed.',
  });

const { shape } = chartData;
const edges = {
  start: time.nullable().meta({ description: 'Null where only the other of two periods has the bucket.' }),
  end: time.nullable(),
  clipped: z.literal(true).optional(),
  incomplete: z.boolean(),
  thenStart: time
    .nullable()
    .optional()
    .meta({ description: 'Of two periods: the start of the bucket in the other. Null where it has none.' }),
};
const points = {
  buckets: z.array(z.strictObject({ ...edges, values: z.record(z.string(), difference) })).optional(),
  rows: z
    .array(
      z.strictObject({
        ...edges,
        size: difference,
        columns: z.array(z.record(z.string(), z.union([z.number(), z.boolean(), difference]))),
      }),
    )
    .optional(),
};
const side = z.strictObject({
  asOf: time,
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  replay: shape.replay,
});

export const chartComparison = z
  .strictObject({
    object: z.literal('chartComparison'),
    id: shape.id,
    name: shape.name,
    kind: shape.kind,
    unit: shape.unit,
    interval: shape.interval,
    startDate: shape.startDate,
    endDate: shape.endDate,
    lastComputedAt: time,
    staleSince: shape.staleSince,
    currency: shape.currency,
    unconverted: shape.unconverted,
    ignoredFilters: shape.ignoredFilters,
    isOfChanges: z.literal(true).optional().meta({
      description:
        'Of a chart of more than 50,000 values: buckets, rows and columns are left out that only one side has, or in which both sides are the same without reasons, and reasons name no customers: `…/compare/customers` does.',
    }),
    measures: z.array(
      shape.measures.element.extend({
        explainedBy: z.array(z.string()).optional().meta({
          description:
            'Of a rate: the two measures whose reasons are its own. Of `realized_ltv_per_customer` in `cohort_explorer`: what `cohortMeasure=realized_ltv` shows, and `size`.',
        }),
      }),
    ),
    then: side,
    now: side,
    ...points,
    segment: z.enum(dimensions).optional(),
    segments: z.record(z.string(), z.strictObject({ name: z.string().nullable(), ...points })).optional(),
    total: z.strictObject(points).optional(),
  })
  .meta({ id: 'ChartComparison' });
