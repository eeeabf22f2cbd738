// Purges expired records.
import type { Logger } from 'pino';
import type { DocStore } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { purgeEndedSessions } from '../../commands/accounts/session-records.js';
import { purgeEndedInvitations } from '../../commands/members/invitation-tokens.js';
import { isoFromMs } from '../../domain/time.js';
import { superviseRounds } from './supervise.js';

const INTERVAL_MS = 3_600_000;

export type MaintenanceDeps = { readonly docs: DocStore; readonly runtime: Runtime; readonly logger: Logger };

/** Runs until the signal aborts. */
export function runMaintenance({ docs, runtime, logger }: MaintenanceDeps, signal: AbortSignal): Promise<void> {
  return superviseRounds('maintenance', INTERVAL_MS, { runtime, logger }, signal, async () => {
    const now = isoFromMs(runtime.now());
    const sessions = await purgeEndedSessions(docs, now, signal);
    await purgeEndedInvitations(docs, now, signal);
    if (sessions > 0) logger.info({ sessions }, 'ended sessions purged');
  });
}
