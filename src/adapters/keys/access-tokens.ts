// Access tokens: short-lived JWTs signed with one secret. They contain only a user and a session; permissions are looked up per request.
// Refresh tokens are not JWTs and not handled here.
import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { Runtime } from '../runtime.js';

export type AccessTokenOptions = {
  /** Secret of at least 32 bytes: the library would accept even five without an error. */
  readonly secret: Buffer | string;
  readonly ttlSeconds: number;
  readonly runtime: Pick<Runtime, 'now' | 'randomBytes'>;
  /** Returns the current token version of a user; a token with another version is revoked. Negative for an unknown user. */
  readonly versionOf: (userId: string) => Promise<number>;
  /** Returns whether a session is open; a token of a closed one is revoked. */
  readonly isOpen: (sessionId: string) => Promise<boolean>;
};

type AccessTokenGrant = {
  readonly userId: string;
  readonly sessionId: string;
  readonly tokenVersion: number;
  /** With both given, the token is a pure function of the grant. */
  readonly issuedAtMs?: number;
  readonly tokenId?: string;
};

export type AccessTokens = {
  issue(grant: AccessTokenGrant): { readonly token: string; readonly expiresAtMs: number };
  /** Returns null for anything except a genuine, unexpired, unrevoked access token. Throws only the errors of `versionOf` and `isOpen`. */
  verify(token: string): Promise<{ readonly userId: string; readonly sessionId: string } | null>;
};

const ALGORITHM = 'HS256';
const ISSUER = 'subledger';
const AUDIENCE = 'subledger-api';
const CLOCK_TOLERANCE_SECONDS = 30;
const MIN_SECRET_BYTES = 32;

/** Schema of the claims. The library checks none of these by itself: it accepts a token without `exp`, and a payload that is a string. */
const claimsSchema = z.object({
  sub: z.string().min(1),
  sid: z.string().min(1),
  tv: z.int().nonnegative(),
  typ: z.literal('access'),
  iat: z.int(),
  exp: z.int(),
  jti: z.string().min(1),
});

/** Creates the tokens. Throws for a secret that is too short. */
export function createAccessTokens({
  secret,
  ttlSeconds,
  runtime,
  versionOf,
  isOpen,
}: AccessTokenOptions): AccessTokens {
  const key = secretKey(secret);
  return {
    issue: ({ userId, sessionId, tokenVersion, issuedAtMs = runtime.now(), tokenId }) => {
      const iat = Math.floor(issuedAtMs / 1000);
      const exp = iat + ttlSeconds;
      const jti = tokenId ?? runtime.randomBytes(16).toString('base64url');
      const claims = { sub: userId, sid: sessionId, tv: tokenVersion, typ: 'access', iat, exp, jti };
      const token = jwt.sign(claims, key, { algorithm: ALGORITHM, issuer: ISSUER, audience: AUDIENCE });
      return { token, expiresAtMs: exp * 1000 };
    },
    verify: async (token) => {
      const claims = claimsOf(token, key, { now: Math.floor(runtime.now() / 1000), ttlSeconds });
      if (!claims || claims.tv !== (await versionOf(claims.sub)) || !(await isOpen(claims.sid))) return null;
      return { userId: claims.sub, sessionId: claims.sid };
    },
  };
}

function secretKey(secret: Buffer | string): KeyObject {
  const bytes = typeof secret === 'string' ? Buffer.from(secret) : secret;
  if (bytes.length < MIN_SECRET_BYTES) throw new Error(`the JWT secret must have at least ${MIN_SECRET_BYTES} bytes`);
  return createSecretKey(bytes);
}

function claimsOf(
  token: string,
  key: KeyObject,
  { now, ttlSeconds }: { readonly now: number; readonly ttlSeconds: number },
): z.output<typeof claimsSchema> | null {
  try {
    const payload = jwt.verify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      clockTimestamp: now,
      // Limits the age even for a token with a later `exp`.
      maxAge: ttlSeconds,
    });
    const claims = claimsSchema.safeParse(payload).data;
    // The library accepts any `iat`, also a future one, from which `maxAge` would count.
    return claims && claims.iat <= now + CLOCK_TOLERANCE_SECONDS ? claims : null;
  } catch {
    // The input is arbitrary text, and the library throws more than its own error types; all mean an invalid token.
    return null;
  }
}
