// What is still to be asked of the ios-store, in the records of tasks.
import { InvalidSignedData, IosStoreRefusal } from '../../../domain/errors.js';
import { z } from 'zod';
import type { FindByAccountToken } from '../received.js';
import type { AppOwner } from '../store-integration.js';
import type { StoreWork, TaskDone } from '../tasks.js';
import { catchUp, catchUpWork } from './catch-up.js';
import { recordIosHistory } from './chains.js';
import { historyWork } from './gaps.js';
import type { IosDeps } from './inbox.js';

const iosWork = z.discriminatedUnion('kind', [catchUpWork, historyWork]);

export async function doIosTask(
  deps: IosDeps,
  find: FindByAccountToken,
  owner: AppOwner,
  given: StoreWork,
): Promise<TaskDone> {
  const work = iosWork.parse(given);
  if (work.kind === 'catch-up') return { next: await catchUp(deps, owner, work) };
  const { environment, originalTransactionId } = work;
  try {
    await recordIosHistory(deps, find, { ...owner, environment, originalTransactionId }, work);
    return { next: null };
  } catch (err) {
    // Asked again, the store would respond the same.
    const isFinal = err instanceof InvalidSignedData || (err instanceof IosStoreRefusal && err.reason === 'invalid');
    if (!isFinal) throw err;
    return { next: null, warning: { reason: err.message, message: 'the history of a purchase cannot be had' } };
  }
}
