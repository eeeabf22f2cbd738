// Runs one recorded import on this machine's files and keeps its record up to date.
import type { ImportStaging, OpenedFile } from '../../adapters/imports/port.js';
import { Rejection } from '../../domain/errors.js';
import { isoFromMs } from '../../domain/time.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { importFiles, type ImportProgress } from './import-files.js';
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
    await changeImport(deps, importId, { state: 'running', problem: null });
    const opened = await Promise.all(paths.map((path) => files.open(path)));
    const tools = {
      staging,
      progress,
      signal,
      after: record.after,
      reached: (key: string) => changeImport(deps, importId, { after: key }),
    };
    const report = await importFiles(deps, opened, record, tools);
    await writing;
    await finish(deps, importId, { state: confirmed === null ? 'checked' : 'done', report });
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
