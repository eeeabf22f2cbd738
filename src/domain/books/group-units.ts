// Units of a month of the ios-store that are matched: lines of reports and charges of ours, each with what is left of its quantity.
import { entryKinds, movesOf, type EntryKind, type OurCharge } from './entries.js';
import type { GroupLine } from './lines.js';
import type { CountedLines } from './order-bundles.js';
import type { BookMonth } from './our-entries.js';
import { addDays, daysBetween, type DayRange } from './report-values.js';
import { groupKindsIn } from './reversals.js';
import type { Steps } from './steps.js';

export type GroupBooks = BookMonth & {
  readonly month: string;
  /** Fiscal months: the one before, this one, and the next. */
  readonly calendar: readonly FiscalMonth[];
  readonly reports: readonly CountedLines<GroupLine>[];
  /** Reports of the neighbouring months, with their month, for sales near the border. */
  readonly neighbours: readonly (CountedLines<GroupLine> & { readonly month: string })[];
  /**
   * Our charges with a day of their own or of a refund in the period, or up to {@link NEAR_DAYS} days beside it; with a financial report also
   * those of the neighbouring months.
   */
  readonly ours: readonly OurCharge[];
  /** App by product. */
  readonly apps: ReadonlyMap<string, string>;
};

/** Days by which the stores and we may date a sale apart. */
export const NEAR_DAYS = 2;

/** `hasReport`: a report of the month counts. */
export type FiscalMonth = { readonly month: string; readonly period: DayRange; readonly hasReport: boolean };

/** A line that is being matched. `taken`: of its quantity. `month` null: the line is of the month in question. */
export type StoreUnits = {
  readonly line: GroupLine;
  readonly kind: EntryKind;
  readonly reportId: string;
  readonly month: string | null;
  taken: number;
};
/** A charge, refund or reversal of ours, and how much of its quantity is left. `isHere`: it is of the month in question. */
export type OurUnits = {
  readonly charge: OurCharge;
  readonly kind: EntryKind;
  readonly day: string;
  readonly share: number;
  readonly isHere: boolean;
  left: number;
};

export function* storeUnitsOf({ reports, neighbours, period }: GroupBooks): Steps<StoreUnits[]> {
  // A line of a whole month has no day by which it could be near.
  const isNear = ({ kind, day }: GroupLine) =>
    kind === 'financial' ||
    (daysBetween(period.startDate, day) >= -NEAR_DAYS && daysBetween(day, period.endDate) >= -NEAR_DAYS);
  const found: StoreUnits[] = [];
  for (const { reportId, lines } of reports) {
    const kindOf = yield* groupKindsIn(lines);
    for (const line of lines) {
      found.push({ line, kind: kindOf(line), reportId, month: null, taken: 0 });
      yield;
    }
  }
  for (const { reportId, month, lines } of neighbours) {
    const kindOf = yield* groupKindsIn(lines);
    for (const line of lines) {
      if (isNear(line)) found.push({ line, kind: kindOf(line), reportId, month, taken: 0 });
      yield;
    }
  }
  return found;
}

export function* ourUnitsOf({ ours, period }: GroupBooks): Steps<OurUnits[]> {
  const isHere = (day: string) => day >= period.startDate && day <= period.endDate;
  const found: OurUnits[] = [];
  for (const charge of ours) {
    yield;
    // Free periods are in reports as lines without money, or not at all.
    if (charge.amountMicros === 0) continue;
    for (const kind of entryKinds) {
      for (const move of movesOf(kind, charge))
        found.push({ charge, kind, ...move, isHere: isHere(move.day), left: charge.quantity });
    }
  }
  return found;
}

/** Returns the fiscal month of a day; null outside the calendar. */
export function monthOfDay(calendar: readonly FiscalMonth[], day: string): string | null {
  return calendar.find(({ period }) => day >= period.startDate && day <= period.endDate)?.month ?? null;
}

/**
 * Returns the month after that of a day, in which the store may have settled a sale of that day: any of a month whose report lacks it, else
 * of its last days.
 */
export function monthAfterDay(calendar: readonly FiscalMonth[], day: string): string | null {
  const at = calendar.findIndex(({ period }) => day >= addDays(period.startDate, -NEAR_DAYS) && day <= period.endDate);
  const found = calendar[at];
  if (!found) return null;
  if (day < found.period.startDate) return found.month;
  const isNear = daysBetween(day, found.period.endDate) < NEAR_DAYS;
  return found.hasReport || isNear ? (calendar[at + 1]?.month ?? null) : null;
}

/** Returns the month before that of a day, if the store may have dated a sale of that day in it. */
export function monthBeforeDay(calendar: readonly FiscalMonth[], day: string): string | null {
  const before = calendar.find(({ period }) => day > period.endDate && daysBetween(period.endDate, day) <= NEAR_DAYS);
  return before?.month ?? null;
}
