// Records a purchase read from the android-store for the customer who owns it; then acknowledges it to the store.
import { commandIds } from '../../../handling/command-ids.js';
import type { LineUpdate } from '../../line-update.js';
import { acknowledge } from '../acknowledgements.js';
import { scheduleOverdueRead } from '../overdue-purchases.js';
import { saveTokens, type AndroidDeps, type PurchaseRequest, type PurchaseReading } from './purchases.js';
import { recordFromStore } from '../../../subscribers/purchase-lines.js';
import { isoFromMs } from '../../../../domain/time.js';
import type { CommandContext } from '../../../handling/run-command.js';
import type { SubscriberResult } from '../../../subscribers/subscribers.js';

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
    const snapshot = { ...update, saidAt: isoFromMs(deps.runtime.now()) };
    const result = await recordFromStore(deps, { projectId, store: app.store, update: snapshot }, part);
    recorded.push({ update, result });
  }
  return recorded;
}

/** Returns a command context per chain, because several chains of a purchase may belong to one customer. */
export function partOf(ctx: CommandContext, { storeChainId }: LineUpdate, index: number): CommandContext {
  return index === 0 ? ctx : { ...ctx, commandId: commandIds.furtherChain(ctx.commandId, storeChainId) };
}
