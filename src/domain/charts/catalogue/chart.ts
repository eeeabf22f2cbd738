// Definition of a chart: its measures, the sums that it needs, and how its values follow from these sums.
import type { Group } from '../contribution.js';
import type { Measure } from '../measures.js';
import type { Raw, Unit } from './display-values.js';
import type { RevenueType } from '../money.js';
import type { ChartDefinition } from './definitions/definition.js';

export const categories = ['revenue', 'subscriptions', 'trials', 'customers', 'conversion', 'cohort'] as const;
export const statusMeasures = ['actives', 'active_trials', 'mrr', 'arr'] as const;
export const cohorts = ['new_customers', 'initial_conversions', 'new_paying_customers'] as const;
export const cohortMeasures = [
  'revenue',
  'realized_ltv',
  'realized_ltv_per_customer',
  'retained_subscriptions',
] as const;

/** Settings of a query in addition to its period; a chart lists those that it supports. Timeframes in days, null for no limit. */
export type Selectors = {
  readonly revenueType: RevenueType;
  readonly conversionTimeframe: number | null;
  readonly customerLifetime: number | null;
  readonly statusMeasure: (typeof statusMeasures)[number];
  readonly productDuration: string;
  readonly cohort: (typeof cohorts)[number];
  readonly cohortMeasure: (typeof cohortMeasures)[number];
};

export const defaultSelectors: Selectors = {
  revenueType: 'revenue',
  conversionTimeframe: null,
  customerLifetime: null,
  statusMeasure: 'actives',
  productDuration: 'P1M',
  cohort: 'new_customers',
  cohortMeasure: 'revenue',
};

/** Forms in which a chart of series is drawn: bars where values add up over segments, and a movement as gains above the axis and losses below it. */
export const drawings = ['lines', 'bars', 'movement'] as const;
/** Parts of a movement. A loss is a positive number; the balance is gains less losses. */
export const movementParts = ['gain', 'loss', 'balance'] as const;

/** `isAdditive`: the buckets add up to the whole period. */
export type ChartMeasure = {
  readonly id: string;
  readonly name: string;
  readonly unit: Unit;
  readonly isAdditive: boolean;
  readonly part?: (typeof movementParts)[number];
};

/** Sums of one bucket. `stock` covers everything before its horizon, `before` everything before its start. */
export type Sums = {
  flow(measure: Measure): number;
  stock(measure: Measure): number;
  before(measure: Measure): number;
};

/**
 * How a day's figure of the chart is compared with the same weekdays before: its measure, and the measure that counts what it is made of.
 * Only figures that are final soon after their day.
 */
type Watch = { readonly measure: string; readonly count: string };

type Common = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly definition: ChartDefinition;
  readonly category: (typeof categories)[number];
  readonly unit: Unit;
  /** Lines by default. */
  readonly drawing?: (typeof drawings)[number];
  /** Overrides the unit of the chart and of its measures depending on a selector. */
  readonly unitBy?: (selectors: Selectors) => Unit;
  /**
   * For `purchases`, every dimension belongs to the purchase. For `customers`, the country belongs to the customer, and purchase filters do
   * not exclude customers.
   */
  readonly subject: 'purchases' | 'customers';
  readonly selectors: readonly (keyof Selectors)[];
  readonly measures: readonly ChartMeasure[];
};

export type SeriesChart = Common & {
  readonly kind: 'series';
  readonly needs: Group | 'activity';
  readonly values: (sums: Sums, selectors: Selectors) => Readonly<Record<string, Raw>>;
  /** Days in which a member of the bucket can still gain something; null for no limit. */
  readonly window?: (selectors: Selectors) => number | null;
  /** Measure that marks a bucket as incomplete while it is above zero. */
  readonly pending?: string;
  /** Omitted for a chart whose figure is not watched. */
  readonly watch?: Watch;
};

export type CohortChart = Common & { readonly kind: 'cohort'; readonly of: 'customers' | 'subscriptions' };

export type Chart = SeriesChart | CohortChart;

/** Defines a measure whose name is its ID in words. */
export function defineMeasure(unit: Unit, id: string, isAdditive = unit !== 'percent'): ChartMeasure {
  const words = id.replaceAll('_', ' ').replace(/\b(mrr|arr|ltv)\b/g, (word) => word.toUpperCase());
  return { id, name: words.charAt(0).toUpperCase() + words.slice(1), unit, isAdditive };
}
