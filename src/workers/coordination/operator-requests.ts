// Executes operator requests: a command next to the running service may read its files, but not write them.
import type { Logger } from 'pino';
import type { OperatorRequests } from '../../adapters/operator-requests/port.js';
import { addReportFile, type LocalReportFiles } from '../../commands/books/add-report.js';
import { setChartReplay } from '../../commands/projects/chart-replays.js';
import { startImport } from '../../commands/imports/confirm-import.js';
import type { NewImport } from '../../commands/imports/import-records.js';
import { requestVerification } from '../../commands/imports/verification-records.js';
import { importCatalogue } from '../../commands/catalog/import-catalogue.js';
import { importRates } from '../../commands/catalog/exchange-rates.js';
import { resetPassword } from '../../commands/accounts/passwords.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { eraseSubscriber } from '../../commands/subscribers/erasure.js';
import { Rejection } from '../../domain/errors.js';
import { requestPastNotifications } from '../../commands/stores/past-notifications.js';
import { reprocess } from '../../commands/stores/inbox/reprocess.js';
import { adoptBuild, type AdoptDeps } from '../../projections/rebuild/adopt-build.js';
import { retryParkedDocuments } from '../../projections/runtime/parked-documents.js';
import { operatorRequest, type OperatorRequest } from '../../projections/rebuild/operator-request.js';
import type { HealthReport } from './health.js';
import { requestRetry } from '../reactions/parked.js';
import { superviseRounds } from './supervise.js';

const INTERVAL_MS = 500;

export type OperatorRequestDeps = Omit<AdoptDeps, 'log' | 'docs' | 'hash' | 'runtime'> & {
  readonly deps: StoreDeps;
  readonly requests: OperatorRequests;
  readonly logger: Logger;
  readonly rewrapKeys: () => Promise<unknown>;
  readonly health: () => Promise<HealthReport>;
  /** Returns true if this process can read the file. */
  readonly canRead: (path: string) => boolean;
  readonly localReports: LocalReportFiles;
  /** The tokens of this user have ended. */
  readonly onPasswordReset: (userId: string) => void;
};

/** Runs until the signal aborts; requests are executed one by one. */
export function runOperatorRequests(o: OperatorRequestDeps, signal: AbortSignal): Promise<void> {
  const { runtime } = o.deps;
  return superviseRounds('operator requests', INTERVAL_MS, { runtime, logger: o.logger }, signal, async () => {
    for (const { id, request } of await o.requests.pending()) {
      if (signal.aborted) return;
      await o.requests.reply(id, await replyTo(o, request, signal));
    }
  });
}

async function replyTo(o: OperatorRequestDeps, request: unknown, signal: AbortSignal) {
  const read = operatorRequest.safeParse(request);
  if (!read.success) return { problem: 'unknown request; use the command line of the same version as the service' };
  try {
    return { result: await executeRequest(o, read.data, signal) };
  } catch (err) {
    if (err instanceof Rejection) return { problem: err.message };
    o.logger.error(
      { kind: read.data.kind, stack: err instanceof Error ? err.stack : String(err) },
      'operator request failed',
    );
    return { problem: err instanceof Error ? err.message : String(err) };
  }
}

export type RequestedRetries = {
  /** Ids of parked events to retry. */
  readonly events: readonly string[];
  readonly documents: { readonly tried: number; readonly left: number };
};

/** Requests retries. Documents are folded immediately; events are left to the process that runs the reactions. */
export async function requestRetries(
  o: Pick<AdoptDeps, 'log' | 'docs' | 'hash' | 'runtime' | 'serving' | 'projections'>,
  eventOrDocument: string | null,
  signal: AbortSignal,
): Promise<RequestedRetries> {
  const events = await requestRetry(o.docs, o.runtime.now(), eventOrDocument);
  return { events, documents: await retryParkedDocuments(o, eventOrDocument, signal) };
}

const commandLine = (requestId: string) => ({ actor: { kind: 'system' as const, id: 'command line' }, requestId });

/** An import whose files nobody can read would wait for a process that can. */
function startReadable({ deps, canRead }: OperatorRequestDeps, request: NewImport): Promise<unknown> {
  const unreadable = request.paths.find((path) => !canRead(path));
  if (unreadable === undefined) return startImport(deps, commandLine(request.importId), request);
  const text = `the service cannot open ${unreadable}; check its path, and that the user of the service may read it`;
  throw new Rejection('invalid', 'import-file', text);
}

async function executeRequest(o: OperatorRequestDeps, request: OperatorRequest, signal: AbortSignal): Promise<unknown> {
  const { log, docs, hash, runtime } = o.deps;
  if (request.kind === 'rates') return importRates(o.deps, request.days, request.importId);
  if (request.kind === 'erase') {
    const { requestId, projectId, appUserId } = request;
    return eraseSubscriber(o.deps, commandLine(requestId), projectId, appUserId);
  }
  if (request.kind === 'reprocess') return reprocess(o.deps, request, signal);
  if (request.kind === 'catalogue') return importCatalogue(o.deps, request);
  if (request.kind === 'past-notifications') return requestPastNotifications(o.deps, request.projectId);
  if (request.kind === 'adopt') return adoptBuild({ ...o, log, docs, hash, runtime }, request.built, signal);
  if (request.kind === 'import') return startReadable(o, request.request);
  if (request.kind === 'add-report') return addReportFile(o.deps, o.localReports, request);
  if (request.kind === 'verify-import') return requestVerification(o.deps, request.projectId);
  if (request.kind === 'replay') return setChartReplay(o.deps, request);
  if (request.kind === 'rewrap') return o.rewrapKeys();
  if (request.kind === 'health') return o.health();
  if (request.kind === 'retry') {
    const retried = await requestRetries({ ...o, log, docs, hash, runtime }, request.named, signal);
    o.handover?.again();
    return retried;
  }
  const reset = await resetPassword(o.deps, request);
  o.onPasswordReset(reset.userId);
  return reset;
}
