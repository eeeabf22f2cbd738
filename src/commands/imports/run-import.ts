// Runs one recorded import on this machine's files and keeps its record up to date.
import type { ImportStaging, OpenedFile } from '../../adapters/imports/port.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { LogPosition } from '../../domain/envelope.js';
import { Rejection } from '../../domain/errors.js';
import { families } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { importFiles, type ImportProgress } from './import-files.js';
import type { ImportReport } from './import-report.js';
import { changeImport, type ImportRecord } from './import-records.js';

export type ImportFiles = {
  /** Throws `UnreadableFile`. */
  open(path: string): Promise<OpenedFile>;
  /** Returns true if this process can read the file. */
  isHere(path: string): boolean;
  openStaging(): ImportStaging;
  /** Returns true for an error that says what is wrong with a file. */
  isFileFault(err: unknown): err is Error;
};

const RECORD_EVERY_MS = 1000;

/**
 * Checks or runs the import. A fault of a file, or files that changed since the check, end it as failed; any other error is thrown, and the
 * import continues at the next call.
 */
export async function runImport(
  deps: StoreDeps,
  files: ImportFiles,
  record: ImportRecord,
  signal: AbortSignal,
  onProgress: (progress: ImportProgress) => void = () => undefined,
): Promise<void> {
  const { importId, paths, confirmed } = record;
  const staging = files.openStaging();
  let recordedAt = 0;
  let writing = Promise.resolve();
  const progress = (at: ImportProgress) => {
    onProgress(at);
    if (deps.runtime.elapsed() - recordedAt < RECORD_EVERY_MS) return;
    recordedAt = deps.runtime.elapsed();
    writing = writing.then(() => changeImport(deps, importId, { progress: at })).catch(() => undefined);
  };
  try {
    const begin = confirmed === null ? null : (record.begin ?? (await deps.log.head()));
    await changeImport(deps, importId, { state: 'running', problem: null, begin });
    const opened = await Promise.all(paths.map((path) => files.open(path)));
    const tools = {
      staging,
      progress,
      signal,
      after: record.after,
      reached: (key: string) => changeImport(deps, importId, { after: key }),
    };
    const report = await importFiles(deps, opened, record, tools);
    const earlier = record.begin;
    const whole = earlier ? { ...report, events: await recordedEvents(deps.log, record, earlier, signal) } : report;
    await writing;
    await finish(deps, importId, { state: confirmed === null ? 'checked' : 'done', report: whole });
  } catch (err) {
    await writing;
    if (!(err instanceof Rejection || files.isFileFault(err))) throw err;
    await finish(deps, importId, { state: 'failed', problem: err.message });
  } finally {
    staging.close();
  }
}

function finish(
  deps: StoreDeps,
  importId: string,
  result: Partial<Pick<ImportRecord, 'state' | 'report' | 'problem'>>,
): Promise<void> {
  const finishedAt = isoFromMs(deps.runtime.now());
  return changeImport(deps, importId, { ...result, progress: null, finishedAt });
}

const BATCH = 1000;

/** Counts the events by type that an import has appended since the position: those of an interrupted run are in the log alone. */
async function recordedEvents(
  log: EventLog,
  { importId }: ImportRecord,
  begin: LogPosition,
  signal: AbortSignal,
): Promise<ImportReport['events']> {
  const counts = new Map<string, number>();
  for await (const { events, caughtUp } of log.follow({ after: begin, families, max: BATCH, signal })) {
    for (const { type, meta } of events)
      if (meta.actor.kind === 'import' && meta.actor.id === importId) counts.set(type, (counts.get(type) ?? 0) + 1);
    if (caughtUp) break;
  }
  signal.throwIfAborted();
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
