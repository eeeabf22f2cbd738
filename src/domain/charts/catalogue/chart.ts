// What a chart is: one entry of the catalogue. It defines what it shows, what must be added up for it, and how its values follow from sums.
import type { Group } from '../contribution.js';
import type { Measure } from '../measures.js';
import type { Raw, Unit } from './display-values.js';
import type { RevenueType } from '../money.js';

export const categories = ['revenue', 'subscriptions', 'trials', 'customers', 'conversion', 'cohort'] as const;
export const statusMeasures = ['actives', 'active_trials', 'mrr', 'arr'] as const;
export const cohorts = ['new_customers', 'initial_conversions', 'new_paying_customers'] as const;
export const cohortMeasures = [
  'revenue',
  'realized_ltv',
  'realized_ltv_per_customer',
  'retained_subscriptions',
] as const;

/** What a query may set besides its period; a chart names those that it heeds. Timeframes in days, null without end. */
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

/** `isAdditive`: the buckets add up to the whole period. */
export type ShownMeasure = {
  readonly id: string;
  readonly name: string;
  readonly unit: Unit;
  readonly isAdditive: boolean;
};

/** The sums of one bucket. `stock`: of all that lies before its horizon. `before`: of all that lies before its start. */
export type Sums = {
  flow(measure: Measure): number;
  stock(measure: Measure): number;
  before(measure: Measure): number;
};

type Common = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: (typeof categories)[number];
  readonly unit: Unit;
  /** Replaces the unit of the chart and of its measures where a selector does. */
  readonly unitBy?: (selectors: Selectors) => Unit;
  /** `purchases`: every dimension is the purchase's. `customers`: the country is the customer's, and no purchase filter leaves customers out. */
  readonly subject: 'purchases' | 'customers';
  readonly selectors: readonly (keyof Selectors)[];
  readonly measures: readonly ShownMeasure[];
};

export type SeriesChart = Common & {
  readonly kind: 'series';
  readonly needs: Group | 'activity';
  readonly values: (sums: Sums, selectors: Selectors) => Readonly<Record<string, Raw>>;
  /** Days that a member of the bucket has left to gain; null without end. */
  readonly window?: (selectors: Selectors) => number | null;
  /** The measure that keeps a bucket incomplete while there is any of it. */
  readonly pending?: string;
};

export type CohortChart = Common & { readonly kind: 'cohort'; readonly of: 'customers' | 'subscriptions' };

export type Chart = SeriesChart | CohortChart;

/** Its name is its id in words. */
export function shown(unit: Unit, id: string, isAdditive = unit !== 'percent'): ShownMeasure {
  const words = id.replaceAll('_', ' ').replace(/\b(mrr|arr|ltv)\b/g, (word) => word.toUpperCase());
  return { id, name: words.charAt(0).toUpperCase() + words.slice(1), unit, isAdditive };
}
