// Verification of the ios-store's signed data, accepted only for the app; and its notifications: verified, stored, then translated into
// store commands.
import { InvalidSignedData, NotificationRefused } from '../../../domain/errors.js';
import { z } from 'zod';
import {
  type IosStorePort,
  checkBelongsToApp,
  type IosAppTransaction,
  type IosNotification,
  type IosTransaction,
} from '../../../adapters/ios-store/port.js';
import { readRawBody } from '../../../adapters/event-log/raw-body.js';
import { projectDecider, type ProjectNotice } from '../../../domain/project/decide.js';
import type { App, StoreApp } from '../../../domain/project/events.js';
import { streams } from '../../../domain/streams.js';
import { isoFromMs } from '../../../domain/time.js';
import type { Deps } from '../../handling/deps.js';
import { runCommand, type CommandContext } from '../../handling/run-command.js';
import { recordFromStore } from '../../subscribers/purchase-lines.js';
import type {
  AppliedNotification,
  ReadNotification,
  RetryOptions,
  StoreDeps,
  StoredNotification,
} from '../store-integration.js';
import { contextOfNotification, fieldsOf, outcomeOf } from '../inbox/inbox.js';
import { scheduleMissingHistory } from './history-gaps.js';
import { noticeOf } from './translator/project-notices.js';
import type { IosContext } from './translator/transaction.js';
import { translateIosNotification } from './translator/translator.js';

export type IosDeps = StoreDeps & { readonly iosStore: IosStorePort };

export const notificationBody = z.looseObject({ signedPayload: z.string().min(1) });

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

/** Translates the notification into store commands and records them; a notice about the whole app goes to its project. */
export async function applyIosNotification(
  deps: IosDeps,
  app: StoreApp,
  event: StoredNotification,
  retry: RetryOptions | null,
): Promise<AppliedNotification> {
  const projectId = event.meta.projectId ?? '';
  const decoded = retry ? await verifyAgain(deps, app, event) : decodedOf(event);
  const update = translateIosNotification(decoded, await iosContextOf(deps, { projectId, app }));
  if (!update) {
    const notice = noticeOf(decoded, app.appId);
    if (notice) return recordNotice(deps, projectId, notice, contextOfNotification(event));
    const outcome = event.data.notificationType === 'TEST' ? 'no_change' : 'ignored_unknown_type';
    return { outcome, reason: null, eventIds: [] };
  }
  const ctx = retry ? retry.contextOf(event, update) : contextOfNotification(event);
  const recorded = await recordFromStore(deps, { projectId, store: event.data.store, update }, ctx);
  const transaction = decoded.data?.transaction;
  if (!retry && transaction) await scheduleMissingHistory(deps, { projectId, appId: app.appId }, transaction, recorded);
  return outcomeOf(event, update, recorded);
}

/** Content as the service verified it on receipt. */
function decodedOf({ data }: StoredNotification): IosNotification {
  return data.decoded as IosNotification;
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
async function verifyAgain(deps: IosDeps, app: App, event: StoredNotification): Promise<IosNotification> {
  const { signedPayload } = fieldsOf(await readRawBody(deps.log, event.data.rawBody));
  const before = decodedOf(event);
  if (typeof signedPayload !== 'string') return before;
  try {
    return await verifyNotification(deps, app, signedPayload);
  } catch (err) {
    if (err instanceof InvalidSignedData) return before;
    throw err;
  }
}

/** Returns the context of a translation that no client has added to. */
export async function iosContextOf(
  { catalogs, hash }: Deps,
  { projectId, app }: { readonly projectId: string; readonly app: App },
): Promise<IosContext> {
  const catalog = await catalogs.get(streams.catalog(projectId));
  return { projectId, app, catalog, hash, offeringId: null, claimed: null };
}

/** Throws {@link InvalidSignedData}; `other_app` for validly signed data of another app. */
export function verifyNotification({ iosStore }: IosDeps, app: App, signedPayload: string): Promise<IosNotification> {
  return expectOfApp(app, iosStore.signedData.verifyNotification(signedPayload, app.appId));
}

/** Throws as {@link verifyNotification}. */
export function verifyTransaction({ iosStore }: IosDeps, app: App, signed: string): Promise<IosTransaction> {
  return expectOfApp(app, iosStore.signedData.verifyTransaction(signed, app.appId));
}

/** Throws as {@link verifyNotification}. */
export function verifyAppTransaction({ iosStore }: IosDeps, app: App, signed: string): Promise<IosAppTransaction> {
  return expectOfApp(app, iosStore.signedData.verifyAppTransaction(signed, app.appId));
}

async function expectOfApp<T extends IosNotification | IosTransaction | IosAppTransaction>(
  app: App,
  verifying: Promise<T>,
): Promise<T> {
  const signed = await verifying;
  const identity = { bundleId: app.storeIdentifier, storeAppId: app.storeAppId ?? undefined };
  const fault = checkBelongsToApp(signed, identity);
  if (fault !== null) throw new InvalidSignedData('other_app', fault);
  return signed;
}

/**
 * Decodes a stored notification into its nested signed texts, including fields that this version does not understand. It does not verify:
 * that was done on receipt.
 */
export function decodeIosNotification(rawBody: string): Readonly<Record<string, unknown>> {
  return decodedFields(fieldsOf(rawBody));
}

function decodedFields(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, decodeValue(value)]));
}

function decodeValue(value: unknown): unknown {
  if (typeof value === 'string') return decodeSignedText(value);
  if (Array.isArray(value)) return value.map(decodeValue);
  return typeof value === 'object' && value !== null ? decodedFields(value) : value;
}

/** Header, payload and signature, each in base64url. */
const SIGNED = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

function decodeSignedText(text: string): unknown {
  const [, payload] = SIGNED.exec(text.trim()) ?? [];
  const fields = payload === undefined ? {} : fieldsOf(Buffer.from(payload, 'base64url').toString());
  return Object.keys(fields).length === 0 ? text : decodedFields(fields);
}
