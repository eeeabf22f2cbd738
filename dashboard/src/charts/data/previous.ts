// Figures of the compared period beside those of the chart: their choice, their changes, and what has to be said about them.
import { calendarDay } from '../../parts/format';
import type { ChartData } from './query';

export const PREVIOUS_NAMES: readonly (readonly [choice: string, name: string])[] = [
  ['', 'Nothing'],
  ['period', 'Previous period'],
  ['year', 'A year before'],
  ['year_weekdays', 'A year before, same weekdays'],
];

/**
 * Formats the change of a figure: `+12.5%` of the earlier figure, for rates `+1.5 points`. An en dash without one of the figures, and in per
 * cent of nothing.
 */
export function changeText(now: number | null | undefined, then: number | null | undefined, unit: string): string {
  if (now === null || now === undefined || then === null || then === undefined) return '–';
  if (unit === 'percent') return `${signed((now - then).toFixed(2))} points`;
  if (then === 0) return now === 0 ? '0%' : '–';
  return `${signed(((100 * (now - then)) / Math.abs(then)).toFixed(1))}%`;
}

function signed(text: string): string {
  const value = Number(text);
  return value > 0 ? `+${value}` : `${value}`.replace('-', '−');
}

/** Returns what to say about the compared period: its days, and why it has no figures. */
export function previousNote({
  previous,
  buckets = [],
  total,
}: Pick<ChartData, 'previous' | 'buckets' | 'total'>): string | null {
  if (!previous) return null;
  const days = `Compared with ${calendarDay(previous.startDate)} to ${calendarDay(previous.endDate)}`;
  if (previous.isBeforeData) return `${days}: there was no data yet, so its figures are empty.`;
  const alone = previous.pairs.filter((index) => index === null).length;
  const bucketCount = (total?.buckets ?? buckets).length;
  if (bucketCount > 0 && alone === bucketCount) return `${days}: none of its figures has a counterpart in this period.`;
  return alone === 0 ? `${days}.` : `${days}. ${alone} of ${bucketCount} figures have no counterpart there.`;
}
