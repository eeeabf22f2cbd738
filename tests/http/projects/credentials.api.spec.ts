// The credentials of an app's store: taken, kept secret, replaced, deleted; and what comes from that store.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { credentialCollection } from '../../../src/commands/projects/credentials.js';
import { notification, setUpProject, type Slice } from '../support/harness.js';
import { expectRefusal, expectRefused, headOf } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpHarness } from '../support/setup.js';
import { anotherIosKey, iosKey, serviceAccount, SERVICE_EMAIL } from '../support/store-credentials.js';

const HOUR = 3600_000;

describe('credentials of an app', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const harness = setUpHarness({ LOG_LEVEL: 'silent' }, clock.runtime);
  let slice: Slice;
  let as: { key: string };
  let path: string;
  let androidPath: string;
  beforeEach(async () => {
    // Sessions and keys of earlier cases are left behind; each has its own.
    slice = await setUpProject(harness);
    as = { key: slice.secretKey };
    const apps = `/v1/projects/${slice.projectId}/apps`;
    path = `${apps}/${slice.appId}/credentials`;
    const fields = { name: 'A', platform: 'android', packageName: 'com.example.a' };
    const android = await harness.call('POST', apps, fields, as);
    androidPath = `${apps}/${android.body.id}/credentials`;
  });

  const ios = (fields: object = {}) => ({ issuerId: 'issuer-1', keyId: '2X9R4HXF34', privateKey: iosKey(), ...fields });
  const post = (body: object, at = `${path}/ios-store`) => harness.call('POST', at, body, as);
  const status = async () => (await harness.call('GET', `${path}/status`, undefined, as)).body;
  const remove = () => harness.call('DELETE', path, undefined, as);
  const eventsOf = async () => {
    const found: { type: string; data: Record<string, unknown> }[] = [];
    for await (const e of harness.service().services.deps.log.read(`project-${slice.projectId}` as never))
      if (e.type.startsWith('AppCredentials')) found.push({ type: e.type, data: e.data });
    return found;
  };
  const test = () => notification({ notificationType: 'TEST', signedDate: clock.now() });

  it('of iOS are taken, and only their key id is shown', async () => {
    const response = await post(ios({ storeAppId: 12, environment: 'production' }));
    expect(response.status).to.equal(201);
    const createdAt = new Date(clock.now()).toISOString();
    const expected = { object: 'appCredentials', store: 'ios-store', configured: true, keyId: '2X9R4HXF34', createdAt };
    expect(response.body).to.deep.equal(expected);
    expect((await status()).configured).to.equal(true);
    const [event, ...more] = await eventsOf();
    expect(more).to.deep.equal([]);
    expect(event?.data).to.have.all.keys('appId', 'store', 'fingerprint');
    expect(event?.data).to.include({ appId: slice.appId, store: 'ios-store' });
  });

  it('of Android are taken as an object or as text', async () => {
    for (const serviceAccountJson of [serviceAccount(), JSON.stringify(serviceAccount())]) {
      const { status: code, body } = await post({ serviceAccountJson }, `${androidPath}/android-store`);
      expect([code, body.clientEmail, body.store]).to.deep.equal([201, SERVICE_EMAIL, 'android-store']);
      expect(body).to.have.all.keys('object', 'store', 'configured', 'clientEmail', 'createdAt');
    }
  });

  it('are not in the clear anywhere in the documents or the data directory', async () => {
    await post(ios());
    await post({ serviceAccountJson: serviceAccount() }, `${androidPath}/android-store`);
    const secrets = [iosKey(), String(serviceAccount()['private_key'])].map((pem) => pem.split('\n')[1] ?? '');
    // On servers the directory does not exist.
    for (const file of existsSync(harness.dataDir) ? readdirSync(harness.dataDir) : []) {
      const bytes = readFileSync(join(harness.dataDir, file));
      for (const secret of secrets) expect(bytes.includes(secret), file).to.equal(false);
    }
    const { docs } = harness.service().services.deps;
    const found = (await docs.get(credentialCollection.name, [slice.appId])).get(slice.appId);
    expect(found?.doc?.['privateKey']).to.match(/^v1\./);
    for (const secret of secrets) expect(JSON.stringify(found?.doc)).to.not.include(secret);
  });

  const rsa = String(serviceAccount()['private_key']);
  for (const [what, body] of [
    ['an RSA key', ios({ privateKey: rsa })],
    ['no key', ios({ privateKey: 'secret' })],
    ['a broken key', ios({ privateKey: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' })],
    ['an empty issuer', ios({ issuerId: '' })],
    ['an unknown environment', ios({ environment: 'test' })],
    ['an unknown field', ios({ password: 'x' })],
    ['nothing', {}],
  ] as const) {
    it(`of iOS with ${what} are refused`, () => expectRefused(harness, () => post(body), 400));
  }

  for (const [what, serviceAccountJson] of [
    ['text that is no JSON', 'x'],
    ['another kind of account', { ...serviceAccount(), type: 'authorized_user' }],
    ['an EC key', { ...serviceAccount(), private_key: iosKey() }],
    ['no address', { ...serviceAccount(), client_email: undefined }],
  ] as const) {
    it(`of Android with ${what} are refused`, () =>
      expectRefused(harness, () => post({ serviceAccountJson }, `${androidPath}/android-store`), 400));
  }

  it('of the other store are refused', async () => {
    await expectRefused(harness, () => post(ios(), `${androidPath}/ios-store`), 400);
    await expectRefused(harness, () => post({ serviceAccountJson: serviceAccount() }, `${path}/android-store`), 400);
  });

  it('are replaced by the next, and the same again adds no event', async () => {
    await post(ios());
    const head = await headOf(harness);
    expect((await post(ios())).status).to.equal(201);
    expect(await headOf(harness)).to.equal(head);
    expect((await post(ios({ keyId: 'NEXT', privateKey: anotherIosKey() }))).body.keyId).to.equal('NEXT');
    expect((await eventsOf()).map((e) => e.type)).to.deep.equal(Array(2).fill('AppCredentialsRegistered'));
  });

  it('are deleted with their record', async () => {
    await post(ios());
    const { status: code, body } = await remove();
    expect([code, body]).to.deep.equal([200, { object: 'appCredentials', id: slice.appId, deleted: true }]);
    expect((await status()).configured).to.equal(false);
    const { docs } = harness.service().services.deps;
    expect((await docs.get(credentialCollection.name, [slice.appId])).get(slice.appId)?.doc).to.equal(null);
    await expectRefused(harness, remove, 404);
  });

  it('go with their app and with their project', async () => {
    const { docs } = harness.service().services.deps;
    const stored = async () => (await docs.get(credentialCollection.name, [slice.appId])).get(slice.appId)?.doc ?? null;
    await post(ios());
    await harness.call('DELETE', path.replace('/credentials', ''), undefined, as);
    expect(await stored()).to.equal(null);
    slice = await setUpProject(harness);
    as = { key: slice.secretKey };
    await post(ios(), `/v1/projects/${slice.projectId}/apps/${slice.appId}/credentials/ios-store`);
    expect(await stored()).not.to.equal(null);
    await harness.call('DELETE', `/v1/projects/${slice.projectId}`, undefined, { token: slice.token });
    expect(await stored()).to.equal(null);
  });

  it('registered again after a deletion change the URL; the old one works for a day', async () => {
    const statusOf = async (at: string) => (await harness.call('POST', at, test())).status;
    const urlNow = async () => new URL((await status()).notifications.url).pathname;
    await post(ios());
    await post(ios({ privateKey: anotherIosKey() }));
    expect(await urlNow(), 'replaced only').to.equal(slice.notificationPath);
    await remove();
    expect(await urlNow(), 'deleted only').to.equal(slice.notificationPath);
    await post(ios());
    const next = await urlNow();
    expect(next).not.to.equal(slice.notificationPath);
    expect([await statusOf(slice.notificationPath), await statusOf(next)]).to.deep.equal([200, 200]);
    clock.set(clock.now() + 24 * HOUR - 1);
    expect(await statusOf(slice.notificationPath)).to.equal(200);
    clock.set(clock.now() + 1);
    expect([await statusOf(slice.notificationPath), await statusOf(next)]).to.deep.equal([401, 200]);
  });

  it('have a status that counts what their store sent', async () => {
    const url = `${harness.service().url}${slice.notificationPath}`;
    const nothing = {
      ...{ object: 'credentialsStatus', store: 'ios-store', configured: false },
      ...{ valid: null, lastCheckedAt: null, lastError: null },
      notifications: {
        ...{ url, lastReceivedAt: null, lastTestAt: null },
        last24h: { received: 0, processed: 0, refused: 0 },
        forwarding: { url: null, lastStatus: null, lastAt: null },
      },
    };
    expect(await status()).to.deep.equal(nothing);
    await harness.call('POST', slice.notificationPath, test());
    expectRefusal(await harness.call('POST', slice.notificationPath, { signedPayload: 'a.b.c' }), 400);
    const strange = notification({ notificationType: 'TEST', signedDate: clock.now(), bundleId: 'com.example.other' });
    expectRefusal(await harness.call('POST', slice.notificationPath, strange), 401);
    await harness.service().idle();
    const forwarding = { notificationForwardingUrl: 'https://hooks.example.com/' };
    await harness.call('PATCH', path.replace('/credentials', ''), forwarding, as);
    const at = new Date(clock.now()).toISOString();
    expect((await status()).notifications).to.deep.equal({
      ...{ url, lastReceivedAt: at, lastTestAt: at },
      last24h: { received: 1, processed: 1, refused: 2 },
      forwarding: { url: 'https://hooks.example.com/', lastStatus: null, lastAt: null },
    });
    clock.set(clock.now() + 26 * HOUR);
    expect((await status()).notifications.last24h).to.deep.equal({ received: 0, processed: 0, refused: 0 });
  });
});
