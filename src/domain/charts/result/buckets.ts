// Time range divided into calendar buckets, and the sums of measures in each bucket.
import { addIntervals, startOf, type Interval } from '../calendar.js';
import type { Measure } from '../measures.js';

/** Bucket, half-open and clipped to the period. Nothing at or after `horizon` exists yet. */
export type Bucket = { readonly start: number; readonly end: number; readonly horizon: number };

export type BucketedRange = {
  readonly start: number;
  readonly end: number;
  readonly interval: Interval;
  /** Instant of the query, UTC ms: nothing that took effect or was recorded at or after it counts. */
  readonly asOf: number;
  readonly buckets: readonly Bucket[];
};

/** Divides the range into buckets, without those that begin at or after `asOf`. */
export function bucketedRangeOf(o: Omit<BucketedRange, 'buckets'>): BucketedRange {
  const buckets: Bucket[] = [];
  for (let start = o.start; start < Math.min(o.end, o.asOf);) {
    const end = Math.min(addIntervals(o.interval, startOf(o.interval, start), 1), o.end);
    buckets.push({ start, end, horizon: Math.min(end, o.asOf) });
    start = end;
  }
  return { ...o, buckets };
}

/** Returns the same range as a single bucket. */
export function wholeRangeOf({ start, end, interval, asOf }: BucketedRange): BucketedRange {
  return { start, end, interval, asOf, buckets: [{ start, end, horizon: Math.min(end, asOf) }] };
}

/** Returns whether the bucket covers only a part of its calendar interval. */
export function isClipped({ start, end }: Pick<Bucket, 'start' | 'end'>, interval: Interval): boolean {
  const begins = startOf(interval, start);
  return begins !== start || addIntervals(interval, begins, 1) !== end;
}

/** Returns whether a period has more than `maxBuckets` buckets, future ones included, without creating them. */
export function hasMoreBuckets(
  { start, end, interval }: Omit<BucketedRange, 'buckets' | 'asOf'>,
  maxBuckets: number,
): boolean {
  let at = start;
  for (let n = 0; n < maxBuckets && at < end; n++) at = addIntervals(interval, startOf(interval, at), 1);
  return at < end;
}

/** Returns the bucket of an instant: -1 before the first bucket, undefined after the last one. */
export function bucketAt({ buckets }: BucketedRange, at: number): number | undefined {
  let [low, high] = [0, buckets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((buckets[middle]?.start ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  const found = low - 1;
  return found >= 0 && at >= (buckets[found]?.horizon ?? 0) ? undefined : found;
}

/** Sums per measure; place 0 is everything before the first bucket. */
export type BucketSums = {
  add(measure: Measure, at: number, value: number): void;
  addTo(measure: Measure, bucket: number, value: number): void;
  /** Returns the sum within the bucket. */
  flow(measure: Measure, bucket: number): number;
  /** Returns the sum of everything before the bucket's horizon; for bucket -1, before the start of the range. */
  stock(measure: Measure, bucket: number): number;
  addAll(other: Pick<BucketSums, 'sums'>): void;
  readonly sums: ReadonlyMap<Measure, Float64Array>;
};

export function createBucketSums(range: BucketedRange): BucketSums {
  const sums = new Map<Measure, Float64Array>();
  const stocks = new Map<Measure, Float64Array>();
  const sumsOf = (measure: Measure): Float64Array => {
    const values = sums.get(measure) ?? new Float64Array(range.buckets.length + 1);
    sums.set(measure, values);
    return values;
  };
  const addTo = (measure: Measure, bucket: number, value: number): void => {
    const values = sumsOf(measure);
    values[bucket + 1] = (values[bucket + 1] ?? 0) + value;
    stocks.delete(measure);
  };
  return {
    sums,
    addTo,
    add: (measure, at, value) => {
      const bucket = bucketAt(range, at);
      if (bucket !== undefined) addTo(measure, bucket, value);
    },
    flow: (measure, bucket) => sums.get(measure)?.[bucket + 1] ?? 0,
    stock: (measure, bucket) => {
      let values = stocks.get(measure);
      if (!values) {
        let total = 0;
        values = (sums.get(measure) ?? new Float64Array(range.buckets.length + 1)).map((v) => (total += v));
        stocks.set(measure, values);
      }
      return values[bucket + 1] ?? 0;
    },
    addAll: (other) => {
      for (const [measure, values] of other.sums) {
        const own = sumsOf(measure);
        for (let i = 0; i < own.length; i++) own[i] = (own[i] ?? 0) + (values[i] ?? 0);
        stocks.delete(measure);
      }
    },
  };
}
