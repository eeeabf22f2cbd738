// The durations of promotional grants. The names are RevenueCat's, whose promotional product ids contain them.
import { tableKeys } from '../values/table-keys.js';
import { z } from 'zod';
import { addDuration } from '../time.js';

/** Durations by name; `lifetime` never ends. */
export const grantDurations = {
  daily: 'P1D',
  three_day: 'P3D',
  weekly: 'P7D',
  two_week: 'P14D',
  monthly: 'P1M',
  two_month: 'P2M',
  three_month: 'P3M',
  six_month: 'P6M',
  yearly: 'P1Y',
  lifetime: null,
} as const;
export type GrantDuration = keyof typeof grantDurations;
export const grantDuration = z.enum(tableKeys(grantDurations));

/** Returns the end of a grant, or null if it is permanent. */
export function grantEnd(startsAt: string, duration: GrantDuration): string | null {
  const length = grantDurations[duration];
  return length === null ? null : addDuration(startsAt, length);
}

type GrantTerms = { readonly lookupKey: string; readonly startsAt: string; readonly expiresAt: string | null };

/** Returns RevenueCat's product of a grant, `rc_promo_<entitlement>_<duration>`: `custom` if its end is an arbitrary instant. */
export function grantProductId({ lookupKey, startsAt, expiresAt }: GrantTerms): string {
  return `rc_promo_${lookupKey}_${grantDuration.options.find((name) => grantEnd(startsAt, name) === expiresAt) ?? 'custom'}`;
}
