// Who takes part in an experiment, and as what: a hash decides, so that the same customer always gets the same result.
import { createHash } from 'node:crypto';
import type { Audience } from './events.js';
import type { Variant } from './experiment.js';

/** Of a customer what an audience asks about; `appIds`: the apps that it is known to use. */
export type Candidate = {
  readonly appUserId: string;
  readonly createdAt: string;
  readonly country: string | null;
  readonly platform: string | null;
  readonly appVersion: string | null;
  readonly appIds: readonly string[];
};

export type RunningExperiment = {
  readonly experimentId: string;
  readonly startedAt: string;
  readonly enrollmentPercentage: number;
  readonly audience: Audience;
  readonly variants: readonly Variant[];
};

/** The variant that a newcomer gets, or null: made before the start, not of the audience, or not among the percentage. */
export function variantFor(x: RunningExperiment, who: Candidate): Variant | null {
  if (who.createdAt < x.startedAt || !fits(x.audience, who)) return null;
  if (fraction(`${x.experimentId}:${who.appUserId}`) >= x.enrollmentPercentage / 100) return null;
  const total = x.variants.reduce((sum, v) => sum + v.weight, 0);
  const drawn = fraction(`${x.experimentId}:variant:${who.appUserId}`) * total;
  let upTo = 0;
  return x.variants.find((v) => drawn < (upTo += v.weight)) ?? x.variants.at(-1) ?? null;
}

function fits({ countries, platforms, appIds, minAppVersion }: Audience, who: Candidate): boolean {
  return (
    (countries === null || (who.country !== null && countries.includes(who.country))) &&
    (platforms === null || (who.platform !== null && platforms.includes(who.platform))) &&
    (appIds === null || who.appIds.some((id) => appIds.includes(id))) &&
    (minAppVersion === null || (who.appVersion !== null && isAtLeast(who.appVersion, minAppVersion)))
  );
}

/** `10.2` is later than `9.11`; what is no number counts as 0. */
function isAtLeast(version: string, min: string): boolean {
  const [own, least] = [version, min].map((v) => v.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let i = 0; i < Math.max(own?.length ?? 0, least?.length ?? 0); i++) {
    const difference = (own?.[i] ?? 0) - (least?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** The first 64 bits of the text's SHA-256 as a number in [0, 1). */
function fraction(text: string): number {
  const first = createHash('sha256').update(text).digest().readBigUInt64BE();
  // Only the upper 53 bits fit a number; with all 64 the largest would round up to 1.
  return Number(first >> 11n) / 2 ** 53;
}
