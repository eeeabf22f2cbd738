// Additions to the sums of one scope, by target document.
import { DAY_MS } from '../../../domain/charts/calendar.js';
import type { Addition } from '../../runtime/projection.js';

/**
 * Collections of sums. `hours` are for partial days. `lapses` take effect only at their time. `cohorts` are members by the day, or the
 * month, in which they began.
 */
export const sumNames = {
  cohorts: 'chart_cohorts',
  years: 'chart_years',
  months: 'chart_months',
  hours: 'chart_hours',
  lapses: 'chart_lapses',
} as const;

export const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;

export const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

export type DocumentSums = {
  add(of: keyof typeof sumNames, period: string, cell: string, value: number): void;
  /** Returns the additions, without zero sums. */
  additions(): Iterable<Addition>;
};

export function openDocumentSums(scope: string): DocumentSums {
  type Sum = Addition & { readonly cells: Map<string, number> };
  const found = new Map<keyof typeof sumNames, Map<string, Sum>>();
  return {
    add: (of, period, cell, value) => {
      let byPeriod = found.get(of);
      if (!byPeriod) found.set(of, (byPeriod = new Map()));
      let sum = byPeriod.get(period);
      if (!sum) {
        sum = { of: sumNames[of], id: `${scope}|${period}`, fields: { scope, period }, cells: new Map() };
        byPeriod.set(period, sum);
      }
      sum.cells.set(cell, (sum.cells.get(cell) ?? 0) + value);
    },
    additions: function* () {
      for (const byPeriod of found.values()) {
        for (const sum of byPeriod.values()) {
          for (const [cell, value] of sum.cells) if (value === 0) sum.cells.delete(cell);
          if (sum.cells.size > 0) yield sum;
        }
      }
    },
  };
}

/** Cached texts of days, which recur often. */
const days = new Map<number, string>();
const MAX_DAYS = 20_000;

/** Returns the UTC day of an hour since 1970. */
export function dayOf(hour: number): string {
  const day = Math.floor(hour / HOURS_OF_DAY);
  let text = days.get(day);
  if (text === undefined) {
    if (days.size >= MAX_DAYS) days.clear();
    days.set(day, (text = isoDay(day * DAY_MS)));
  }
  return text;
}

/** Returns the hour of the day in two digits. */
export function hourOf(hour: number): string {
  return String(hour - Math.floor(hour / HOURS_OF_DAY) * HOURS_OF_DAY).padStart(2, '0');
}
