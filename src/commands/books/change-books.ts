// Changes how the books of a project count revenue, and the accounts of its journal.
import { closingsDecider, type ClosingsCommand } from '../../domain/books/closings.js';
import type { LogPosition } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { runCommand } from '../handling/run-command.js';

type BooksChange = Exclude<ClosingsCommand, { kind: 'close' }>;

/** Returns the position of the books' last event. Throws {@link Rejection} if a rule forbids the change. Safe to repeat. */
export async function changeBooks(
  deps: Deps,
  by: Requester,
  projectId: string,
  change: BooksChange,
): Promise<LogPosition | null> {
  const stream = streams.bookClosings(projectId);
  return (await runCommand(deps, stream, closingsDecider, [change], contextOf(by, projectId))).position;
}
