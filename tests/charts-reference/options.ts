// Options of the reference, and its result for one bucket.
import type { Interval } from './time.js';

export type Options = {
  readonly start: number;
  readonly end: number;
  readonly interval: Interval;
  readonly now: number;
  readonly environment?: string;
  readonly revenueType?: string;
  readonly conversionTimeframe?: number | null;
  readonly customerLifetime?: number | null;
  readonly statusMeasure?: string;
  readonly productDuration?: string;
  readonly cohort?: string;
  readonly cohortMeasure?: string;
  readonly filter?: readonly [dimension: string, value: string];
};
export type Values = Record<string, number | null>;
