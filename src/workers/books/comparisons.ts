// Compares the months of a project when a report was added or declared absent, and once a day those of the last months, which also change by
// time and by what is recorded later. What a comparison finds is recorded once, and webhooks are sent from the log. Orders and
// groups of sales that only a report has are looked up at the store.
import type { Logger } from 'pino';
import { readRecord, recordsNamed, replaceRecord, scanPages } from '../../adapters/documents/records.js';
import { scheduleGroupLookUps, scheduleLookUps, type FindPurchases } from '../../commands/books/look-ups.js';
import { recordFindings } from '../../commands/books/record-findings.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { findingsOf } from '../../domain/books/findings.js';
import { missingGroups, missingOrders } from '../../domain/books/look-ups.js';
import { addMonths, pacificDay } from '../../domain/books/report-values.js';
import type { LogPosition } from '../../domain/envelope.js';
import { Unavailable } from '../../domain/errors.js';
import { msFromIso } from '../../domain/time.js';
import { ofFamily } from '../../domain/vocabulary.js';
import type { Books } from '../../projections/books/books.js';
import { inSlices } from '../../projections/books/compute-month.js';
import { findLostPurchases } from '../../projections/books/lost-purchases.js';
import { bookClosings } from '../../projections/models/book-closings.js';
import { products } from '../../projections/models/catalogue.js';
import { apps } from '../../projections/models/projects.js';
import { storeReports } from '../../projections/models/store-reports.js';
import { transactions } from '../../projections/models/transactions.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { waitAtMost, type Progress } from '../../projections/runtime/progress.js';
import { superviseRounds } from '../coordination/supervise.js';
import type { Reaction } from '../reactions/reaction.js';

/** Day of the last daily look, so that a restart compares nothing again. */
export const dailyComparisonCollection = {
  name: recordsNamed<{ readonly day: string }>('book_comparisons'),
  indexes: [],
};
const DAILY = 'daily';

export type ComparisonDeps = {
  readonly deps: StoreDeps;
  readonly books: Books;
  readonly readModels: ReadModels;
  readonly progress: Progress;
  readonly logger: Logger;
};

const DAY_MS = 86_400_000;
/** Longer than the lag of a read model. */
const READ_MODEL_WAIT_MS = 5000;
/** Months beside that of a report which it may change: an order may stand in the report of a neighbour. */
const CHANGED_MONTHS = [-2, -1, 0, 1];
/** An older report of the log, such as one that was imported, is news to nobody. */
const MAX_AGE_MS = 7 * DAY_MS;
/** Months that the daily look compares: 62 days after its end, a month waits for no report any more. */
const DAILY_MONTHS = [-4, -3, -2, -1, 0];
const ROUND_MS = 3_600_000;
const PAGE = 500;

export function comparisonsReaction(o: ComparisonDeps): Reaction {
  const { deps, books } = o;
  const changeIn = (stored: Parameters<Reaction['handle']>[0]) => {
    const event = ofFamily(stored, 'books');
    return event?.type === 'StoreReportReceived' || event?.type === 'ReportDeclaredAbsent' ? event : null;
  };
  return {
    name: 'comparisons',
    families: ['books'],
    // One after another, because a large month takes much memory.
    serialKeyOf: (stored) => (changeIn(stored) ? 'books' : null),
    handle: async (stored, onOutcome) => {
      const event = changeIn(stored);
      const { runtime } = deps;
      if (!event || runtime.now() - msFromIso(event.meta.recordedAt) > MAX_AGE_MS) return;
      if (isHalted(o)) return;
      if (!(await hasCaughtUp(o, event.position))) throw new Unavailable('read models');
      const projectId = event.meta.projectId ?? '';
      if (event.type === 'ReportDeclaredAbsent') {
        await compareMonth(o, projectId, event.data.month, event.id);
        onOutcome?.();
        return;
      }
      const reports = await books.listReports(projectId);
      // The event of the report in its place follows.
      if (reports.some((one) => one.reportId === event.data.reportId && !one.isCounted)) return;
      const changed = CHANGED_MONTHS.map((count) => addMonths(event.data.month, count));
      const reported = new Set(reports.map(({ month }) => month));
      for (const month of changed.filter((one) => reported.has(one))) {
        await compareMonth(o, projectId, month, event.id);
        onOutcome?.();
      }
    },
  };
}

const READ = [storeReports, bookClosings, transactions, apps, products].map(({ name }) => name);

/** Returns whether a read model has stopped; the daily look compares once it runs again. */
function isHalted({ progress }: ComparisonDeps): boolean {
  return READ.some((name) => progress.haltedSince(name) !== undefined);
}

/** Waits for the read models: a purchase that they do not show yet would look like a lost notification. */
function hasCaughtUp({ deps, progress }: ComparisonDeps, position: LogPosition): Promise<boolean> {
  return waitAtMost(READ_MODEL_WAIT_MS, { progress, runtime: deps.runtime, isBackground: true }, READ, position);
}

/** Runs until the signal aborts. */
export function runDailyComparisons(o: ComparisonDeps, signal: AbortSignal): Promise<void> {
  const { deps, logger } = o;
  const { runtime } = deps;
  return superviseRounds('comparisons', ROUND_MS, { runtime, logger }, signal, async () => {
    const today = pacificDay(runtime.now());
    const last = await readRecord(deps.docs, dailyComparisonCollection.name, DAILY);
    if (last.doc?.day === today || isHalted(o) || !(await hasCaughtUp(o, await deps.log.head()))) return;
    await compareRecentMonths(o, today, signal);
    if (!signal.aborted) await replaceRecord(deps.docs, dailyComparisonCollection.name, last, { day: today });
  });
}

/** Compares the last months of all projects that have a report of them. A month that cannot be compared does not delay the others. */
export async function compareRecentMonths(o: ComparisonDeps, today: string, signal: AbortSignal): Promise<void> {
  const { readModels, logger } = o;
  const recent = new Set(DAILY_MONTHS.map((count) => addMonths(today.slice(0, 7), count)));
  const found = new Set<string>();
  const all = { index: 'project', eq: [], limit: PAGE };
  for await (const rows of scanPages(all, (scan) => readModels.scan(storeReports, scan)))
    for (const { doc } of rows) if (recent.has(doc.month)) found.add(`${doc.projectId}|${doc.month}`);
  for (const place of found) {
    if (signal.aborted) return;
    const [projectId = '', month = ''] = place.split('|');
    try {
      await compareMonth(o, projectId, month);
    } catch (err) {
      if (err instanceof Unavailable) throw err;
      logger.error({ projectId, month, err }, 'a month of the books could not be compared; it is tried again tomorrow');
    }
  }
}

/** Records what the comparison finds, and has orders and groups that only a report has looked up at the store. */
async function compareMonth(
  { deps, books, readModels }: ComparisonDeps,
  projectId: string,
  month: string,
  causationId?: string,
) {
  const compared = await books.month(projectId, month);
  const findings = await inSlices(deps.runtime, findingsOf(compared));
  await recordFindings(deps, { projectId, findings, ...(causationId !== undefined && { causationId }) });
  const orders = await inSlices(deps.runtime, missingOrders(compared.entries));
  await scheduleLookUps(deps, { projectId, month, orders });
  const groups = await inSlices(deps.runtime, missingGroups(compared.entries));
  const sources = { readModels, slice: deps.runtime.slice };
  const findPurchases: FindPurchases = (some) => findLostPurchases(sources, projectId, some, deps.runtime.now());
  await scheduleGroupLookUps(deps, { projectId, month, groups, findPurchases });
}
