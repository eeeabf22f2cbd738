// A query of any chart, drawn at random: with some filters, perhaps segments, and any selectors.
import { intervals, type Interval } from '../../src/domain/charts/calendar.js';
import { cohortMeasures, cohorts, statusMeasures, type Selectors } from '../../src/domain/charts/catalogue/chart.js';
import { dimensions, type Dimension } from '../../src/domain/charts/catalogue/chart-query.js';
import { revenueTypes } from '../../src/domain/charts/money.js';
import type { QueryOptions } from '../domain/charts/run-query.js';
import type { Chance } from '../projections/support/seeded-random.js';
import { bucketStart, DAY, plus } from './time.js';

const VALUES = ['US', 'DE', 'ios', 'android', 'null', 'ios-store', 'prod_1', 'prod_2', 'app_1', 'P1M', 'P1W', 'ofr_1'];
const iso = (t: number) => new Date(t).toISOString();

export function randomQuery(asOf: number, random: Chance): QueryOptions {
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;
  const interval = pick(intervals);
  const { start, end } = periodOf(interval, asOf, random);
  const selectors: Selectors = {
    revenueType: pick(revenueTypes),
    conversionTimeframe: pick([null, 0, 7, 30]),
    customerLifetime: pick([null, 7, 90]),
    statusMeasure: pick(statusMeasures),
    productDuration: pick(['P1M', 'P1M', 'P1W', 'P1Y', 'P3D']),
    cohort: pick(cohorts),
    cohortMeasure: pick(cohortMeasures),
  };
  const filters = new Map<Dimension, ReadonlySet<string>>();
  for (let n = random.below(3); n > 0; n--) {
    filters.set(pick(dimensions), new Set([pick(VALUES), pick(VALUES), pick(VALUES)]));
  }
  return {
    ...{ start: iso(start), end: iso(end), interval, asOf: iso(asOf), selectors, filters: filters },
    environment: pick(['production', 'production', 'sandbox'] as const),
    ...(random.below(2) === 0 && { segment: pick(dimensions) }),
  };
}

/** A few buckets, clipped or not, that lie around the instant or end well before it. */
export function periodOf(interval: Interval, asOf: number, random: Chance) {
  const buckets = 1 + random.below({ day: 7, week: 7, month: 6, quarter: 4, year: 2 }[interval]);
  const first = bucketStart(plus(asOf, -random.below(buckets + 2), interval), interval);
  const start = first + random.below(2) * random.below(4) * DAY;
  return { start, end: plus(start, buckets, interval) - random.below(2) * DAY || start + DAY };
}
