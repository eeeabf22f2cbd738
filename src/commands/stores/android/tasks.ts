// Requests that are still to be made to the android-store, in the records of tasks.
import { z } from 'zod';
import { AndroidStoreRefusal } from '../../../domain/errors.js';
import { isoFromMs } from '../../../domain/time.js';
import { sha256Of } from '../../accounts/api-key.js';
import { commandIds } from '../../handling/command-ids.js';
import type { FindByAccountToken } from '../received.js';
import type { AppOwner } from '../store-integration.js';
import type { StoreWork, TaskDone } from '../tasks.js';
import { acknowledgementWork, sendAcknowledgement } from './acknowledgements.js';
import { keptReceiptWork, submitKept } from './kept-receipts.js';
import { nextRead, overdueWork } from './overdue.js';
import type { AndroidDeps } from './purchases/purchases.js';
import { recordRead } from './purchases/record.js';
import { readWithRefunds } from './refunds.js';
import { sweep, sweepWork } from './sweep.js';

const androidWork = z.discriminatedUnion('kind', [acknowledgementWork, sweepWork, keptReceiptWork, overdueWork]);

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
  if (work.kind === 'overdue')
    return { next: (await readOverdue(deps, find, owner, work.purchaseToken)) ? nextRead(work) : null };
  await sendAcknowledgement(deps, owner, work, work.purchaseToken);
  return { next: null };
}

/** Whether it is still overdue. What the store does not know any more is not. */
async function readOverdue(deps: AndroidDeps, find: FindByAccountToken, owner: AppOwner, purchaseToken: string) {
  const storeTime = isoFromMs(deps.runtime.now());
  const question = { ...owner, type: null, storeTime, offeringId: null, claimed: null };
  const id = commandIds.storeAsked(sha256Of(purchaseToken), storeTime, 'overdue', storeTime);
  const actor = { kind: 'store' as const, id: 'android-store' };
  try {
    const read = await readWithRefunds(deps, question, purchaseToken);
    const ctx = { commandId: id, correlationId: id, actor, projectId: owner.projectId };
    await recordRead(deps, find, { question, read, purchaseToken }, ctx);
    return read.isOverdue === true;
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
    return false;
  }
}
