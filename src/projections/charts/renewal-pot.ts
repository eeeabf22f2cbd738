// Adds up how the renewals of subscriptions stand, by the day of their first standard payment, so that at any instant it follows which
// of them have been due.
import type { Span } from '../../domain/charts/calendar.js';
import { standingOf, type Standing } from '../../domain/charts/cohorts.js';
import type { Life } from '../../domain/charts/life.js';
import type { Addition } from '../projection.js';
import { dayOf, gather, HOUR_MS, hourOf, type Gathered } from './gathered.js';

/** Cells of a cohort's month: the day in two digits, then one of these with its number: of payments, of a column, of a payment. */
export const PAID = 'p';
export const CALENDAR = 'c';
export const REVOKED = 'x';

/** What lapses: members of the day's cohort with so many payments, of which the columns from `calendarFrom` on are due by the calendar. */
export type Lapse = { readonly day: string; readonly payments: number; readonly calendarFrom: number };

const LAPSE = 'l';
const DAY_LENGTH = 10;
export const MINUTE_MS = 60_000;

function lapseCell({ day, payments, calendarFrom }: Lapse): string {
  return `${LAPSE}${day}${payments}|${calendarFrom}`;
}

/** Null for a cell that is none. */
export function lapseOf(cell: string): Lapse | null {
  if (!cell.startsWith(LAPSE)) return null;
  const [payments, calendarFrom] = cell
    .slice(1 + DAY_LENGTH)
    .split('|')
    .map(Number);
  return { day: cell.slice(1, 1 + DAY_LENGTH), payments: payments ?? 0, calendarFrom: calendarFrom ?? 0 };
}

/** A member by the minute of its first payment: on that minute of some later day a column is due by the calendar. */
export type Start = { readonly minute: number; readonly calendarFrom: number };

const START = 's';

function startCell({ at, calendarFrom }: Pick<Standing, 'at' | 'calendarFrom'>): string {
  const minute = Math.floor((at - Math.floor(at / HOUR_MS) * HOUR_MS) / MINUTE_MS);
  return `${START}${String(minute).padStart(2, '0')}${calendarFrom}`;
}

/** Null for a cell that is none. */
export function startOfCell(cell: string): Start | null {
  if (!cell.startsWith(START)) return null;
  return { minute: Number(cell.slice(1, 3)), calendarFrom: Number(cell.slice(3)) };
}

export type RenewalPot = {
  count(life: Life, sign: 1 | -1): void;
  additions(): Generator<Addition>;
};

export function openRenewalPot(scopeOf: (span: Span) => string): RenewalPot {
  const bySpan = new Map<string, Gathered>();
  const gatheredOf = (span: Span): Gathered => {
    const key = `${span.months}.${span.days}`;
    let held = bySpan.get(key);
    if (!held) bySpan.set(key, (held = gather(scopeOf(span))));
    return held;
  };
  return {
    count: (life, sign) => {
      for (const line of life.lines) {
        const standing = standingOf(line);
        if (!standing) continue;
        const { add } = gatheredOf(standing.span);
        const { payments, calendarFrom, revoked } = standing;
        const [began, lapses] = [Math.floor(standing.at / HOUR_MS), Math.floor(standing.lapsesAt / HOUR_MS)];
        const day = dayOf(began);
        const [month, place] = [day.slice(0, 7), day.slice(8)];
        add('cohorts', month, `${place}${PAID}${payments}`, sign);
        add('cohorts', month, `${place}${CALENDAR}${calendarFrom}`, sign);
        for (const k of revoked) add('cohorts', month, `${place}${REVOKED}${k}`, sign);
        add('hours', day, hourOf(began) + startCell(standing), sign);
        const lapse = lapseCell({ day, payments, calendarFrom });
        add('months', dayOf(lapses).slice(0, 7), dayOf(lapses).slice(8) + lapse, sign);
        add('hours', dayOf(lapses), hourOf(lapses) + lapse, sign);
      }
    },
    additions: function* () {
      for (const gathered of bySpan.values()) yield* gathered.additions();
    },
  };
}
