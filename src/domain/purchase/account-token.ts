// Account tokens: an app attaches one to a purchase so that the store's messages identify the buyer. A customer claims a token by its app
// user id or by the attribute `$appAccountToken`. The log contains only keyed hashes of tokens.
import { z } from 'zod';
import { customerId, type KeyedHash } from '../ids.js';
import { environment } from '../subscriber/events/blocks.js';

export const TOKEN_ATTRIBUTE = '$appAccountToken';

/** `customerIds`: the customers whose app user id is the token, whether they exist or not. */
const tokenFields = { key: z.string(), customerIds: z.array(z.string()) };
/** A token as a store sent it with a purchase of this environment. */
export const sentAccountToken = z.strictObject({ ...tokenFields, environment });

export type AccountToken = { readonly key: string; readonly customerIds: readonly string[] };
export type SentAccountToken = AccountToken & { readonly environment: z.output<typeof environment> };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Compares UUIDs without regard to letter case, and other tokens exactly. */
export function accountTokenOf(keyed: KeyedHash, projectId: string, token: string): AccountToken {
  const isUuid = UUID.test(token);
  const normal = isUuid ? token.toLowerCase() : token;
  const spellings = isUuid ? [normal, token.toUpperCase(), token] : [token];
  return {
    key: keyed('account-token', projectId, normal),
    customerIds: [...new Set(spellings)].map((name) => customerId(keyed, projectId, name)),
  };
}
