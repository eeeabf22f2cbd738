// Carries out operator requests: a command beside the running service may read its files, but not write them.
import type { Logger } from 'pino';
import type { OperatorRequests } from '../../adapters/operator-requests/port.js';
import { setChartReplay } from '../../commands/projects/chart-replays.js';
import { importRates } from '../../commands/catalog/exchange-rates.js';
import { resetPassword } from '../../commands/accounts/reset-password.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { eraseSubscriber } from '../../commands/subscribers/erasure.js';
import { Rejection } from '../../domain/errors.js';
import type { FindByAccountToken } from '../../commands/stores/notification-types.js';
import { reprocess } from '../../commands/stores/inbox/reprocess.js';
import { adoptBuild, type AdoptDeps } from '../../projections/rebuild/adopt-build.js';
import { retryParkedDocuments } from '../../projections/runtime/parked-documents.js';
import { operatorRequest, type OperatorRequest } from '../../projections/rebuild/operator-request.js';
import type { HealthReport } from './health.js';
import { askRetry } from '../reactions/parked.js';
import { superviseRounds } from './supervise.js';

const EVERY_MS = 500;

export type OperatorRequestDeps = Omit<AdoptDeps, 'log' | 'docs' | 'hash' | 'runtime'> & {
  readonly deps: StoreDeps;
  readonly find: FindByAccountToken;
  readonly requests: OperatorRequests;
  readonly logger: Logger;
  readonly rewrapKeys: () => Promise<unknown>;
  readonly health: () => Promise<HealthReport>;
  /** The tokens of this user have ended. */
  readonly onPasswordReset: (userId: string) => void;
};

/** Runs until the signal aborts; requests are done one after the other. */
export function runOperatorRequests(o: OperatorRequestDeps, signal: AbortSignal): Promise<void> {
  const { runtime } = o.deps;
  return superviseRounds('operator requests', EVERY_MS, { runtime, logger: o.logger }, signal, async () => {
    for (const { id, request: asked } of await o.requests.pending()) {
      if (signal.aborted) return;
      await o.requests.reply(id, await replyTo(o, asked, signal));
    }
  });
}

async function replyTo(o: OperatorRequestDeps, asked: unknown, signal: AbortSignal) {
  const read = operatorRequest.safeParse(asked);
  if (!read.success)
    return { problem: 'the service does not know this request; use the command line of its own version' };
  try {
    return { result: await done(o, read.data, signal) };
  } catch (err) {
    if (err instanceof Rejection) return { problem: err.message };
    o.logger.error({ kind: read.data.kind, stack: err instanceof Error ? err.stack : String(err) }, 'request failed');
    return { problem: err instanceof Error ? err.message : String(err) };
  }
}

export type RetriesAsked = {
  /** Ids of parked events that are to be tried. */
  readonly events: readonly string[];
  readonly documents: { readonly tried: number; readonly left: number };
};

/** Documents are folded at once; events are left to the process that runs the reactions. */
export async function askRetries(
  o: Pick<AdoptDeps, 'log' | 'docs' | 'hash' | 'runtime' | 'serving' | 'projections'>,
  named: string | null,
  signal: AbortSignal,
): Promise<RetriesAsked> {
  const events = await askRetry(o.docs, o.runtime.now(), named);
  return { events, documents: await retryParkedDocuments(o, named, signal) };
}

async function done(o: OperatorRequestDeps, asked: OperatorRequest, signal: AbortSignal): Promise<unknown> {
  const { log, docs, hash, runtime } = o.deps;
  if (asked.kind === 'rates') return importRates(o.deps, asked.days, asked.importId);
  if (asked.kind === 'erase') {
    const { requestId, projectId, appUserId } = asked;
    const by = { actor: { kind: 'system' as const, id: 'command line' }, requestId };
    return eraseSubscriber(o.deps, by, projectId, appUserId);
  }
  if (asked.kind === 'reprocess') return reprocess(o.deps, o.find, asked, signal);
  if (asked.kind === 'adopt') return adoptBuild({ ...o, log, docs, hash, runtime }, asked.built, signal);
  if (asked.kind === 'replay') return setChartReplay(o.deps, asked);
  if (asked.kind === 'rewrap') return o.rewrapKeys();
  if (asked.kind === 'health') return o.health();
  if (asked.kind === 'retry') {
    const retried = await askRetries({ ...o, log, docs, hash, runtime }, asked.named, signal);
    o.handover?.again();
    return retried;
  }
  const reset = await resetPassword(o.deps, asked);
  o.onPasswordReset(reset.userId);
  return reset;
}
