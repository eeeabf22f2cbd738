// Records money that moved at a purchase after it changed owners with the customer who had paid.
import type { Deps } from '../../commands/handling/deps.js';
import { bookForPayer, concernsPayer } from '../../commands/subscribers/payers.js';
import type { Reaction } from './reaction.js';

export function payersReaction(deps: Deps): Reaction {
  return {
    name: 'payers',
    families: ['subscriber'],
    serialKeyOf: (event) => (concernsPayer(event) ? event.stream : null),
    handle: async (event) => {
      if (concernsPayer(event)) await bookForPayer(deps, event);
    },
  };
}
