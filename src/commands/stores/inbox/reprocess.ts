// Reprocessing of stored notifications with the translators of this code: content that was not understood or not applicable before becomes
// events now. Its commands are idempotent, so a second run adds nothing.
import { commandIds } from '../../handling/command-ids.js';
import { NoCredentials, StoreRefusal, Unavailable } from '../../../domain/errors.js';
import { inboxDecider } from '../../../domain/inbox/inbox.js';
import { familyOf } from '../../../domain/streams.js';
import type { Deps } from '../../handling/deps.js';
import { createDraftLog, observeAppends, type ObservedAppend } from '../../handling/draft-log.js';
import {
  applyNotification,
  contextOfNotification,
  finishNotification,
  INBOX_REACTION,
  isProcessed,
  isReceived,
} from './inbox.js';
import { serializeUpdates } from '../line-update.js';
import type { AppliedNotification, RetryOptions, StoreDeps, StoredNotification } from '../store-integration.js';
import { createKeyedMutex } from '../../handling/keyed-mutex.js';
import { releaseParkedEvent } from '../../handling/parked-events.js';
import { runCommand } from '../../handling/run-command.js';

type NotificationSubject = {
  readonly inboxId: string;
  readonly projectId: string;
  readonly appId: string;
  readonly store: string;
  readonly notificationType: string;
  readonly receivedAt: string;
};
/** `events`: in the order of their appends, without the outcome events of the notification itself. */
type ReprocessChange = NotificationSubject & {
  readonly outcome: AppliedNotification['outcome'];
  readonly events: readonly { readonly stream: string; readonly type: string }[];
};
type SkippedNotification = NotificationSubject & { readonly reason: string };

/** Counts of notifications and added events. `changes` and `notRun` contain the oldest {@link MAX_LISTED} entries. */
export type ReprocessResult = {
  readonly dryRun: boolean;
  readonly read: number;
  readonly changed: number;
  readonly added: number;
  readonly left: number;
  readonly changes: readonly ReprocessChange[];
  readonly notRun: readonly SkippedNotification[];
  /** Receipt time of the notification at which a dry run stopped because its drafts exceeded memory; null if all were run. */
  readonly stoppedAt: string | null;
};

/** Bounds memory for a large log, whatever the outcome. */
export const MAX_LISTED = 500;

/** Maximum of events in memory of a dry run, which later notifications are decided on. */
const MAX_DRAFTS = 50_000;

/** `since`: only what was received at this instant or later. `dryRun`: reports what would be appended, and appends nothing. */
export type ReprocessOptions = {
  readonly since: string | null;
  readonly dryRun: boolean;
  readonly mostDrafts?: number;
};

/** Number of notifications before other work gets its turn. */
const BATCH_SIZE = 20;

/**
 * Runs the notifications of all stores, oldest first. A purchase that has to be read from its store is read as it is now; it is skipped if
 * its store is unavailable. Throws `Unavailable` for the log, and when the signal aborts: the next run does not repeat what was appended by
 * then.
 */
export async function reprocess(
  deps: StoreDeps,
  { since, dryRun, mostDrafts = MAX_DRAFTS }: ReprocessOptions,
  signal: AbortSignal,
): Promise<ReprocessResult> {
  const run = createRun(deps, dryRun);
  const changes: ReprocessChange[] = [];
  const notRun: SkippedNotification[] = [];
  const unreachable = new Map<string, string>();
  const counts = { read: 0, changed: 0, added: 0, left: 0 };
  let stoppedAt: string | null = null;
  for await (const event of receivedSince(deps, since ?? '', signal)) {
    if (dryRun && counts.added >= mostDrafts) {
      stoppedAt = event.meta.recordedAt;
      break;
    }
    counts.read++;
    const { appId, store } = event.data;
    const asks = deps.stores.of(store).requiresStoreRequest;
    const known = asks ? unreachable.get(appId) : undefined;
    const result = known === undefined ? await tryRun(event, run, asks) : { reason: known, isStoreAway: true };
    if ('reason' in result) {
      counts.left++;
      if (notRun.length < MAX_LISTED) notRun.push({ ...subjectOf(event), reason: result.reason });
      if (result.isStoreAway) unreachable.set(appId, result.reason);
    } else if (result.events.length > 0) {
      counts.changed++;
      counts.added += result.events.length;
      if (changes.length < MAX_LISTED) changes.push({ ...subjectOf(event), ...result });
    }
  }
  if (signal.aborted) throw new Unavailable('stopped before the last notification; run it again');
  return { dryRun, ...counts, changes, notRun, stoppedAt };
}

/**
 * Runs one notification again on request. Throws the errors of its store's processing; the next run does not repeat what was recorded by
 * then.
 */
export async function reprocessOne(deps: StoreDeps, event: StoredNotification): Promise<void> {
  await createRun(deps, false)(event);
}

type RunResult = { readonly outcome: AppliedNotification['outcome']; readonly events: ReprocessChange['events'] };

/** Runs one notification as an unfinished first run would, or in addition to the first run under an ID of its own. */
function createRun(deps: StoreDeps, dryRun: boolean) {
  let appends: ObservedAppend[] = [];
  const log = observeAppends(dryRun ? createDraftLog(deps.log) : deps.log, (appended) => void appends.push(appended));
  const own: StoreDeps = { ...deps, log, ...(dryRun && { mutex: createKeyedMutex() }) };
  // The command ids of the first run would hide changes; these are equal for equal translations of the same notification.
  const contextOfRetry: RetryOptions['contextOf'] = (event, translated) => ({
    ...contextOfNotification(event),
    commandId: commandIds.reprocessed(event.data.inboxId, deps.hash('translation', serializeUpdates(translated))),
  });
  return async (event: StoredNotification): Promise<RunResult> => {
    appends = [];
    const isFirst = !(await isProcessed(deps, event));
    const contextOf = isFirst ? contextOfNotification : contextOfRetry;
    const applied = await applyNotification(own, event, { contextOf, isDryRun: dryRun });
    const recorded = appends.filter(({ stream }) => familyOf(stream) !== 'inbox');
    if (!dryRun) await finish(deps, event, applied, isFirst, recorded);
    const events = recorded.flatMap(({ stream, events: added }) => added.map(({ type }) => ({ stream, type })));
    return { outcome: applied.outcome, events };
  };
}

async function finish(
  deps: StoreDeps,
  event: StoredNotification,
  applied: AppliedNotification,
  isFirst: boolean,
  appends: readonly ObservedAppend[],
) {
  const { inboxId, appId } = event.data;
  if (isFirst) await finishNotification(deps, event, applied);
  else if (appends.length > 0) {
    const eventIds = appends.flatMap(({ events }) => events.map(({ id }) => id));
    const command = { kind: 'finishAgain' as const, result: { inboxId, appId, outcome: applied.outcome, eventIds } };
    const commandId = commandIds.reprocessingRecorded(inboxId, deps.hash('events', ...eventIds));
    const ctx = { ...contextOfNotification(event), commandId };
    await runCommand(deps, event.stream, inboxDecider, [command], ctx);
  }
  await releaseParkedEvent(deps.docs, INBOX_REACTION, event.id);
}

/** A notification that fails does not stop the others. */
async function tryRun(
  event: StoredNotification,
  run: (event: StoredNotification) => Promise<RunResult>,
  asksStore: boolean,
): Promise<RunResult | { readonly reason: string; readonly isStoreAway: boolean }> {
  try {
    return await run(event);
  } catch (err) {
    // Without a store request the error means that the log is unavailable.
    if (err instanceof Unavailable && !asksStore) throw err;
    const isStoreAway = err instanceof Unavailable || err instanceof StoreRefusal || err instanceof NoCredentials;
    return { reason: err instanceof Error ? err.message : String(err), isStoreAway };
  }
}

async function* receivedSince(
  { log, runtime }: Deps,
  since: string,
  signal: AbortSignal,
): AsyncGenerator<StoredNotification> {
  const head = await log.head();
  for await (const feed of log.follow({ after: 'start', families: ['inbox'], max: BATCH_SIZE, signal })) {
    for (const event of feed.events) {
      if (event.position > head || signal.aborted) return;
      if (isReceived(event) && event.meta.recordedAt >= since) yield event;
    }
    if (feed.caughtUp || feed.upTo >= head) return;
    await runtime.sleep(0, signal);
  }
}

function subjectOf({ data, meta }: StoredNotification): NotificationSubject {
  const { inboxId, appId, store, notificationType } = data;
  return { inboxId, projectId: meta.projectId ?? '', appId, store, notificationType, receivedAt: meta.recordedAt };
}
