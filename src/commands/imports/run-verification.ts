// Runs one recorded verification and keeps its record up to date.
import { Unavailable } from '../../domain/errors.js';
import { isoFromMs } from '../../domain/time.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { addVerdict, changeVerification, type VerificationRecord } from './verification-records.js';
import { verifyLines } from './verify-lines.js';

/**
 * Runs the verification from where it was. A store that stays unavailable ends it as failed; any other error is thrown, also the reason
 * of the signal, and the verification continues at the next call.
 */
export async function runVerification(
  deps: StoreDeps,
  record: VerificationRecord,
  signal: AbortSignal,
  onProgress: (progress: { readonly done: number; readonly total: number }) => void = () => undefined,
): Promise<void> {
  const { projectId } = record;
  let { verdicts } = record;
  await changeVerification(deps, projectId, { state: 'running' });
  const finishedAt = () => isoFromMs(deps.runtime.now());
  try {
    await verifyLines(deps, record, {
      after: record.after,
      signal,
      note: (verdict) => void (verdicts = addVerdict(verdicts, verdict)),
      reached: async (after, progress) => {
        onProgress(progress);
        await changeVerification(deps, projectId, { after, verdicts, progress });
      },
    });
    await changeVerification(deps, projectId, { state: 'done', progress: null, finishedAt: finishedAt() });
  } catch (err) {
    if (!(err instanceof Unavailable)) throw err;
    const problem = `${err.message}; the same command continues where the verification stopped`;
    await changeVerification(deps, projectId, { state: 'failed', problem, finishedAt: finishedAt() });
  }
}
