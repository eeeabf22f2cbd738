// Opens the books: comparisons of months, of which large ones are stored.
import type { Logger } from 'pino';
import type { DocStore } from '../adapters/documents/port.js';
import type { EventLog } from '../adapters/event-log/port.js';
import type { Runtime } from '../adapters/runtime.js';
import type { Deps } from '../commands/handling/deps.js';
import { streams } from '../domain/streams.js';
import { maxComparedLines } from './compared-lines.js';
import { createBooks, type Books } from '../projections/books/books.js';
import { createBooksAsOf, type BooksAsOf } from '../projections/books/month-as-of.js';
import { createMonthStore } from '../projections/books/stored-months.js';
import type { ReadModels } from '../projections/queries/read-models.js';
import type { Progress } from '../projections/runtime/progress.js';

type BooksParts = {
  readonly log: EventLog;
  readonly docs: DocStore;
  readonly readModels: ReadModels;
  readonly progress: Progress;
  readonly runtime: Runtime;
  readonly logger: Logger;
};

export function openBooks({ docs, logger, ...parts }: BooksParts, { rates }: Pick<Deps, 'rates'>): Books {
  return createBooks({
    ...parts,
    maxLines: maxComparedLines(),
    monthStore: createMonthStore(docs, parts.runtime),
    rates: () => rates.get(streams.rates()),
    onError: (err) => logger.error({ err }, 'a month of the books was not compared; its last result remains'),
  });
}

/** Returns the books as they were known at an instant. */
export function openBooksAsOf(
  parts: Pick<BooksParts, 'log' | 'readModels' | 'runtime'>,
  { rates }: Pick<Deps, 'rates'>,
): BooksAsOf {
  return createBooksAsOf({ ...parts, maxLines: maxComparedLines(), rates: () => rates.get(streams.rates()) });
}
