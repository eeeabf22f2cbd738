// Detection of ios-store purchases whose history is missing here; schedules a request for it. Receipts and notifications are recorded at
// once all the same.
import { z } from 'zod';
import type { IosTransaction } from '../../../adapters/ios-store/port.js';
import { chainOf } from '../../../domain/subscriber/state/line.js';
import type { Subscriber, Transaction } from '../../../domain/subscriber/state/state.js';
import { isoFromMs, msFromIso } from '../../../domain/time.js';
import type { Deps } from '../../handling/deps.js';
import { addStoreTask } from '../tasks.js';
import { SUBSCRIPTION } from './translator/transaction.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';

/** Maximum gap between consecutive periods. */
const MAX_GAP_MS = 60_000;
/** Age above which a device's transaction may be outdated: it stays as signed, even if the purchase changes later. */
const MAX_RECEIPT_AGE_MS = 86_400_000;

type Owner = { readonly projectId: string; readonly appId: string };
type RecordedTransaction = Pick<SubscriberResult, 'before' | 'state' | 'eventIds'>;

/** Runs after a notification or a response of the store about the transaction was recorded. Safe to repeat. */
export async function scheduleMissingHistory(
  deps: Deps,
  owner: Owner,
  t: IosTransaction,
  recorded: RecordedTransaction,
): Promise<void> {
  // For a repeated command, the state before it is no longer available.
  const isRepeat = recorded.before === recorded.state && recorded.eventIds.length > 0;
  const isChain = t.transactionId !== t.originalTransactionId;
  const isIncomplete = isRepeat ? isChain : lacksHistory(t, recorded.before);
  const isOpenEnded = recorded.eventIds.length > 0 && lacksSuccessor(t, recorded.state);
  if (isIncomplete || isOpenEnded) await addHistoryTask(deps, owner, t);
}

/** Runs after a receipt was recorded: an old one may have been refunded or followed by others since. */
export async function scheduleHistoryOfReceipt(
  deps: Deps,
  owner: Owner,
  t: IosTransaction,
  recorded: RecordedTransaction,
): Promise<void> {
  const isNew = !recorded.before.transactions.has(t.transactionId);
  const isOld = deps.runtime.now() - (t.signedDate ?? t.purchaseDate) > MAX_RECEIPT_AGE_MS;
  if (isNew && isOld) await addHistoryTask(deps, owner, t);
  else await scheduleMissingHistory(deps, owner, t, recorded);
}

/** Returns true if the store marks the transaction as replaced and its successor is missing. */
function lacksSuccessor(
  { isUpgraded, originalTransactionId, purchaseDate }: IosTransaction,
  { transactions }: Subscriber,
) {
  const startedAt = isoFromMs(purchaseDate);
  const isLater = (t: Transaction) => t.purchase.storeChainId === originalTransactionId && t.purchasedAt > startedAt;
  return isUpgraded === true && ![...transactions.values()].some(isLater);
}

/** Returns true if an earlier period of the chain is missing; an end, a cut or a billing retry of the store explains a gap. */
function lacksHistory(t: IosTransaction, { profile, transactions }: Subscriber): boolean {
  if (t.type !== SUBSCRIPTION || transactions.has(t.transactionId)) return false;
  const startedAt = isoFromMs(t.purchaseDate);
  const { originalTransactionId: chain } = t;
  const hasFormer = [...transactions.values()].some(
    ({ purchase, purchasedAt }) => purchase.storeChainId === chain && purchasedAt < startedAt,
  );
  if (!hasFormer) return t.transactionId !== chain;
  const last = chainOf(profile, chain).at(-1);
  if (!last || last.period.purchasedAt >= startedAt) return false;
  const isOver = last.ended?.by === 'store' || last.refundedAt !== null || last.revokedAt !== null;
  const isExplained = isOver || last.billingIssueAt !== null;
  return !isExplained && msFromIso(last.contractEndsAt) + MAX_GAP_MS < t.purchaseDate;
}

/** Task that fetches the history of a purchase. */
export const historyWork = z.object({
  kind: z.literal('history'),
  transactionId: z.string(),
  originalTransactionId: z.string(),
  environment: z.enum(['Production', 'Sandbox']),
  isSubscription: z.boolean(),
});

async function addHistoryTask(deps: Deps, { projectId, appId }: Owner, t: IosTransaction): Promise<void> {
  const { transactionId, originalTransactionId, environment, type } = t;
  const request = { transactionId, originalTransactionId, environment, isSubscription: type === SUBSCRIPTION };
  const dueAt = isoFromMs(deps.runtime.now());
  const work = { kind: 'history' as const, ...request };
  await addStoreTask(deps, `history|${appId}|${transactionId}`, { projectId, appId, dueAt, work });
}
