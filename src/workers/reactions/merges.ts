// Completes merges of customers that a crash interrupted.
import type { MergedIntoEvent } from '../../commands/subscribers/complete-merge.js';
import type { Deps } from '../../commands/handling/deps.js';
import { finishMerge } from '../../commands/subscribers/merge.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { customerIdOf } from '../../domain/streams.js';
import type { Reaction } from './reaction.js';

export function mergesReaction(deps: Deps): Reaction {
  return {
    name: 'merges',
    families: ['subscriber'],
    serialKeyOf: (event) => (isMergedInto(event) ? event.stream : null),
    handle: async (event) => {
      if (isMergedInto(event)) await finishMerge(deps, event.meta.projectId ?? '', customerIdOf(event.stream));
    },
  };
}

function isMergedInto(event: RecordedEvent): event is MergedIntoEvent {
  return event.type === 'CustomerMergedInto';
}
