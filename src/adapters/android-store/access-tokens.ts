// Access tokens for a service account: a grant signed with its key, exchanged at the configured address, kept until shortly before it
// ends. Form: RFC 7523 as the store's page "Using OAuth 2.0 for Server to Server Applications" asks for it.
import jwt from 'jsonwebtoken';
import type { Outbound } from '../outbound/port.js';
import type { Runtime } from '../runtime.js';
import { ask, readAnswer } from '../outbound/ask.js';
import { accessTokenSchema } from './payloads.js';
import { AndroidStoreRefusal, type ServiceAccount } from './port.js';

export type AccessTokens = {
  /** Throws {@link AndroidStoreRefusal} `forbidden`, and `Unavailable`. */
  of(account: ServiceAccount): Promise<string>;
  /** The store refused the token before its time. */
  forget(account: ServiceAccount): void;
};

type Held = { readonly token: Promise<string>; readonly untilMs: number };

const SCOPE = 'https://www.googleapis.com/auth/androidpublisher';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const GRANT_LASTS_S = 3600;
const RENEWED_BEFORE_MS = 60_000;
const KEPT = 1000;

/** `tokenUrl` comes from the configuration, never from a key file: a file must not say where its grants go. */
export function createStoreAccessTokens(o: {
  readonly outbound: Outbound;
  readonly tokenUrl: string;
  readonly runtime: Pick<Runtime, 'now'>;
}): AccessTokens {
  const held = new Map<string, Held>();

  async function exchange(account: ServiceAccount): Promise<{ token: string; lastsS: number }> {
    const assertion = grantOf(account, Math.floor(o.runtime.now() / 1000), o.tokenUrl);
    const answer = await ask(o.outbound, {
      method: 'POST',
      url: o.tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    });
    if (answer.status >= 400) {
      throw new AndroidStoreRefusal('forbidden', `no access token for ${account.clientEmail}: ${answer.status}`);
    }
    const { access_token: token, expires_in: lastsS } = readAnswer(accessTokenSchema, answer);
    return { token, lastsS };
  }

  return {
    of: (account) => {
      const key = keyOf(account);
      const known = held.get(key);
      if (known && o.runtime.now() < known.untilMs) return known.token;
      const exchanged = exchange(account);
      const token = exchanged.then((made) => made.token);
      // Those who ask meanwhile share the exchange; a failed one is nobody's.
      held.set(key, { token, untilMs: Infinity });
      exchanged.then(
        ({ lastsS }) => held.set(key, { token, untilMs: o.runtime.now() + lastsS * 1000 - RENEWED_BEFORE_MS }),
        () => held.delete(key),
      );
      const [oldest] = held.keys();
      if (held.size > KEPT && oldest !== undefined) held.delete(oldest);
      return token;
    },
    forget: (account) => void held.delete(keyOf(account)),
  };
}

/** Another key of the same account is another grant. */
function keyOf({ clientEmail, privateKeyId, privateKey }: ServiceAccount): string {
  return `${clientEmail}|${privateKeyId ?? privateKey}`;
}

function grantOf({ clientEmail, privateKey, privateKeyId }: ServiceAccount, nowS: number, audience: string): string {
  const claims = { iss: clientEmail, scope: SCOPE, aud: audience, iat: nowS, exp: nowS + GRANT_LASTS_S };
  const keyid = privateKeyId === null ? {} : { keyid: privateKeyId };
  return jwt.sign(claims, privateKey, { algorithm: 'RS256', ...keyid });
}
