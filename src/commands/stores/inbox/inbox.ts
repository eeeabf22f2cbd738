// Inbox of store notifications: stored first, then processed. Receiving appends the raw body, and the store waits for nothing else;
// processing turns it into events and may be repeated, since its commands are idempotent.
import { commandIds } from '../../handling/command-ids.js';
import type { LogPosition, RecordedEvent, StreamName } from '../../../domain/envelope.js';
import { inboxDecider, type InboxState } from '../../../domain/inbox/inbox.js';
import { inboxIdOf, streams } from '../../../domain/streams.js';
import { storeTimeOf } from '../../../domain/subscriber/state/line.js';
import type { Deps } from '../../handling/deps.js';
import type { LineUpdate } from '../line-update.js';
import type {
  AppliedNotification,
  ReadNotification,
  RetryOptions,
  StoreDeps,
  StoredNotification,
} from '../store-integration.js';
import { findStoreApp } from '../../projects/apps.js';
import { Unavailable } from '../../../domain/errors.js';
import type { StoreApp } from '../../../domain/project/events.js';
import {
  load,
  emptyStream,
  applyEvent,
  runCommand,
  type CommandContext,
  type LoadedState,
} from '../../handling/run-command.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';

/** Notification as received. `contentType`: of the body. */
type RawNotification = {
  readonly projectId: string;
  readonly app: Pick<StoreApp, 'appId' | 'store'>;
  readonly rawBody: string;
  readonly contentType?: string | undefined;
};

/** Maximum of retained commands, more than the stream of a notification ever has. */
const COMMANDS = 64;

/**
 * Stores a notification durably. A repeat with the same key appends nothing. Nearly all are new, so the stream is assumed to be empty and
 * read only if the append finds that it is not.
 */
export async function receiveNotification(
  deps: StoreDeps,
  { projectId, app: { appId, store }, rawBody, contentType }: RawNotification,
  { key, notificationType, subtype, decoded, signedAt }: ReadNotification,
): Promise<LogPosition | null> {
  const stream = streams.inbox(appId, deps.hash('notification', appId, key));
  const inboxId = inboxIdOf(stream);
  const packed = await deps.certificates.pack(deps, store, rawBody);
  const content = { rawBody: packed, ...(contentType !== undefined && { contentType }), decoded, signedAt };
  const notification = { inboxId, appId, store, key, notificationType, subtype, ...content };
  const ctx = {
    commandId: commandIds.notification(inboxId),
    correlationId: stream,
    actor: { kind: 'store' as const, id: store },
    projectId,
  };
  const command = { kind: 'receive' as const, notification };
  const { position, appended } = await runCommand(
    deps,
    stream,
    inboxDecider,
    [command],
    ctx,
    guessThenLoad(deps, emptyStream(inboxDecider)),
  );
  if (appended.length > 0) {
    deps.backlog.add(appId, deps.stores.of(store).lineOf(decoded) ?? stream, stream);
  }
  return position;
}

/** Returns a loader that returns the guess first, which the append checks, and reads the stream if the guess was wrong. */
function guessThenLoad(
  deps: Deps,
  guess: LoadedState<InboxState>,
): (stream: StreamName) => Promise<LoadedState<InboxState>> {
  const guesses: LoadedState<InboxState>[] = [guess];
  return async (stream) => guesses.pop() ?? load(deps.log, stream, inboxDecider);
}

/** Name of the reaction that processes notifications, in the IDs of its parked events. */
export const INBOX_REACTION = 'inbox';

export function isReceived(event: RecordedEvent): event is StoredNotification {
  return event.type === 'StoreNotificationReceived';
}

/** Returns the key of notifications that are processed one after another: their purchase line. */
export function lineOfNotification(
  { stores }: Pick<StoreDeps, 'stores'>,
  { data, stream }: StoredNotification,
): string {
  return stores.of(data.store).lineOf(data.decoded) ?? stream;
}

/** Returns the notification in an inbox stream, or null when that is empty. */
export async function readReceived({ log }: Pick<Deps, 'log'>, stream: StreamName): Promise<StoredNotification | null> {
  for await (const event of log.read(stream)) if (isReceived(event)) return event;
  return null;
}

/** Turns a stored notification into events and records the outcome. Does nothing when that was done before. Throws the errors of its store. */
export async function processNotification(deps: StoreDeps, event: StoredNotification): Promise<void> {
  const loaded = await loadFromNotification(deps, event);
  if (loaded.state.processed) return;
  await finishNotification(deps, event, await applyNotification(deps, event, null), loaded);
}

/** Applies a notification to its app without recording the outcome. */
export async function applyNotification(
  deps: StoreDeps,
  event: StoredNotification,
  retry: RetryOptions | null,
): Promise<AppliedNotification> {
  const app = await findStoreApp(deps, event.meta.projectId ?? '', event.data.appId);
  if (!app) return { outcome: 'refused', reason: 'the app was deleted', eventIds: [] };
  return deps.stores.of(event.data.store).applyNotification(deps, app, event, retry);
}

/**
 * Processes the acknowledged notifications of a line before a newer decision about it. `line`: store's identifier of the line, as `lineOf` of
 * the integration returns it. Throws `Unavailable` if the log is unavailable.
 */
export async function processBacklogOfLine(deps: StoreDeps, appId: string, line: string): Promise<void> {
  for (const stream of deps.backlog.of(appId, line)) {
    const event = await readReceived(deps, stream);
    try {
      if (event) await processNotification(deps, event);
    } catch (err) {
      // A failure here is left to the worker, which retries or parks it.
      const asksStore = event && deps.stores.of(event.data.store).requiresStoreRequest;
      if (err instanceof Unavailable && !asksStore) throw err;
      return;
    }
    deps.backlog.done(appId, line, stream);
  }
}

export async function isProcessed(deps: Deps, event: StoredNotification): Promise<boolean> {
  return (await loadFromNotification(deps, event)).state.processed;
}

/** Loads the notification's stream, starting from its first event, which is given: its body of several kB need not be read again. */
async function loadFromNotification(
  { log }: Pick<Deps, 'log'>,
  event: StoredNotification,
): Promise<LoadedState<InboxState>> {
  let loaded = applyEvent(emptyStream(inboxDecider), inboxDecider, event, COMMANDS);
  for await (const later of log.read(event.stream, event.revision))
    loaded = applyEvent(loaded, inboxDecider, later, COMMANDS);
  if (loaded.newer !== null) throw new Error(loaded.newer);
  return loaded;
}

/** Records the outcome. `loaded`: state of the notification's stream, which the append checks. */
export async function finishNotification(
  deps: StoreDeps,
  event: StoredNotification,
  applied: AppliedNotification,
  loaded?: LoadedState<InboxState>,
): Promise<void> {
  const { outcome, reason, eventIds, customerId: about } = applied;
  const { inboxId, appId } = event.data;
  const customerField = about === undefined ? {} : { customerId: about };
  const result = { inboxId, appId, outcome, reason, eventIds: [...eventIds], ...customerField };
  const command = { kind: 'finish' as const, isTest: event.data.notificationType === 'TEST', result };
  const ctx = { ...contextOfNotification(event), commandId: commandIds.notificationProcessed(inboxId) };
  await runCommand(deps, event.stream, inboxDecider, [command], ctx, loaded && guessThenLoad(deps, loaded));
  deps.backlog.done(appId, lineOfNotification(deps, event), event.stream);
}

/** Returns the outcome. A notification that changes nothing is stale if it is older than the newest store time of its chain. */
export function outcomeOf(
  event: StoredNotification,
  update: LineUpdate,
  recorded: SubscriberResult,
): AppliedNotification {
  const { eventIds, appended, state, customerId: about } = recorded;
  const isOnlyRetained = appended.length > 0 && appended.every((type) => type === 'StoreUpdateRetained');
  if (eventIds.length > 0 && !isOnlyRetained) return { outcome: 'applied', reason: null, eventIds, customerId: about };
  const newest = storeTimeOf(state.profile, update.storeChainId);
  return {
    outcome: newest !== null && newest > event.data.signedAt ? 'stale' : 'no_change',
    reason: null,
    eventIds: [],
    customerId: about,
  };
}

export function contextOfNotification(event: StoredNotification): CommandContext {
  return {
    commandId: commandIds.notification(event.data.inboxId),
    actor: { kind: 'store', id: event.data.store },
    causationId: event.id,
    correlationId: event.stream,
    projectId: event.meta.projectId ?? '',
  };
}

/**
 * Returns the fields of a raw body, some of which the code of its time did not understand; none if it is not a JSON object.
 */
export function fieldsOf(rawBody: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(rawBody);
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    // Test tools may store bodies that no store sends; then the decoded content is used.
    return {};
  }
}
