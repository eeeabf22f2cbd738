// Executes pending store requests when they are due. The store of an app that is unavailable is tried by one task at a time, with growing
// delays; tasks of other apps continue.
import { storedStreamName } from '../../domain/streams.js';
import { scanPages } from '../../adapters/documents/records.js';
import { continueTrace, storedTraceparent } from '../../adapters/tracing/spans.js';
import { findStoreApp } from '../../commands/projects/apps.js';
import { credentialCollection } from '../../commands/projects/credentials.js';
import { lockKeys } from '../../commands/handling/keyed-mutex.js';
import { NoCredentials, NotShownYet, StoreRefusal, Unavailable } from '../../domain/errors.js';
import type { Logger } from 'pino';
import { answerByPolicy, refundAnswerWork } from '../../commands/stores/refund-answers.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import type { StoredNotification } from '../../commands/stores/store-integration.js';
import { processNotification, readReceived } from '../../commands/stores/inbox/inbox.js';
import type { StoreCircuitBreakers } from '../../commands/stores/store-circuit-breaker.js';
import {
  addStoreTask,
  dueStoreTasks,
  finishStoreTask,
  notificationWork,
  postponeStoreTask,
  DUE_WITH_CREDENTIALS,
  type NextWork,
  type StoreTask,
} from '../../commands/stores/tasks.js';
import { storeKindOf } from '../../domain/store-kinds.js';
import { isoFromMs } from '../../domain/time.js';
import { superviseRounds } from '../coordination/supervise.js';

export type StoreTaskDeps = {
  readonly deps: StoreDeps;
  readonly circuitBreakers: StoreCircuitBreakers;
  readonly logger: Logger;
};

const INTERVAL_MS = 500;
const MAX_CONCURRENT = 8;
const PAGE = 500;
const MIN_RETRY_MS = 30_000;
const MAX_RETRY_MS = 900_000;

/** Runs until the signal aborts. */
export function runStoreTasks(o: StoreTaskDeps, signal: AbortSignal): Promise<void> {
  const { runtime } = o.deps;
  let isScheduled = false;
  return superviseRounds('store-tasks', INTERVAL_MS, { runtime, logger: o.logger }, signal, async () => {
    if (!isScheduled) await scheduleTasksOfAllApps(o.deps);
    isScheduled = true;
    await runDueStoreTasks(o, signal);
  });
}

/** Schedules the recurring tasks of all apps with credentials, including those registered by an import or by earlier code. */
async function scheduleTasksOfAllApps(deps: StoreDeps): Promise<void> {
  const all = { index: 'project', eq: [], limit: PAGE };
  for await (const rows of scanPages(all, (scan) => deps.docs.scan(credentialCollection.name, scan))) {
    for (const { id: appId, doc } of rows)
      await deps.stores.of(storeKindOf(doc['store'])).scheduleTasks(deps, String(doc['projectId']), appId);
  }
}

/** Executes all tasks that are due and whose store is available, one round at a time. */
export function runDueStoreTasks(o: StoreTaskDeps, signal: AbortSignal): Promise<void> {
  return o.deps.mutex.run(lockKeys.storeTasks(), async () => {
    for await (const page of dueStoreTasks(o.deps)) {
      if (signal.aborted) return;
      const apps = [...new Set(page.map((task) => task.appId))];
      const ofApp = (appId: string) => page.filter((task) => task.appId === appId);
      await Promise.all(apps.map((appId) => runTasksOfApp(o, ofApp(appId), signal)));
    }
  });
}

/** Executes the tasks of one app: the first alone, to check that the store is available, then several concurrently until one fails. */
async function runTasksOfApp(o: StoreTaskDeps, tasks: readonly StoreTask[], signal: AbortSignal): Promise<void> {
  const canContinue = (appId: string) => !signal.aborted && o.circuitBreakers.nextTryAt(appId) <= o.deps.runtime.now();
  const waiting = tasks.values();
  const doSequentially = async () => {
    for (const task of waiting) {
      if (!canContinue(task.appId)) return;
      await runTask(o, task);
    }
  };
  const [first] = tasks;
  if (!first || !canContinue(first.appId)) return;
  await runTask(o, waiting.next().value ?? first);
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, doSequentially));
}

async function runTask(o: StoreTaskDeps, task: StoreTask): Promise<void> {
  const { deps, circuitBreakers } = o;
  try {
    const next = await executeTask(o, task);
    circuitBreakers.reset(task.appId);
    if (next === null) return await finishStoreTask(deps, task);
    await postponeStoreTask(deps, { ...task, attempts: -1 }, timeAfter(deps, next.inMs), next.work);
  } catch (err) {
    const { dueAt } = scheduleAfterFailure(o, task.appId, task.attempts, err) ?? {
      dueAt: timeAfter(deps, MAX_RETRY_MS),
    };
    await postponeStoreTask(deps, task, dueAt);
  }
}

/** Executes a task. Returns the work that follows, or null. */
async function executeTask({ deps, logger }: StoreTaskDeps, task: StoreTask): Promise<NextWork | null> {
  const { projectId, appId, work } = task;
  const parsed = notificationWork.safeParse(work);
  if (parsed.success) {
    const event = await readReceived(deps, storedStreamName(parsed.data.stream));
    if (!event) return null;
    await continueTrace(storedTraceparent(event.meta), () => processNotification(deps, event));
    return null;
  }
  const refundAnswer = refundAnswerWork.safeParse(work);
  if (refundAnswer.success) return answerByPolicy(deps, projectId, refundAnswer.data);
  const app = await findStoreApp(deps, projectId, appId);
  if (!app) return null;
  const { next, warning } = await deps.stores.of(app.store).runTask(deps, { projectId, app }, work);
  if (warning) logger.warn({ appId, reason: warning.reason }, warning.message);
  return next;
}

/**
 * Processes a new notification that requires a store request. If the store cannot be read now, a task is stored instead: neither an
 * unavailable store nor missing credentials delay the notifications of others.
 */
export async function processOrQueueNotification(o: StoreTaskDeps, event: StoredNotification): Promise<void> {
  const { deps, circuitBreakers } = o;
  const { appId, inboxId } = event.data;
  const projectId = event.meta.projectId ?? '';
  const later = (dueAt: string) => {
    const work = { kind: 'notification' as const, stream: event.stream };
    return addStoreTask(deps, `n|${inboxId}`, { projectId, appId, dueAt, work });
  };
  if (!circuitBreakers.acceptsRequest(appId)) return later(timeAfter(deps, 0));
  try {
    await circuitBreakers.track(appId, () => processNotification(deps, event));
  } catch (err) {
    const failure = scheduleAfterFailure(o, appId, 0, err);
    if (!failure) throw err;
    await later(failure.dueAt);
  }
}

/**
 * Returns the time of the next try; null for an internal error, which is logged. Opens the circuit of a store that is unavailable or
 * refuses the credentials.
 */
function scheduleAfterFailure(
  { deps, circuitBreakers, logger }: StoreTaskDeps,
  appId: string,
  attempts: number,
  err: unknown,
): { readonly dueAt: string } | null {
  if (err instanceof NoCredentials) return { dueAt: DUE_WITH_CREDENTIALS };
  const pauseMs = Math.min(MIN_RETRY_MS * 2 ** Math.max(0, attempts), MAX_RETRY_MS);
  const dueAt = timeAfter(deps, pauseMs);
  if (err instanceof NotShownYet) return { dueAt };
  if (err instanceof Unavailable || err instanceof StoreRefusal) {
    circuitBreakers.recordFailure(appId);
    logger.warn({ appId, attempts, pauseMs, reason: err.message }, 'store request failed; retrying');
    return { dueAt };
  }
  logger.error({ appId, stack: err instanceof Error ? err.stack : String(err) }, 'store task failed');
  return null;
}

function timeAfter({ runtime }: StoreDeps, ms: number): string {
  return isoFromMs(runtime.now() + ms);
}
