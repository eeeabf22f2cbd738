// Reactions that complete changes over several streams, which one event has decided. They are safe to repeat, and also end what a crash has
// interrupted.
import type { Deps } from '../../commands/handling/deps.js';
import type { MergedIntoEvent } from '../../commands/subscribers/complete-merge.js';
import { eraseKeys, isErased } from '../../commands/subscribers/erasure.js';
import { finishTransfer, type OwnerChangedEvent } from '../../commands/subscribers/line-ownership.js';
import { finishMerge } from '../../commands/subscribers/merge.js';
import { bookForPayer, concernsPayer } from '../../commands/subscribers/payers.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { customerIdOf, type Family } from '../../domain/streams.js';
import type { Reaction } from './reaction.js';

/** Handles the events that `begins` selects, those of one stream in order. */
function completionOf<E extends RecordedEvent>(
  name: string,
  family: Family,
  begins: (event: RecordedEvent) => event is E,
  complete: (event: E) => Promise<void>,
): Reaction {
  return {
    name,
    families: [family],
    serialKeyOf: (event) => (begins(event) ? event.stream : null),
    handle: async (event) => {
      if (begins(event)) await complete(event);
    },
  };
}

export function ownershipReaction(deps: Deps): Reaction {
  return completionOf('ownership', 'purchase', isOwnerChanged, (event) => finishTransfer(deps, event));
}

export function mergesReaction(deps: Deps): Reaction {
  return completionOf('merges', 'subscriber', isMergedInto, ({ meta, stream }) =>
    finishMerge(deps, meta.projectId ?? '', customerIdOf(stream)),
  );
}

/** Erases the data keys. Sent deliveries are erased by the fan-out, which handles events in order. */
export function erasuresReaction(deps: Deps): Reaction {
  return completionOf('erasures', 'subscriber', isErased, (event) => eraseKeys(deps, event));
}

/** Records money that moved at a purchase after it changed owners with the customer who had paid. */
export function payersReaction(deps: Deps): Reaction {
  return completionOf('payers', 'subscriber', concernsPayer, (event) => bookForPayer(deps, event));
}

function isOwnerChanged(event: RecordedEvent): event is OwnerChangedEvent {
  return event.type === 'PurchaseOwnerChanged';
}

function isMergedInto(event: RecordedEvent): event is MergedIntoEvent {
  return event.type === 'CustomerMergedInto';
}
