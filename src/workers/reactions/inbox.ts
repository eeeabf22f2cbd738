// Kept notifications become facts; those of one purchase line one after another.
import { processAndroidNotification } from '../../commands/stores/android/inbox.js';
import type { Deps } from '../../commands/handling/deps.js';
import {
  lineOfNotification,
  processNotification,
  type FindByAccountToken,
  type Received,
} from '../../commands/stores/inbox.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { Reaction } from './reaction.js';

/** `takeUpAndroid`: what is done with a notification whose purchase must be read first, so that none waits for another's store. */
export function inboxReaction(
  deps: Deps,
  find: FindByAccountToken,
  takeUpAndroid = (event: Received) => processAndroidNotification(deps, find, event),
): Reaction {
  return {
    name: 'inbox',
    families: ['inbox'],
    serialKeyOf: (event) => (isReceived(event) ? lineOfNotification(event) : null),
    waitForCalm: (event) => deps.burst.waitForCalm(Date.parse(event.meta.recordedAt)),
    handle: async (event) => {
      if (!isReceived(event)) return;
      if (event.data.store === 'android-store') await takeUpAndroid(event);
      else await processNotification(deps, find, event);
    },
  };
}

function isReceived(event: RecordedEvent): event is Received {
  return event.type === 'StoreNotificationReceived';
}
