// Input schemas that several tools share, and the form of chart inputs as query parameters of the chart endpoints.
import { z } from 'zod';
import { text } from '../../domain/values/user-text.js';
import { intervals } from '../../domain/charts/calendar.js';
import { charts } from '../../domain/charts/catalogue/catalogue.js';
import { cohortMeasures, cohorts, statusMeasures } from '../../domain/charts/catalogue/chart.js';
import { dimensions } from '../../domain/charts/catalogue/chart-query.js';
import { revenueTypes } from '../../domain/charts/money.js';
import { periods } from '../charts/chart-period.js';
import { given } from './tool.js';

export const customer = text(255).meta({ description: 'App user ID, alias, or customer ID (cus_…).' });
export const instant = z.iso
  .datetime({ offset: true })
  .meta({ description: 'ISO 8601 instant such as 2026-11-20T10:00:00Z.' });
export const asOf = instant.optional().meta({
  description: 'Answer only from what was recorded by this instant; default now.',
});
export const day = z.iso.date().meta({ description: 'UTC day such as 2026-11-20.' });
export const limit = z.int().min(1).max(50).default(20).meta({ description: 'Number of items, at most 50.' });
export const cursor = z.string().max(600).optional().meta({ description: '`nextCursor` of the previous page.' });
export const nextCursor = z.string().nullable().meta({ description: 'Null on the last page.' });

export const environment = z.enum(['production', 'sandbox']).default('production');
export const replay = z.string().min(1).max(64).meta({ description: 'Name of a replay, see list_replays.' });
const days = z
  .string()
  .regex(/^(unbounded|\d{1,4})$/)
  .optional();

export const chartId = z.enum(charts.map(({ id }) => id));

/** Parameters of a chart apart from the state of knowledge. */
export const chartInput = {
  chart: chartId,
  start: day.optional().meta({ description: 'First UTC day; send it with end, or send period.' }),
  end: day.optional().meta({ description: 'Last UTC day, inclusive.' }),
  period: z.enum(periods).optional().meta({ description: 'Instead of start and end; default last_28_days.' }),
  interval: z.enum(intervals).optional().meta({ description: 'Default day; month for cohort charts.' }),
  filters: z
    .partialRecord(z.enum(dimensions), z.array(z.string().min(1).max(200)).min(1).max(50))
    .optional()
    .meta({ description: 'Values by dimension, such as {"store": ["ios-store"], "country": ["DE", "AT"]}.' }),
  currency: z.string().length(3).default('USD').meta({ description: 'ISO 4217 code such as EUR.' }),
  environment,
  selectors: z
    .strictObject({
      revenueType: z.enum(revenueTypes).optional(),
      conversionTimeframe: days,
      customerLifetime: days,
      statusMeasure: z.enum(statusMeasures).optional(),
      productDuration: z.string().max(20).optional(),
      cohort: z.enum(cohorts).optional(),
      cohortMeasure: z.enum(cohortMeasures).optional(),
    })
    .optional()
    .meta({ description: 'Options of the chart, see list_charts.' }),
};

/** Splitting of a chart by the values of a dimension. */
export const segmentInput = {
  segment: z.enum(dimensions).optional().meta({ description: 'Split the chart by the values of this dimension.' }),
  segmentLimit: z.int().min(1).max(50).default(5).meta({ description: 'The largest values; the rest is `other`.' }),
};

export const knowledgeInput = { asOf, replay: replay.optional() };

const schema = z.object({ ...chartInput });
export type ChartInput = z.output<typeof schema>;

/** Returns the query parameters of the chart endpoints. */
export function chartParametersOf({ start, end, period, interval, filters, currency, ...input }: ChartInput) {
  const { environment, selectors = {} } = input;
  const filter = Object.entries(filters ?? {}).map(([dimension, values]) => `${dimension}:${values.join(',')}`);
  return given({
    ...given(selectors),
    ...{ startDate: start, endDate: end, period, interval, currency, environment },
    filter: filter.length === 0 ? undefined : filter,
  });
}

/** Returns what a response states of its period. */
export function shownOf({ startDate, endDate, interval }: ShownPeriod): ShownPeriod {
  return { startDate, endDate, interval };
}

type ShownPeriod = { readonly startDate: string; readonly endDate: string; readonly interval: string };

/**
 * Returns the path of the dashboard page with the same figures, below the project. `responsePeriod`: days and interval of the response, if it
 * states them. `knowledge`: what the figures depend on besides the chart's parameters, such as `asOf`.
 */
export function chartPage(
  input: ChartInput,
  responsePeriod: Partial<ShownPeriod>,
  knowledge: Readonly<Record<string, string | undefined>> = {},
): string {
  const { startDate, endDate, period, interval, ...others } = { ...chartParametersOf(input), ...responsePeriod };
  const days = startDate && endDate ? `${startDate}..${endDate}` : period;
  return `/charts/${input.chart}?${queryTextOf(given({ period: days ?? DEFAULT_PERIOD, interval, ...others, ...knowledge }))}`;
}

const DEFAULT_PERIOD = 'last_28_days';

/** Returns parameters as the query of a URL; a list is a repeated parameter. */
export function queryTextOf(parameters: object): string {
  const query = new URLSearchParams();
  const entries: [string, unknown][] = Object.entries(parameters);
  for (const [name, value] of entries) for (const one of [value].flat()) query.append(name, String(one));
  return query.toString();
}
