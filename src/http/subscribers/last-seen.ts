// The last request of a subscriber.
import { recordLastSeen } from '../../commands/subscribers/activity.js';
import type { LogPosition } from '../../domain/envelope.js';
import { Unavailable } from '../../domain/errors.js';
import { changesDevice, unknownDevice, type Device } from '../../domain/subscriber/state/activity.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import type { Input } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

/**
 * Records the first request of a known subscriber on a UTC day, and changes of its device, as an event. The request continues if the event
 * cannot be stored.
 */
export async function recordVisit(
  services: Services,
  input: Input<{ appUserId: string }, unknown, unknown>,
  doc: CustomerDoc,
  device: Device = unknownDevice,
): Promise<LogPosition | null> {
  const { runtime, deps, log } = services;
  const at = isoFromMs(runtime.now());
  const isNew = changesDevice(doc.profile, device);
  if (utcDay(doc.lastSeenAt) >= utcDay(at) && !isNew) return null;
  try {
    const sighting = { customerId: doc.customerId, at, ...(isNew && { device }) };
    return await recordLastSeen(deps, input.by, doc.projectId, sighting);
  } catch (err) {
    if (!(err instanceof Unavailable)) throw err;
    log.warn({ requestId: input.by.requestId }, 'could not record last-seen time');
    return null;
  }
}
