// Responses about the differences of charts.
import { z } from 'zod';
import { dimensions } from '../../../domain/charts/catalogue/chart-query.js';
import { time } from '../../bodies/response-schemas.js';
import { chartData } from '../responses.js';

const reason = z
  .strictObject({
    kind: z.string(),
    sentence: z.string(),
    amount: z.number(),
    count: z.int(),
    customers: z.array(z.string()),
  })
  .meta({
    id: 'ChartReason',
    description:
      'Part of a difference. `kind`: type of the events recorded in between, or `time` for changes by elapsed time, `setting` for the rules of a replay, `rates` and `products` for exchange rates and catalogue products recorded since. `sentence`: the same in words, with the times at which it took effect and was received if the customers are few. `count`: number of customers; `customers`: at most 20 of them.',
  });

const value = z.number().nullable();
const difference = z
  .strictObject({ then: value, now: value, difference: value, reasons: z.array(reason).optional() })
  .meta({
    id: 'ChartDifference',
    description:
      'The `reasons` add up to the `difference`. Omitted for rates, for periods, and if no customer has changed.',
  });

const { shape } = chartData;
const edges = {
  start: time.nullable().meta({ description: 'Null if only the other period has the bucket.' }),
  end: time.nullable(),
  clipped: z.literal(true).optional(),
  incomplete: z.boolean(),
  thenStart: time
    .nullable()
    .optional()
    .meta({ description: 'For two periods: start of the bucket in the other one. Null if it has none.' }),
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
        'Set for charts of more than 50,000 values: buckets, rows and columns of only one side, or without any change, are omitted, and reasons contain no customers; use `…/compare/customers`.',
    }),
    measures: z.array(
      shape.measures.element.extend({
        explainedBy: z.array(z.string()).optional().meta({
          description:
            'For a rate: the two measures whose reasons explain it. For `realized_ltv_per_customer` in `cohort_explorer`: the values of `cohortMeasure=realized_ltv`, and `size`.',
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
