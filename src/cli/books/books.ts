// `subledger books`: adds financial reports of the stores, with or without a running service, and prints a month.
import { resolve } from 'node:path';
import { createReportFiles, openReportFile } from '../../adapters/books/report-files.js';
import { readConfig } from '../../adapters/configuration/config.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { addReportFile } from '../../commands/books/add-report.js';
import type { ReceivedReport } from '../../domain/books/events.js';
import { ratesDecider } from '../../domain/rates/rates.js';
import { streams } from '../../domain/streams.js';
import { load } from '../../commands/handling/run-command.js';
import { MONTH, printAmount } from '../../domain/books/report-values.js';
import { presentMonth } from '../../http/books/responses.js';
import { maxComparedLines } from '../../main/compared-lines.js';
import { createBooks } from '../../projections/books/books.js';
import { createBooksAsOf } from '../../projections/books/month-as-of.js';
import { viewOf } from '../../projections/books/month-view.js';
import { bookClosings, closedMonths, closedMonthsOf } from '../../projections/models/book-closings.js';
import { products } from '../../projections/models/catalogue.js';
import { apps, projects } from '../../projections/models/projects.js';
import { storeReports } from '../../projections/models/store-reports.js';
import { transactions } from '../../projections/models/transactions.js';
import { createProgress } from '../../projections/runtime/progress.js';
import { openReadModels, requireProject, withReading } from '../support/open-for-reading.js';
import { onService, withDeps } from '../support/on-service.js';
import { requireInstant } from '../support/arguments.js';
import { Failure, printResult } from '../support/outcome.js';

type AddOptions = { readonly project: string; readonly account?: string; readonly json?: true };
type AddedFile = { readonly report: ReceivedReport; readonly isRepeat: boolean };

/** Adds files one after another. The first that cannot be read ends the command; those before it are added. */
export async function addBooks(files: readonly string[], o: AddOptions): Promise<void> {
  const config = readConfig(process.env);
  const runtime = systemRuntime();
  const added: AddedFile[] = [];
  for (const file of files) {
    const request = {
      ...{ kind: 'add-report' as const, requestId: runtime.newId('cli'), projectId: o.project, path: resolve(file) },
      account: o.account ?? null,
    };
    const one = await onService<AddedFile>(config, runtime, request, (engine) =>
      withDeps(config, runtime, engine, (deps) => addReportFile(deps, reportFilesHere, request)),
    ).catch((err: unknown) => {
      throw err instanceof Error && files.length > 1 ? new Failure(`${file}: ${err.message}`) : err;
    });
    added.push(one);
    if (!o.json) process.stdout.write(`${addedText(file, one)}\n`);
  }
  if (o.json) printResult(o, added, []);
}

/** Report files on this machine. */
const reportFilesHere = { files: createReportFiles(), open: openReportFile };

function addedText(file: string, { report, isRepeat }: AddedFile): string {
  const { store, month, account, lines, totals, unknownColumns } = report;
  if (isRepeat) return `${file}: was added before (${report.reportId}); nothing changed.`;
  const sums = totals.map(
    ({ type, currency, paidMicros }) => `${type} ${printAmount(paidMicros, currency)} ${currency}`,
  );
  const unused = unknownColumns.length === 0 ? '' : `\n  not used: ${unknownColumns.join(', ')}`;
  return `${file}: ${lines} lines of ${month}, ${store}, account ${account}.\n  ${sums.join('; ')}${unused}`;
}

type ShowOptions = { readonly project: string; readonly asOf?: string; readonly json?: true };

/** Prints a month, from the data of a running or stopped service. */
export async function showBooks(month: string, o: ShowOptions): Promise<void> {
  if (!MONTH.test(month)) throw new Failure(`${month} is no month; write it as 2026-09`);
  const asOf = o.asOf === undefined ? null : requireInstant('--as-of', o.asOf);
  await withReading(async (data) => {
    const readModels = await openReadModels(data.docs, [
      projects,
      apps,
      products,
      transactions,
      storeReports,
      bookClosings,
    ]);
    await requireProject(readModels, o.project);
    const rates = async () => (await load(data.log, streams.rates(), ratesDecider)).state;
    const runtime = systemRuntime();
    const progress = createProgress();
    // The data may be in use by a service, which stores its own results.
    const stored = { monthStore: null, onError: () => undefined };
    const parts = { log: data.log, readModels, rates, runtime, maxLines: maxComparedLines() };
    const books = createBooks({ ...parts, progress, ...stored });
    const known = asOf && (await createBooksAsOf(parts).month(o.project, month, asOf));
    const read = known ? { ...viewOf(known.month), isOutdated: false } : await books.view(o.project, month);
    const closed = known ? namesOf(closedMonthsOf(known.books)) : await closedMonths(readModels, o.project);
    const found = presentMonth(read, closed);
    const absent = (read.summary.absences ?? []).map(({ store, countries, reason }) => {
      return `not waiting for a report of ${store}${countries.length === 0 ? '' : ` (${countries.join(', ')})`}: ${reason}`;
    });
    printResult(o, found, [...monthText(found), ...absent]);
  });
}

function namesOf(closings: readonly { readonly month: string }[]): ReadonlySet<string> {
  return new Set(closings.map(({ month }) => month));
}

function monthText({ month, state, tables, reports }: ReturnType<typeof presentMonth>): readonly string[] {
  const counted = reports.filter(({ isCounted }) => isCounted).length;
  const uncounted = counted === reports.length ? '' : `, ${reports.length - counted} of them not counted`;
  const head = `${month}: ${state}, ${reports.length} reports${uncounted}`;
  const bodies = tables.flatMap(({ appId, currency, ours, store, difference, causes }) => [
    '',
    `${appId ?? 'no app of the project'}, ${currency}`,
    ...(['charged', 'refunded', 'tax', 'fee', 'proceeds'] as const).map(
      (column) =>
        `  ${column.padEnd(10)}${(ours[column] ?? '').padStart(16)} ours ${(store[column] ?? '').padStart(16)} store ${(difference[column] ?? '').padStart(14)} difference`,
    ),
    ...causes.map(
      (one) =>
        `    ${one.cause.padEnd(16)}${String(one.entries).padStart(8)} entries ${(one.difference.proceeds ?? '').padStart(14)}`,
    ),
  ]);
  return [head, ...bodies];
}
