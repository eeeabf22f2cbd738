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
import {
  addIntervals,
  DAY_MS,
  intervals,
  spanOf,
  startOf,
  startOfDay,
  type Interval,
} from '../../domain/charts/calendar.js';
import { bucketedRangeOf, hasMoreBuckets } from '../../domain/charts/result/buckets.js';
import { DEFAULT_SEGMENT_LIMIT } from '../../domain/charts/result/segment-counts.js';
import { revenueTypes } from '../../domain/charts/money.js';
import {
  dimensions,
  dimensionsOf,
  type Dimension,
  type ChartQuery,
  type Filters,
} from '../../domain/charts/catalogue/chart-query.js';
import { offerTypes, startReasons } from '../../domain/subscriber/events/blocks.js';
import { storeKinds } from '../../domain/store-kinds.js';
import { HttpError } from '../bodies/errors.js';
import { instant } from '../bodies/request-schemas.js';

export const periods = [
  ...(['last_7_days', 'last_28_days', 'last_90_days', 'last_12_months', 'last_24_months'] as const),
  ...(['this_month', 'last_month', 'this_year', 'all_time'] as const),
] as const;
const MAX_BUCKETS = 2000;
export const MAX_SEGMENTS = 1000;
const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
const day = z.iso.date({ error: 'must be a UTC day such as 2026-11-20' });
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

/**
 * Converts parameters to a query. `now`, UTC ms, is the first instant without data; `begins` is the start of `all_time`. Throws {@link
 * HttpError} 400.
 */
export function parseChartQuery(
  chart: Chart,
  query: ChartParameters,
  now: number,
  begins: number,
): Pick<ParsedFilters, 'ignoredFilters'> & { readonly chartQuery: ChartQuery } {
  const { start, end } = parsePeriod(query, now, begins);
  const interval = intervalOf(chart, query);
  if (start >= end) throw new HttpError(400, 'startDate must be before endDate');
  if (hasMoreBuckets({ start, end, interval }, MAX_BUCKETS)) {
    throw new HttpError(400, `the period has more than ${MAX_BUCKETS} buckets; use a longer interval`);
  }
  const { segment = null } = query;
  if (segment) expectDimension(chart, segment);
  const { environment } = query;
  const range = bucketedRangeOf({ start, end, interval, asOf: now });
  const { filters, ignoredFilters } = parseFilters(chart, query.filter);
  return { chartQuery: { chart, range, environment, filters, segment, selectors: selectorsOf(query) }, ignoredFilters };
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

type Period = { readonly start: number; readonly end: number };

function parsePeriod({ startDate, endDate, period }: ChartParameters, now: number, begins: number): Period {
  if (period !== undefined && (startDate !== undefined || endDate !== undefined)) {
    throw new HttpError(400, 'send either period, or startDate and endDate');
  }
  if ((startDate === undefined) !== (endDate === undefined)) {
    throw new HttpError(400, 'send startDate and endDate together');
  }
  const range = RANGE.exec(period ?? '');
  const [from, to] = range ? [range[1], range[2]] : [startDate, endDate];
  if (from !== undefined && to !== undefined) {
    // Otherwise February 30 would become March 2.
    if (![from, to].every((text) => day.safeParse(text).success)) {
      throw new HttpError(400, 'period: must be two calendar days such as 2026-01-01..2026-04-30');
    }
    return { start: Date.parse(from), end: Date.parse(to) + DAY_MS };
  }
  return namedPeriod(period ?? 'last_28_days', startOfDay(now - 1) + DAY_MS, begins);
}

/** Returns a named period, which ends with the current day. */
function namedPeriod(name: string, end: number, begins: number): Period {
  const today = end - DAY_MS;
  const month = startOf('month', today);
  switch (name) {
    case 'last_7_days':
      return { start: end - 7 * DAY_MS, end };
    case 'last_90_days':
      return { start: end - 90 * DAY_MS, end };
    case 'last_12_months':
      return { start: addIntervals('month', month, -11), end };
    case 'last_24_months':
      return { start: addIntervals('month', month, -23), end };
    case 'this_month':
      return { start: month, end };
    case 'last_month':
      return { start: addIntervals('month', month, -1), end: month };
    case 'this_year':
      return { start: startOf('year', today), end };
    case 'all_time':
      return { start: Math.min(startOfDay(begins), today), end };
    default:
      return { start: end - 28 * DAY_MS, end };
  }
}

type ParsedFilters = {
  readonly filters: Filters;
  /** Dimensions of purchases, whose filters have no effect on counts of customers. */
  readonly ignoredFilters: readonly Dimension[];
};

function parseFilters(chart: Chart, filter: ChartParameters['filter']): ParsedFilters {
  const filters = new Map<Dimension, ReadonlySet<string>>();
  const ignored = new Set<Dimension>();
  for (const text of [filter ?? []].flat()) {
    const colon = text.indexOf(':');
    const dimension = text.slice(0, colon) as Dimension;
    const isIgnored = dimensions.includes(dimension) && !dimensionsOf(chart).includes(dimension);
    if (!isIgnored) expectDimension(chart, dimension);
    const values = text
      .slice(colon + 1)
      .split(',')
      .filter((v) => v !== '');
    expectFilterValues(dimension, values);
    if (isIgnored) ignored.add(dimension);
    else filters.set(dimension, new Set([...(filters.get(dimension) ?? []), ...values]));
  }
  return { filters, ignoredFilters: [...ignored] };
}

function expectDimension(chart: Chart, dimension: Dimension): void {
  const allowed = dimensionsOf(chart);
  if (allowed.includes(dimension)) return;
  throw new HttpError(400, `${chart.id} can be filtered by: ${allowed.join(', ')}`);
}

/** Value of a dimension that is unknown. */
const UNKNOWN = 'null';

type ValueRule = { readonly fits: (value: string) => boolean; readonly expected: string };

const listedIn = (values: readonly string[]): ValueRule => ({
  fits: (value) => values.includes(value),
  expected: `one of ${values.join(', ')}`,
});
const idOrUnknown = (thing: string, prefix: string): ValueRule => ({
  fits: (value) => value === UNKNOWN || new RegExp(`^${prefix}_[0-9a-z]{1,40}$`).test(value),
  expected: `the id of ${thing} (${prefix}_…), or ${UNKNOWN}`,
});

const rules: Readonly<Partial<Record<Dimension, ValueRule>>> = {
  store: listedIn(storeKinds),
  startReason: listedIn([...startReasons, UNKNOWN]),
  offerType: listedIn([...offerTypes, UNKNOWN]),
  appId: idOrUnknown('an app', 'app'),
  productId: idOrUnknown('a product', 'prod'),
  offeringId: idOrUnknown('an offering', 'ofr'),
  productDuration: {
    fits: (value) => value === UNKNOWN || spanOf(value) !== null,
    expected: `a duration such as P1M, or ${UNKNOWN}`,
  },
  country: {
    fits: (value) => value === UNKNOWN || /^[A-Z]{2}$/.test(value),
    expected: `an ISO 3166 code such as DE, or ${UNKNOWN}`,
  },
};

/** Throws {@link HttpError} 400 with the allowed values: a misspelt value would give zeros that look like results. */
function expectFilterValues(dimension: Dimension, values: readonly string[]): void {
  const rule = rules[dimension];
  const wrong = rule && values.find((value) => !rule.fits(value));
  if (wrong !== undefined) {
    throw new HttpError(400, `filter: ${dimension} must be ${rule?.expected ?? ''}; ${JSON.stringify(wrong)} is not`);
  }
}
