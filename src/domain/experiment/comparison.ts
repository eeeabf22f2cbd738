// Comparison of a variant with the control by the primary metric of an experiment: how each metric is measured per customer, by which
// method, and how many customers it needs before a chance says anything.
import type { PrimaryMetric } from './events.js';
import type { VariantResults } from './results.js';
import {
  chanceOfHigherMean,
  chanceOfHigherRate,
  intervalOfMeans,
  intervalOfRates,
  type Attempts,
  type Interval,
  type Sample,
} from './statistics.js';

/** No chance is shown while either variant has fewer customers. For a rate, the customers of its denominator. */
export const MIN_CUSTOMERS = 100;
/** No chance of a mean is shown while either variant has fewer customers with an amount other than zero. */
export const MIN_OUTCOMES = 30;
/** Below this probability, chance does not explain the ratio of the variants. */
export const RATIO_THRESHOLD = 0.001;

export const comparisonMethods = ['beta_binomial', 'welch_normal'] as const;
export type ComparisonMethod = (typeof comparisonMethods)[number];

/** Definition of each method for readers. */
export const methodTexts: Readonly<Record<ComparisonMethod, string>> = {
  beta_binomial:
    'Chance to win: probability that the variant’s true rate is better than the control’s, each rate with the distribution ' +
    'Beta(1 + successes, 1 + failures). Interval: 95 % for the difference of the rates, by Newcombe’s method from Wilson’s intervals. ' +
    'Assumes that customers decide independently.',
  welch_normal:
    'Chance to win: probability that the variant’s true mean is better than the control’s. The difference of the means over ' +
    'customers, including those with nothing, is taken as normal with Welch’s standard error (variances may differ). Interval: 95 % ' +
    'for that difference. Assumes that customers decide independently and that no few customers make most of the sum.',
};

export const comparisonUnits = ['rate', 'usd', 'count'] as const;
export type ComparisonUnit = (typeof comparisonUnits)[number];

type Measure = { readonly isLowerBetter?: true } & (
  | { readonly unit: 'rate'; readonly rate: (r: VariantResults) => Attempts }
  | { readonly unit: 'usd' | 'count'; readonly mean: (r: VariantResults) => Sample }
);

function rateOf(part: (r: VariantResults) => number): Measure {
  return { unit: 'rate', rate: (r) => ({ successes: part(r), of: r.customers }) };
}

function meanOf(unit: 'usd' | 'count', mean: (r: VariantResults) => Sample): Measure {
  return { unit, mean };
}

const revenue = meanOf('usd', (r) => r.samples.revenueUsd);
const mrr = meanOf('usd', (r) => r.samples.mrrUsd);
const initialConversions = rateOf((r) => r.initialConversions);
const paying = rateOf((r) => r.payingCustomers);

/**
 * Measure of each metric. Totals are compared per customer, because variants differ in their customers. Null: the number of customers is
 * decided by the weights and is no result.
 */
const measures: Readonly<Record<PrimaryMetric, Measure | null>> = {
  customers: null,
  initial_conversions: initialConversions,
  initial_conversion_rate: initialConversions,
  trials_started: meanOf('count', (r) => r.samples.trialsStarted),
  trials_completed: meanOf('count', (r) => r.samples.trialsCompleted),
  trials_converted: meanOf('count', (r) => r.samples.trialsConverted),
  trial_conversion_rate: {
    unit: 'rate',
    rate: (r) => ({ successes: r.trialsConverted, of: r.trialsCompleted }),
  },
  paying_customers: paying,
  conversion_to_paying_rate: paying,
  active_subscribers: rateOf((r) => r.activeSubscribers),
  churned_subscribers: { ...rateOf((r) => r.churnedSubscribers), isLowerBetter: true },
  refunded_customers: { ...rateOf((r) => r.refundedCustomers), isLowerBetter: true },
  realized_ltv_usd: revenue,
  realized_ltv_per_customer: revenue,
  realized_ltv_per_paying_customer: meanOf('usd', (r) => r.samples.payingRevenueUsd),
  mrr,
  mrr_per_customer: mrr,
};

export type MetricMethod = {
  readonly method: ComparisonMethod;
  readonly unit: ComparisonUnit;
  readonly isLowerBetter: boolean;
};

/** Returns how the metric is compared; null for one without a comparison. */
export function methodOf(metric: PrimaryMetric): MetricMethod | null {
  const measure = measures[metric];
  if (!measure) return null;
  const isLowerBetter = measure.isLowerBetter ?? false;
  const { unit } = measure;
  return { method: unit === 'rate' ? 'beta_binomial' : 'welch_normal', unit, isLowerBetter };
}

/** Value of the metric for one variant, and its comparison with the control. Money in USD. */
export type Comparison = {
  /** A rate, or a mean per customer; null without customers. */
  readonly value: number | null;
  /** Value of the variant minus that of the control; null without customers in either. */
  readonly difference: number | null;
  /** 95 % interval of the difference; null if there are too few customers. */
  readonly interval: Interval | null;
  /** Probability of a better value than the control's; null if there are too few customers. */
  readonly chanceToWin: number | null;
  /** Customers that the smaller of the two still lacks; null if both have enough. */
  readonly missing: { readonly customers: number; readonly outcomes: number } | null;
};

/** Compares a variant by the metric. `control`: null for the control itself. Returns null for a metric without a comparison. */
export function compareVariant(
  metric: PrimaryMetric,
  variant: VariantResults,
  control: VariantResults | null,
): Comparison | null {
  const measure = measures[metric];
  if (!measure) return null;
  const found =
    measure.unit === 'rate'
      ? compareRates(measure.rate, variant, control)
      : compareMeans(measure.mean, variant, control);
  const { chanceToWin: chance } = found;
  return measure.isLowerBetter && chance !== null ? { ...found, chanceToWin: 1 - chance } : found;
}

function compareRates(
  of: (r: VariantResults) => Attempts,
  variant: VariantResults,
  control: VariantResults | null,
): Comparison {
  const own = of(variant);
  const value = own.of === 0 ? null : own.successes / own.of;
  if (!control) return alone(value);
  const other = of(control);
  const difference = value === null || other.of === 0 ? null : value - other.successes / other.of;
  const missing = missingOf(Math.min(own.of, other.of), MIN_OUTCOMES);
  if (missing) return { ...alone(value), difference, missing };
  const chanceToWin = chanceOfHigherRate(own, other);
  return { value, difference, interval: intervalOfRates(own, other), chanceToWin, missing };
}

function compareMeans(
  of: (r: VariantResults) => Sample,
  variant: VariantResults,
  control: VariantResults | null,
): Comparison {
  const own = of(variant);
  const value = own.count === 0 ? null : own.mean;
  if (!control) return alone(value);
  const other = of(control);
  const difference = value === null || other.count === 0 ? null : value - other.mean;
  const missing = missingOf(Math.min(own.count, other.count), Math.min(own.nonZero, other.nonZero));
  if (missing) return { ...alone(value), difference, missing };
  const chanceToWin = chanceOfHigherMean(own, other);
  return { value, difference, interval: intervalOfMeans(own, other), chanceToWin, missing };
}

function alone(value: number | null): Comparison {
  return { value, difference: null, interval: null, chanceToWin: null, missing: null };
}

function missingOf(customers: number, outcomes: number): Comparison['missing'] {
  const missing = {
    customers: Math.max(0, MIN_CUSTOMERS - customers),
    outcomes: Math.max(0, MIN_OUTCOMES - outcomes),
  };
  return missing.customers + missing.outcomes === 0 ? null : missing;
}

/** Returns the chance that a variant's rate is higher than the control's; null if either has too few customers. */
export function chanceOfRate(variant: Attempts, control: Attempts): number | null {
  return missingOf(Math.min(variant.of, control.of), MIN_OUTCOMES) ? null : chanceOfHigherRate(variant, control);
}
