// Acknowledges a purchase to the android-store, which refunds unacknowledged purchases after three days. Stored before it is tried, so that
// neither a crash nor an unavailable store loses it.
import { AndroidStoreRefusal, NoCredentials, Unavailable } from '../../../domain/errors.js';
import { z } from 'zod';
import { isoFromMs } from '../../../domain/time.js';
import { androidAppOf, type AndroidDeps, type PendingAcknowledgement } from './purchases/purchases.js';
import { sha256Of } from '../../accounts/api-key.js';
import type { AppOwner } from '../store-integration.js';
import { addStoreTask, finishStoreTask } from '../tasks.js';

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
  what: PendingAcknowledgement,
  purchaseToken: string,
): Promise<void> {
  const { projectId, app } = owner;
  const id = `ack|${app.appId}|${sha256Of(purchaseToken)}`;
  const dueAt = isoFromMs(deps.runtime.now() + FIRST_REPEAT_MS);
  const work = { kind: 'acknowledgement' as const, ...what, purchaseToken };
  await addStoreTask(deps, id, { projectId, appId: app.appId, dueAt, work });
  try {
    await sendAcknowledgement(deps, owner, what, purchaseToken);
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
