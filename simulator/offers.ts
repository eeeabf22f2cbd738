// Catalogue of the simulated app. Prices are milliunits of US dollars (9990 = 9.99), as the store sends them.
import { DateTime, Duration } from 'luxon';

export const BUNDLE_ID = 'com.example.stargazer';
export const ENTITLEMENT = 'pro';

export type OfferName = 'weekly' | 'monthly' | 'yearly' | 'lifetime' | 'coins';

export type Offer = {
  readonly storeProductId: string;
  readonly displayName: string;
  readonly type: 'subscription' | 'consumable' | 'non_consumable';
  /** ISO 8601 duration; null for a one-time purchase. */
  readonly duration: string | null;
  readonly trialDuration: string | null;
  readonly gracePeriodDuration: string | null;
  readonly priceMilli: number;
  /** Price of the first period with the introductory offer. */
  readonly introPriceMilli: number | null;
  readonly unlocks: boolean;
};

const oneTime = { duration: null, trialDuration: null, gracePeriodDuration: null, introPriceMilli: null };
const subscription = { type: 'subscription' as const, trialDuration: null, introPriceMilli: null, unlocks: true };
const productId = (name: string) => `${BUNDLE_ID}.${name}`;

export const offers: Readonly<Record<OfferName, Offer>> = {
  weekly: {
    ...subscription,
    storeProductId: productId('pro.week'),
    displayName: 'Pro, weekly',
    duration: 'P1W',
    gracePeriodDuration: 'P6D',
    priceMilli: 2990,
  },
  monthly: {
    ...subscription,
    storeProductId: productId('pro.month'),
    displayName: 'Pro, monthly',
    duration: 'P1M',
    trialDuration: 'P1W',
    gracePeriodDuration: 'P16D',
    priceMilli: 9990,
    introPriceMilli: 4990,
  },
  yearly: {
    ...subscription,
    storeProductId: productId('pro.year'),
    displayName: 'Pro, yearly',
    duration: 'P1Y',
    gracePeriodDuration: 'P16D',
    priceMilli: 59_990,
    introPriceMilli: 39_990,
  },
  lifetime: {
    ...oneTime,
    storeProductId: productId('pro.lifetime'),
    displayName: 'Pro, lifetime',
    type: 'non_consumable',
    priceMilli: 149_990,
    unlocks: true,
  },
  coins: {
    ...oneTime,
    storeProductId: productId('coins.100'),
    displayName: '100 coins',
    type: 'consumable',
    priceMilli: 990,
    unlocks: false,
  },
};

/** Adds an ISO 8601 duration to an instant (ms since the epoch). Months clamp to the last day of the month. */
export function addDuration(ms: number, duration: string): number {
  return DateTime.fromMillis(ms, { zone: 'utc' }).plus(Duration.fromISO(duration)).toMillis();
}
