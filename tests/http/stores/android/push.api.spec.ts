// Push messages to an Android app's URL: unverified ones are rejected, duplicates are ignored.
import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { streams } from '../../../../src/domain/streams.js';
import { PUSHER } from '../../../../simulator/android-store/identity.js';
import { aboutSubscription, pushBody } from '../../../../simulator/android-store/payloads.js';
import { setUpAndroidScenarios } from './scenarios.js';
import { PACKAGE } from './scenario.js';
import { expectRefused } from '../../support/refusal.js';

describe('a push message', () => {
  const ground = setUpAndroidScenarios();
  const { call, store, clock, scenario, idle } = ground;
  let messages = 0;

  const test = { testNotification: { version: '1.0' } };
  const bodyOf = (kind: Readonly<Record<string, unknown>> = test, packageName = PACKAGE) =>
    pushBody({ packageName, atMs: clock.now(), messageId: `push-${++messages}`, kind });
  const post = (body: unknown, authorization?: string, path = ground.notificationPath()) =>
    ground.harness().call('POST', path, body, authorization === undefined ? {} : { headers: { authorization } });
  const url = () => `${ground.harness().service().url ?? ''}${ground.notificationPath()}`;
  const bearer = (token: string) => `Bearer ${token}`;
  const genuine = (claims: object = {}, by: object = {}) => store().identity.pushToken(url(), { ...claims }, by);
  const nameAccount = (terms: object) => {
    const credentials = { serviceAccountJson: store().identity.keyFile(), ...terms };
    return call('POST', `${ground.base()}/apps/${ground.appId()}/credentials/android-store`, credentials);
  };
  const refuses = (status: 400 | 401, body: unknown, authorization?: string, path?: string) =>
    expectRefused(ground.harness(), () => post(body, authorization, path), status);

  it('that is dated in the future does not outdate what the store sends until then', async () => {
    const { show, notify, see, events, purchase, ms } = scenario();
    show();
    const kind = aboutSubscription('PURCHASED', purchase);
    const atMs = ms(3000);
    await post(pushBody({ packageName: PACKAGE, atMs, messageId: 'from-the-future', kind }));
    await idle();
    const also = { canceledStateContext: { userInitiatedCancellation: {} } };
    await notify(5, 'CANCELED', { state: 'CANCELED', willRenew: false, also });
    await see(6, 'active', true);
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionAutoRenewDisabled T+5']);
  });

  it('with the identity token of the store’s service is taken', async () => {
    expect((await post(bodyOf(), bearer(genuine()))).status).to.equal(200);
  });

  const nowS = () => Math.floor(Date.now() / 1000);
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const forgeries: readonly (readonly [what: string, token: () => string])[] = [
    ['no token', () => 'nonsense'],
    ['two parts', () => genuine().split('.').slice(0, 2).join('.')],
    ['another key', () => genuine({}, { key: stranger })],
    ['a key that nobody knows', () => genuine({}, { keyId: 'unknown' })],
    ['another audience', () => genuine({ aud: 'https://example.com/elsewhere' })],
    ['another issuer', () => genuine({ iss: 'https://example.com' })],
    ['dates that are over', () => genuine({ iat: nowS() - 7200, exp: nowS() - 3600 })],
    ['dates to come', () => genuine({ iat: nowS() + 3600, exp: nowS() + 7200 })],
    ['an email that is not verified', () => genuine({ email_verified: false })],
    ['a payload of its own', () => changed(genuine())],
    ['no signature by its own word', () => `${encoded({ alg: 'none', kid: 'push-1' })}.${genuine().split('.')[1]}.`],
    ['a shared secret', () => [encoded({ alg: 'HS256', kid: 'push-1' }), ...genuine().split('.').slice(1)].join('.')],
  ];
  for (const [what, token] of forgeries) {
    it(`with a token of ${what} is refused, although none is required`, () => refuses(401, bodyOf(), bearer(token())));
  }

  it('with credentials of another kind is refused', () => refuses(401, bodyOf(), 'Basic YTpi'));

  it('must carry a token once the account that pushes is named, and that account’s', async () => {
    await nameAccount({ pushServiceAccountEmail: PUSHER });
    await refuses(401, bodyOf());
    await refuses(401, bodyOf(), bearer(genuine({ email: 'other@example.com' })));
    expect((await post(bodyOf(), bearer(genuine()))).status).to.equal(200);
    await nameAccount({ pushServiceAccountEmail: PUSHER, pushAudience: 'subledger' });
    await refuses(401, bodyOf(), bearer(genuine()));
    expect((await post(bodyOf(), bearer(genuine({ aud: 'subledger' })))).status).to.equal(200);
    await nameAccount({});
  });

  it('to a token that is not known is refused', async () => {
    await refuses(401, bodyOf(), undefined, '/v1/store/android-store/nobody');
    await refuses(401, bodyOf(), undefined, ground.slice().notificationPath.replace('ios-store', 'android-store'));
  });

  it('about no app of the project is answered and counted, and nothing is kept', async () => {
    const status = () => call('GET', `${ground.base()}/apps/${ground.appId()}/credentials/status`);
    const before = (await status()).notifications.last24h.refused;
    const head = await ground.harness().service().services.deps.log.head();
    expect((await post(bodyOf(test, 'com.example.other'))).status).to.equal(200);
    expect(await ground.harness().service().services.deps.log.head()).to.equal(head);
    expect((await status()).notifications.last24h.refused).to.equal(before + 1);
  });

  it('about another app of the project is read for that one, with its own proof of the sender', async () => {
    const fields = { name: 'Other', platform: 'android', packageName: `${PACKAGE}.other` };
    const { id } = await call('POST', `${ground.base()}/apps`, fields);
    const register = (more: object) =>
      call('POST', `${ground.base()}/apps/${id}/credentials/android-store`, {
        serviceAccountJson: store().identity.keyFile(),
        ...more,
      });
    await register({});
    const { show, purchase, events } = scenario();
    show();
    const pushed = await post(bodyOf(aboutSubscription('PURCHASED', purchase), fields.packageName));
    expect(pushed.status).to.equal(200);
    await idle();
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
    await register({ pushServiceAccountEmail: PUSHER });
    await refuses(401, bodyOf(aboutSubscription('PURCHASED', purchase), fields.packageName));
  });

  const message = (data: string) => ({ message: { data, messageId: 'x' }, subscription: 's' });
  for (const [what, body] of [
    ['without a message', {}],
    ['without data', { message: { messageId: 'x' } }],
    ['of no base64', message('%%%')],
    ['of no JSON', message('bm90IGpzb24=')],
    ['without a time', message(Buffer.from(JSON.stringify({ packageName: PACKAGE })).toString('base64'))],
    ['without an id', { message: { data: bodyOf().message.data } }],
  ] as const) {
    it(`${what} is refused`, () => refuses(400, body));
  }

  it('of an unknown type is stored and changes nothing', async () => {
    const { show, purchase } = scenario();
    show();
    expect((await post(bodyOf(aboutSubscription(99, purchase)))).status).to.equal(200);
    expect((await post(bodyOf({ somethingNew: {} }))).status).to.equal(200);
    await idle();
    const { items } = await call('GET', `${ground.base()}/customers?search=${purchase}`);
    expect(items).to.deep.equal([]);
  });

  it('delivered three times, and again with another ID, counts once', async () => {
    const { show, purchase, events } = scenario();
    show();
    const body = bodyOf(aboutSubscription('PURCHASED', purchase));
    for (let i = 0; i < 3; i++) expect((await post(body)).status).to.equal(200);
    await idle();
    expect((await post(bodyOf(aboutSubscription('PURCHASED', purchase)))).status).to.equal(200);
    await idle();
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
  });

  describe('of a purchase that the store does not show', () => {
    /** The inbox events about this message, and the paths asked about its purchase. */
    const outcomes = async (messageId: string) => {
      const { log, hash } = ground.harness().service().services.deps;
      const stream = streams.inbox(ground.appId(), hash('notification', ground.appId(), messageId));
      const found: unknown[] = [];
      for await (const { type, data } of log.read(stream))
        if (type === 'StoreNotificationProcessed') found.push((data as { outcome: string }).outcome);
      return found;
    };
    const pass = async (ms: number) => {
      clock.set(clock.now() + ms);
      await idle();
    };

    it('yet is read again until it does', async () => {
      const { show, purchase, events } = scenario();
      const body = bodyOf(aboutSubscription('PURCHASED', purchase));
      expect((await post(body)).status).to.equal(200);
      await idle();
      await pass(31_000);
      expect(await outcomes(body.message.messageId)).to.deep.equal([]);
      show();
      await pass(31_000);
      expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
      expect(await outcomes(body.message.messageId)).to.deep.equal(['applied']);
    });

    it('is retried with growing delays and given up after an hour', async () => {
      const { purchase } = scenario();
      const body = bodyOf(aboutSubscription('PURCHASED', purchase));
      await post(body);
      await idle();
      for (let minute = 0; minute < 59; minute++) await pass(60_000);
      expect(await outcomes(body.message.messageId)).to.deep.equal([]);
      for (let minute = 0; minute < 20; minute++) await pass(60_000);
      expect(await outcomes(body.message.messageId)).to.deep.equal(['refused']);
      const reads = store().requests.filter((path) => path.includes(`/tokens/${purchase}`));
      expect(reads).to.have.length.within(5, 12);
    });

    it('keeps those of other purchases from waiting', async () => {
      const [lost, shown] = [scenario(), scenario()];
      await post(bodyOf(aboutSubscription('PURCHASED', lost.purchase)));
      shown.show();
      await post(bodyOf(aboutSubscription('PURCHASED', shown.purchase)));
      await idle();
      expect(await shown.events()).to.deep.equal(['SubscriptionStarted T+0']);
    });
  });

  it('shows in the status of the credentials as a test', async () => {
    await post(bodyOf());
    await idle();
    const path = `${ground.base()}/apps/${ground.appId()}/credentials/status`;
    expect((await call('GET', path)).notifications.lastTestAt).to.equal(new Date(clock.now()).toISOString());
  });
});

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The same header and signature around another account. */
function changed(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return [header, encoded({ ...claims, sub: '2' }), signature].join('.');
}
