// Signing keys of the simulated android-store: the identity service that signs push tokens, and the service account of an app.
import { createSign, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto';

export type PushClaims = Readonly<Record<string, unknown>>;

export const PUSHER = 'push@stargazer.iam.gserviceaccount.com';
const SERVICE_ACCOUNT = 'subledger@stargazer.iam.gserviceaccount.com';
const TOKEN_LIFETIME_S = 3600;

export type Identity = ReturnType<typeof createIdentity>;

/** `now`: ms since the epoch, by the clock that the service's library checks dates with. */
export function createIdentity(now: () => number) {
  const pusher = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = 'push-1';
  const seconds = () => Math.floor(now() / 1000);
  return {
    /** Returns the JWKS document with the public key of push tokens. */
    keySet: () => ({
      keys: [{ ...pusher.publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }],
    }),
    /** Returns an identity token of a push message. `claims` replaces claims, `key` and `keyId` replace the signing key. */
    pushToken: (
      audience: string,
      claims: PushClaims = {},
      by: { readonly key?: KeyObject; readonly keyId?: string } = {},
    ) => {
      const dates = { iat: seconds() - 60, exp: seconds() + TOKEN_LIFETIME_S };
      const payload = { iss: 'https://accounts.google.com', email: PUSHER, email_verified: true, sub: '1' };
      const header = { alg: 'RS256', typ: 'JWT', kid: by.keyId ?? kid };
      return signToken(header, { ...payload, ...dates, aud: audience, ...claims }, by.key ?? pusher.privateKey);
    },
    /** Returns the key file that a developer downloads. Its `token_uri` is invalid. */
    keyFile: () => ({
      type: 'service_account',
      project_id: 'stargazer',
      private_key_id: 'account-1',
      private_key: account.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      client_email: SERVICE_ACCOUNT,
      token_uri: 'https://example.invalid/token',
    }),
    /** Returns the scope of a grant that is signed with the service account's key and issued by that account, else null. */
    scopeOfGrant: (assertion: string): string | null => {
      const [header = '', body = '', signature = ''] = assertion.split('.');
      const check = createVerify('RSA-SHA256').update(`${header}.${body}`);
      if (!check.verify(account.publicKey, signature, 'base64url')) return null;
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Partial<Record<string, string>>;
      return claims['iss'] === SERVICE_ACCOUNT ? (claims['scope'] ?? null) : null;
    },
  };
}

function signToken(header: object, claims: object, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}
