// A month as closed and as known now, read for a response.
import { bookClosings, emptyBooks, heldClosings } from '../../projections/models/book-closings.js';
import { nameActors } from '../bodies/actors.js';
import type { Caller } from '../dispatch/caller.js';
import type { Services } from '../dispatch/services.js';
import { presentClosedTables, presentCorrection, presentMark } from './closing-responses.js';

export async function readBooks({ readModels }: Pick<Services, 'readModels'>, projectId: string) {
  return (await readModels.get(bookClosings, projectId)) ?? emptyBooks(projectId);
}

export async function presentClosing(services: Services, projectId: string, name: string, caller: Caller) {
  const books = await readBooks(services, projectId);
  const held = heldClosings(books);
  const closing = held.find((one) => one.month === name);
  const head = { object: 'month_closing' as const, month: name };
  if (closing) {
    const frozen = await services.closings.frozen(projectId, closing.closingId);
    const { tables } = (await services.books.view(projectId, name)).summary;
    const withName = await nameActors(services, { projectId, caller }, [closing.closedBy]);
    const shown = frozen ? presentClosedTables(frozen, tables) : [];
    return {
      ...head,
      state: 'closed' as const,
      closing: presentMark(closing, withName),
      tables: shown,
      corrections: [],
    };
  }
  const last = held.at(-1);
  const isNext = last !== undefined && name > last.month;
  const corrections = isNext ? await services.closings.corrections(projectId, held) : [];
  return {
    ...head,
    state: 'open' as const,
    closing: null,
    tables: [],
    corrections: corrections.map(presentCorrection),
  };
}
