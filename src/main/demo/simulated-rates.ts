// Exchange rates of a demo's past, which exist only while it is played.
import { readEcbFile } from '../../adapters/rates/ecb-file.js';
import { ratesDecider, type Rates } from '../../domain/rates/rates.js';
import { createRateFile } from '#simulator/rates.js';

/** Weekends have no rates of their own: conversions use those of the days before. */
const DAYS_BEFORE_MS = 7 * 86_400_000;

/** `from` and `until` are UTC ms. */
export function createSimulatedRates(
  seed: string,
  { from, until }: { readonly from: number; readonly until: number },
): Rates {
  const { days } = readEcbFile(createRateFile(seed, from - DAYS_BEFORE_MS, until));
  return days.reduce(
    (rates, day) => ratesDecider.decide(day, rates).reduce(ratesDecider.evolve, rates),
    ratesDecider.initial(),
  );
}
