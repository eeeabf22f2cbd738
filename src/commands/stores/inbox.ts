// Store notifications, first kept, then understood. Receiving appends the raw body and is all that the store waits for; processing
// turns it into facts and may be repeated, since every command it runs recognises itself.
import { tokenOfNotification } from '../../adapters/android-store/envelope.js';
import type { IosNotification } from '../../adapters/ios-store/port.js';
import type { LogPosition, RecordedEvent, StreamName } from '../../domain/envelope.js';
import { customerId } from '../../domain/ids.js';
import { inboxDecider, type InboxEvent, type InboxState, type Outcome } from '../../domain/inbox/inbox.js';
import { projectDecider } from '../../domain/project/decide.js';
import type { ProjectNotice } from '../../domain/project/decide-notice.js';
import type { App } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { storeTimeOf } from '../../domain/subscriber/state/line.js';
import { isoFromMs } from '../../domain/time.js';
import { lineKey } from './backlog.js';
import type { Deps } from '../handling/deps.js';
import { noteMissingPast } from './ios/gaps.js';
import { noticeOf } from './ios/project-notices.js';
import { translateIosNotification } from './ios/translator.js';
import type { StoreFacts } from './store-facts.js';
import { recordFromStore } from '../subscribers/purchase-lines.js';
import { load, nothingLoaded, passed, runCommand, type CommandContext, type Loaded } from '../handling/run-command.js';
import type { OnSubscriber } from '../subscribers/subscribers.js';

export type Received = Extract<RecordedEvent<InboxEvent>, { type: 'StoreNotificationReceived' }>;

/** More than a notification's stream ever holds. */
const COMMANDS = 64;

type New = Omit<Received['data'], 'inboxId'> & { readonly projectId: string };

/**
 * Durable when it resolves. What came under the same key before appends nothing. Nearly all are new, so the stream is taken for empty
 * and read only when the log says that it is not.
 */
export async function receiveNotification(deps: Deps, { projectId, ...told }: New): Promise<LogPosition | null> {
  const stream = streams.inbox(told.appId, deps.hash('notification', told.appId, told.key));
  const notification = { inboxId: stream.slice('inbox-'.length), ...told };
  const commandId = `n|${notification.inboxId}`;
  const ctx = { commandId, correlationId: stream, actor: { kind: 'store' as const, id: told.store }, projectId };
  const command = { kind: 'receive' as const, notification };
  const { position, appended } = await runCommand(
    deps,
    stream,
    inboxDecider,
    [command],
    ctx,
    guessing(deps, nothingLoaded(inboxDecider)),
  );
  if (appended.length > 0) deps.backlog.add(lineKey(told.appId, lineIn(told) ?? stream), stream);
  return position;
}

/** First the guess, which the append checks; when it was wrong, the stream. */
function guessing(deps: Deps, guess: Loaded<InboxState>): (stream: StreamName) => Promise<Loaded<InboxState>> {
  const guesses: Loaded<InboxState>[] = [guess];
  return async (stream) => guesses.pop() ?? load(deps.log, stream, inboxDecider);
}

/** `contentType`: of the body as it came. */
export type RawNotification = {
  readonly projectId: string;
  readonly app: App;
  readonly rawBody: string;
  readonly contentType?: string | undefined;
};

export function receiveIosNotification(
  deps: Deps,
  o: RawNotification & { readonly decoded: IosNotification },
): Promise<LogPosition | null> {
  const { projectId, app, rawBody, contentType, decoded } = o;
  return receiveNotification(deps, {
    projectId,
    appId: app.appId,
    store: 'ios-store',
    key: decoded.notificationUUID,
    notificationType: decoded.notificationType,
    subtype: decoded.subtype ?? null,
    rawBody,
    ...(contentType !== undefined && { contentType }),
    decoded,
    signedAt: isoFromMs(decoded.signedDate),
  });
}

/** Which notifications must be processed one after another: those of one purchase line. */
export function lineOfNotification(event: Received): string {
  return lineIn(event.data) ?? event.stream;
}

/** Null: about no purchase. */
function lineIn({ store, decoded }: Pick<Received['data'], 'store' | 'decoded'>): string | null {
  if (store === 'android-store') return tokenOfNotification(decoded) ?? null;
  return (decoded as IosNotification).data?.transaction?.originalTransactionId ?? null;
}

/** What was received in an inbox stream, or null when that is empty. */
export async function receivedIn({ log }: Pick<Deps, 'log'>, stream: StreamName): Promise<Received | null> {
  for await (const event of log.read(stream)) {
    if (event.type === 'StoreNotificationReceived') return event as unknown as Received;
  }
  return null;
}

/** Finds the app user id that registered an account token which the store sent, or null. */
export type FindByAccountToken = (projectId: string, token: string) => Promise<string | null>;

/** Turns a kept notification into facts and writes down what became of it. Nothing when that was done before. */
export async function processNotification(deps: Deps, find: FindByAccountToken, event: Received): Promise<void> {
  const held = await heldBehind(deps, event);
  if (held.state.processed) return;
  const applied = await applyIosNotification(deps, find, event);
  const { transaction } = (event.data.decoded as IosNotification).data ?? {};
  const owner = { projectId: event.meta.projectId ?? '', appId: event.data.appId };
  if (applied.recorded && transaction) await noteMissingPast(deps, owner, transaction, applied.recorded);
  await finishNotification(deps, event, applied, held);
}

export async function isProcessed(deps: Deps, event: Received): Promise<boolean> {
  return (await heldBehind(deps, event)).state.processed;
}

/** The notification's stream, which begins with it: a body of several kB that need not be read again. */
async function heldBehind({ log }: Pick<Deps, 'log'>, event: Received): Promise<Loaded<InboxState>> {
  let held = passed(nothingLoaded(inboxDecider), inboxDecider, event, COMMANDS);
  for await (const later of log.read(event.stream, event.revision)) held = passed(held, inboxDecider, later, COMMANDS);
  if (held.newer !== null) throw new Error(held.newer);
  return held;
}

/** `held`: the notification's stream as it was read before, which the append checks. */
export async function finishNotification(
  deps: Deps,
  event: Received,
  applied: Applied,
  held?: Loaded<InboxState>,
): Promise<void> {
  const { outcome, reason, eventIds } = applied;
  const { inboxId, appId } = event.data;
  const result = { inboxId, appId, outcome, reason, eventIds: [...eventIds] };
  const command = { kind: 'finish' as const, isTest: event.data.notificationType === 'TEST', result };
  const ctx = { ...contextOfNotification(event), commandId: `f|${inboxId}` };
  await runCommand(deps, event.stream, inboxDecider, [command], ctx, held && guessing(deps, held));
  deps.backlog.done(lineKey(appId, lineOfNotification(event)), event.stream);
}

export type Applied = {
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly eventIds: readonly string[];
};

/** A translation's name as a command: what is translated into the same is the same command. */
export type NameTranslation = (event: Received, translated: unknown) => CommandContext;

/** What was kept, as the translator understands it. */
export async function applyIosNotification(
  deps: Deps,
  find: FindByAccountToken,
  event: Received,
  decoded = event.data.decoded as IosNotification,
  contextOf: NameTranslation = contextOfNotification,
): Promise<Applied & { readonly recorded?: OnSubscriber }> {
  const projectId = event.meta.projectId ?? '';
  const project = await deps.projects.get(streams.project(projectId));
  const app = project?.apps.find((a) => a.appId === event.data.appId);
  if (!app) return { outcome: 'refused', reason: 'the app is gone', eventIds: [] };
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const told = translateIosNotification(decoded, {
    projectId,
    app,
    catalog,
    hash: deps.hash,
    offeringId: null,
    claimed: null,
  });
  if (!told) {
    const notice = noticeOf(decoded, app.appId);
    if (notice) return recordNotice(deps, projectId, notice, contextOfNotification(event));
    const outcome = event.data.notificationType === 'TEST' ? 'no_change' : 'ignored_unknown_type';
    return { outcome, reason: null, eventIds: [] };
  }
  const named = told.accountToken === null ? null : await nameOf(deps, find, projectId, told.accountToken);
  const input = { projectId, store: event.data.store, told, named };
  const recorded = await recordFromStore(deps, input, contextOf(event, told));
  return { ...outcomeOf(event, told, recorded), recorded };
}

/** What the facts of a notification have come to. Nothing new of what is older than the newest word is stale. */
export function outcomeOf(event: Received, told: StoreFacts, { eventIds, appended, state }: OnSubscriber): Applied {
  const isOnlyKept = appended.length > 0 && appended.every((type) => type === 'StoreUpdateKept');
  if (eventIds.length > 0 && !isOnlyKept) return { outcome: 'applied', reason: null, eventIds };
  const newest = storeTimeOf(state.profile, told.storeChainId);
  return {
    outcome: newest !== null && newest > event.data.signedAt ? 'stale' : 'no_change',
    reason: null,
    eventIds: [],
  };
}

async function recordNotice(
  deps: Deps,
  projectId: string,
  notice: ProjectNotice,
  ctx: CommandContext,
): Promise<Applied> {
  const command = { kind: 'recordNotice' as const, notice };
  const { eventIds } = await runCommand(deps, streams.project(projectId), projectDecider, [command], ctx);
  return { outcome: 'applied', reason: null, eventIds };
}

/** An account token names a customer if it is its app user id (in either letter case) or the attribute it registered. */
export async function nameOf(
  deps: Deps,
  find: FindByAccountToken,
  projectId: string,
  token: string,
): Promise<string | null> {
  for (const appUserId of [token, token.toUpperCase()]) {
    const stream: StreamName = streams.subscriber(projectId, customerId(deps.hash, projectId, appUserId));
    if ((await load(deps.log, stream, subscriberDecider)).state.profile.status !== 'unknown') return appUserId;
  }
  return find(projectId, token);
}

export function contextOfNotification(event: Received): CommandContext {
  return {
    commandId: `n|${event.data.inboxId}`,
    actor: { kind: 'store', id: event.data.store },
    causationId: event.id,
    correlationId: event.stream,
    projectId: event.meta.projectId ?? '',
  };
}
