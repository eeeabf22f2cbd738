// Polling of the store's list of voided purchases, for refunds whose notification never arrived.
import { commandIds } from '../../handling/command-ids.js';
import { z } from 'zod';
import type { AndroidVoidedPurchase } from '../../../adapters/android-store/port.js';
import { isoFromMs } from '../../../domain/time.js';
import { androidAppOf, type AndroidDeps, type PurchaseRequest } from './purchases/purchases.js';
import { recordRead } from './purchases/record.js';
import { LISTED_FOR_MS, readListedRefund } from './refunds.js';
import type { Deps } from '../../handling/deps.js';
import type { AppOwner } from '../store-integration.js';
import { addStoreTask, type NextWork } from '../tasks.js';

/** `seen`: refunds that the previous poll returned. */
export const voidedPollWork = z.object({ kind: z.literal('sweep'), sinceMs: z.number(), seen: z.array(z.string()) });
type VoidedPollWork = z.output<typeof voidedPollWork>;

const DAY_MS = 86_400_000;
/** Entries appear late: every poll starts a day before the end of the previous one. */
const OVERLAP_MS = DAY_MS;
const EVERY_MS = DAY_MS / 4;

/** Starts the polling, once for each app; it reschedules itself. */
export async function scheduleVoidedPolling(deps: Deps, projectId: string, appId: string): Promise<void> {
  const now = deps.runtime.now();
  const work = { kind: 'sweep' as const, sinceMs: now - LISTED_FOR_MS, seen: [] };
  await addStoreTask(deps, `sweep|${appId}`, { projectId, appId, dueAt: isoFromMs(now), work });
}

/** Throws as `readSubscription` does; then the same poll is repeated. */
export async function pollVoidedPurchases(
  deps: AndroidDeps,
  owner: AppOwner,
  work: VoidedPollWork,
): Promise<NextWork<VoidedPollWork>> {
  const now = deps.runtime.now();
  const store = await androidAppOf(deps, owner.projectId, owner.app);
  const sinceMs = Math.max(work.sinceMs, now - LISTED_FOR_MS);
  const listed = await deps.androidStore.voidedPurchases(store, sinceMs);
  const seen = new Set(work.seen);
  const question = { ...owner, type: null, storeTime: isoFromMs(now), offeringId: null, claimed: null };
  for (const voided of listed) if (!seen.has(nameOf(voided))) await record(deps, question, voided);
  return { work: { kind: 'sweep', sinceMs: now - OVERLAP_MS, seen: listed.map(nameOf) }, inMs: EVERY_MS };
}

async function record(deps: AndroidDeps, question: PurchaseRequest, voided: AndroidVoidedPurchase) {
  const { projectId, app } = question;
  const { purchaseToken } = voided;
  const read = await readListedRefund(deps, question, voided);
  const id = commandIds.voidedPurchase(app.appId, nameOf(voided));
  const actor = { kind: 'store' as const, id: 'android-store' };
  const ctx = { commandId: id, correlationId: id, actor, projectId };
  await recordRead(deps, { question, read, purchaseToken }, ctx);
}

function nameOf({ orderId, voidedTimeMillis }: AndroidVoidedPurchase): string {
  return `${orderId}|${voidedTimeMillis}`;
}
