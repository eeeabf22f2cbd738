// Checks who pushes: the identity token that Pub/Sub sends along, signed by the store's identity service. Its page: "Authentication for
// push subscriptions". The library does signature, dates, issuer and audience; the keys come from the configured address.
import { createPublicKey } from 'node:crypto';
import type { OAuth2Client } from 'google-auth-library';
import { z } from 'zod';
import { InvalidPushToken, Unavailable } from '../../domain/errors.js';
import type { Outbound } from '../outbound/port.js';
import type { Runtime } from '../runtime.js';
import { ask, readResponse } from '../outbound/ask.js';
import type { PushTokens } from './port.js';

const ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];
const KEYS_LAST_MS = 3_600_000;
/** A token with a key we do not have may name a new one, or be a forger's: keys are asked for this often at most. */
const ASKED_EVERY_MS = 60_000;

const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })).max(100) });
const header = z.object({ alg: z.literal('RS256'), kid: z.string().min(1).max(200) });

type Keys = { readonly pems: Readonly<Record<string, string>>; readonly askedAtMs: number };

export function createPushTokens(o: {
  readonly outbound: Outbound;
  readonly jwksUrl: string;
  readonly runtime: Pick<Runtime, 'now'>;
}): PushTokens & { prepare(): Promise<void> } {
  let library: Promise<OAuth2Client> | null = null;
  // A service without this store never loads it.
  const openLibrary = () => (library ??= import('google-auth-library').then((module) => new module.OAuth2Client()));
  let cached: Keys | null = null;
  let asking: Promise<Keys> | null = null;

  async function fetchKeys(): Promise<Keys> {
    const response = await ask(o.outbound, { method: 'GET', url: o.jwksUrl, headers: { accept: 'application/json' } });
    if (response.status !== 200) throw new Unavailable(`the keys of push tokens cannot be had: ${response.status}`, 5);
    const pems = readResponse(keySet, response).keys.flatMap((key) => {
      const pem = pemOf(key);
      return pem === null ? [] : [[key.kid, pem] as const];
    });
    return { pems: Object.fromEntries(pems), askedAtMs: o.runtime.now() };
  }

  /** The cached keys, unless they are old or lack the one asked for. While new ones cannot be had the old ones still serve. */
  async function keysFor(kid: string): Promise<Keys> {
    const hasKey = cached !== null && Object.hasOwn(cached.pems, kid);
    const age = cached === null ? Infinity : o.runtime.now() - cached.askedAtMs;
    if (cached && (age < ASKED_EVERY_MS || (hasKey && age < KEYS_LAST_MS))) return cached;
    asking ??= fetchKeys().finally(() => (asking = null));
    try {
      cached = await asking;
      return cached;
    } catch (err) {
      if (cached && hasKey) return cached;
      throw err;
    }
  }

  return {
    prepare: async () => void (await openLibrary()),
    verify: async (token, { audiences, email }) => {
      const { pems } = await keysFor(keyIdOf(token));
      const claims = await claimsOf(await openLibrary(), token, pems, audiences);
      if (claims?.email_verified !== true) throw new InvalidPushToken('its email is not verified');
      if (email !== null && claims.email !== email) throw new InvalidPushToken('it is of another account');
    },
  };
}

async function claimsOf(library: OAuth2Client, token: string, pems: Keys['pems'], audiences: readonly string[]) {
  try {
    return (await library.verifySignedJwtWithCertsAsync(token, pems, [...audiences], ISSUERS)).getPayload();
  } catch {
    // The library's messages hold the token itself, which must not get into a log.
    throw new InvalidPushToken('signature, dates, issuer or audience');
  }
}

/** The library takes any key that fits the `kid`; only the algorithm that the store signs with is let through. */
function keyIdOf(token: string): string {
  const [first = ''] = token.split('.');
  try {
    return header.parse(JSON.parse(Buffer.from(first, 'base64url').toString())).kid;
  } catch {
    // Neither JSON nor the header of a token of theirs.
    throw new InvalidPushToken('its header is not that of a push identity token');
  }
}

function pemOf(jwk: Readonly<Record<string, unknown>>): string | null {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return key.asymmetricKeyType === 'rsa' ? key.export({ type: 'spki', format: 'pem' }).toString() : null;
  } catch {
    // A kind of key that this Node does not know signs nothing here.
    return null;
  }
}
