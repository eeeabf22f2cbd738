// State of the books of a project, one document each: its settings, its chart of accounts, and all closings of months.
import type { Actor } from '../../domain/envelope.js';
import type { Accounts } from '../../domain/books/accounts.js';
import type { BooksSettings } from '../../domain/books/closings.js';
import { evolveAbsences, type Absence } from '../../domain/books/absences.js';
import { ofFamily } from '../../domain/vocabulary.js';
import type { ReadModels } from '../queries/read-models.js';
import { defineProjection, type Projection } from '../runtime/projection.js';

/** Closing of a month. `reopened`: null while it holds. */
export type ClosingDoc = {
  readonly month: string;
  readonly closingId: string;
  readonly number: number;
  readonly parts: number;
  readonly entries: number;
  readonly incompleteReason: string | null;
  readonly closedAt: string;
  readonly closedBy: Actor;
  readonly reopened: { readonly at: string; readonly by: Actor; readonly reason: string } | null;
};

/** Report that will not come, until that is taken back. */
export type AbsenceDoc = Absence & { readonly declaredAt: string; readonly declaredBy: Actor };

export type BookClosingsDoc = {
  readonly projectId: string;
  readonly settings: BooksSettings | null;
  readonly accounts: Partial<Accounts> | null;
  readonly closings: readonly ClosingDoc[];
  /** Missing: none. */
  readonly absences?: readonly AbsenceDoc[];
};

export const bookClosings: Projection<BookClosingsDoc> = defineProjection({
  name: 'book_closings',
  version: 1,
  families: ['books'],
  indexes: [],
  select: (stored) => {
    const event = ofFamily(stored, 'books');
    if (event?.type === 'BooksSettingsChanged' || event?.type === 'BooksAccountsChanged') return event;
    if (event?.type === 'ReportDeclaredAbsent' || event?.type === 'ReportAbsenceWithdrawn') return event;
    return event?.type === 'MonthClosed' || event?.type === 'MonthReopened' ? event : null;
  },
  keys: ({ meta }) => [meta.projectId ?? ''],
  fold: (doc, event) => {
    const known = doc ?? emptyBooks(event.meta.projectId ?? '');
    const { recordedAt: at, actor: by } = event.meta;
    switch (event.type) {
      case 'BooksSettingsChanged':
        return { ...known, settings: event.data };
      case 'BooksAccountsChanged':
        return { ...known, accounts: event.data.accounts };
      case 'ReportDeclaredAbsent':
      case 'ReportAbsenceWithdrawn': {
        const declared = (absence: Absence) => ({ ...absence, declaredAt: at, declaredBy: by });
        return { ...known, absences: evolveAbsences(known.absences ?? [], event, declared) };
      }
      case 'MonthClosed': {
        const { month, closingId, number, parts, entries, incompleteReason } = event.data;
        const closing = { month, closingId, number, parts, entries, incompleteReason };
        return { ...known, closings: [...known.closings, { ...closing, closedAt: at, closedBy: by, reopened: null }] };
      }
      case 'MonthReopened': {
        const { month, closingId, reason } = event.data;
        const closings = known.closings.map((one) =>
          one.month === month && one.closingId === closingId && !one.reopened
            ? { ...one, reopened: { at, by, reason } }
            : one,
        );
        return { ...known, closings };
      }
    }
  },
});

export function emptyBooks(projectId: string): BookClosingsDoc {
  return { projectId, settings: null, accounts: null, closings: [] };
}

/** Returns the closings that hold, the oldest month first. */
export function closedMonthsOf({ closings }: BookClosingsDoc): readonly ClosingDoc[] {
  return closings.filter(({ reopened }) => reopened === null);
}

/** Returns the months of a project that are closed. */
export async function closedMonths(readModels: ReadModels, projectId: string): Promise<ReadonlySet<string>> {
  const books = await readModels.get(bookClosings, projectId);
  return new Set(books ? closedMonthsOf(books).map(({ month }) => month) : []);
}
