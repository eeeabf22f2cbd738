// Units of a month of the ios-store that are matched: lines of reports and charges of ours, each with what is left of its quantity.
import { entryKinds, movesOf, type EntryKind, type OurCharge } from './entries.js';
import type { GroupLine } from './lines.js';
import type { CountedLines } from './order-bundles.js';
import type { BookMonth } from './our-entries.js';
import { daysBetween } from './report-values.js';
import { groupKindsIn } from './reversals.js';
import type { Steps } from './steps.js';

export type GroupBooks = BookMonth & {
  readonly reports: readonly CountedLines<GroupLine>[];
  /** Reports of the neighbouring months, with their month, for sales near the border. */
  readonly neighbours: readonly (CountedLines<GroupLine> & { readonly month: string })[];
  /** Our charges with a day of their own or of a refund in the period, or up to {@link NEAR_DAYS} days beside it. */
  readonly ours: readonly OurCharge[];
  /** App by product. */
  readonly apps: ReadonlyMap<string, string>;
};

/** Days by which the stores and we may date a sale apart. */
export const NEAR_DAYS = 2;

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
  const isNear = ({ day }: GroupLine) =>
    daysBetween(period.startDate, day) >= -NEAR_DAYS && daysBetween(day, period.endDate) >= -NEAR_DAYS;
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
