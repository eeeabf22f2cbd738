// Converts stored notifications into events; those of one purchase line one after another.
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import type { StoredNotification } from '../../commands/stores/notification-types.js';
import { lineOfNotification, processNotification } from '../../commands/stores/inbox/inbox.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { Reaction } from './reaction.js';

/** Creates the reaction. `askFirst` handles notifications that require a store request, so that none waits for the store of another. */
export function inboxReaction(
  deps: StoreDeps,
  askFirst = (event: StoredNotification) => processNotification(deps, event),
): Reaction {
  return {
    name: 'inbox',
    families: ['inbox'],
    serialKeyOf: (event) => (isReceived(event) ? lineOfNotification(deps, event) : null),
    waitForQuiet: (event) => deps.burst.waitForQuiet(Date.parse(event.meta.recordedAt)),
    handle: async (event) => {
      if (!isReceived(event)) return;
      if (deps.stores.of(event.data.store).requiresStoreRequest) await askFirst(event);
      else await processNotification(deps, event);
    },
  };
}

function isReceived(event: RecordedEvent): event is StoredNotification {
  return event.type === 'StoreNotificationReceived';
}
