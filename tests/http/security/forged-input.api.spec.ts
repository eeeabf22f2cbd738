// Credentials and signatures that prove nothing: refused, and without a trace in the log.
import { createCertificateAuthority } from '../../../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../../../simulator/ios-store/payloads.js';
import { BUNDLE_ID, MONTHLY, notification, store } from '../support/harness.js';
import { expectRefused } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const TRANSACTION = { transactionId: '3000001', productId: MONTHLY, purchaseDate: NOW, expiresDate: NOW + 86_400_000 };
const RENEWAL = { originalTransactionId: '3000001', productId: MONTHLY };
const BOUGHT = {
  notificationType: 'SUBSCRIBED',
  subtype: 'INITIAL_BUY',
  signedDate: NOW,
  transaction: TRANSACTION,
  renewal: RENEWAL,
};

const stranger = storePayloads((await createCertificateAuthority()).sign);
const strangersTransaction = stranger.signedTransaction({
  ...TRANSACTION,
  bundleId: BUNDLE_ID,
  environment: 'Production',
});
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

type Forgery = readonly [what: string, status: 400 | 401, forge: (genuine: string) => string];

/** Forgeries of any JWS. `unreadable` ones are malformed, the others fail verification. */
const FORGERIES: readonly Forgery[] = [
  ['that is no JWS', 400, () => 'receipt'],
  ['of two parts', 400, (jws) => jws.slice(0, jws.lastIndexOf('.'))],
  ['cut in its payload', 400, (jws) => jws.slice(0, jws.indexOf('.') + 20)],
  ['cut in its signature', 401, (jws) => jws.slice(0, -10)],
  ['without a signature by its own word', 400, (jws) => `${encoded({ alg: 'none' })}.${jws.split('.')[1]}.`],
  ['with alg none and a signature', 400, (jws) => [encoded({ alg: 'none' }), ...jws.split('.').slice(1)].join('.')],
  ['signed by a shared secret', 400, (jws) => [encoded({ alg: 'HS256' }), ...jws.split('.').slice(1)].join('.')],
  ['with another payload', 401, (jws) => changed(jws)],
  ['nested 40,000 deep', 400, (jws) => `${Buffer.from('['.repeat(40_000)).toString('base64url')}.${jws}`],
];

/** The same header and signature around a later signing date. */
function changed(jws: string): string {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const fields = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return [header, encoded({ ...fields, signedDate: NOW + 1 }), signature].join('.');
}

describe('what is not signed for this app', () => {
  const { harness, slice } = setUpService();
  let androidPath: string;
  before(async () => {
    const app = { name: 'Android', platform: 'android', packageName: BUNDLE_ID };
    const path = `/v1/projects/${slice.projectId}/apps`;
    const made = await harness.call('POST', path, app, { key: slice.secretKey });
    androidPath = new URL(made.body.notificationUrl).pathname;
  });

  const notify = (body: object, path = slice.notificationPath) => harness.call('POST', path, body);
  const submit = (receipt: string, more: object = {}) =>
    harness.call(
      'POST',
      '/v1/subscribers/mallory/receipts',
      { store: 'ios-store', receipt, ...more },
      { key: slice.publicKey },
    );
  const genuineReceipt = (changes: object = {}) =>
    store.signedTransaction({ ...TRANSACTION, bundleId: BUNDLE_ID, environment: 'Production', ...changes });

  describe('is refused as a notification', () => {
    const refuses = (what: string, status: number, body: () => object) =>
      it(`${what}: ${status}`, () => expectRefused(harness, () => notify(body()), status));

    for (const [what, status, forge] of FORGERIES) {
      refuses(what, status, () => ({ signedPayload: forge(notification(BOUGHT).signedPayload) }));
    }
    refuses('without its payload', 400, () => ({}));
    refuses('already decoded', 400, () => ({ signedPayload: { notificationType: 'SUBSCRIBED' } }));
    refuses('under another root', 401, () =>
      stranger.signedNotification({ ...BOUGHT, bundleId: BUNDLE_ID, environment: 'Production' }),
    );
    refuses('around a transaction under another root', 401, () =>
      notification({ ...BOUGHT, transaction: strangersTransaction }),
    );
    refuses('for another bundle', 401, () => notification({ ...BOUGHT, bundleId: 'com.example.other' }));
    refuses('around a transaction of another bundle', 401, () =>
      notification({ ...BOUGHT, transaction: { ...TRANSACTION, bundleId: 'com.example.other' } }),
    );
    refuses('around a transaction of another environment', 401, () =>
      notification({ ...BOUGHT, transaction: { ...TRANSACTION, environment: 'Sandbox' } }),
    );
    refuses('from a test tool', 401, () => notification({ ...BOUGHT, environment: 'Xcode' }));
  });

  describe('is refused at an address that is not the app’s', () => {
    const PATH = '/v1/store/ios-store';
    const refuses = (what: string, status: number, path: () => string) =>
      it(`${what}: ${status}`, () => expectRefused(harness, () => notify(notification(BOUGHT), path()), status));

    refuses('an unknown token', 401, () => `${PATH}/${'x'.repeat(43)}`);
    refuses('a token with a character more', 401, () => `${slice.notificationPath}x`);
    refuses('a token of NUL', 401, () => `${PATH}/%00`);
    refuses('a token of __proto__', 401, () => `${PATH}/__proto__`);
    refuses('the token of an android app', 401, () => androidPath.replace('android-store', 'ios-store'));
    refuses('no token', 404, () => PATH);
  });

  describe('is refused as a receipt', () => {
    for (const [what, , forge] of FORGERIES) {
      it(`${what}: 400`, () => expectRefused(harness, () => submit(forge(genuineReceipt())), 400));
    }
    const refuses = (what: string, receipt: () => string, more: object = {}) =>
      it(`${what}: 400`, () => expectRefused(harness, () => submit(receipt(), more), 400));
    refuses('under another root', () => strangersTransaction);
    refuses('for another bundle', () => genuineReceipt({ bundleId: 'com.example.other' }));
    refuses('from a test tool', () => genuineReceipt({ environment: 'Xcode' }));
    refuses('of the old kind', () => Buffer.from('an old receipt').toString('base64'));
    refuses('of a store that the project has an app of, but not signed', () => 'token', { store: 'android-store' });
    refuses('for an app of nobody', () => genuineReceipt(), { appId: 'app_x' });

    it('for another app than the public key’s: 400', () => {
      const appId = slice.appId.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      return expectRefused(harness, () => submit(genuineReceipt(), { appId }), 400);
    });
  });
});

describe('an invalid credential', () => {
  const { harness, slice } = setUpService();

  const asks = (what: string, status: number, path: string, headers: () => Record<string, string>) =>
    it(`${what}: ${status}`, () =>
      expectRefused(harness, () => harness.call('GET', path, undefined, { headers: headers() }), status));
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const unsigned = (token: string) => `${encoded({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1] ?? ''}.`;

  asks('basic authentication', 401, '/auth/me', () => ({ authorization: 'Basic dXNlcjpwYXNz' }));
  asks('Bearer without a token', 401, '/auth/me', () => ({ authorization: 'Bearer' }));
  asks('an access token with alg none', 401, '/auth/me', () => bearer(unsigned(slice.token)));
  asks('an access token cut short', 401, '/auth/me', () => bearer(slice.token.slice(0, -1)));
  asks('an API key as a bearer token', 401, '/v1/projects', () => bearer(slice.secretKey));
  asks('an access token as an API key', 401, '/v1/projects', () => ({ 'x-api-key': slice.token }));
  asks('an API key of the wrong checksum', 401, '/v1/projects', () => ({
    'x-api-key': slice.secretKey.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  }));
  asks('an API key sent twice', 401, '/v1/projects', () => ({ 'x-api-key': `${slice.secretKey}, ${slice.secretKey}` }));
  asks('two credentials, both right', 400, '/v1/projects', () => ({
    ...bearer(slice.token),
    'x-api-key': slice.secretKey,
  }));
  asks('two credentials, both wrong', 400, '/v1/projects', () => ({ ...bearer('x'), 'x-api-key': 'x' }));

  it('a refresh token as an access token: 401', async () => {
    const login = { email: `${slice.projectId}@example.com`, password: 'correct horse battery' };
    const { body } = await harness.call('POST', '/auth/register', login);
    const send = () => harness.call('GET', '/auth/me', undefined, { token: body.refreshToken });
    await expectRefused(harness, send, 401);
  });
});
