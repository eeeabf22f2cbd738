// Runs waiting imports, whose files are on this machine, in fair turns, and deletes uploaded files that are no longer needed; and runs
// requested verifications of imports. What a stop interrupted continues.
import type { Logger } from 'pino';
import type { ImportUploads } from '../../adapters/imports/port.js';
import {
  expireImport,
  isFinished,
  readImport,
  unfinishedImports,
  type ImportRecord,
} from '../../commands/imports/import-records.js';
import { runImport, type ImportFiles } from '../../commands/imports/run-import.js';
import type { ImportTurn } from '../../commands/imports/import-files.js';
import { unfinishedVerifications } from '../../commands/imports/verification-records.js';
import { runVerification } from '../../commands/imports/verify-lines.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { superviseRounds } from '../coordination/supervise.js';
import { createTurns } from './turns.js';

const INTERVAL_MS = 1000;
const SWEEP_MS = 60_000;
/** Time from an upload until its files are deleted unless it was confirmed. */
const UPLOAD_EXPIRY_MS = 86_400_000;
/** Time after its last write in which an upload gets its record. A stalled upload is cut off much earlier. */
const MAX_IDLE_UPLOAD_MS = 600_000;

/** Time until an import is tried again that a fault of the service or its disk ended. */
const RETRY_MS = 10_000;

/** Runs until the signal aborts; the imports of a project one after another. */
export async function runImports(
  deps: StoreDeps,
  files: ImportFiles,
  uploads: ImportUploads,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { runtime } = deps;
  const turns = createTurns(runtime.elapsed);
  const retryAt = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let sweptAt = -SWEEP_MS;
  const run = async (record: ImportRecord, turn: ImportTurn) => {
    try {
      await runImport(deps, files, record, signal, undefined, turn);
      retryAt.delete(record.importId);
      if (record.isUploaded) await sweepUploads(deps, uploads);
    } catch (err) {
      if (signal.aborted) return;
      retryAt.set(record.importId, runtime.elapsed() + RETRY_MS);
      logger.error(
        { importId: record.importId, stack: err instanceof Error ? err.stack : String(err) },
        'import failed; it continues later',
      );
    } finally {
      turns.end(record);
    }
  };
  await superviseRounds('imports', INTERVAL_MS, { runtime, logger }, signal, async () => {
    // The other files of an import are where its first is, or their absence is what its problem says.
    const waiting = (await unfinishedImports(deps)).filter(
      ({ importId, paths }) => (retryAt.get(importId) ?? 0) <= runtime.elapsed() && files.isHere(paths[0] ?? ''),
    );
    for (const { one, turn } of turns.begin(waiting)) {
      const work = run(one, turn);
      running.add(work);
      void work.finally(() => running.delete(work));
    }
    if (runtime.elapsed() - sweptAt < SWEEP_MS) return;
    sweptAt = runtime.elapsed();
    await sweepUploads(deps, uploads);
  });
  await Promise.all(running);
}

/** Deletes the uploaded files of imports that ended, expired, or belonged to a deleted project. */
export async function sweepUploads(deps: Pick<StoreDeps, 'docs' | 'runtime'>, uploads: ImportUploads): Promise<void> {
  const now = deps.runtime.now();
  for (const { importId, changedAtMs } of await uploads.list()) {
    const record = await readImport(deps, importId);
    if (record?.state === 'checked' && now - Date.parse(record.createdAt) > UPLOAD_EXPIRY_MS) {
      const problem = 'not confirmed within a day; upload the file again';
      if (await expireImport(deps, importId, problem)) await uploads.discard(importId);
    } else if (record ? isFinished(record) : now - changedAtMs > MAX_IDLE_UPLOAD_MS) await uploads.discard(importId);
  }
}

/** Runs until the signal aborts. */
export function runVerifications(deps: StoreDeps, logger: Logger, signal: AbortSignal): Promise<void> {
  const { runtime } = deps;
  return superviseRounds('import verifications', INTERVAL_MS, { runtime, logger }, signal, async () => {
    for (const record of await unfinishedVerifications(deps)) {
      if (signal.aborted) return;
      await runVerification(deps, record, signal);
    }
  });
}
