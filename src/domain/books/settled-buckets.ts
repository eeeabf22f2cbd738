// Settled amounts as changes of the measures of a chart, by bucket. A change is what was settled less what the chart estimates.
import { windowEnd } from '../charts/contribution.js';
import type { Selectors } from '../charts/catalogue/chart.js';
import type { Measure } from '../charts/measures.js';
import { partOf } from '../charts/money.js';
import { bucketAt, type BucketedRange, type BucketSums } from '../charts/result/buckets.js';
import type { SettledCohort, SettledDay } from './settled-days.js';

export type SettledBuckets = {
  /** Measure of all charges, which the settled share is a share of. */
  readonly chargesMeasure: 'money.gross' | 'customers.gross';
  /** Estimates of the charges that were settled, by bucket. USD micros. */
  readonly charges: readonly number[];
  /** Changes by bucket. */
  readonly changes: readonly (readonly [Measure, readonly number[]])[];
};

/** Shares from 0 to 1, by gross amount, of the charges that the stores' reports have; null without charges. */
export type SettledShare = { readonly total: number | null; readonly buckets: readonly (number | null)[] };

const moneyMeasures = [
  ['gross', 'money.gross'],
  ['refunds', 'money.refunds'],
  ['tax', 'money.tax'],
  ['commission', 'money.commission'],
] as const satisfies readonly (readonly [keyof SettledDay['settled'], Measure])[];

/** Returns the changes of the chart of revenue, in which money is on its own day. */
export function settledMoney(range: BucketedRange, days: readonly SettledDay[]): SettledBuckets {
  const placed = days.map((one) => ({ ...one, bucket: bucketOfDay(range, one.day) }));
  const charges = sumBuckets(range, placed, ({ estimated }) => estimated.gross);
  const changes = moneyMeasures.map(([part, measure]) => {
    return [measure, sumBuckets(range, placed, ({ settled, estimated }) => settled[part] - estimated[part])] as const;
  });
  return { chargesMeasure: 'money.gross', charges, changes };
}

/** Sums the changes of the charts of lifetime value, in which the money of a customer is on the day when it was first seen. */
export function createSettledValue(
  range: BucketedRange,
  { revenueType, customerLifetime }: Pick<Selectors, 'revenueType' | 'customerLifetime'>,
) {
  const [charges, change] = [range.buckets.map(() => 0), range.buckets.map(() => 0)];
  const valueOf = ({ gross, refunds, tax, commission }: SettledCohort['settled']) =>
    partOf({ usd: gross - refunds, tax, fee: commission }, revenueType);
  return {
    add: ({ firstSeenDay, day, estimated, settled }: SettledCohort): void => {
      const firstSeen = Date.parse(firstSeenDay);
      const bucket = bucketAt(range, firstSeen) ?? -1;
      if (bucket < 0 || Date.parse(day) >= windowEnd(firstSeen, customerLifetime)) return;
      charges[bucket] = (charges[bucket] ?? 0) + estimated.gross;
      change[bucket] = (change[bucket] ?? 0) + valueOf(settled) - valueOf(estimated);
    },
    sum: (): SettledBuckets => ({ chargesMeasure: 'customers.gross', charges, changes: [['customers.ltv', change]] }),
  };
}

function bucketOfDay(range: BucketedRange, day: string): number {
  return bucketAt(range, Date.parse(day)) ?? -1;
}

function sumBuckets<T extends { readonly bucket: number }>(
  { buckets }: BucketedRange,
  placed: readonly T[],
  valueOf: (one: T) => number,
): readonly number[] {
  const sums = buckets.map(() => 0);
  for (const one of placed) if (one.bucket >= 0) sums[one.bucket] = (sums[one.bucket] ?? 0) + valueOf(one);
  return sums;
}

/** Replaces estimates by what was settled, and returns the share of it. */
export function settle(
  { chargesMeasure, charges, changes }: SettledBuckets,
  range: BucketedRange,
  bucketSums: BucketSums,
): SettledShare {
  const all = range.buckets.map((_, i) => bucketSums.flow(chargesMeasure, i));
  for (const [measure, values] of changes)
    for (const [i, value] of values.entries()) bucketSums.addTo(measure, i, value);
  const shareOf = (of: number, per: number) => (per > 0 ? Math.min(1, of / per) : null);
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  return { total: shareOf(sum(charges), sum(all)), buckets: all.map((per, i) => shareOf(charges[i] ?? 0, per)) };
}
