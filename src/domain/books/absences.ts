// Reports of the stores that will not come, as somebody declared: of a store for a month, or of some countries of it. Purchases that no report
// has do not wait for them. A report that comes nevertheless counts as any other.
import { Rejection } from '../errors.js';
import { booksEvents as e, type AbsenceEvent } from './events.js';

/** `countries`: ISO 3166 alpha-2, in order; empty: all. */
export type Absence = Extract<AbsenceEvent, { type: 'ReportDeclaredAbsent' }>['data'];

export type AbsenceCommand =
  | { readonly kind: 'declareAbsent'; readonly absence: Absence }
  | { readonly kind: 'withdrawAbsence'; readonly month: string; readonly absenceId: string };

/** A month has two stores, and a store some regions. */
const MAX_ABSENCES_OF_MONTH = 50;

/** Returns the event of a command. Throws {@link Rejection} for a closed month, or a declaration that is not there. */
export function decideAbsence(
  command: AbsenceCommand,
  absences: readonly Absence[],
  isClosed: boolean,
): AbsenceEvent[] {
  const month = command.kind === 'declareAbsent' ? command.absence.month : command.month;
  const ofMonth = absences.filter((one) => one.month === month);
  if (command.kind === 'withdrawAbsence') {
    const known = ofMonth.find(({ absenceId }) => absenceId === command.absenceId);
    if (!known)
      throw new Rejection('missing', 'absence-unknown', 'this declaration is not of this month, or was taken back');
    expectOpen(month, isClosed);
    return [e.ReportAbsenceWithdrawn.of({ absenceId: known.absenceId, month, store: known.store })];
  }
  const { absence } = command;
  if (ofMonth.some((one) => isSame(one, absence))) return [];
  expectOpen(month, isClosed);
  if (ofMonth.length >= MAX_ABSENCES_OF_MONTH) {
    const message = `${month} has ${MAX_ABSENCES_OF_MONTH} declarations, the maximum; declare one of all countries instead`;
    throw new Rejection('conflict', 'too-many-absences', message);
  }
  return [e.ReportDeclaredAbsent.of(absence)];
}

function expectOpen(month: string, isClosed: boolean): void {
  if (!isClosed) return;
  throw new Rejection('conflict', 'month-closed', `${month} is closed; reopen it to change which reports it waits for`);
}

/** Returns whether two declarations are of the same store and countries. */
export function isSame(one: Absence, other: Absence): boolean {
  return (
    one.month === other.month &&
    one.store === other.store &&
    one.countries.length === other.countries.length &&
    one.countries.every((country, i) => country === other.countries[i])
  );
}

export function evolveAbsences<A extends Absence>(
  absences: readonly A[],
  event: AbsenceEvent,
  declared: (absence: Absence) => A,
): readonly A[] {
  return event.type === 'ReportDeclaredAbsent'
    ? [...absences, declared(event.data)]
    : absences.filter(({ absenceId }) => absenceId !== event.data.absenceId);
}

/** Returns whether the report with the sales of a country will not come. A sale without a country is only of a declaration of all. */
export function isAbsentFor(
  absences: readonly Pick<Absence, 'store' | 'countries'>[],
  store: string,
  country: string | null,
): boolean {
  return absences.some(
    (one) =>
      one.store === store && (one.countries.length === 0 || (country !== null && one.countries.includes(country))),
  );
}
