// Plan of a demo: its simulated customers, the period of their past, and its exchange rates.
import { readEcbFile } from '../../adapters/rates/ecb-file.js';
import { ratesDecider, type PublishRates, type Rates } from '../../domain/rates/rates.js';
import type { SimulatedAndroidStore } from '#simulator/android-store/server.js';
import type { Lifecycle } from '#simulator/lifecycle-events.js';
import { createLifecycles, type TimeRange } from '#simulator/lifecycles.js';
import { OTHER_STOREFRONTS } from '#simulator/markets.js';
import { createRateFile } from '#simulator/rates.js';
import type { Turn } from '#simulator/schedule.js';

/** Simulated period, UTC ms, and what happens in it. */
export type DemoPlan = TimeRange & {
  readonly lifecycles: readonly Lifecycle[];
  /** Rates at which amounts of the simulated past are converted. */
  readonly rates: Rates;
  readonly maxConcurrent: number;
  /** Null: all customers buy in the ios-store. */
  readonly android: SimulatedAndroidStore | null;
  /** Adds a webhook whose receiver fails, and a purchase at the end, which it fails to receive. */
  readonly hasFailingWebhook: boolean;
  /** Called every two weeks of simulated time, at that time. */
  readonly onPeriod?: (nowMs: number) => Promise<void>;
  readonly onPlayed?: (turn: Turn) => void;
};

const SEED = 'demo';
const CUSTOMERS = 180;
/** Customers of the last days, so that some are in their trial. */
const NEWEST_CUSTOMERS = 20;
const NEWEST_MS = 6 * 86_400_000;
/** Customers who pay in other currencies. */
const CUSTOMERS_ABROAD = 40;
const MONTHS_MS = 14 * 30.4 * 86_400_000;
/** Low enough for other work of the service to continue. */
const MAX_CONCURRENT = 6;

/** Returns the plan of demos that users create. */
export function standardPlan(nowMs: number): DemoPlan {
  const span = { from: Math.floor((nowMs - MONTHS_MS) / 1000) * 1000, until: nowMs };
  const newest = { from: nowMs - NEWEST_MS, until: nowMs };
  return {
    ...span,
    lifecycles: [
      ...createLifecycles(SEED, CUSTOMERS, span),
      ...createLifecycles(SEED, NEWEST_CUSTOMERS, newest, { firstIndex: CUSTOMERS }),
      ...lifecyclesAbroad(SEED, CUSTOMERS_ABROAD, span, CUSTOMERS + NEWEST_CUSTOMERS),
    ],
    rates: ratesOf(createDailyRates(SEED, span)),
    maxConcurrent: MAX_CONCURRENT,
    android: null,
    hasFailingWebhook: true,
  };
}

/** Returns customers who pay in other currencies. `firstIndex`: number of customers before them. */
export function lifecyclesAbroad(seed: string, count: number, span: TimeRange, firstIndex: number) {
  return createLifecycles(seed, count, span, { firstIndex, storefronts: OTHER_STOREFRONTS });
}

/** Weekends have no rates of their own: conversions use those of the days before. */
const RATE_DAYS_BEFORE_MS = 7 * 86_400_000;

export function createDailyRates(seed: string, { from, until }: TimeRange): readonly PublishRates[] {
  return readEcbFile(createRateFile(seed, from - RATE_DAYS_BEFORE_MS, until)).days;
}

export function ratesOf(days: readonly PublishRates[]): Rates {
  return days.reduce(
    (rates, day) => ratesDecider.decide(day, rates).reduce(ratesDecider.evolve, rates),
    ratesDecider.initial(),
  );
}
