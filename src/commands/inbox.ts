// Store notifications, first kept, then understood. Receiving appends the raw body and is all that the store waits for; processing
// turns it into facts and may be repeated, since every command it runs recognises itself.
import type { IosNotification } from '../adapters/ios-store/port.js';
import type { LogPosition, RecordedEvent, StreamName } from '../domain/envelope.js';
import { customerId } from '../domain/ids.js';
import { inboxDecider, type InboxEvent, type Outcome } from '../domain/inbox/inbox.js';
import type { App } from '../domain/project/events.js';
import { streams } from '../domain/streams.js';
import { subscriberDecider } from '../domain/subscriber/decide.js';
import { storeTimeOf } from '../domain/subscriber/state.js';
import { isoFromMs } from '../domain/time.js';
import type { Deps } from './deps.js';
import { translateIosNotification } from './notifications/ios-store.js';
import { recordFromStore } from './purchase-lines.js';
import { load, runCommand, type CommandContext } from './run-command.js';

export type Received = Extract<RecordedEvent<InboxEvent>, { type: 'StoreNotificationReceived' }>;

/** Durable when it resolves. A notification that was received before appends nothing. */
export async function receiveIosNotification(
  deps: Deps,
  o: { readonly projectId: string; readonly app: App; readonly rawBody: string; readonly decoded: IosNotification },
): Promise<LogPosition | null> {
  const { projectId, app, rawBody, decoded } = o;
  const key = decoded.notificationUUID;
  const stream = streams.inbox(app.appId, deps.hash('notification', app.appId, key));
  const notification = {
    inboxId: stream.slice('inbox-'.length),
    appId: app.appId,
    store: 'ios-store' as const,
    key,
    notificationType: decoded.notificationType,
    subtype: decoded.subtype ?? null,
    rawBody,
    decoded,
    signedAt: isoFromMs(decoded.signedDate),
  };
  const commandId = `n|${notification.inboxId}`;
  const ctx = { commandId, correlationId: stream, actor: { kind: 'store' as const, id: 'ios-store' }, projectId };
  const command = { kind: 'receive' as const, notification };
  const { position } = await runCommand(deps, stream, inboxDecider, [command], ctx);
  return position;
}

/** Which notifications must be processed one after another: those of one purchase line. */
export function lineOfNotification(event: Received): string {
  const decoded = event.data.decoded as IosNotification;
  return decoded.data?.transaction?.originalTransactionId ?? event.stream;
}

/** Finds the app user id that registered an account token which the store sent, or null. */
export type FindByAccountToken = (projectId: string, token: string) => Promise<string | null>;

/** Turns a kept notification into facts and writes down what became of it. Nothing when that was done before. */
export async function processNotification(deps: Deps, find: FindByAccountToken, event: Received): Promise<void> {
  if ((await load(deps.log, event.stream, inboxDecider)).state.processed) return;
  const { outcome, reason, eventIds } = await apply(deps, find, event);
  const { inboxId, appId } = event.data;
  const result = { inboxId, appId, outcome, reason, eventIds: [...eventIds] };
  const command = { kind: 'finish' as const, isTest: event.data.notificationType === 'TEST', result };
  const ctx = { ...contextOfNotification(event), commandId: `f|${inboxId}` };
  await runCommand(deps, event.stream, inboxDecider, [command], ctx);
}

type Applied = { readonly outcome: Outcome; readonly reason: string | null; readonly eventIds: readonly string[] };

async function apply(deps: Deps, find: FindByAccountToken, event: Received): Promise<Applied> {
  const projectId = event.meta.projectId ?? '';
  const project = await deps.projects.get(streams.project(projectId));
  const app = project?.apps.find((a) => a.appId === event.data.appId);
  if (!app) return { outcome: 'refused', reason: 'the app is gone', eventIds: [] };
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const decoded = event.data.decoded as IosNotification;
  const told = translateIosNotification(decoded, { projectId, app, catalog, hash: deps.hash, offeringId: null });
  if (!told) {
    const outcome = event.data.notificationType === 'TEST' ? 'no_change' : 'ignored_unknown_type';
    return { outcome, reason: null, eventIds: [] };
  }
  const named = told.accountToken === null ? null : await nameOf(deps, find, projectId, told.accountToken);
  const input = { projectId, store: event.data.store, told, named };
  const { eventIds, state } = await recordFromStore(deps, input, contextOfNotification(event));
  if (eventIds.length > 0) return { outcome: 'applied', reason: null, eventIds };
  const newest = storeTimeOf(state.profile, told.storeChainId);
  return { outcome: newest !== null && newest > event.data.signedAt ? 'stale' : 'no_change', reason: null, eventIds };
}

/** An account token names a customer if it is its app user id (in either letter case) or the attribute it registered. */
async function nameOf(deps: Deps, find: FindByAccountToken, projectId: string, token: string): Promise<string | null> {
  for (const appUserId of [token, token.toUpperCase()]) {
    const stream: StreamName = streams.subscriber(projectId, customerId(deps.hash, projectId, appUserId));
    if ((await load(deps.log, stream, subscriberDecider)).state.profile.status !== 'unknown') return appUserId;
  }
  return find(projectId, token);
}

function contextOfNotification(event: Received): CommandContext {
  return {
    commandId: `n|${event.data.inboxId}`,
    actor: { kind: 'store', id: event.data.store },
    causationId: event.id,
    correlationId: event.stream,
    projectId: event.meta.projectId ?? '',
  };
}
