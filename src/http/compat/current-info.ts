// Customer info after a write.
import { RetryLater } from '../../domain/errors.js';
import { isoFromMs } from '../../domain/time.js';
import { findSubscriber } from '../customers/find-customer.js';
import type { Caller } from '../dispatch/caller.js';
import type { Services } from '../dispatch/services.js';
import { readCustomerInfo } from './customer-info.js';

/** Throws {@link RetryLater} while the read models do not have the customer. */
export async function currentInfo(services: Services, caller: Caller, projectId: string, appUserId: string) {
  const doc = await findSubscriber(services, projectId, appUserId);
  if (!doc) throw new RetryLater('the customer was saved but is not readable yet; retry in 1 second', 1);
  return readCustomerInfo(services, caller, doc, isoFromMs(services.runtime.now()));
}
