// Parameters of chart requests: period, interval, filters and selectors, checked against the chart.
import { z } from 'zod';
import {
  cohortMeasures,
  cohorts,
  defaultSelectors,
  statusMeasures,
  type Chart,
  type Selectors,
} from '../../domain/charts/catalogue/chart.js';
import { intervals, spanOf, type Interval } from '../../domain/charts/calendar.js';
import { previousNames } from '../../domain/charts/previous-period.js';
import { bucketedRangeOf, hasMoreBuckets } from '../../domain/charts/result/buckets.js';
import { DEFAULT_SEGMENT_LIMIT } from '../../domain/charts/result/segment-counts.js';
import { revenueTypes } from '../../domain/charts/money.js';
import { dimensions, type Dimension, type ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { HttpError } from '../bodies/errors.js';
import { instant } from '../bodies/request-schemas.js';
import { expectDimension, parseFilters } from './chart-filters.js';
import { day, MAX_BUCKETS, parsePeriod, parsePrevious, periods, RANGE, type PreviousQuery } from './chart-period.js';

export const MAX_SEGMENTS = 1000;

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
const timeframe = z
  .string()
  .regex(/^(unbounded|\d{1,4})$/, 'must be a number of days or unbounded')
  .transform((text) => (text === 'unbounded' ? null : Number(text)));
/** One dimension with its values. */
const filterText = z
  .string()
  .max(2000)
  .regex(/^[a-zA-Z]+:,*[^,].*$/, 'must be a dimension and its values, such as store:ios-store,android-store');

export const environmentQuery = {
  environment: oneOf(['production', 'sandbox']).default('production'),
  asOf: instant.optional(),
  replay: z.string().min(1).max(64).optional(),
};

/** Parameters of a chart. `resolution` is an alias of `interval`. */
export const chartParameters = z.strictObject({
  ...environmentQuery,
  startDate: day.optional(),
  endDate: day.optional(),
  period: z
    .string()
    .refine((p) => periods.some((period) => period === p) || RANGE.test(p), {
      error: `must be one of ${periods.join(', ')}, or two days such as 2026-01-01..2026-04-30`,
    })
    .optional(),
  interval: oneOf(intervals).optional(),
  resolution: oneOf(intervals).optional(),
  filter: z.union([filterText, z.array(filterText).max(20)]).optional(),
  segment: oneOf(dimensions).optional(),
  measure: z.string().max(64).optional(),
  previous: z
    .string()
    .refine((text) => (previousNames as readonly string[]).includes(text) || RANGE.test(text), {
      error: `must be one of ${previousNames.join(', ')}, or two days such as 2025-01-01..2025-04-30`,
    })
    .optional(),
  segmentLimit: z.coerce.number().int().min(1).max(MAX_SEGMENTS).default(DEFAULT_SEGMENT_LIMIT),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as EUR')
    .default('USD'),
  revenueType: oneOf(revenueTypes).default(defaultSelectors.revenueType),
  conversionTimeframe: timeframe.optional(),
  customerLifetime: timeframe.optional(),
  statusMeasure: oneOf(statusMeasures).default(defaultSelectors.statusMeasure),
  productDuration: z
    .string()
    .max(20)
    .refine((text) => ((s) => s !== null && s.months + s.days > 0)(spanOf(text)), 'must be a duration such as P1M')
    .default(defaultSelectors.productDuration),
  cohort: oneOf(cohorts).default(defaultSelectors.cohort),
  cohortMeasure: oneOf(cohortMeasures).default(defaultSelectors.cohortMeasure),
});
export type ChartParameters = z.output<typeof chartParameters>;

export type ParsedQuery = {
  readonly chartQuery: ChartQuery;
  /** Omitted unless it is requested. */
  readonly previous?: PreviousQuery;
  /** Measure by which segments are ranked. */
  readonly measure: string;
  /** Dimensions of purchases, whose filters have no effect on counts of customers. */
  readonly ignoredFilters: readonly Dimension[];
};

/**
 * Converts parameters to a query. `now`, UTC ms, is the first instant without data; `begins` is the start of `all_time`. Throws {@link
 * HttpError} 400.
 */
export function parseChartQuery(chart: Chart, query: ChartParameters, now: number, begins: number): ParsedQuery {
  const { start, end, form } = parsePeriod(query, now, begins);
  const interval = intervalOf(chart, query);
  if (start >= end) throw new HttpError(400, 'startDate must be before endDate');
  if (hasMoreBuckets({ start, end, interval }, MAX_BUCKETS)) {
    throw new HttpError(400, `the period has more than ${MAX_BUCKETS} buckets; use a longer interval`);
  }
  const measure = measureOf(chart, query.measure);
  const { segment = null } = query;
  if (segment) expectDimension(chart, segment);
  const { environment } = query;
  const range = bucketedRangeOf({ start, end, interval, asOf: now });
  const { filters, ignoredFilters } = parseFilters(chart, query.filter);
  const chartQuery = { chart, range, environment, filters, segment, selectors: selectorsOf(query) };
  const previous = query.previous === undefined ? {} : { previous: parsePrevious(query.previous, chartQuery, form) };
  return { chartQuery, ...previous, measure, ignoredFilters };
}

/** Returns the requested measure, or the one that gives the chart its name: it comes last, after its components. */
function measureOf({ id, measures }: Chart, requested: string | undefined): string {
  const ids = measures.map((one) => one.id);
  if (requested !== undefined && !ids.includes(requested)) {
    throw new HttpError(400, `measure must be one of ${ids.join(', ')}`);
  }
  return requested ?? (ids.includes(id) ? id : (ids.at(-1) ?? ''));
}

function intervalOf(chart: Chart, { interval, resolution }: ChartParameters): Interval {
  if (interval && resolution && interval !== resolution) {
    throw new HttpError(400, 'interval and resolution are aliases; send one of them');
  }
  return interval ?? resolution ?? (chart.kind === 'cohort' ? 'month' : 'day');
}

function selectorsOf(query: ChartParameters): Selectors {
  const { revenueType, statusMeasure, productDuration, cohort, cohortMeasure } = query;
  const { conversionTimeframe = null, customerLifetime = null } = query;
  return { revenueType, statusMeasure, productDuration, cohort, cohortMeasure, conversionTimeframe, customerLifetime };
}
