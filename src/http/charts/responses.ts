// Responses about charts and the overview.
import { z } from 'zod';
import { intervals } from '../../domain/charts/calendar.js';
import { categories, drawings, movementParts } from '../../domain/charts/catalogue/chart.js';
import { dimensions } from '../../domain/charts/catalogue/chart-query.js';
import { time } from '../bodies/response-schemas.js';

const unit = z.enum(['count', 'usd', 'percent']);
const measure = z.strictObject({ id: z.string(), name: z.string(), unit });
const shownUnit = z
  .union([unit, z.string().regex(/^[a-z]{3}$/)])
  .meta({ description: '`count`, `percent`, or the requested currency in lower case.' });
const kind = z.enum(['series', 'cohort']);

const staleSince = time.optional().meta({
  description: 'The charts have halted: events recorded since then are not included. Omitted for current figures.',
});

export const overview = z
  .strictObject({
    object: z.literal('overviewMetrics'),
    metrics: z.array(
      z.strictObject({
        object: z.literal('overviewMetric'),
        id: z.string(),
        name: z.string(),
        description: z.string(),
        unit: z.enum(['count', 'usd']),
        period: z.enum(['P0D', 'P28D']),
        value: z.number().nullable(),
        previousValue: z.number().nullable(),
        lastUpdatedAt: time,
      }),
    ),
    staleSince,
  })
  .meta({ id: 'Overview' });

export const chartDescription = z
  .strictObject({
    object: z.literal('chart'),
    id: z.string(),
    name: z.string(),
    description: z.string(),
    category: z.enum(categories),
    kind,
    unit,
    drawing: z.enum(drawings).meta({ description: 'How the values of a chart of series are drawn best.' }),
    measures: z.array(
      measure.extend({
        part: z.enum(movementParts).optional().meta({ description: 'Only in movements. A loss is a positive number.' }),
      }),
    ),
    intervals: z.array(z.enum(intervals)),
    filters: z.array(z.enum(dimensions)),
    segments: z.array(z.enum(dimensions)),
    isWatchable: z.boolean().meta({ description: 'It has a usual band, which can be watched.' }),
    selectors: z.record(z.string(), z.strictObject({ values: z.array(z.string()).nullable(), default: z.string() })),
  })
  .meta({ id: 'Chart' });

const clipped = z.literal(true).optional().meta({
  description: 'The period contains only part of this calendar interval. Omitted for complete intervals.',
});
const edges = { start: time, end: time, clipped, incomplete: z.boolean() };
const bucket = z.strictObject({ ...edges, values: z.record(z.string(), z.number().nullable()) });
const row = z.strictObject({
  ...edges,
  size: z.int(),
  columns: z.array(z.record(z.string(), z.union([z.number(), z.boolean()]).nullable())),
});
const dataPoints = { buckets: z.array(bucket).optional(), rows: z.array(row).optional() };
const summary = z.record(
  z.string(),
  z.strictObject({ total: z.number().optional(), average: z.number().nullable(), last: z.number().nullable() }),
);

const segmentsOfData = z
  .record(z.string(), z.strictObject({ name: z.string().nullable(), ...dataPoints, summary }))
  .optional();
const totalOfData = z.strictObject({ ...dataPoints, summary }).optional();

const previous = z
  .strictObject({
    choice: z.string(),
    startDate: z.iso.date(),
    endDate: z.iso.date(),
    isBeforeData: z
      .literal(true)
      .optional()
      .meta({ description: 'The period ends before the project has any data: all its figures are empty.' }),
    pairs: z.array(z.int().nullable()).meta({
      description:
        'For each bucket of the chart, the index of its counterpart in the buckets of this period. Null if it has none, such as the 31st in a month of 30 days.',
    }),
    buckets: dataPoints.buckets,
    segments: segmentsOfData,
    total: totalOfData,
    summary,
  })
  .meta({
    id: 'PreviousChartData',
    description: 'With `previous`: the figures of the compared period, with the same filters and segments.',
  });

export const chartData = z
  .strictObject({
    object: z.literal('chartData'),
    id: z.string(),
    name: z.string(),
    kind,
    unit: shownUnit,
    interval: z.enum(intervals),
    startDate: z.iso.date(),
    endDate: z.iso.date(),
    asOf: time,
    lastComputedAt: time,
    staleSince,
    currency: z.string(),
    unconverted: z
      .strictObject({
        transactions: z.int(),
        days: z.array(z.iso.date()),
        dayCount: z.int(),
        firstDay: z.iso.date().nullable(),
        lastDay: z.iso.date().nullable(),
      })
      .optional()
      .meta({
        description:
          'For currencies other than USD: paid transactions that are not included, for lack of an exchange rate on their day. `days` are the first ten of `dayCount`.',
      }),
    proceedsBasis: z.literal('settled').optional().meta({
      description:
        'The amounts of the stores’ reports replace estimates where they are known. Omitted for estimates alone.',
    }),
    settledShare: z
      .strictObject({ total: z.number().nullable(), buckets: z.array(z.number().nullable()) })
      .optional()
      .meta({
        description:
          'Share of the charges, by gross amount from 0 to 1, that the stores’ reports have: of the period, and of each bucket. Null without charges.',
      }),
    ignoredFilters: z
      .array(z.enum(dimensions))
      .optional()
      .meta({ description: 'Filter dimensions that do not apply to a count of customers and are ignored.' }),
    measures: z.array(measure.extend({ unit: shownUnit })),
    ...dataPoints,
    segment: z.enum(dimensions).optional(),
    segments: segmentsOfData.meta({
      description:
        'By value, the largest first, `other` last. `name`: display name of the product, app or offering with this ID.',
    }),
    total: totalOfData.meta({ description: 'With segments: the total, equal to the chart without segments.' }),
    summary,
    previous: previous.optional(),
    replay: z
      .strictObject({
        name: z.string(),
        until: time.nullable(),
        madeAt: time,
        whatIf: z.record(z.string(), z.union([z.string(), z.number()])),
      })
      .optional(),
  })
  .meta({ id: 'ChartData' });

export const customerBehindValue = z.strictObject({
  object: z.literal('chartCustomer'),
  customerId: z.string(),
  appUserId: z.string().nullable(),
  value: z.number(),
});

export const customerOfReason = customerBehindValue.extend({
  sentence: z
    .string()
    .meta({ description: 'What changed the share of the customer, when it took effect, and when it was received.' }),
});
