// A look at the report server of an app's store: what is new is added to the books as an upload would be.
import type { ReportFiles } from '../../adapters/books/port.js';
import { replaceRecord } from '../../adapters/documents/records.js';
import { addMonths, pacificDay } from '../../domain/books/report-values.js';
import { Rejection, ReportsRefused, StoreUnavailable, UploadRefused } from '../../domain/errors.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import type { Requester } from '../handling/deps.js';
import { findStoreApp } from '../projects/apps.js';
import { DAY_MS, HOUR_MS, type DownloadedReport, type FoundReport } from '../stores/found-reports.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { addReport } from './add-report.js';
import {
  deleteStoredReportSource,
  isStillRegistered,
  openReportsKey,
  recordLook,
  reportSourceCollection,
  type DueSource,
  type Look,
  type ReportSource,
} from './report-sources.js';

/** Months of a daily look, this one included: a report may come late, or be restated. */
const MONTHS = 4;
/** Most months that somebody may ask for. */
export const MAX_MONTHS = 24;
/** Reports of a look; more are read by the next. */
const MAX_REPORTS = 100;
/** After this time no further report is begun; one takes a few minutes at most, by the bounds of its download and of its reading. */
const MAX_LOOK_MS = 10 * 60_000;
const MIN_RETRY_MS = HOUR_MS / 4;
const MAX_MESSAGE_LENGTH = 500;

type Sought = Omit<Look, 'at'> & { readonly fetched: ReportSource['fetched'] };

/**
 * Does one look that is due. The next one is written down before it begins, so that neither a crash nor another process makes it run again and
 * again. Returns what came of it; null if another process has it, or the app is gone. Throws the reason of the signal.
 */
export async function lookForReports(
  deps: StoreDeps,
  files: ReportFiles,
  due: DueSource,
  signal: AbortSignal,
): Promise<Look | null> {
  const { appId, source } = due;
  const { docs, runtime } = deps;
  const startedMs = runtime.now();
  const pauseMs = Math.min(MIN_RETRY_MS * 2 ** Math.min(source.attempts, 10), DAY_MS);
  const claimed = { ...source, attempts: source.attempts + 1, dueAt: isoFromMs(startedMs + pauseMs) };
  const guard = await replaceRecord(docs, reportSourceCollection.name, { id: appId, guard: due.guard }, claimed);
  if (guard === null) return null;
  const current = { appId, guard, source: claimed };
  if (!(await findStoreApp(deps, source.projectId, appId))) {
    await deleteStoredReportSource(deps, appId);
    return null;
  }
  const sought = await seek(deps, files, current, signal);
  if (sought === null) return null;
  const { fetched, ...result } = sought;
  const look: Look = { at: isoFromMs(startedMs), ...result };
  const code = look.problem?.code ?? null;
  const next =
    code === null
      ? { attempts: 0, dueAt: isoFromMs(startedMs + DAY_MS), request: null }
      : { attempts: code === 'unfinished' ? 0 : claimed.attempts };
  await recordLook(deps, current, { fetched, lastLook: look, next });
  return look;
}

/** Returns null if the source or its app is gone meanwhile. */
async function seek(deps: StoreDeps, files: ReportFiles, due: DueSource, signal: AbortSignal): Promise<Sought | null> {
  const { source } = due;
  const endsAtMs = deps.runtime.now() + MAX_LOOK_MS;
  const state = { added: [] as Look['added'][number][], unchanged: 0, unpublished: [] as string[], answered: 0 };
  let problem: Look['problem'] = null;
  let fetched = source.fetched;
  const note = (err: unknown) => (problem ??= problemOf(err));
  try {
    const found = await find(deps, due, endsAtMs, signal);
    // What is no longer looked at is forgotten, so that the record does not grow.
    const names = new Set(found.map(({ name }) => name));
    fetched = Object.fromEntries(Object.entries(fetched).filter(([name]) => names.has(name)));
    const wanted = found.filter((report) => isToBeFetched(report, source, deps.runtime.now()));
    state.unchanged = found.length - wanted.length;
    for (const [index, report] of wanted.entries()) {
      signal.throwIfAborted();
      if (index >= MAX_REPORTS || deps.runtime.now() > endsAtMs) {
        note(new ReportsRefused('unfinished', 'there are more reports than one look reads; the next look goes on'));
        break;
      }
      try {
        const file = await report.download(signal);
        state.answered++;
        if (file === null) state.unpublished.push(report.name);
        else {
          if (!(await isStillRegistered(deps, due))) return null;
          const outcome = await store(deps, files, due, file);
          if (outcome) state.added.push(outcome);
          else state.unchanged++;
          fetched = { ...fetched, [report.name]: { version: report.version, at: isoFromMs(deps.runtime.now()) } };
        }
      } catch (err) {
        if (!isOfOneReport(err)) throw err;
        note(err);
      }
    }
  } catch (err) {
    signal.throwIfAborted();
    if (!(err instanceof ReportsRefused || err instanceof StoreUnavailable)) throw err;
    note(err);
  }
  const { added, unchanged, unpublished, answered } = state;
  // The ios-store answers so for a month without a report, too.
  if (answered > 0 && isVendorUnknown(problem)) problem = null;
  return { added, unchanged, unpublished, problem, fetched };
}

function isVendorUnknown(problem: Look['problem']): boolean {
  return problem?.code === 'vendor_unknown';
}

async function find(
  deps: StoreDeps,
  due: DueSource,
  endsAtMs: number,
  signal: AbortSignal,
): Promise<readonly FoundReport[]> {
  const { appId, source } = due;
  const { projectId, account, terms, request } = source;
  const app = await findStoreApp(deps, projectId, appId);
  const findReports = app ? deps.stores.of(app.store).findReports : null;
  if (!app || !findReports) return [];
  const today = pacificDay(deps.runtime.now());
  const months = monthsSince(request?.fromMonth ?? null, today.slice(0, 7));
  const search = { account, terms, secret: await openReportsKey(deps, due), months, today, endsAtMs, signal };
  return findReports(deps, { projectId, app }, search);
}

/** Returns the months to look at, the newest first. */
function monthsSince(fromMonth: string | null, newest: string): readonly string[] {
  const oldest = fromMonth ?? addMonths(newest, 1 - MONTHS);
  const months: string[] = [];
  for (let back = 0; back < MAX_MONTHS && addMonths(newest, -back) >= oldest; back++)
    months.push(addMonths(newest, -back));
  return months;
}

function isToBeFetched({ name, version, everyMs }: FoundReport, { fetched, request }: ReportSource, nowMs: number) {
  const before = fetched[name];
  if (!before || (request && before.at < request.at)) return true;
  if (version !== null && before.version === version) return false;
  return nowMs - msFromIso(before.at) >= everyMs;
}

/** Adds a report to the books. Returns null for one that had been added before. */
async function store(deps: StoreDeps, files: ReportFiles, due: DueSource, file: DownloadedReport) {
  const { appId, source } = due;
  const { content, ...of } = file;
  const by: Requester = { actor: { kind: 'system', id: 'report looks' }, requestId: `look|${appId}|${source.dueAt}` };
  const pieces = (async function* () {
    yield content;
  })();
  const added = await addReport(deps, by, files, { projectId: source.projectId, ...of, content: pieces });
  const { reportId, fileName, month } = added.report;
  return added.isRepeat ? null : { reportId, fileName, month };
}

function isOfOneReport(err: unknown): boolean {
  if (err instanceof Rejection || err instanceof UploadRefused) return true;
  return err instanceof ReportsRefused && (err.problem === 'report_too_large' || err.problem === 'vendor_unknown');
}

function problemOf(err: unknown): Look['problem'] {
  const message = (err instanceof Error ? err.message : String(err)).slice(0, MAX_MESSAGE_LENGTH);
  if (err instanceof ReportsRefused) return { code: err.problem, message };
  if (err instanceof UploadRefused && err.reason === 'too-large') return { code: 'report_too_large', message };
  return { code: err instanceof StoreUnavailable ? 'unavailable' : 'report_unreadable', message };
}
