// Assigns a purchase without an owner to the customer with its account token as soon as there is one: whichever of claim and purchase
// arrives later is handled after both are in the read models.
import { commandIds } from '../../commands/handling/command-ids.js';
import type { Deps } from '../../commands/handling/deps.js';
import { hadPurchases, tokensOf } from '../../commands/subscribers/account-tokens.js';
import { assignAnonymousLines } from '../../commands/subscribers/anonymous-lines.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { Unavailable } from '../../domain/errors.js';
import { TOKEN_ATTRIBUTE, type AccountToken } from '../../domain/purchase/account-token.js';
import { customerIdOf } from '../../domain/streams.js';
import { accountTokens } from '../../projections/models/account-tokens.js';
import { customers } from '../../projections/models/customers.js';
import { waitAtMost, type Progress } from '../../projections/runtime/progress.js';
import type { Reaction } from './reaction.js';
import { ofFamily } from '../../domain/vocabulary.js';

const READ_MODELS = [customers.name, accountTokens.name];
const MAX_WAIT_MS = 5000;

export function accountTokensReaction(deps: Deps, progress: Progress): Reaction {
  return {
    name: 'account-tokens',
    families: ['subscriber', 'purchase'],
    serialKeyOf: (event) => (isClaim(event) || tokenOf(event) ? event.stream : null),
    handle: async (event) => {
      const { projectId = '', correlationId } = event.meta;
      const { runtime } = deps;
      if (!(await waitAtMost(MAX_WAIT_MS, { progress, runtime, isBackground: true }, READ_MODELS, event.position)))
        throw new Unavailable('the read models lag the log; retry', 1);
      const arrived = tokenOf(event);
      const tokens = arrived ? [arrived] : await tokensAfter(deps, projectId, event);
      const actor = { kind: 'system' as const, id: 'account tokens' };
      const shared = { actor, correlationId, causationId: event.id, projectId };
      for (const token of tokens) {
        const commandId = commandIds.tokenNamed(event.id, token.key);
        await assignAnonymousLines(deps, projectId, token, { ...shared, commandId });
      }
    },
  };
}

/** A merged name without purchases changes claims on its own tokens only, however many names the customer has. */
async function tokensAfter(deps: Deps, projectId: string, event: RecordedEvent): Promise<readonly AccountToken[]> {
  const own = ofFamily(event, 'subscriber');
  const merged = own?.type === 'CustomerMerged' ? own.data.mergedCustomerId : null;
  const isBare = merged !== null && !(await hadPurchases(deps, projectId, merged));
  return tokensOf(deps, projectId, isBare ? merged : customerIdOf(event.stream));
}

/** Returns whether another customer may be the only one with a claim after the event. Attributes make one only by the token or by trust. */
function isClaim(event: RecordedEvent): boolean {
  const own = ofFamily(event, 'subscriber');
  if (own?.type === 'CustomerAttributesUpdated')
    return own.data.trust !== undefined || own.data.attributes?.[TOKEN_ATTRIBUTE] !== undefined;
  return own?.type === 'CustomerCreated' || own?.type === 'CustomerMerged' || own?.type === 'CustomerErased';
}

function tokenOf(event: RecordedEvent) {
  return ofFamily(event, 'purchase')?.data.accountToken;
}
