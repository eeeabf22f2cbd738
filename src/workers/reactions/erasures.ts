// Erases data keys that a crash left after an erasure. Sent deliveries are erased by the fan-out, which handles events in order.
import type { Deps } from '../../commands/handling/deps.js';
import { eraseKeys, isErased } from '../../commands/subscribers/erasure.js';
import type { Reaction } from './reaction.js';

export function erasuresReaction(deps: Deps): Reaction {
  return {
    name: 'erasures',
    families: ['subscriber'],
    serialKeyOf: (event) => (isErased(event) ? event.stream : null),
    handle: async (event) => {
      if (isErased(event)) await eraseKeys(deps, event);
    },
  };
}
