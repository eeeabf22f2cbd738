// A month as closed and as known now, read for a response.
import type { FrozenMonth } from '../../domain/books/frozen-month.js';
import { journalOf } from '../../domain/books/journal.js';
import { HttpError } from '../bodies/errors.js';
import { BASIS_NOTICE } from './revenue-responses.js';
import type { BookTable } from '../../domain/books/month-table.js';
import { bookClosings, emptyBooks, closedMonthsOf, type ClosingDoc } from '../../projections/models/book-closings.js';
import { nameActors, type ActorViewer } from '../bodies/actors.js';
import type { Caller } from '../dispatch/caller.js';
import type { Services } from '../dispatch/services.js';
import { presentClosedTables, presentCorrection, presentMark } from './closing-responses.js';

export async function readBooks({ readModels }: Pick<Services, 'readModels'>, projectId: string) {
  return (await readModels.get(bookClosings, projectId)) ?? emptyBooks(projectId);
}

export async function presentClosing(services: Services, projectId: string, name: string, caller: Caller) {
  const books = await readBooks(services, projectId);
  const closedMonths = closedMonthsOf(books);
  const closing = closedMonths.find((one) => one.month === name);
  if (closing) {
    const { tables } = (await services.books.view(projectId, name)).summary;
    return presentClosedMonth(services, { projectId, caller }, closing, tables);
  }
  const last = closedMonths.at(-1);
  const isNext = last !== undefined && name > last.month;
  const corrections = isNext ? await services.closings.corrections(projectId, closedMonths) : [];
  return {
    ...{ object: 'month_closing' as const, month: name },
    state: 'open' as const,
    closing: null,
    tables: [],
    corrections: corrections.map(presentCorrection),
  };
}

/** Returns a month that is closed. `tables`: as known now, or at the instant that is asked about. */
export async function presentClosedMonth(
  services: Services,
  viewer: ActorViewer,
  closing: ClosingDoc,
  tables: readonly BookTable[],
) {
  const frozen = await services.closings.frozen(viewer.projectId, closing.closingId);
  const withName = await nameActors(services, viewer, [closing.closedBy]);
  return {
    ...{ object: 'month_closing' as const, month: closing.month },
    state: 'closed' as const,
    closing: presentMark(closing, withName),
    tables: frozen ? presentClosedTables(frozen, tables) : [],
    corrections: [],
  };
}

/** Returns the entries of all closings of a month; drafts while it is open. */
export async function journalEntries({ readModels, closings }: Services, projectId: string, name: string) {
  const books = await readBooks({ readModels }, projectId);
  const closedMonths = closedMonthsOf(books);
  if (closedMonths.some((one) => one.month === name)) {
    const frozen: FrozenMonth[] = [];
    for (const { month: of, closingId } of books.closings) {
      const head = of === name ? await closings.frozen(projectId, closingId) : null;
      if (head) frozen.push(head);
    }
    return journalOf(name, frozen);
  }
  if (!books.settings) throw new HttpError(409, BASIS_NOTICE);
  const last = closedMonths.at(-1);
  const isNext = last !== undefined && name > last.month;
  const { frozen } = await closings.freeze(projectId, name, books.settings, isNext ? closedMonths : []);
  return journalOf(name, [frozen]).map((entry) => ({
    ...entry,
    id: `draft-${entry.id}`,
    memo: `${entry.memo} (draft)`,
  }));
}
