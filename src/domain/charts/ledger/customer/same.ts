// Whether one state of a purchase is made of the same entries as the state before: the entries themselves are those of one history.
import type { LiveLine } from '../../history/known-history.js';
import type { RenewalStatus } from '../../result/cohorts.js';

export function isSameLine(a: LiveLine, b: LiveLine): boolean {
  return (
    isSameList(a.marks, b.marks) &&
    a.charges.length === b.charges.length &&
    a.charges.every(({ period }, i) => {
      const { id } = period;
      return period === b.charges[i]?.period && isSameList(a.adjustmentsOf(id), b.adjustmentsOf(id));
    }) &&
    a.strays.length === b.strays.length &&
    a.strays.every(({ at, usd, tax, fee }, i) => {
      const other = b.strays[i];
      return at === other?.at && usd === other.usd && tax === other.tax && fee === other.fee;
    })
  );
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((entry, i) => entry === b[i]);
}

export function isSameStatus(a: RenewalStatus | null | undefined, b: RenewalStatus | null): boolean {
  if (!a || !b) return !a && !b;
  return (
    a.at === b.at &&
    a.payments === b.payments &&
    a.lapsesAt === b.lapsesAt &&
    a.calendarFrom === b.calendarFrom &&
    a.span.months === b.span.months &&
    a.span.days === b.span.days &&
    isSameList(a.revoked, b.revoked)
  );
}
