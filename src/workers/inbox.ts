// Kept notifications become facts; those of one purchase line one after another.
import type { Deps } from '../commands/deps.js';
import { lineOfNotification, processNotification, type FindByAccountToken, type Received } from '../commands/inbox.js';
import type { RecordedEvent } from '../domain/envelope.js';
import type { Reaction } from './reaction.js';

export function inboxReaction(deps: Deps, find: FindByAccountToken): Reaction {
  return {
    name: 'inbox',
    families: ['inbox'],
    laneOf: (event) => (isReceived(event) ? lineOfNotification(event) : null),
    handle: async (event) => {
      if (isReceived(event)) await processNotification(deps, find, event);
    },
  };
}

function isReceived(event: RecordedEvent): event is Received {
  return event.type === 'StoreNotificationReceived';
}
