// Public keys that published apps contain: each is of one project and of an app of its store, and works on the compatibility API alone.
import { expect } from 'chai';
import { startIosStore, type SimulatedIosStore } from '../../../simulator/ios-store/api-server.js';
import { MONTHLY, store } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { iosKey } from '../support/store-credentials.js';
import { addTestApp, sdkClient, type TestApp } from './setup.js';

describe('a registered key', () => {
  const settings: Record<string, string> = { COMPAT_PORT: '0' };
  let iosStore: SimulatedIosStore;
  before(async () => {
    iosStore = await startIosStore({ KEY1: iosKey() });
    Object.assign(settings, iosStore.settings);
  });
  after(() => iosStore.close());
  const { harness, slice } = setUpService(settings);
  let app: TestApp;
  before(async () => void (app = await addTestApp(harness, slice)));
  const id = (who: string) => `/v1/subscribers/${who}`;
  const base = () => `/v1/projects/${slice.projectId}`;
  const register = (key: string, more: object = {}) =>
    harness.call(
      'POST',
      `${base()}/api-keys`,
      { name: 'r', kind: 'public', appId: slice.appId, key, ...more },
      { token: slice.token },
    );

  it('is served here and refused by the REST API', async () => {
    const made = await register('appl_ABCdefGHIjkl');
    expect([made.status, made.body.keyPreview]).to.deep.equal([201, 'appl_…Ijkl']);
    const registered = sdkClient(harness, () => 'appl_ABCdefGHIjkl');
    expect((await registered('GET', id('reg'))).status).to.equal(201);
    expect((await harness.call('GET', id('reg'), undefined, { key: 'appl_ABCdefGHIjkl' })).status).to.equal(401);
  });

  it('is refused once the key was deleted', async () => {
    const { body } = await register('appl_deletedSoon');
    const registered = sdkClient(harness, () => 'appl_deletedSoon');
    expect((await registered('GET', id('reg2'))).status).to.equal(201);
    await harness.call('DELETE', `${base()}/api-keys/${body.id}`, undefined, { token: slice.token });
    expect((await registered('GET', id('reg2'))).status).to.equal(401);
  });

  it('cannot be registered twice', async () => {
    const first = await register('appl_registeredTwice');
    expect((await register('appl_registeredTwice')).status).to.equal(409);
    const keys = await harness.call('GET', `${base()}/api-keys?limit=100`, undefined, { token: slice.token });
    const listed = keys.body.items.filter((one: { keyPreview: string }) => one.keyPreview === first.body.keyPreview);
    expect(listed.map((one: { id: string }) => one.id)).to.deep.equal([first.body.id]);
  });

  it('can be registered again after it was deleted', async () => {
    const { body } = await register('appl_registeredAgain');
    await harness.call('DELETE', `${base()}/api-keys/${body.id}`, undefined, { token: slice.token });
    expect((await register('appl_registeredAgain')).status).to.equal(201);
    const registered = sdkClient(harness, () => 'appl_registeredAgain');
    expect((await registered('GET', id('reg3'))).status).to.equal(201);
  });

  it('cannot be registered by another project', async () => {
    await register('appl_takenByTheFirst');
    const as = { token: slice.token };
    const other = await harness.call('POST', '/v1/projects', { name: 'Other' }, as);
    const path = `/v1/projects/${other.body.id}`;
    const ownApp = { name: 'T', platform: 'ios', bundleId: 'com.example.other' };
    const own = await harness.call('POST', `${path}/apps`, ownApp, as);
    const key = { name: 'r', kind: 'public', appId: own.body.id, key: 'appl_takenByTheFirst' };
    expect((await harness.call('POST', `${path}/api-keys`, key, as)).status).to.equal(409);
  });

  describe('of another project passes to whose credentials the store has accepted,', () => {
    const as = () => ({ token: slice.token });
    const register = async (project: string, key: string, appId: string) =>
      harness.call('POST', `${project}/api-keys`, { name: 'r', kind: 'public', appId, key }, as());
    const newProject = async (bundleId: string) => {
      const { body: made } = await harness.call('POST', '/v1/projects', { name: bundleId }, as());
      const path = `/v1/projects/${made.id}`;
      const app = { name: 'A', platform: 'ios', bundleId };
      return { path, appId: (await harness.call('POST', `${path}/apps`, app, as())).body.id as string };
    };
    const accept = async ({ path, appId }: { path: string; appId: string }) => {
      const credentials = { issuerId: 'issuer', keyId: 'KEY1', privateKey: iosKey() };
      const sent = await harness.call('POST', `${path}/apps/${appId}/credentials/ios-store`, credentials, as());
      expect(sent.status, JSON.stringify(sent.body)).to.be.below(300);
      for (let n = 0; n < 3; n++) await harness.service().idle();
      const { body } = await harness.call('GET', `${path}/apps/${appId}/credentials/status`, undefined, as());
      expect(body.valid).to.equal(true);
    };

    it('and is deleted there', async () => {
      const [squatter, owner] = [await newProject('com.example.squat'), await newProject('com.example.owner')];
      const { body: held } = await register(squatter.path, 'appl_squattedKey', squatter.appId);
      expect((await register(owner.path, 'appl_squattedKey', owner.appId)).status).to.equal(409);
      await accept(owner);
      expect((await register(owner.path, 'appl_squattedKey', owner.appId)).status).to.equal(201);
      const keys = (await harness.call('GET', `${squatter.path}/api-keys`, undefined, as())).body.items;
      expect(keys.map((one: { id: string }) => one.id)).not.to.include(held.id);
      await accept(squatter);
      expect((await register(squatter.path, 'appl_squattedKey', squatter.appId)).status).to.equal(409);
      const sdk = sdkClient(harness, () => 'appl_squattedKey');
      expect((await sdk('GET', id('of-the-owner'))).status).to.equal(201);
      const found = await harness.call('GET', `${owner.path}/customers/of-the-owner`, undefined, as());
      expect(found.status).to.equal(200);
    });

    it('unless the other app has a purchase, whichever way it came', async () => {
      const [user, other] = [await newProject('com.example.user'), await newProject('com.example.late')];
      await register(user.path, 'appl_usedKey', user.appId);
      const token = store.signedTransaction({
        ...{ bundleId: 'com.example.user', environment: 'Production', transactionId: '77001', productId: MONTHLY },
        ...{ purchaseDate: Date.now(), expiresDate: Date.now() + 1e9, price: 9990 },
      });
      const receipt = { store: 'ios-store', receipt: token };
      const headers = { 'x-project-id': user.path.split('/').at(-1) ?? '' };
      const sent = await harness.call('POST', '/v1/subscribers/ann/receipts', receipt, { ...as(), headers });
      expect(sent.status, JSON.stringify(sent.body)).to.be.within(200, 201);
      await accept(other);
      expect((await register(other.path, 'appl_usedKey', other.appId)).status).to.equal(409);
    });
  });

  it('of an app of another store is refused with the store whose app to choose', async () => {
    const post = (path: string, body: object) => harness.call('POST', `${base()}${path}`, body, { token: slice.token });
    const android = await post('/apps', { name: 'A', platform: 'android', packageName: 'com.example.keys' });
    const wrong = [
      ['goog_ofAnotherStore', slice.appId, 'android-store'],
      ['test_ofAnotherStore', slice.appId, 'test-store'],
      ['appl_ofAnotherStore', android.body.id, 'ios-store'],
      ['mac_ofAnotherStore', android.body.id, 'ios-store'],
      ['appl_ofAnotherStore', app.appId, 'ios-store'],
    ] as const;
    for (const [key, appId, expected] of wrong) {
      const { status, body } = await register(key, { appId });
      expect(status, key).to.equal(400);
      expect(body.message).to.include(`choose the app of the ${expected}`);
    }
    for (const [key, appId] of [
      ['goog_ofItsOwnStore', android.body.id],
      ['test_ofItsOwnStore', app.appId],
      ['mac_ofItsOwnStore', slice.appId],
      ['OlderKeyWithoutPrefix', android.body.id],
    ])
      expect((await register(key, { appId })).status, key).to.equal(201);
  });

  for (const key of ['sk_secret_of_another', 'short', 'has space in it'])
    it(`cannot be ${JSON.stringify(key)}`, async () => expect((await register(key)).status).to.equal(400));
});
