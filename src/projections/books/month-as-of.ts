// A month of the books as it was known at an instant: with the reports that had been received, what was declared and closed, and the purchases
// as they had been recorded. Figures of a past instant do not change any more, so that the last ones are remembered.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import { readStream, type EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { addMonths, pacificDay } from '../../domain/books/report-values.js';
import type { Rates } from '../../domain/rates/rates.js';
import { Rejection, RetryLater } from '../../domain/errors.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { msFromIso } from '../../domain/time.js';
import { bookClosings, emptyBooks, type BookClosingsDoc } from '../models/book-closings.js';
import { products, type ProductDoc } from '../models/catalogue.js';
import { apps, type AppDoc } from '../models/projects.js';
import { transactions, type TransactionDoc } from '../models/transactions.js';
import type { ReadModelPage, ReadModels } from '../queries/read-models.js';
import { computeMonth, type BooksMonth } from './compute-month.js';
import { listReports, type ReportListDeps } from './list-reports.js';
import { linesNear, ORDER_NEIGHBOURS } from './month-lines.js';
import type { ListedReport, MonthSources } from './month-sources.js';
import { readReportLines } from './report-lines.js';
import { createTransactionsAsOf, type TransactionsAsOf } from './transactions-as-of.js';

/** `books`: settings, closings and absences at the instant. */
export type MonthAsOf = { readonly month: BooksMonth; readonly books: BookClosingsDoc };

export type BooksAsOf = {
  /** `asOf`: instant, compared with recording times. Throws `Rejection` for a month with too many purchases, `RetryLater` if others are computed. */
  month(projectId: string, month: string, asOf: string): Promise<MonthAsOf>;
};

type BooksAsOfDeps = ReportListDeps & {
  readonly log: Pick<EventLog, 'read'>;
  /** Returns the reference rates. */
  readonly rates: () => Promise<Rates>;
  readonly runtime: Pick<Runtime, 'slice'>;
};

/** Months that are computed at a time, as each reads the streams of its customers. */
const MAX_COMPUTED = 2;
const MAX_CACHED = 4;
const MAX_CACHED_ENTRIES = 20_000;

export function createBooksAsOf(deps: BooksAsOfDeps): BooksAsOf {
  const cached = createBoundedCache<string, MonthAsOf>(MAX_CACHED);
  let computed = 0;
  return {
    month: async (projectId, month, asOf) => {
      const key = [projectId, month, asOf].join('|');
      const known = cached.get(key);
      if (known) return known;
      if (computed >= MAX_COMPUTED) throw new RetryLater('other months are being computed; ask again');
      computed++;
      try {
        const found = await computeAsOf(deps, projectId, month, asOf);
        if (found.month.entries.length <= MAX_CACHED_ENTRIES) cached.set(key, found);
        return found;
      } finally {
        computed--;
      }
    },
  };
}

/** Lines of the month's reports and of its neighbours', which are in memory besides those that are compared as known now. */
export const MAX_LINES_AS_OF = 50_000;

/** Throws {@link Rejection} for a month whose reports have too many lines. */
export function checkLinesAsOf(
  month: string,
  reports: readonly Pick<ListedReport, 'month' | 'lines' | 'isCounted'>[],
): void {
  if (linesNear(month, reports) <= MAX_LINES_AS_OF) return;
  const [from, to] = [addMonths(month, Math.min(...ORDER_NEIGHBOURS)), addMonths(month, Math.max(...ORDER_NEIGHBOURS))];
  const message = `the reports of ${from} to ${to} have more than ${MAX_LINES_AS_OF} lines, so that ${month} cannot be shown as of an instant; omit asOf, or close months, which keeps their figures`;
  throw new Rejection('conflict', 'month-too-large', message);
}

async function computeAsOf(deps: BooksAsOfDeps, projectId: string, month: string, asOf: string): Promise<MonthAsOf> {
  const { rates, runtime } = deps;
  const log = logAsOf(deps.log, asOf);
  const books = await readBooksAsOf(log, projectId);
  const sources: MonthSources = {
    ...{ log, rates, slice: runtime.slice },
    readModels: await readModelsAsOf(deps, log, projectId, asOf),
    linesOf: (report) => readReportLines(deps.log, report.projectId, report.reportId, runtime.slice),
  };
  const reports = await listReports(deps, projectId, asOf);
  checkLinesAsOf(month, reports);
  const request = {
    ...{ projectId, month, today: pacificDay(msFromIso(asOf)), reports },
    absences: (books.absences ?? []).filter((one) => one.month === month),
  };
  return { month: await computeMonth(sources, request), books };
}

/** Returns the log without what was recorded later. */
function logAsOf(log: Pick<EventLog, 'read'>, asOf: string): Pick<EventLog, 'read'> {
  return {
    read: async function* (stream, after) {
      for await (const event of log.read(stream, after)) if (event.meta.recordedAt <= asOf) yield event;
    },
  };
}

const noPeer = (): undefined => undefined;

async function readBooksAsOf(log: Pick<EventLog, 'read'>, projectId: string): Promise<BookClosingsDoc> {
  const events = readStream(log, streams.bookClosings(projectId));
  return (await foldStream(bookClosings, events)).get(projectId) ?? emptyBooks(projectId);
}

type StreamFold<D> = Pick<typeof bookClosings, 'keys'> & {
  fold(doc: D | undefined, event: RecordedEvent, id: string, peer: () => undefined): D | null | undefined;
};

async function foldStream<D>({ keys, fold }: StreamFold<D>, events: AsyncIterable<RecordedEvent>) {
  const docs = new Map<string, D>();
  for await (const event of events)
    for (const id of keys(event)) {
      const doc = fold(docs.get(id), event, id, noPeer);
      if (doc) docs.set(id, doc);
      else docs.delete(id);
    }
  return docs;
}

/**
 * Returns the read models that a month is computed of, as known then. A transaction is found by its place of now: the store states when
 * it was bought, and does not change that.
 */
async function readModelsAsOf(
  { readModels, log: fullLog, runtime }: BooksAsOfDeps,
  log: Pick<EventLog, 'read'>,
  projectId: string,
  asOf: string,
): Promise<ReadModels> {
  const bought = createTransactionsAsOf({ log: fullLog, slice: runtime.slice }, projectId, asOf);
  const known = {
    [apps.name]: await foldStream<AppDoc>(apps, readStream(log, streams.project(projectId))),
    [products.name]: await foldStream<ProductDoc>(products, readStream(log, streams.catalog(projectId))),
  };
  const asKnown: Pick<ReadModels, 'get' | 'getMany' | 'scan'> = {
    get: async (projection, id) => (await asKnown.getMany(projection, [id])).get(id),
    getMany: async (projection, ids) => {
      const found = await readModels.getMany(projection, ids);
      if (projection.name !== transactions.name) return found;
      return (await bought.of(transactionsIn(found.values()))) as unknown as typeof found;
    },
    scan: async (projection, scan) => {
      const listed = known[projection.name];
      if (listed) return pageOf<unknown>(listed) as unknown as ReadModelPage<never>;
      const page = await readModels.scan(projection, scan);
      return projection.name === transactions.name ? pageAsOf(page, bought) : page;
    },
  };
  return { ...readModels, ...asKnown };
}

function transactionsIn(docs: Iterable<unknown>): Iterable<TransactionDoc> {
  return docs as Iterable<TransactionDoc>;
}

function pageOf<D>(docs: ReadonlyMap<string, D>): ReadModelPage<D> {
  return { rows: [...docs].map(([id, doc]) => ({ id, doc })) };
}

async function pageAsOf<D>(page: ReadModelPage<D>, bought: TransactionsAsOf): Promise<ReadModelPage<D>> {
  const found = await bought.of(transactionsIn(page.rows.map(({ doc }) => doc)));
  const rows = page.rows.flatMap(({ id }) => {
    const doc = found.get(id);
    return doc ? [{ id, doc: doc as unknown as D }] : [];
  });
  return { ...page, rows };
}
