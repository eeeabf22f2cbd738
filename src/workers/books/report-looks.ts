// Looks at the report servers of the stores, for each app with a report source once a day. A look that fails is repeated with growing delays,
// and delays no other.
import type { Logger } from 'pino';
import type { ReportFiles } from '../../adapters/books/port.js';
import { lookForReports } from '../../commands/books/look-for-reports.js';
import { dueSources, type DueSource } from '../../commands/books/report-sources.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { superviseRounds } from '../coordination/supervise.js';

export type ReportLookDeps = { readonly deps: StoreDeps; readonly reportFiles: ReportFiles; readonly logger: Logger };

const ROUND_MS = 5000;
/** Equals the number of uploads that are read at a time: each takes memory of the service. */
const MAX_CONCURRENT = 2;

/** Runs until the signal aborts. */
export function runReportLooks(o: ReportLookDeps, signal: AbortSignal): Promise<void> {
  const { deps, logger } = o;
  const { runtime } = deps;
  return superviseRounds('report looks', ROUND_MS, { runtime, logger }, signal, () => lookWhereDue(o, signal));
}

/** Does all looks that are due, once. */
export async function lookWhereDue(o: ReportLookDeps, signal: AbortSignal): Promise<void> {
  for await (const page of dueSources(o.deps)) {
    const waiting = page.values();
    const lookOn = async () => {
      for (const due of waiting) {
        if (signal.aborted) return;
        await look(o, due, signal);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, lookOn));
  }
}

async function look({ deps, reportFiles, logger }: ReportLookDeps, due: DueSource, signal: AbortSignal): Promise<void> {
  const { appId } = due;
  try {
    const { problem = null, added = [] } = (await lookForReports(deps, reportFiles, due, signal)) ?? {};
    if (problem) logger.warn({ appId, problem: problem.code, reason: problem.message }, 'reports could not be fetched');
    if (added.length > 0) logger.info({ appId, reports: added.length }, 'reports fetched');
  } catch (err) {
    if (signal.aborted) return;
    // The time of the next try is written down already.
    logger.error(
      { appId, stack: err instanceof Error ? err.stack : String(err) },
      'a look at the report server failed',
    );
  }
}
