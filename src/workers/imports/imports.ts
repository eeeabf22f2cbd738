// Runs waiting imports, one after another, whose files are on this machine. An import that a stop interrupted continues.
import type { Logger } from 'pino';
import { unfinishedImports } from '../../commands/imports/import-records.js';
import { runImport, type ImportFiles } from '../../commands/imports/run-import.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { superviseRounds } from '../coordination/supervise.js';

const INTERVAL_MS = 1000;

/** Runs until the signal aborts. */
export function runImports(deps: StoreDeps, files: ImportFiles, logger: Logger, signal: AbortSignal): Promise<void> {
  const { runtime } = deps;
  return superviseRounds('imports', INTERVAL_MS, { runtime, logger }, signal, async () => {
    for (const record of await unfinishedImports(deps)) {
      if (signal.aborted) return;
      if (record.paths.every(files.isHere)) await runImport(deps, files, record, signal);
    }
  });
}
