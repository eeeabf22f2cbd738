// Requests that are still to be made to the android-store, in the records of tasks.
import { z } from 'zod';
import type { FindByAccountToken } from '../received.js';
import type { AppOwner } from '../store-integration.js';
import type { StoreWork, TaskDone } from '../tasks.js';
import { acknowledgementWork, sendAcknowledgement } from './acknowledgements.js';
import { keptReceiptWork, submitKept } from './kept-receipts.js';
import type { AndroidDeps } from './purchases/purchases.js';
import { sweep, sweepWork } from './sweep.js';

const androidWork = z.discriminatedUnion('kind', [acknowledgementWork, sweepWork, keptReceiptWork]);

export async function doAndroidTask(
  deps: AndroidDeps,
  find: FindByAccountToken,
  owner: AppOwner,
  given: StoreWork,
): Promise<TaskDone> {
  const work = androidWork.parse(given);
  if (work.kind === 'sweep') return { next: await sweep(deps, find, owner, work) };
  if (work.kind === 'receipt') {
    const reason = await submitKept(deps, find, owner, work);
    return {
      next: null,
      ...(reason !== null && { warning: { reason, message: 'a receipt that was kept is refused' } }),
    };
  }
  await sendAcknowledgement(deps, owner, work, work.purchaseToken);
  return { next: null };
}
