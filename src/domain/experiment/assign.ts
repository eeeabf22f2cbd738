// Assigns customers to experiments and variants by a hash, so that the same customer always gets the same result.
import { createHash } from 'node:crypto';
import { isVersionAtLeast } from '../values/app-version.js';
import type { Audience } from './events.js';
import type { Variant } from './experiment.js';

/** The customer fields that an audience filters by. `appIds`: the apps that the customer is known to use. */
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

/** Returns the variant of a new customer; null if created before the start, not in the audience, or outside the enrollment percentage. */
export function variantFor(x: RunningExperiment, candidate: Candidate): Variant | null {
  if (candidate.createdAt < x.startedAt || !isInAudience(x.audience, candidate)) return null;
  if (hashFraction(`${x.experimentId}:${candidate.appUserId}`) >= x.enrollmentPercentage / 100) return null;
  const total = x.variants.reduce((sum, v) => sum + v.weight, 0);
  const position = hashFraction(`${x.experimentId}:variant:${candidate.appUserId}`) * total;
  let upTo = 0;
  return x.variants.find((v) => position < (upTo += v.weight)) ?? x.variants.at(-1) ?? null;
}

function isInAudience({ countries, platforms, appIds, minAppVersion }: Audience, candidate: Candidate): boolean {
  return (
    (countries === null || (candidate.country !== null && countries.includes(candidate.country))) &&
    (platforms === null || (candidate.platform !== null && platforms.includes(candidate.platform))) &&
    (appIds === null || candidate.appIds.some((id) => appIds.includes(id))) &&
    (minAppVersion === null || (candidate.appVersion !== null && isVersionAtLeast(candidate.appVersion, minAppVersion)))
  );
}

/** Returns the first 64 bits of the text's SHA-256 as a number in [0, 1). */
function hashFraction(text: string): number {
  const first = createHash('sha256').update(text).digest().readBigUInt64BE();
  // Only the upper 53 bits fit a number; with all 64 the largest would round up to 1.
  return Number(first >> 11n) / 2 ** 53;
}
