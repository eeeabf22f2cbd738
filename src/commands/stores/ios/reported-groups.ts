// Groups of sales that only a finance report of the ios-store has: notifications about them were lost. The report names no transactions, so
// the histories of recorded purchases that may be meant are read, a few at a time, and what is new is recorded as if its notification had
// come late.
import { z } from 'zod';
import type { LookUpOutcome } from '../../../domain/books/look-up-outcomes.js';
import type { SuspectedPurchase } from '../../../domain/books/look-ups.js';
import { InvalidSignedData, IosStoreRefusal, NoCredentials } from '../../../domain/errors.js';
import { streams } from '../../../domain/streams.js';
import { isoFromMs } from '../../../domain/time.js';
import { recordLookUps } from '../../books/look-ups.js';
import { commandIds } from '../../handling/command-ids.js';
import type { Deps } from '../../handling/deps.js';
import type { ReportedGroups } from '../reported-sales.js';
import type { AppOwner } from '../store-integration.js';
import { addStoreTask, type NextWork } from '../tasks.js';
import { recordIosHistory } from './chains.js';
import type { IosDeps } from './inbox.js';

const HISTORIES_PER_TASK = 10;
/** Wait between two tasks: some requests a second, far below the store's limit, so that notifications come first. */
const BETWEEN_TASKS_MS = 5000;

const purchase = z.object({
  ...{ transactionId: z.string(), originalTransactionId: z.string(), isSubscription: z.boolean() },
});
export const reportedGroupsWork = z.object({
  kind: z.literal('reportedGroups'),
  month: z.string(),
  reportId: z.string(),
  groupIds: z.array(z.string()),
  purchases: z.array(purchase),
});
type ReportedGroupsWork = z.output<typeof reportedGroupsWork>;

/** Adds one task; one that is waiting already does not change. */
export async function scheduleHistoryLookUps(
  deps: Deps,
  { projectId, appId, month, reportId, groupIds, purchases }: ReportedGroups,
): Promise<void> {
  const dueAt = isoFromMs(deps.runtime.now());
  const about = { month, reportId, groupIds: [...groupIds], purchases: [...purchases] };
  const work = { kind: 'reportedGroups' as const, ...about };
  await addStoreTask(deps, `reported|${reportId}|${appId}`, { projectId, appId, dueAt, work });
}

const ACTOR = { kind: 'store' as const, id: 'ios-store' };

/**
 * Reads the next histories, and returns the work that remains; records at the end what came of the groups. Throws `Unavailable` and refusals
 * of the key; then the same histories are read again. Safe to repeat.
 */
export async function readReportedHistories(
  deps: IosDeps,
  owner: AppOwner,
  work: ReportedGroupsWork,
): Promise<NextWork<ReportedGroupsWork> | null> {
  const { month, reportId, groupIds, purchases } = work;
  const record = (outcome: LookUpOutcome) => {
    const results = groupIds.map((orderId) => ({ orderId, outcome }));
    return recordLookUps(deps, ACTOR, owner.projectId, { month, reportId, results });
  };
  const [next, rest] = [purchases.slice(0, HISTORIES_PER_TASK), purchases.slice(HISTORIES_PER_TASK)];
  try {
    for (const one of next) await readHistory(deps, owner, reportId, one);
  } catch (err) {
    if (!(err instanceof NoCredentials)) throw err;
    await record('no_credentials');
    return null;
  }
  if (rest.length > 0) return { work: { ...work, purchases: rest }, inMs: BETWEEN_TASKS_MS };
  await record('histories_read');
  return null;
}

/** Records a history; one that the store does not show for a reason of its own is passed over. */
async function readHistory(
  deps: IosDeps,
  owner: AppOwner,
  reportId: string,
  { transactionId, originalTransactionId, isSubscription }: SuspectedPurchase,
): Promise<void> {
  const { projectId } = owner;
  const chain = { ...owner, environment: 'Production' as const, originalTransactionId };
  const commandId = commandIds.reportedHistory(reportId, transactionId);
  const ctx = { commandId, correlationId: streams.books(projectId, reportId), actor: ACTOR, projectId };
  try {
    await recordIosHistory(deps, chain, { transactionId, isSubscription }, ctx);
  } catch (err) {
    const isOfPurchase = err instanceof IosStoreRefusal && err.reason === 'invalid';
    if (!isOfPurchase && !(err instanceof InvalidSignedData)) throw err;
  }
}
