// Reads one chain of purchases from the ios-store and records the response. Signatures are verified first: signed transactions and signed
// renewal info separately.
import { commandIds } from '../../handling/command-ids.js';
import { InvalidSignedData } from '../../../domain/errors.js';
import type { IosEnvironment, IosTransaction } from '../../../adapters/ios-store/port.js';
import type { App } from '../../../domain/project/events.js';
import { isoFromMs } from '../../../domain/time.js';
import { openIosApp } from './credentials.js';
import { scheduleMissingHistory } from './history-gaps.js';
import { translateIosStatus, translateIosTransaction, type IosStatus } from './translator/translator.js';
import type { LineUpdate } from '../line-update.js';
import type { StoreReading } from '../store-integration.js';
import { iosContextOf, verifyTransaction, type IosDeps } from './inbox.js';
import { recordFromStore } from '../../subscribers/purchase-lines.js';
import type { CommandContext } from '../../handling/run-command.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';

export type IosChain = {
  readonly projectId: string;
  readonly app: App;
  readonly environment: IosEnvironment;
  readonly originalTransactionId: string;
};

/**
 * Records the current state of the chain; returns what the store reported, nothing if it does not know it. Throws `NoCredentials`, `IosStoreRefusal`,
 * `Unavailable`, and {@link InvalidSignedData} when the response does not verify.
 */
export async function recordIosStatus(
  deps: IosDeps,
  chain: IosChain,
  ctx: CommandContext,
): Promise<LineUpdate['commands']> {
  const { api } = deps.iosStore;
  const { environment, originalTransactionId } = chain;
  const states = await api.statuses(await openIosApp(deps, chain, environment), environment, originalTransactionId);
  const found = states?.find((state) => state.originalTransactionId === originalTransactionId);
  if (!found) return [];
  const transaction = await verifyTransactionOfChain(deps, chain, found.signedTransactionInfo);
  const renewal = await verifyRenewalInfo(deps, chain.app.appId, transaction, found.signedRenewalInfo);
  const status: IosStatus = { transaction, renewal, status: found.status };
  const signedMs = Math.max(transaction.signedDate ?? 0, renewal?.signedDate ?? 0);
  const readAtMs = signedMs === 0 ? deps.runtime.now() : signedMs;
  const update = translateIosStatus(status, readAtMs, await iosContextOf(deps, chain));
  const recorded = await record(deps, chain, update, ctx);
  await scheduleMissingHistory(deps, { projectId: chain.projectId, appId: chain.app.appId }, transaction, recorded);
  return update.commands;
}

/**
 * Records the chain's entire history and current state; of a one-time purchase the transaction. Adds nothing if the store does not know it.
 * Throws as {@link recordIosStatus} does; skips past transactions that do not verify.
 */
export async function recordIosHistory(
  deps: IosDeps,
  chain: IosChain,
  request: { readonly transactionId: string; readonly isSubscription: boolean },
  ctx: CommandContext = historyContextOf(deps, chain, request.transactionId),
): Promise<StoreReading> {
  const { api } = deps.iosStore;
  const { environment, originalTransactionId } = chain;
  const store = await openIosApp(deps, chain, environment);
  const signed = request.isSubscription
    ? await api.history(store, environment, originalTransactionId, 'subscriptions')
    : [await api.transaction(store, environment, request.transactionId)];
  const context = await iosContextOf(deps, chain);
  const updates: LineUpdate[] = [];
  for (const text of signed ?? []) {
    // The history is that of the customer: it contains other chains too.
    const transaction = text === null ? null : await skipInvalid(verifyTransactionOfChain(deps, chain, text));
    if (transaction) updates.push(translateIosTransaction(transaction, context));
  }
  const [first] = updates;
  const past = updates.flatMap(({ commands }) => commands);
  if (first) await record(deps, chain, { ...first, commands: past }, ctx);
  if (!request.isSubscription) return { commands: past, listsPast: true };
  const statusCtx = { ...ctx, commandId: commandIds.chainStatus(ctx.commandId) };
  const current = await recordIosStatus(deps, chain, statusCtx);
  return { commands: [...past, ...current], listsPast: true };
}

function historyContextOf({ runtime }: IosDeps, { app, projectId }: IosChain, transactionId: string): CommandContext {
  const id = commandIds.chainHistory(app.appId, transactionId, isoFromMs(runtime.now()));
  return { commandId: id, correlationId: id, actor: { kind: 'store', id: 'ios-store' }, projectId };
}

/** Returns null for a transaction of a history that does not verify, or is not the expected one. */
export async function skipInvalid(verifying: Promise<IosTransaction>): Promise<IosTransaction | null> {
  try {
    return await verifying;
  } catch (err) {
    if (!(err instanceof InvalidSignedData)) throw err;
    return null;
  }
}

function record(
  deps: IosDeps,
  { projectId }: IosChain,
  update: LineUpdate,
  ctx: CommandContext,
): Promise<SubscriberResult> {
  return recordFromStore(deps, { projectId, store: 'ios-store', update }, ctx);
}

async function verifyTransactionOfChain(deps: IosDeps, chain: IosChain, signed: string): Promise<IosTransaction> {
  const transaction = await verifyTransaction(deps, chain.app, signed);
  const { environment, originalTransactionId } = transaction;
  if (environment !== chain.environment) throw mismatchError('environment');
  if (originalTransactionId !== chain.originalTransactionId) throw mismatchError('purchase');
  return transaction;
}

async function verifyRenewalInfo(deps: IosDeps, appId: string, of: IosTransaction, signed: string | undefined) {
  if (signed === undefined) return undefined;
  const renewal = await deps.iosStore.signedData.verifyRenewalInfo(signed, appId);
  if (renewal.environment !== of.environment) throw mismatchError('environment');
  if (renewal.originalTransactionId !== of.originalTransactionId) throw mismatchError('purchase');
  return renewal;
}

function mismatchError(mismatch: string): InvalidSignedData {
  return new InvalidSignedData('unreadable', `it is of another ${mismatch} than requested`);
}
