// Known reasons for which two services show different values of one chart. Each is given only where the figures allow it.
import type { Chart } from '../charts/catalogue/chart.js';
import type { Unit } from '../charts/catalogue/display-values.js';

/** Explanations, by the name of the reason. */
export const chartReasons = {
  incomplete: 'the bucket is still changing',
  refund_dating:
    'RevenueCat subtracts a refund on the day of the purchase, Subledger on the day of the refund; the value lies within the gross revenue',
  refunded_transactions: 'RevenueCat does not count transactions that were refunded later',
  exchange_rates: 'within 3 % of the amounts in other currencies: RevenueCat converts by other exchange rates',
  customers_not_imported: 'fewer customers here: import the customer list as well',
  app_not_switched: 'activity is only known here once the app calls Subledger',
  follows_from_counts: 'the rate differs because the counts behind it do',
} as const;
export type ReasonName = keyof typeof chartReasons;

/**
 * `own`: all values here of the bucket. `laterRefunds`: refunds here in the bucket and after it. `converted`: the part that was charged in other
 * currencies. Money in US dollars, rates in percent.
 */
export type DifferenceCase = {
  readonly chart: Chart;
  readonly measure: string;
  readonly unit: Unit;
  readonly there: number | null;
  readonly here: number | null;
  readonly own: Readonly<Record<string, number | null>>;
  readonly laterRefunds: number;
  readonly converted: number;
  readonly incomplete: boolean;
};

/** Largest relative difference that two sources of daily exchange rates explain. */
const MAX_RATE_DIFFERENCE = 0.03;
/** Charts whose customers are those first seen in a bucket. */
const CUSTOMER_MEASURES: ReadonlySet<string> = new Set(['new_customers', 'paying_customers']);

/** Returns the reasons that the figures allow, the most certain first. */
export function findReasons(c: DifferenceCase): readonly ReasonName[] {
  return rules.flatMap(([name, allows]) => (allows(c) ? [name] : []));
}

const rules: readonly (readonly [ReasonName, (c: DifferenceCase) => boolean])[] = [
  ['incomplete', ({ incomplete }) => incomplete],
  ['app_not_switched', ({ chart, there, here }) => chart.id === 'customers_active' && (here ?? 0) < (there ?? 0)],
  [
    'customers_not_imported',
    ({ measure, there, here }) => CUSTOMER_MEASURES.has(measure) && (here ?? 0) < (there ?? 0),
  ],
  ['refund_dating', isRefundDating],
  [
    'refunded_transactions',
    ({ chart, measure, there, here }) =>
      chart.id === 'revenue' && measure === 'transactions' && (there ?? 0) < (here ?? 0),
  ],
  ['exchange_rates', isRateDifference],
];

/**
 * Compares gross first: what is charged in a bucket is the same wherever its refunds count, so the sides differ at most by the refunds here in
 * the bucket, and by those from then on, which may be of its purchases.
 */
function isRefundDating({ chart, measure, there, here, own, laterRefunds }: DifferenceCase): boolean {
  if (chart.id !== 'revenue' || !REFUND_MEASURES.has(measure) || there === null || here === null) return false;
  const { gross_revenue: gross, refunds } = own;
  if (gross === null || gross === undefined || there > gross + CENT) return false;
  return here - there <= laterRefunds + CENT && there - here <= (refunds ?? 0) + CENT;
}

const CENT = 0.011;
const REFUND_MEASURES: ReadonlySet<string> = new Set([
  'revenue',
  'proceeds',
  'tax',
  'commission',
  'new_revenue',
  'renewal_revenue',
]);

function isRateDifference({ unit, there, here, converted }: DifferenceCase): boolean {
  if (unit !== 'usd' || there === null || here === null || converted === 0) return false;
  const amount = Math.min(converted, Math.max(Math.abs(there), Math.abs(here)));
  return Math.abs(there - here) <= MAX_RATE_DIFFERENCE * amount + CENT;
}
