// Verification of the ios-store's signed data, accepted only for the app; and its notifications: verified, stored, then translated into
// store commands.
import { InvalidSignedData, NotificationRefused } from '../../../domain/errors.js';
import { z } from 'zod';
import type { IosStorePort } from '../../../adapters/ios-store/api-port.js';
import {
  checkBelongsToApp,
  type IosNotification,
  type IosTransaction,
  type VerifiedData,
} from '../../../adapters/ios-store/port.js';
import { readRawBody } from '../../../adapters/event-log/raw-body.js';
import { projectDecider } from '../../../domain/project/decide.js';
import type { ProjectNotice } from '../../../domain/project/decide-notice.js';
import type { App } from '../../../domain/project/events.js';
import { streams } from '../../../domain/streams.js';
import { isoFromMs } from '../../../domain/time.js';
import type { Deps } from '../../handling/deps.js';
import { runCommand, type CommandContext } from '../../handling/run-command.js';
import { recordFromStore } from '../../subscribers/purchase-lines.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';
import type {
  AppliedNotification,
  NameTranslation,
  ReadNotification,
  StoredNotification,
} from '../notification-types.js';
import { contextOfNotification, finishNotification, loadFromNotification, outcomeOf } from '../inbox/inbox.js';
import { fieldsOf } from '../inbox/raw-body.js';
import type { StoreDeps, StoreIntegration } from '../store-integration.js';
import { scheduleMissingHistory } from './history-gaps.js';
import { noticeOf } from './translator/project-notices.js';
import { translateIosNotification } from './translator/translator.js';

export type IosDeps = StoreDeps & { readonly iosStore: IosStorePort };

export const notificationBody = z.looseObject({ signedPayload: z.string().min(1) });

/** Returns the notification part of the ios-store's integration. */
export function iosNotifications(iosStore: IosStorePort) {
  const withStore = (deps: StoreDeps): IosDeps => ({ ...deps, iosStore });
  return {
    requiresStoreRequest: false,
    admit: null,
    readNotification: (deps, app, body) => readIosNotification(withStore(deps), app, body),
    revocationChecked: (decoded) => (decoded as Partial<VerifiedData<IosNotification>>).revocationChecked ?? false,
    lineOf: (decoded) => (decoded as IosNotification).data?.transaction?.originalTransactionId ?? null,
    process: processIosNotification,
    reprocess: async (deps, event, { name }) =>
      applyIosNotification(deps, event, await toStoredIos(withStore(deps), event), name),
  } satisfies Partial<StoreIntegration>;
}

/** Throws {@link NotificationRefused}. */
export async function readIosNotification(deps: IosDeps, app: App, body: unknown): Promise<ReadNotification> {
  const { signedPayload } = notificationBody.parse(body);
  try {
    return readNotification(await verifyNotification(deps, app, signedPayload));
  } catch (err) {
    if (err instanceof InvalidSignedData) throw toNotificationRefused(err);
    throw err;
  }
}

function toNotificationRefused({ reason }: InvalidSignedData): NotificationRefused {
  if (reason === 'other_app')
    return new NotificationRefused('other-app', 'the notification is signed for another app or environment');
  return new NotificationRefused(reason === 'unreadable' ? 'unreadable' : 'unproven', 'the signed data was refused');
}

export function readNotification(decoded: IosNotification): ReadNotification {
  return {
    key: decoded.notificationUUID,
    notificationType: decoded.notificationType,
    subtype: decoded.subtype ?? null,
    decoded,
    signedAt: isoFromMs(decoded.signedDate),
  };
}

/** Turns a stored notification into events and records the outcome. Does nothing when that was done before. */
export async function processIosNotification(deps: StoreDeps, event: StoredNotification): Promise<void> {
  const loaded = await loadFromNotification(deps, event);
  if (loaded.state.processed) return;
  const applied = await applyIosNotification(deps, event);
  const { transaction } = (event.data.decoded as IosNotification).data ?? {};
  const owner = { projectId: event.meta.projectId ?? '', appId: event.data.appId };
  if (applied.recorded && transaction) await scheduleMissingHistory(deps, owner, transaction, applied.recorded);
  await finishNotification(deps, event, applied, loaded);
}

/** Applies a stored notification in its translated form. */
export async function applyIosNotification(
  deps: Deps,
  event: StoredNotification,
  decoded = event.data.decoded as IosNotification,
  contextOf: NameTranslation = contextOfNotification,
): Promise<AppliedNotification & { readonly recorded?: SubscriberResult }> {
  const projectId = event.meta.projectId ?? '';
  const app = await appOf(deps, event);
  if (!app) return { outcome: 'refused', reason: 'the app was deleted', eventIds: [] };
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const update = translateIosNotification(decoded, {
    projectId,
    app,
    catalog,
    hash: deps.hash,
    offeringId: null,
    claimed: null,
  });
  if (!update) {
    const notice = noticeOf(decoded, app.appId);
    if (notice) return recordNotice(deps, projectId, notice, contextOfNotification(event));
    const outcome = event.data.notificationType === 'TEST' ? 'no_change' : 'ignored_unknown_type';
    return { outcome, reason: null, eventIds: [] };
  }
  const input = { projectId, store: event.data.store, update };
  const recorded = await recordFromStore(deps, input, contextOf(event, update));
  return { ...outcomeOf(event, update, recorded), recorded };
}

async function recordNotice(
  deps: Deps,
  projectId: string,
  notice: ProjectNotice,
  ctx: CommandContext,
): Promise<AppliedNotification> {
  const command = { kind: 'recordNotice' as const, notice };
  const { eventIds } = await runCommand(deps, streams.project(projectId), projectDecider, [command], ctx);
  return { outcome: 'applied', reason: null, eventIds };
}

/**
 * Verifies and decodes the stored body again, including payloads that earlier versions did not read. Content that no longer verifies (a
 * root was removed, a responder refuses it) stays as verified on receipt.
 */
export async function toStoredIos(deps: IosDeps, event: StoredNotification): Promise<IosNotification> {
  const kept = event.data.decoded as IosNotification;
  const { signedPayload } = fieldsOf(await readRawBody(deps.log, event.data.rawBody));
  const app = await appOf(deps, event);
  if (typeof signedPayload !== 'string' || !app) return kept;
  try {
    return await verifyNotification(deps, app, signedPayload);
  } catch (err) {
    if (err instanceof InvalidSignedData) return kept;
    throw err;
  }
}

async function appOf(deps: Deps, event: StoredNotification): Promise<App | undefined> {
  const project = await deps.projects.get(streams.project(event.meta.projectId ?? ''));
  return project?.apps.find((a) => a.appId === event.data.appId);
}

/** Throws {@link InvalidSignedData}; `other_app` for validly signed data of another app. */
export function verifyNotification({ iosStore }: IosDeps, app: App, signedPayload: string): Promise<IosNotification> {
  return expectOfApp(app, iosStore.signedData.verifyNotification(signedPayload, app.appId));
}

/** Throws as {@link verifyNotification}. */
export function verifyTransaction({ iosStore }: IosDeps, app: App, signed: string): Promise<IosTransaction> {
  return expectOfApp(app, iosStore.signedData.verifyTransaction(signed, app.appId));
}

async function expectOfApp<T extends IosNotification | IosTransaction>(app: App, verifying: Promise<T>): Promise<T> {
  const signed = await verifying;
  const identity = { bundleId: app.storeIdentifier, storeAppId: app.storeAppId ?? undefined };
  const fault = checkBelongsToApp(signed, identity);
  if (fault !== null) throw new InvalidSignedData('other_app', fault);
  return signed;
}
