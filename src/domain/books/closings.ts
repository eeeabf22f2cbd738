// Closing of months: in order, one after another, and reopened from the last one back. Settings stay as they are while a month is closed,
// because its figures were counted by them.
import type { Decider } from '../decider.js';
import { Rejection } from '../errors.js';
import { decideAbsence, evolveAbsences, type Absence, type AbsenceCommand } from './absences.js';
import type { Accounts } from './accounts.js';
import type { RevenueBasis } from './delivery.js';
import { booksEvents as e, type BooksEvent, type FindingEvent, type LookUpEvent, type ReportEvent } from './events.js';
import { addMonths } from './report-values.js';

/** Rules by which a project counts revenue. `lifetimeMonths` 0: a purchase without an end is delivered at once. */
export type BooksSettings = {
  readonly basis: RevenueBasis;
  readonly timeZone: string;
  readonly lifetimeMonths: number;
};

type ClosedMonth = Extract<BooksEvent, { type: 'MonthClosed' }>['data'];
type ClosingEvent = Exclude<BooksEvent, ReportEvent | FindingEvent | LookUpEvent>;

export type ClosingsState = {
  readonly settings: BooksSettings | null;
  readonly accounts: Partial<Accounts> | null;
  /** Reports that will not come. */
  readonly absences: readonly Absence[];
  /** Closed months in order, with the closing that holds. */
  readonly closed: readonly ClosedMonth[];
  /** Number of closings of each month, also of reopened ones. */
  readonly counts: ReadonlyMap<string, number>;
};

export type ClosingsCommand =
  | AbsenceCommand
  | { readonly kind: 'changeSettings'; readonly settings: BooksSettings }
  | { readonly kind: 'changeAccounts'; readonly accounts: Accounts }
  | {
      readonly kind: 'close';
      readonly closing: Omit<ClosedMonth, 'number'>;
      /** State of which the figures were computed. */
      readonly basedOn: ClosingsBase;
    }
  | { readonly kind: 'reopen'; readonly month: string; readonly reason: string };

export type ClosingsBase = {
  readonly settings: BooksSettings | null;
  readonly lastClosingId: string | null;
  /** Reports of the month that were declared absent. */
  readonly absenceIds: readonly string[];
};

/** A month is closed and reopened a few times. */
const MAX_CLOSINGS = 100;

export const closingsDecider: Decider<ClosingsState, ClosingsCommand, ClosingEvent> = {
  initial: () => ({ settings: null, accounts: null, absences: [], closed: [], counts: new Map() }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'BooksSettingsChanged':
        return { ...state, settings: event.data };
      case 'BooksAccountsChanged':
        return { ...state, accounts: event.data.accounts };
      case 'MonthClosed': {
        const { month, number } = event.data;
        return { ...state, closed: [...state.closed, event.data], counts: new Map(state.counts).set(month, number) };
      }
      case 'MonthReopened':
        return { ...state, closed: state.closed.filter(({ closingId }) => closingId !== event.data.closingId) };
      case 'ReportDeclaredAbsent':
      case 'ReportAbsenceWithdrawn':
        return { ...state, absences: evolveAbsences(state.absences, event, (absence) => absence) };
      case 'MonthClosingPartRecorded':
        return state;
    }
  },
  decide: (command, state) => {
    switch (command.kind) {
      case 'changeSettings':
        return changeSettings(command.settings, state);
      case 'changeAccounts':
        return isSame(command.accounts, state.accounts)
          ? []
          : [e.BooksAccountsChanged.of({ accounts: command.accounts })];
      case 'close':
        return close(command, state);
      case 'reopen':
        return reopen(command, state);
      case 'declareAbsent':
      case 'withdrawAbsence': {
        const month = command.kind === 'declareAbsent' ? command.absence.month : command.month;
        return decideAbsence(
          command,
          state.absences,
          state.closed.some((one) => one.month === month),
        );
      }
    }
  },
};

function changeSettings(settings: BooksSettings, state: ClosingsState): ClosingEvent[] {
  if (isSame(settings, state.settings)) return [];
  const last = state.closed.at(-1);
  if (last) {
    const message = `${last.month} is closed by the settings as they are; reopen all closed months before you change them`;
    throw new Rejection('conflict', 'books-closed', message);
  }
  return [e.BooksSettingsChanged.of(settings)];
}

/** Throws {@link Rejection} unless the month is the next one to close. Returns false if it is closed already. */
export function mayClose(month: string, { closed, settings, counts }: ClosingsState): boolean {
  if (closed.some((one) => one.month === month)) return false;
  if (!settings) {
    const message = 'set whether revenue is gross or net first: PUT …/books/settings';
    throw new Rejection('conflict', 'books-basis-unknown', message);
  }
  const last = closed.at(-1);
  if (last && month !== addMonths(last.month, 1)) {
    const message = `months are closed in order, and ${last.month} is the last closed one; close ${addMonths(last.month, 1)} next`;
    throw new Rejection('conflict', 'month-out-of-order', message);
  }
  if ((counts.get(month) ?? 0) >= MAX_CLOSINGS)
    throw new Rejection('conflict', 'closed-too-often', `${month} was closed ${MAX_CLOSINGS} times; it stays open`);
  return true;
}

function close({ closing, basedOn }: Extract<ClosingsCommand, { kind: 'close' }>, state: ClosingsState) {
  if (!mayClose(closing.month, state)) return [];
  const absenceIds = state.absences.filter(({ month }) => month === closing.month).map(({ absenceId }) => absenceId);
  const base = { settings: state.settings, lastClosingId: state.closed.at(-1)?.closingId ?? null, absenceIds };
  if (!isSame(base, basedOn)) {
    const message =
      'the settings, a closed month or a declared absence changed while the figures were computed; close the month again';
    throw new Rejection('conflict', 'books-changed', message);
  }
  return [e.MonthClosed.of({ ...closing, number: (state.counts.get(closing.month) ?? 0) + 1 })];
}

function reopen({ month, reason }: Extract<ClosingsCommand, { kind: 'reopen' }>, { closed }: ClosingsState) {
  const closing = closed.find((one) => one.month === month);
  if (!closing) return [];
  const last = closed.at(-1);
  if (last && last.month !== month) {
    const message = `months after it are closed; reopen ${last.month} first`;
    throw new Rejection('conflict', 'month-out-of-order', message);
  }
  return [e.MonthReopened.of({ month, closingId: closing.closingId, reason })];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The frozen figures of a closing, part by part. A repeat of a part changes nothing. */
export const closingPartsDecider: Decider<{ readonly parts: number }, ClosingPart, ClosingEvent> = {
  initial: () => ({ parts: 0 }),
  evolve: (state, event) =>
    event.type === 'MonthClosingPartRecorded' ? { parts: Math.max(state.parts, event.data.part + 1) } : state,
  decide: (part, { parts }) => (part.part < parts ? [] : [e.MonthClosingPartRecorded.of(part)]),
};
export type ClosingPart = Extract<BooksEvent, { type: 'MonthClosingPartRecorded' }>['data'];
