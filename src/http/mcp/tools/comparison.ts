// Tool to compare a chart at two instants, in two replays or in two periods.
import { z } from 'zod';
import type { Schemas } from '#sdk/client.js';
import { chartComparison } from '../../charts/compare/responses.js';
import { figure, mapFigures, toFigure } from '../amounts.js';
import { chartInput, chartPage, chartParametersOf, shownOf, replay, instant } from '../inputs.js';
import { bodyOf, defineTool, given, type Tool } from '../tool.js';

const MAX_CUSTOMERS = 3;

const { shape } = chartComparison;
const bucketShape = shape.buckets.unwrap().element.shape;
const differenceShape = bucketShape.values.valueType.shape;
const reason = differenceShape.reasons.unwrap().element.extend({ amount: figure });
const difference = z.object({
  ...{ then: figure.nullable(), now: figure.nullable(), difference: figure.nullable() },
  reasons: z.array(reason).optional().meta({ description: 'They add up to the difference.' }),
});
const bucket = shape.buckets.unwrap().element.extend({ values: z.record(z.string(), difference) });
const row = shape.rows.unwrap().element.extend({
  size: difference,
  columns: z.array(z.record(z.string(), z.union([figure, z.boolean(), difference]))),
});

type Difference = Schemas['ChartDifference'];

const compareChart = defineTool({
  name: 'compare_chart',
  title: 'Compare a chart',
  description:
    'How and why the figures of a chart changed: send one of thenAsOf (the same period as known earlier), thenReplay (under other rules) or previous (another period). Between two instants or replays every difference has reasons that add up: the types of events in between, with up to three customers. Only buckets that differ are listed.',
  uses: ['GET /v1/projects/{id}/metrics/charts/{chartId}/compare'],
  input: z.strictObject({
    ...chartInput,
    thenAsOf: instant.optional(),
    nowAsOf: instant.optional().meta({ description: 'With thenAsOf; default now.' }),
    thenReplay: replay.optional(),
    nowReplay: replay.optional().meta({ description: 'With thenReplay; default the live figures.' }),
    previous: z.string().max(30).optional().meta({
      description:
        'The other period: period (the one before), year, year_weekdays, or days such as 2025-01-01..2025-03-31.',
    }),
  }),
  output: chartComparison
    .omit({ object: true, segment: true, segments: true, total: true })
    .extend({ buckets: z.array(bucket).optional(), rows: z.array(row).optional() })
    .extend({ unchanged: z.int().meta({ description: 'Number of buckets or rows without any difference.' }) })
    .strip(),
  tooLarge: 'Use a longer interval or a shorter period.',
  run: async (input, { client, projectId: id }) => {
    const { chart, thenAsOf, nowAsOf, thenReplay, nowReplay, previous } = input;
    const pair = given({ thenAsOf, nowAsOf, thenReplay, nowReplay, previous });
    const found = bodyOf(
      await client.GET('/v1/projects/{id}/metrics/charts/{chartId}/compare', {
        params: { path: { id, chartId: chart }, query: { ...chartParametersOf(input), ...pair } },
      }),
    );
    const { buckets, rows, measures } = found;
    const changedBuckets = buckets
      ?.filter(({ values }) => Object.values(values).some(hasChanged))
      .map((one) => ({
        ...one,
        values: mapFigures(measures, one.values, toChange),
      }));
    const changedRows = rows
      ?.filter(
        ({ size, columns }) => hasChanged(size) || columns.some((column) => Object.values(column).some(isChange)),
      )
      .map((one) => ({
        ...one,
        size: toChange('count', one.size),
        columns: one.columns.map((column) =>
          mapFigures(measures, column, (unit, v) => (isDifference(v) ? toChange(unit, v) : toFigure(unit, v))),
        ),
      }));
    const all = [...(buckets ?? []), ...(rows ?? [])].length;
    const data = {
      ...found,
      ...(changedBuckets && { buckets: changedBuckets }),
      ...(changedRows && { rows: changedRows }),
      unchanged: all - [...(changedBuckets ?? []), ...(changedRows ?? [])].length,
    };
    return { data, page: chartPage(input, shownOf(found), { asOf: nowAsOf, replay: nowReplay }), asOf: found.now.asOf };
  },
});

function hasChanged({ difference, then, now }: Difference): boolean {
  return difference === null ? then !== now : difference !== 0;
}

function isDifference(value: number | boolean | Difference): value is Difference {
  return typeof value === 'object';
}

function isChange(value: number | boolean | Difference): boolean {
  return isDifference(value) && hasChanged(value);
}

/** Presents a difference of a measure with this unit, and the first customers of each reason. */
function toChange(unit: string, { reasons, ...values }: Difference) {
  const { then, now, difference } = values;
  return {
    ...{ then: toFigure(unit, then), now: toFigure(unit, now), difference: toFigure(unit, difference) },
    ...(reasons && { reasons: reasons.map((one) => toReason(unit, one)) }),
  };
}

function toReason(unit: string, { amount, customers, ...one }: NonNullable<Difference['reasons']>[number]) {
  return { ...one, amount: toFigure(unit, amount), customers: customers.slice(0, MAX_CUSTOMERS) };
}

export const comparisonTools: readonly Tool[] = [compareChart];
