// Runs waiting imports, one after another, whose files are on this machine, and deletes uploaded files that are no longer needed; and runs
// requested verifications of imports. What a stop interrupted continues.
import type { Logger } from 'pino';
import type { ImportUploads } from '../../adapters/imports/port.js';
import { expireImport, isFinished, readImport, unfinishedImports } from '../../commands/imports/import-records.js';
import { runImport, type ImportFiles } from '../../commands/imports/run-import.js';
import { unfinishedVerifications } from '../../commands/imports/verification-records.js';
import { runVerification } from '../../commands/imports/verify-lines.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { superviseRounds } from '../coordination/supervise.js';

const INTERVAL_MS = 1000;
const SWEEP_MS = 60_000;
/** Time from an upload until its files are deleted unless it was confirmed. */
const UPLOAD_EXPIRY_MS = 86_400_000;
/** Time after its last write in which an upload gets its record. A stalled upload is cut off much earlier. */
const MAX_IDLE_UPLOAD_MS = 600_000;

/** Runs until the signal aborts. */
export function runImports(
  deps: StoreDeps,
  files: ImportFiles,
  uploads: ImportUploads,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { runtime } = deps;
  let sweptAt = -SWEEP_MS;
  return superviseRounds('imports', INTERVAL_MS, { runtime, logger }, signal, async () => {
    for (const record of await unfinishedImports(deps)) {
      if (signal.aborted) return;
      if (!record.paths.every(files.isHere)) continue;
      await runImport(deps, files, record, signal);
      if (record.isUploaded) await sweepUploads(deps, uploads);
    }
    if (runtime.elapsed() - sweptAt < SWEEP_MS) return;
    sweptAt = runtime.elapsed();
    await sweepUploads(deps, uploads);
  });
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
