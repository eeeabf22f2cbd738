// Generates a central bank's file of reference rates for each working day: fictional, near those of the sample file, the same for the same
// seed.
import { createRandom } from './random.js';

/** Units per euro on the first day. */
const INITIAL_RATES = {
  ...{ USD: 1.1684, JPY: 186.75, GBP: 0.87058, CHF: 0.9242, SEK: 10.892, AUD: 1.661 },
  ...{ BRL: 5.874, CAD: 1.6177, INR: 109.047, MXN: 20.3203 },
} as const;
const DAY_MS = 86_400_000;
/** Maximum change of a rate per day, as a share. */
const MAX_DAILY_CHANGE = 0.004;
const DIGITS = 5;

/** Returns CSV with one row per weekday from `from` to `until` (UTC ms), the latest first. */
export function createRateFile(seed: string, from: number, until: number): string {
  const random = createRandom(`${seed}|rates`);
  const currencies = Object.keys(INITIAL_RATES);
  let rates = Object.values(INITIAL_RATES) as readonly number[];
  const lines: string[] = [];
  for (let at = Math.floor(from / DAY_MS) * DAY_MS; at <= until; at += DAY_MS) {
    const weekday = new Date(at).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    rates = rates.map((rate) => rate * (1 + random.between(-MAX_DAILY_CHANGE, MAX_DAILY_CHANGE)));
    const figures = rates.map((rate) => Number(rate.toPrecision(DIGITS)));
    lines.unshift([new Date(at).toISOString().slice(0, 10), ...figures].join());
  }
  return [['Date', ...currencies].join(), ...lines, ''].join('\n');
}
