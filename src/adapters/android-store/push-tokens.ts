// Verification of the sender of a push: the identity token that Pub/Sub attaches, signed by the store's identity service. Its page:
// "Authentication for push subscriptions". The keys come from the configured address.
import { createPublicKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { InvalidPushToken, Unavailable } from '../../domain/errors.js';
import type { Outbound } from '../outbound/port.js';
import type { Runtime } from '../runtime.js';
import { requestStore, readResponse } from '../outbound/store-request.js';
import type { PushTokens } from './port.js';

const ISSUERS: [string, ...string[]] = ['https://accounts.google.com', 'accounts.google.com'];
const ALGORITHM = 'RS256';
const CLOCK_TOLERANCE_SECONDS = 300;
const MAX_LIFETIME_SECONDS = 24 * 3600;
const KEYS_TTL_MS = 3_600_000;
/** Minimum interval between key requests for unknown key IDs: such a token may use a new key, or be forged. */
const MIN_REFRESH_MS = 60_000;

const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })).max(100) });
const header = z.object({ alg: z.literal(ALGORITHM), kid: z.string().min(1).max(200) });

/** The library checks dates only if they are present. */
const claimsSchema = z.object({
  iat: z.number(),
  exp: z.number(),
  aud: z.string(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
});

type Keys = { readonly byId: ReadonlyMap<string, KeyObject>; readonly fetchedAtMs: number };

export function createPushTokens(o: {
  readonly outbound: Outbound;
  readonly jwksUrl: string;
  readonly runtime: Pick<Runtime, 'now'>;
}): PushTokens {
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
    const keys = readResponse(keySet, response).keys.flatMap((jwk) => {
      const key = toKey(jwk);
      return key === null ? [] : [[jwk.kid, key] as const];
    });
    return { byId: new Map(keys), fetchedAtMs: o.runtime.now() };
  }

  /** Returns the cached keys, unless they are old or lack the requested one. While new ones are unavailable the old ones stay valid. */
  async function keysFor(kid: string): Promise<Keys> {
    const hasKey = cached?.byId.has(kid) ?? false;
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
    verify: async (token, { audiences, email }) => {
      const keyId = readKeyId(token);
      const claims = verifyClaims(token, (await keysFor(keyId)).byId.get(keyId), audiences);
      if (claims.email_verified !== true) throw new InvalidPushToken('its email is not verified');
      if (email !== null && claims.email !== email) throw new InvalidPushToken('it belongs to another account');
    },
  };
}

function verifyClaims(token: string, key: KeyObject | undefined, audiences: readonly string[]) {
  const invalid = () => new InvalidPushToken('its signature, dates, issuer or audience is invalid');
  const [audience, ...others] = audiences;
  if (!key || audience === undefined) throw invalid();
  try {
    const verified = jwt.verify(token, key, {
      algorithms: [ALGORITHM],
      audience: [audience, ...others],
      issuer: ISSUERS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    const claims = claimsSchema.parse(verified);
    const isFuture = claims.iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS;
    if (isFuture || claims.exp - claims.iat > MAX_LIFETIME_SECONDS) throw invalid();
    return claims;
  } catch {
    // The library's errors may contain parts of the token, which must not be logged.
    throw invalid();
  }
}

/** Returns the key ID of a token. */
function readKeyId(token: string): string {
  const [first = ''] = token.split('.');
  try {
    return header.parse(JSON.parse(Buffer.from(first, 'base64url').toString())).kid;
  } catch {
    // Not JSON, or not the header of such a token.
    throw new InvalidPushToken('its header is not the header of a push identity token');
  }
}

function toKey(jwk: Readonly<Record<string, unknown>>): KeyObject | null {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    // A key type that this Node does not support is not used for signing here.
    return null;
  }
}
