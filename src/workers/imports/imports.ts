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

/** Imports at a time, each of another project: nobody waits for all of another's, and memory stays bounded. */
const MAX_RUNNING = 4;
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
  const turns = createTurns(MAX_RUNNING);
  const retryAt = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let sweptAt = -SWEEP_MS;
  const run = async (record: ImportRecord) => {
    try {
      await runImport(deps, files, record, signal);
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
      turns.end(record.projectId);
    }
  };
  await superviseRounds('imports', INTERVAL_MS, { runtime, logger }, signal, async () => {
    const waiting = (await unfinishedImports(deps)).filter(
      ({ importId, paths }) => (retryAt.get(importId) ?? 0) <= runtime.elapsed() && paths.every(files.isHere),
    );
    for (const record of turns.begin(waiting)) {
      const work = run(record);
      running.add(work);
      void work.finally(() => running.delete(work));
    }
    if (runtime.elapsed() - sweptAt < SWEEP_MS) return;
    sweptAt = runtime.elapsed();
    await sweepUploads(deps, uploads);
  });
  await Promise.all(running);
}

/** Chooses imports: one of each project at a time, those of the project first whose last one began longest ago. */
export function createTurns(max: number) {
  const running = new Set<string>();
  const lastTurns = new Map<string, number>();
  let count = 0;
  return {
    /** Returns the imports whose turn it is; each has it until {@link end}. */
    begin: <R extends { readonly projectId: string }>(waiting: readonly R[]): readonly R[] => {
      const firsts = new Map<string, R>();
      for (const one of waiting) if (!firsts.has(one.projectId)) firsts.set(one.projectId, one);
      const free = [...firsts.values()].filter(({ projectId }) => !running.has(projectId));
      const lastOf = ({ projectId }: R) => lastTurns.get(projectId) ?? 0;
      const chosen = free.toSorted((a, b) => lastOf(a) - lastOf(b)).slice(0, max - running.size);
      for (const { projectId } of chosen) {
        running.add(projectId);
        lastTurns.set(projectId, ++count);
      }
      return chosen;
    },
    end: (projectId: string) => void running.delete(projectId),
  };
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
