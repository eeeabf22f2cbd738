// Completes changes of owner that a crash interrupted.
import type { Deps } from '../../commands/handling/deps.js';
import { finishTransfer, type OwnerChangedEvent } from '../../commands/subscribers/line-ownership.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { Reaction } from './reaction.js';

export function ownershipReaction(deps: Deps): Reaction {
  return {
    name: 'ownership',
    families: ['purchase'],
    serialKeyOf: (event) => (isOwnerChanged(event) ? event.stream : null),
    handle: async (event) => {
      if (isOwnerChanged(event)) await finishTransfer(deps, event);
    },
  };
}

function isOwnerChanged(event: RecordedEvent): event is OwnerChangedEvent {
  return event.type === 'PurchaseOwnerChanged';
}
