// Rates of a currency as a bank might publish them: not for every day, and for weeks not at all.
import type { DayRates, Rates } from '../../src/domain/rates/rates.js';
import type { Chance } from '../projections/support/seeded-random.js';
import { DAY } from './time.js';

const BEGIN = Date.UTC(2024, 11, 1);
const DAYS = 500;

export function patchyRates(random: Chance): Rates {
  const years: Record<string, Record<string, DayRates>> = {};
  let quietUntil = 0;
  for (let n = 0; n < DAYS; n++) {
    if (random.below(40) === 0) quietUntil = n + random.below(60);
    if (n < quietUntil || random.below(3) === 0) continue;
    const day = new Date(BEGIN + n * DAY).toISOString().slice(0, 10);
    const rate = () => (0.5 + random.below(200) / 100).toFixed(2);
    (years[day.slice(0, 4)] ??= {})[day] = { USD: rate(), ...(random.below(10) > 0 && { XTS: rate() }) };
  }
  return years;
}

/** The same with some days more, fewer, or of another rate. */
export function correctedRates(rates: Rates, random: Chance): Rates {
  const other = patchyRates(random);
  const years = new Set([...Object.keys(rates), ...Object.keys(other)]);
  return Object.fromEntries(
    [...years].map((year) => {
      const days = Object.entries({ ...rates[year], ...other[year] });
      const kept = days.map(([day, of]) => [day, random.below(20) === 0 ? of : (rates[year]?.[day] ?? null)] as const);
      return [year, Object.fromEntries(kept.filter(([, of]) => of !== null))] as [string, Record<string, DayRates>];
    }),
  );
}
