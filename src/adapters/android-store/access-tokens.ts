// Access tokens for service accounts: a grant signed with the account's key is exchanged at the configured address, and the token is cached
// until shortly before it expires, for the project that has the key. Format: RFC 7523 as required by the store's page "Using OAuth 2.0 for
// Server to Server Applications".
import { createExpiringCache } from '../bounded-cache.js';
import { createHash } from 'node:crypto';
import type { Outbound } from '../outbound/port.js';
import type { Runtime } from '../runtime.js';
import { requestStore, readResponse } from '../outbound/store-request.js';
import { signJwt } from '../keys/signing-keys.js';
import { accessTokenSchema } from './payloads.js';
import type { AndroidApp, ServiceAccount } from './port.js';
import { AndroidStoreRefusal, UnusableKey } from '../../domain/errors.js';

/** Owner of a token, which only the project with the key may use. */
export type TokenOwner = Pick<AndroidApp, 'projectId' | 'account'>;

export type AccessTokens = {
  /** Returns a token. Throws {@link AndroidStoreRefusal} `forbidden`, and `Unavailable`. */
  get(holder: TokenOwner): Promise<string>;
  /** Removes a token that the store refused before it expired. */
  forget(holder: TokenOwner): void;
};

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const GRANT_TTL_S = 3600;
const RENEW_MARGIN_MS = 60_000;
/** Time before a refused key is tried again. */
const REFUSAL_TTL_MS = 10_000;
const MAX_CACHED = 1000;

/**
 * Creates the cache of tokens. `tokenUrl` comes from the configuration, never from a key file: a file must not determine where its grants
 * are sent.
 */
export function createStoreAccessTokens(o: {
  readonly outbound: Outbound;
  readonly tokenUrl: string;
  /** The address that stands for what the tokens allow. */
  readonly scope: string;
  readonly runtime: Pick<Runtime, 'now' | 'elapsed'>;
}): AccessTokens {
  const cached = createExpiringCache<string, Promise<string>>(MAX_CACHED, o.runtime);

  async function exchange(account: ServiceAccount): Promise<{ token: string; lastsS: number }> {
    const assertion = await signGrant(account, Math.floor(o.runtime.now() / 1000), o);
    const response = await requestStore(o.outbound, {
      method: 'POST',
      url: o.tokenUrl,
      call: 'access token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    });
    if (response.status >= 400) {
      throw new AndroidStoreRefusal('forbidden', `no access token for the service account: HTTP ${response.status}`);
    }
    const { access_token: token, expires_in: lastsS } = readResponse(accessTokenSchema, response);
    return { token, lastsS };
  }

  return {
    get: (holder) => {
      const key = cacheKeyOf(holder);
      const current = cached.get(key);
      if (current) return current;
      const exchanged = exchange(holder.account);
      const token = exchanged.then((response) => response.token);
      // Concurrent callers share the exchange. A refusal is cached for a while, a failure to reach the store is not.
      cached.set(key, token, Infinity);
      exchanged.then(
        ({ lastsS }) => cached.set(key, token, lastsS * 1000 - RENEW_MARGIN_MS),
        (err: unknown) => {
          if (!(err instanceof AndroidStoreRefusal)) cached.delete(key);
          else cached.set(key, token, REFUSAL_TTL_MS);
        },
      );
      return token;
    },
    forget: (holder) => cached.delete(cacheKeyOf(holder)),
  };
}

/**
 * Returns the cache key of a token. It includes the private key: account and key names are not secret and must not give access to a token
 * of that key.
 */
function cacheKeyOf({ projectId, account }: TokenOwner): string {
  const { clientEmail, privateKeyId, privateKey } = account;
  return createHash('sha256')
    .update(JSON.stringify([projectId, clientEmail, privateKeyId, privateKey]))
    .digest('base64');
}

async function signGrant(
  account: ServiceAccount,
  nowS: number,
  { tokenUrl, scope }: { readonly tokenUrl: string; readonly scope: string },
): Promise<string> {
  const { clientEmail, privateKey, privateKeyId: keyId } = account;
  const claims = { iss: clientEmail, scope, aud: tokenUrl, iat: nowS, exp: nowS + GRANT_TTL_S };
  try {
    return await signJwt('RS256', privateKey, { keyId, claims });
  } catch (err) {
    if (!(err instanceof UnusableKey)) throw err;
    throw new AndroidStoreRefusal('forbidden', `private_key of the service account ${err.message}`);
  }
}
