// Runs requested verifications of imports, one after another. One that a stop interrupted continues.
import type { Logger } from 'pino';
import { runVerification } from '../../commands/imports/run-verification.js';
import { unfinishedVerifications } from '../../commands/imports/verification-records.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { superviseRounds } from '../coordination/supervise.js';

const INTERVAL_MS = 1000;

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
