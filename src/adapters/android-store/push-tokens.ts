// Verification of the sender of a push: the identity token that Pub/Sub attaches, signed by the store's identity service. Its page:
// "Authentication for push subscriptions". The library verifies signature, dates, issuer and audience; the keys come from the configured
// address.
import { createPublicKey } from 'node:crypto';
import type { OAuth2Client } from 'google-auth-library';
import { z } from 'zod';
import { InvalidPushToken, Unavailable } from '../../domain/errors.js';
import type { Outbound } from '../outbound/port.js';
import type { Runtime } from '../runtime.js';
import { requestStore, readResponse } from '../outbound/store-request.js';
import type { PushTokens } from './port.js';

const ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];
const KEYS_TTL_MS = 3_600_000;
/** Minimum interval between key requests for unknown key IDs: such a token may use a new key, or be forged. */
const MIN_REFRESH_MS = 60_000;

const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })).max(100) });
const header = z.object({ alg: z.literal('RS256'), kid: z.string().min(1).max(200) });

type Keys = { readonly pems: Readonly<Record<string, string>>; readonly fetchedAtMs: number };

export function createPushTokens(o: {
  readonly outbound: Outbound;
  readonly jwksUrl: string;
  readonly runtime: Pick<Runtime, 'now'>;
}): PushTokens & { prepare(): Promise<void> } {
  let library: Promise<OAuth2Client> | null = null;
  // A service without this store never loads it.
  const openLibrary = () => (library ??= import('google-auth-library').then((module) => new module.OAuth2Client()));
  let cached: Keys | null = null;
  let pendingFetch: Promise<Keys> | null = null;

  async function fetchKeys(): Promise<Keys> {
    const response = await requestStore(o.outbound, {
      method: 'GET',
      url: o.jwksUrl,
      call: 'keys of push tokens',
      headers: { accept: 'application/json' },
    });
    if (response.status !== 200)
      throw new Unavailable(`the keys of push tokens are unavailable: HTTP ${response.status}`, 5);
    const pems = readResponse(keySet, response).keys.flatMap((key) => {
      const pem = toPem(key);
      return pem === null ? [] : [[key.kid, pem] as const];
    });
    return { pems: Object.fromEntries(pems), fetchedAtMs: o.runtime.now() };
  }

  /** Returns the cached keys, unless they are old or lack the requested one. While new ones are unavailable the old ones stay valid. */
  async function keysFor(kid: string): Promise<Keys> {
    const hasKey = cached !== null && Object.hasOwn(cached.pems, kid);
    const age = cached === null ? Infinity : o.runtime.now() - cached.fetchedAtMs;
    if (cached && (age < MIN_REFRESH_MS || (hasKey && age < KEYS_TTL_MS))) return cached;
    pendingFetch ??= fetchKeys().finally(() => (pendingFetch = null));
    try {
      cached = await pendingFetch;
      return cached;
    } catch (err) {
      if (cached && hasKey) return cached;
      throw err;
    }
  }

  return {
    prepare: async () => void (await openLibrary()),
    verify: async (token, { audiences, email }) => {
      const { pems } = await keysFor(readKeyId(token));
      const claims = await verifyClaims(await openLibrary(), token, pems, audiences);
      if (claims?.email_verified !== true) throw new InvalidPushToken('its email is not verified');
      if (email !== null && claims.email !== email) throw new InvalidPushToken('it belongs to another account');
    },
  };
}

async function verifyClaims(library: OAuth2Client, token: string, pems: Keys['pems'], audiences: readonly string[]) {
  try {
    return (await library.verifySignedJwtWithCertsAsync(token, pems, [...audiences], ISSUERS)).getPayload();
  } catch {
    // The library's messages contain the token itself, which must not be logged.
    throw new InvalidPushToken('its signature, dates, issuer or audience is invalid');
  }
}

/** Returns the key ID of a token. The library accepts any key with this ID, so only the algorithm of the store is allowed here. */
function readKeyId(token: string): string {
  const [first = ''] = token.split('.');
  try {
    return header.parse(JSON.parse(Buffer.from(first, 'base64url').toString())).kid;
  } catch {
    // Not JSON, or not the header of such a token.
    throw new InvalidPushToken('its header is not the header of a push identity token');
  }
}

function toPem(jwk: Readonly<Record<string, unknown>>): string | null {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return key.asymmetricKeyType === 'rsa' ? key.export({ type: 'spki', format: 'pem' }).toString() : null;
  } catch {
    // A key type that this Node does not support is not used for signing here.
    return null;
  }
}
