// Words and numbers of a comparison by the primary metric. Amounts are absent for roles that may not see them.
import { formatInUnit } from '../parts/format';
import type { Experiment } from './experiment-fields';

export type Primary = NonNullable<Experiment['results'][number]['primary']>;
type Unit = NonNullable<Experiment['comparison']>['unit'];

/** Formats a rate from 0 to 1 as a percentage. */
export function share(rate: number | null): string {
  if (rate === null) return '–';
  return rate.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 });
}

export function primaryValue(value: number | null, unit: Unit): string {
  return unit === 'rate' ? share(value) : formatInUnit(value, unit);
}

/** Formats a difference with its sign; of rates in points. */
export function signedDifference(difference: number | null, unit: Unit): string {
  if (difference === null) return '–';
  const sign = difference < 0 ? '−' : '+';
  const size = Math.abs(difference);
  if (unit !== 'rate') return `${sign}${formatInUnit(size, unit)}`;
  return `${sign}${(100 * size).toLocaleString(undefined, { maximumFractionDigits: 1 })} points`;
}

/** Formats the difference to the control with its interval: `+$1.20 (−$0.10 to +$2.50)`. Returns null if the role may not see it. */
export function differenceText({ difference, interval }: Primary, unit: Unit): string | null {
  if (difference === undefined) return null;
  const text = signedDifference(difference, unit);
  if (!interval) return text;
  return `${text} (${signedDifference(interval.low, unit)} to ${signedDifference(interval.high, unit)})`;
}

/** Formats the chance to win, or says what is missing for one. Never 0 % or 100 %, because no sample makes it certain. */
export function chanceText({ chanceToWin, missing }: Primary): string {
  if (chanceToWin !== null) {
    if (chanceToWin > 0.999) return 'over 99.9%';
    if (chanceToWin < 0.001) return 'under 0.1%';
    return share(chanceToWin);
  }
  if (!missing) return '–';
  if (missing.customers > 0) return `${missing.customers} more customers needed`;
  return `${missing.outcomes} more with an amount needed`;
}
