// Charges and refunds of ours that no line of the month's reports has.
import {
  movesOf,
  NOTHING,
  ourShare,
  type BookEntry,
  type EntryKind,
  type OurCharge,
  type OurRefund,
} from './entries.js';
import { daysBetween, type DayRange } from './report-values.js';

/** Days after the end of a month until which a report may still have a charge. */
const SETTLED_AFTER_DAYS = 62;

export type BookMonth = {
  readonly period: DayRange;
  /** True if a report of the store covers the month. */
  readonly hasReport: boolean;
  /** Returns whether the report with the sales of a country was declared absent. */
  readonly isAbsent?: (country: string | null) => boolean;
  /** Pacific day of the question. */
  readonly today: string;
};

/** Returns the entry of a charge, or of its refunds or reversals in the month; null if there is nothing of it in the month, or no money. */
export function ourEntry(
  kind: EntryKind,
  charge: OurCharge,
  month: BookMonth,
  otherMonth: string | null,
): BookEntry | null {
  const isHere = (day: string) => day >= month.period.startDate && day <= month.period.endDate;
  const moves = movesOf(kind, charge).filter(({ day }) => isHere(day));
  if (moves.length === 0) return null;
  const ours = ourShare(kind, charge, shareOf(moves)) ?? NOTHING;
  if (ours.charged === 0 && ours.refunded === 0) return null;
  const { appId, sku, country, transactionId } = charge;
  const isLate = month.hasReport && daysBetween(month.period.endDate, month.today) >= SETTLED_AFTER_DAYS;
  const isOpen = !isLate && !month.isAbsent?.(country);
  const cause = otherMonth !== null ? 'timing' : isOpen ? 'awaiting_report' : 'missing_there';
  const day = moves.at(-1)?.day ?? charge.day;
  const labels = kind !== 'charge' && charge.day < month.period.startDate ? (['earlier_charge'] as const) : [];
  return {
    ...{
      cause,
      kind,
      appId,
      currency: charge.currency ?? '',
      day,
      sku,
      country,
      count: 1,
      ours,
      store: null,
      paid: null,
    },
    ...{ transactionIds: [transactionId], orderId: null, rows: [], otherMonth, labels },
  };
}

/** Returns the share of a charge that is refunded in parts: at most the whole. */
export function shareOf(moves: readonly OurRefund[]): number {
  return Math.min(
    1,
    moves.reduce((sum, { share }) => sum + share, 0),
  );
}
