// Adds up the renewal status of subscriptions, by the day of their first standard payment, from which the renewals due at any instant
// follow.
import type { Span } from '../../../domain/charts/calendar.js';
import { renewalStatusOf, type RenewalStatus } from '../../../domain/charts/result/cohorts.js';
import type { KnownHistory } from '../../../domain/charts/history/known-history.js';
import type { Addition } from '../../runtime/projection.js';
import { dayOf, openDocumentSums, HOUR_MS, hourOf, type DocumentSums } from './document-sums.js';

/**
 * Prefixes of the cells of a cohort's month: the day in two digits, then the prefix with a number: of payments, of a column, of a payment.
 */
export const PAID = 'p';
export const CALENDAR = 'c';
export const REVOKED = 'x';

/** Lapse of members of the day's cohort with that many payments, whose columns from `calendarFrom` on are due by the calendar. */
export type Lapse = { readonly day: string; readonly payments: number; readonly calendarFrom: number };

const DAY_LENGTH = 10;
export const MINUTE_MS = 60_000;

function lapseCell({ day, payments, calendarFrom }: Lapse): string {
  return `${day}${payments}|${calendarFrom}`;
}

export function lapseOf(cell: string): Lapse {
  const [payments, calendarFrom] = cell.slice(DAY_LENGTH).split('|').map(Number);
  return { day: cell.slice(0, DAY_LENGTH), payments: payments ?? 0, calendarFrom: calendarFrom ?? 0 };
}

/** Minute of a member's first payment: at that minute of some later day a column is due by the calendar. */
export type Start = { readonly minute: number; readonly calendarFrom: number };

function startCell({ at, calendarFrom }: Pick<RenewalStatus, 'at' | 'calendarFrom'>): string {
  const minute = Math.floor((at - Math.floor(at / HOUR_MS) * HOUR_MS) / MINUTE_MS);
  return `${String(minute).padStart(2, '0')}${calendarFrom}`;
}

export function startOfCell(cell: string): Start {
  return { minute: Number(cell.slice(0, 2)), calendarFrom: Number(cell.slice(2)) };
}

export type RenewalAccumulator = {
  count(history: KnownHistory, sign: 1 | -1): void;
  additions(): Generator<Addition>;
};

/** Returns the scope of starts. They are looked up by single days, so they have separate documents. */
export function startsScopeOf(scope: string): string {
  return `${scope}_starts`;
}

export function openRenewalAccumulator(scopeOf: (span: Span) => string): RenewalAccumulator {
  const bySpan = new Map<string, { readonly members: DocumentSums; readonly starts: DocumentSums }>();
  const documentSumsOf = (span: Span) => {
    const key = `${span.months}.${span.days}`;
    let ofSpan = bySpan.get(key);
    if (!ofSpan) {
      const scope = scopeOf(span);
      bySpan.set(key, (ofSpan = { members: openDocumentSums(scope), starts: openDocumentSums(startsScopeOf(scope)) }));
    }
    return ofSpan;
  };
  return {
    count: (history, sign) => {
      for (const line of history.lines) {
        const status = renewalStatusOf(line);
        if (!status) continue;
        const { members, starts } = documentSumsOf(status.span);
        const { payments, calendarFrom, revoked } = status;
        const [began, lapses] = [Math.floor(status.at / HOUR_MS), Math.floor(status.lapsesAt / HOUR_MS)];
        const day = dayOf(began);
        const [month, place] = [day.slice(0, 7), day.slice(8)];
        members.add('cohorts', month, `${place}${PAID}${payments}`, sign);
        members.add('cohorts', month, `${place}${CALENDAR}${calendarFrom}`, sign);
        for (const k of revoked) members.add('cohorts', month, `${place}${REVOKED}${k}`, sign);
        starts.add('hours', day, hourOf(began) + startCell(status), sign);
        const lapse = lapseCell({ day, payments, calendarFrom });
        members.add('months', dayOf(lapses).slice(0, 7), dayOf(lapses).slice(8) + lapse, sign);
        members.add('hours', dayOf(lapses), hourOf(lapses) + lapse, sign);
      }
    },
    additions: function* () {
      for (const { members, starts } of bySpan.values()) {
        yield* members.additions();
        yield* starts.additions();
      }
    },
  };
}
