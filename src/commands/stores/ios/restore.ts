// Restores: the client presents one transaction, and the customer's whole history is read from the store. Each chain of it is recorded like
// a receipt of the presenting customer.
import { z } from 'zod';
import { actorKinds } from '../../../domain/envelope.js';
import type { IosTransaction } from '../../../adapters/ios-store/port.js';
import { NoCredentials, Rejection, StoreRefusal, StoreUnavailable } from '../../../domain/errors.js';
import { streams } from '../../../domain/streams.js';
import { subscriberDecider } from '../../../domain/subscriber/decide/decider.js';
import { isoFromMs } from '../../../domain/time.js';
import { commandIds } from '../../handling/command-ids.js';
import { contextOf, type Requester } from '../../handling/deps.js';
import { load } from '../../handling/run-command.js';
import { resolveCustomer } from '../../subscribers/line-ownership.js';
import { recordFromReceipt } from '../../subscribers/purchase-lines.js';
import { trustOf, type SubscriberResult } from '../../subscribers/subscribers.js';
import { prepareReceipt } from '../receipts.js';
import type { AppOwner } from '../store-integration.js';
import { addStoreTask } from '../tasks.js';
import { skipInvalid } from './chains.js';
import { openIosApp } from './credentials.js';
import { iosContextOf, verifyTransaction, type IosDeps } from './inbox.js';
import { translateIosTransaction } from './translator/translator.js';

/** A restore whose history could not be read in its request. */
export const restoreWork = z.object({
  kind: z.literal('restore'),
  appUserId: z.string(),
  transactionId: z.string(),
  environment: z.enum(['Production', 'Sandbox']),
  actor: z.object({ kind: z.enum(actorKinds), id: z.string() }),
  requestId: z.string(),
  isTrusted: z.boolean(),
});

type Presenter = AppOwner & { readonly appUserId: string };
type PresentedTransaction = Pick<IosTransaction, 'transactionId' | 'environment'>;

/**
 * Restores the history, or schedules that when the store cannot be read: the restore succeeds with the presented transaction. Returns null
 * if nothing was recorded.
 */
export async function restoreOrSchedule(
  deps: IosDeps,
  by: Requester,
  presenter: Presenter,
  transaction: PresentedTransaction,
): Promise<SubscriberResult | null> {
  try {
    return await restoreHistory(deps, by, presenter, transaction);
  } catch (err) {
    // Registered credentials change nothing for this request: the client restores again.
    if (err instanceof NoCredentials) return null;
    if (!(err instanceof StoreUnavailable || err instanceof StoreRefusal)) throw err;
    await scheduleRestore(deps, by, presenter, transaction);
    return null;
  }
}

async function scheduleRestore(
  deps: IosDeps,
  by: Requester,
  { projectId, app: { appId }, appUserId }: Presenter,
  { transactionId, environment }: PresentedTransaction,
): Promise<void> {
  const { actor, requestId } = by;
  const work = { kind: 'restore' as const, appUserId, transactionId, environment, actor, requestId, ...trustOf(by) };
  const id = `restore|${deps.hash('restore', appId, appUserId, transactionId)}`;
  await addStoreTask(deps, id, { projectId, appId, dueAt: isoFromMs(deps.runtime.now()), work });
}

/** Does a scheduled restore; nothing for a customer who was erased since. Throws as {@link restoreHistory} does. */
export async function doScheduledRestore(
  deps: IosDeps,
  owner: AppOwner,
  { kind: _, appUserId, actor, requestId, isTrusted, ...transaction }: z.output<typeof restoreWork>,
): Promise<void> {
  const { customerId } = await resolveCustomer(deps, owner.projectId, appUserId);
  const { state } = await load(deps.log, streams.subscriber(owner.projectId, customerId), subscriberDecider);
  if (state.profile.status === 'erased') return;
  await restoreHistory(deps, { actor, requestId, isTrusted }, { ...owner, appUserId }, transaction);
}

/** Throws {@link NoCredentials}, {@link StoreRefusal} and `Unavailable`; nothing is recorded then. */
async function restoreHistory(
  deps: IosDeps,
  by: Requester,
  presenter: Presenter,
  { transactionId, environment }: PresentedTransaction,
): Promise<SubscriberResult | null> {
  const store = await openIosApp(deps, presenter, environment);
  const signed = (await deps.iosStore.api.history(store, environment, transactionId, 'restorable')) ?? [];
  const transactions: IosTransaction[] = [];
  for (const text of signed) {
    const transaction = await skipInvalid(verifyTransaction(deps, presenter.app, text));
    if (transaction?.environment === environment) transactions.push(transaction);
  }
  const chains = new Map<string, IosTransaction[]>();
  for (const transaction of transactions.sort((a, b) => a.purchaseDate - b.purchaseDate)) {
    const { originalTransactionId: chain } = transaction;
    chains.set(chain, [...(chains.get(chain) ?? []), transaction]);
  }
  let last: SubscriberResult | null = null;
  for (const [chain, ofChain] of chains) last = (await recordChain(deps, by, presenter, chain, ofChain)) ?? last;
  return last;
}

/** Returns null for a chain that stays with its owner, by the project's rules. */
async function recordChain(
  deps: IosDeps,
  by: Requester,
  presenter: Presenter,
  chain: string,
  transactions: readonly IosTransaction[],
): Promise<SubscriberResult | null> {
  const { projectId, app, appUserId } = presenter;
  const { transferBehavior } = await prepareReceipt(deps, presenter, chain);
  const context = await iosContextOf(deps, presenter);
  const [first, ...later] = transactions.map((transaction) => translateIosTransaction(transaction, context));
  if (!first) return null;
  const update = { ...first, commands: [first, ...later].flatMap(({ commands }) => commands) };
  const input = { projectId, store: app.store, update, appUserId, isRestore: true, transferBehavior };
  const ctx = { ...contextOf(by, projectId), commandId: commandIds.restoredChain(by.requestId, chain) };
  try {
    return await recordFromReceipt(deps, input, ctx);
  } catch (err) {
    if (err instanceof Rejection && err.code === 'receipt-owned') return null;
    throw err;
  }
}
