// Opens the books: comparisons of months, of which large ones are stored, revenue, closings and files of reports.
import type { Logger } from 'pino';
import { createReportFiles } from '../adapters/books/report-files.js';
import type { DocStore } from '../adapters/documents/port.js';
import type { EventLog } from '../adapters/event-log/port.js';
import type { Runtime } from '../adapters/runtime.js';
import type { Deps } from '../commands/handling/deps.js';
import { streams } from '../domain/streams.js';
import { maxComparedLines } from './compared-lines.js';
import type { Services } from '../http/dispatch/services.js';
import { createBooks } from '../projections/books/books.js';
import { createClosings } from '../projections/books/closings.js';
import { createBooksAsOf } from '../projections/books/month-as-of.js';
import { createRevenue } from '../projections/books/revenue.js';
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

type BooksServices = Pick<Services, 'books' | 'booksAsOf' | 'revenue' | 'closings' | 'reportFiles'>;

/** Opens what the routes of the books use. */
export function openBooks({ docs, logger, ...parts }: BooksParts, { rates }: Pick<Deps, 'rates'>): BooksServices {
  const { log, readModels, progress, runtime } = parts;
  const limits = { maxLines: maxComparedLines(), rates: () => rates.get(streams.rates()) };
  const books = createBooks({
    ...{ ...parts, ...limits },
    monthStore: createMonthStore(docs, runtime),
    onError: (err) => logger.error({ err }, 'a month of the books was not compared; its last result remains'),
  });
  const revenue = createRevenue({ readModels, progress, runtime });
  return {
    books,
    booksAsOf: createBooksAsOf({ log, readModels, runtime, ...limits }),
    revenue,
    closings: createClosings({ log, books, revenue, progress, runtime }),
    reportFiles: createReportFiles(),
  };
}
