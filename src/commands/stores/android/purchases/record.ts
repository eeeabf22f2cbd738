// Records a purchase read from the android-store for the customer who owns it, and schedules what follows. An acknowledgement is stored
// before it is tried, so that neither a crash nor an unavailable store loses it: the store refunds unacknowledged purchases after three
// days. A purchase that the store shows as active after its end is read again within a minute, then at growing intervals, since the store
// renews late or retries the charge; access ends at the end that the store shows.
import { z } from 'zod';
import { AndroidStoreRefusal, NoCredentials, Unavailable } from '../../../../domain/errors.js';
import { isoFromMs } from '../../../../domain/time.js';
import { sha256Of } from '../../../accounts/api-key.js';
import { commandIds } from '../../../handling/command-ids.js';
import type { Deps } from '../../../handling/deps.js';
import type { CommandContext } from '../../../handling/run-command.js';
import { recordFromStore } from '../../../subscribers/purchase-lines.js';
import type { SubscriberResult } from '../../../subscribers/subscribers.js';
import type { LineUpdate } from '../../line-update.js';
import type { AppOwner } from '../../store-integration.js';
import { addStoreTask, finishStoreTask, type NextWork } from '../../tasks.js';
import {
  saveTokens,
  type AndroidDeps,
  type PurchaseRequest,
  type PurchaseReading,
  androidAppOf,
  type PendingAcknowledgement,
} from './purchases.js';

export type RecordedRead = { readonly update: LineUpdate; readonly result: SubscriberResult };

/** Returns one entry for each chain with store commands. Safe to repeat with the same command id. */
export async function recordRead(
  deps: AndroidDeps,
  o: { readonly question: PurchaseRequest; readonly read: PurchaseReading; readonly purchaseToken: string },
  ctx: CommandContext,
): Promise<readonly RecordedRead[]> {
  const { question, read, purchaseToken } = o;
  const recorded = await recordUpdates(deps, o, ctx);
  await saveTokens(deps, question, read);
  if (read.unacknowledged) await acknowledge(deps, question, read.unacknowledged, purchaseToken);
  if (read.isOverdue) await scheduleOverdueRead(deps, question, purchaseToken);
  return recorded;
}

/** Records only the store commands: stores no token and sends nothing to the store. */
export async function recordUpdates(
  deps: AndroidDeps,
  { question: { projectId, app }, read }: { readonly question: PurchaseRequest; readonly read: PurchaseReading },
  ctx: CommandContext,
): Promise<readonly RecordedRead[]> {
  const recorded: RecordedRead[] = [];
  for (const [index, update] of read.updates.entries()) {
    if (update.commands.length === 0) continue;
    const part = partOf(ctx, update, index);
    const snapshot = { ...update, orderedAt: isoFromMs(deps.runtime.now()) };
    const result = await recordFromStore(deps, { projectId, store: app.store, update: snapshot }, part);
    recorded.push({ update, result });
  }
  return recorded;
}

/** Returns a command context per chain, because several chains of a purchase may belong to one customer. */
export function partOf(ctx: CommandContext, { storeChainId }: LineUpdate, index: number): CommandContext {
  return index === 0 ? ctx : { ...ctx, commandId: commandIds.furtherChain(ctx.commandId, storeChainId) };
}

export const acknowledgementWork = z.object({
  kind: z.literal('acknowledgement'),
  purchase: z.enum(['subscription', 'product']),
  productId: z.string(),
  purchaseToken: z.string(),
});

const FIRST_REPEAT_MS = 30_000;

/** Also resolves if the store is unavailable; then the acknowledgement is retried later. */
export async function acknowledge(
  deps: AndroidDeps,
  owner: AppOwner,
  acknowledgement: PendingAcknowledgement,
  purchaseToken: string,
): Promise<void> {
  const { projectId, app } = owner;
  const id = `ack|${app.appId}|${sha256Of(purchaseToken)}`;
  const dueAt = isoFromMs(deps.runtime.now() + FIRST_REPEAT_MS);
  const work = { kind: 'acknowledgement' as const, ...acknowledgement, purchaseToken };
  await addStoreTask(deps, id, { projectId, appId: app.appId, dueAt, work });
  try {
    await sendAcknowledgement(deps, owner, acknowledgement, purchaseToken);
    await finishStoreTask(deps, { id });
  } catch (err) {
    const isLater = err instanceof Unavailable || err instanceof NoCredentials || err instanceof AndroidStoreRefusal;
    if (!isLater) throw err;
  }
}

/** Does nothing for a purchase that the store has deleted. Throws `Unavailable`, {@link NoCredentials}, and `forbidden`. */
export async function sendAcknowledgement(
  deps: AndroidDeps,
  { projectId, app }: AppOwner,
  { purchase, productId }: PendingAcknowledgement,
  purchaseToken: string,
): Promise<void> {
  try {
    const store = await androidAppOf(deps, projectId, app);
    await deps.androidStore.acknowledge(store, purchase, productId, purchaseToken);
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
  }
}

export const overdueWork = z.object({ kind: z.literal('overdue'), purchaseToken: z.string(), reads: z.number() });
type OverdueWork = z.output<typeof overdueWork>;

const MIN_INTERVAL_MS = 45_000;
const MAX_INTERVAL_MS = 3_600_000;
/** Covers about two days: the duration of the store's attempts according to its page on account hold. */
const MAX_READS = 54;

/** Schedules the reads, once per purchase. */
export async function scheduleOverdueRead(
  deps: Deps,
  { projectId, app }: AppOwner,
  purchaseToken: string,
): Promise<void> {
  const { appId } = app;
  const work = { kind: 'overdue' as const, purchaseToken, reads: 0 };
  const dueAt = isoFromMs(deps.runtime.now() + MIN_INTERVAL_MS);
  await addStoreTask(deps, `overdue|${appId}|${sha256Of(purchaseToken)}`, { projectId, appId, dueAt, work });
}

/** Returns null after the maximum number of reads. */
export function nextOverdueRead(work: OverdueWork): NextWork<OverdueWork> | null {
  const reads = work.reads + 1;
  if (reads >= MAX_READS) return null;
  return { work: { ...work, reads }, inMs: Math.min(MIN_INTERVAL_MS * 2 ** reads, MAX_INTERVAL_MS) };
}
