// Status of credentials, which only the store's response to a request with them shows.
import { expect } from 'chai';
import { startAndroidStore, type SimulatedAndroidStore } from '../../../simulator/android-store/server.js';
import { startIosStore, type SimulatedIosStore } from '../../../simulator/ios-store/api-server.js';
import { PACKAGE } from '../stores/android/scenario.js';
import { setUpProject, startHarness, type Harness, type Slice } from '../support/harness.js';
import { sdkClient } from '../compat/setup.js';
import { createManualClock } from '../support/manual-clock.js';
import { anotherIosKey, iosKey } from '../support/store-credentials.js';

const NOW = Date.parse('2027-01-01T10:00:00.000Z');
const HOUR = 3_600_000;

describe('credentials tried at their store', () => {
  const clock = createManualClock(NOW);
  let androidStore: SimulatedAndroidStore;
  let iosStore: SimulatedIosStore;
  let harness: Harness;
  let slice: Slice;
  let androidApp = '';

  before(async () => {
    androidStore = await startAndroidStore(PACKAGE);
    iosStore = await startIosStore({ KEY1: iosKey() });
    const settings = { ...androidStore.settings, ...iosStore.settings, COMPAT_PORT: '0' };
    harness = await startHarness(settings, clock.runtime);
    slice = await setUpProject(harness);
    const app = { name: 'Android', platform: 'android', packageName: PACKAGE };
    androidApp = (await call('POST', `/v1/projects/${slice.projectId}/apps`, app)).id;
  });
  after(async () => {
    await harness.stop();
    await androidStore.close();
    await iosStore.close();
  });

  const call = async (method: string, path: string, body?: object) => {
    const response = await harness.call(method, path, body, { key: slice.secretKey });
    expect(response.status, JSON.stringify(response.body)).to.be.within(200, 201);
    return response.body;
  };
  const pathOf = (appId: string) => `/v1/projects/${slice.projectId}/apps/${appId}/credentials`;
  const status = async (appId: string) => {
    const { valid, lastCheckedAt, lastError } = await call('GET', `${pathOf(appId)}/status`);
    return { valid, lastCheckedAt, lastError };
  };
  const at = (ms: number) => new Date(ms).toISOString();
  /** First the reaction wakes what waits for the store, then that is done. */
  const idle = async () => {
    await harness.service().idle();
    await harness.service().idle();
  };
  const registerAndroid = () =>
    call('POST', `${pathOf(androidApp)}/android-store`, { serviceAccountJson: androidStore.identity.keyFile() });
  const registerIos = (keyId: string, privateKey: string) =>
    call('POST', `${pathOf(slice.appId)}/ios-store`, { issuerId: 'issuer', keyId, privateKey });

  it('of the android-store are valid while it answers, whatever happens on the way', async () => {
    expect(await status(androidApp)).to.deep.equal({ valid: null, lastCheckedAt: null, lastError: null });
    await registerAndroid();
    await idle();
    expect(await status(androidApp)).to.deep.equal({ valid: true, lastCheckedAt: at(NOW), lastError: null });
    androidStore.setFailure(503);
    clock.set(NOW + 7 * HOUR);
    await idle();
    const away = await status(androidApp);
    expect([away.valid, away.lastCheckedAt]).to.deep.equal([true, at(NOW)]);
    expect(away.lastError).to.match(/responded with 503/);
    androidStore.setFailure(null);
    clock.set(NOW + 8 * HOUR);
    await idle();
    expect(await status(androidApp)).to.deep.equal({ valid: true, lastCheckedAt: at(NOW + 8 * HOUR), lastError: null });
  });

  it('of the android-store are invalid once it refuses them, and tried again when they are sent again', async () => {
    androidStore.setFailure(403);
    clock.set(NOW + 15 * HOUR);
    await idle();
    const refused = await status(androidApp);
    expect([refused.valid, refused.lastCheckedAt]).to.deep.equal([false, at(NOW + 15 * HOUR)]);
    expect(refused.lastError).to.match(/403/);
    androidStore.setFailure(null);
    await registerAndroid();
    clock.set(NOW + 15.2 * HOUR);
    await idle();
    const lastCheckedAt = at(NOW + 15.2 * HOUR);
    expect(await status(androidApp)).to.deep.equal({ valid: true, lastCheckedAt, lastError: null });
  });

  it('of the ios-store are invalid when it does not know their key', async () => {
    await registerIos('KEY2', anotherIosKey());
    await idle();
    const refused = await status(slice.appId);
    expect([refused.valid, refused.lastCheckedAt]).to.deep.equal([false, at(clock.now())]);
    expect(refused.lastError).to.match(/401/);
    await registerIos('KEY1', iosKey());
    await idle();
    expect(await status(slice.appId)).to.deep.equal({ valid: true, lastCheckedAt: at(clock.now()), lastError: null });
    await call('DELETE', pathOf(slice.appId));
    expect((await status(slice.appId)).valid, 'deleted').to.equal(null);
  });

  it('are invalid where the store knows no such app, and a receipt waits for the right one', async () => {
    const base = `/v1/projects/${slice.projectId}`;
    const { id } = await call('POST', `${base}/apps`, {
      name: 'B',
      platform: 'android',
      packageName: 'com.example.typo',
    });
    await call('POST', `${pathOf(id)}/android-store`, { serviceAccountJson: androidStore.identity.keyFile() });
    await idle();
    const android = await status(id);
    expect(android.valid).to.equal(false);
    expect(android.lastError).to.match(/knows no app with this package name/);
    const ofApp = { name: 'b', kind: 'public', appId: id };
    const { key } = (await harness.call('POST', `${base}/api-keys`, ofApp, { token: slice.token })).body;
    const sdk = sdkClient(harness, () => key);
    const receipt = { app_user_id: 'ann', fetch_token: 'token-of-a-purchase', product_ids: ['pro'] };
    expect((await sdk('POST', '/v1/receipts', receipt)).status).to.equal(503);

    await registerIos('KEY1', iosKey());
    iosStore.setFailure(404, 4_040_003);
    await idle();
    const ios = await status(slice.appId);
    iosStore.setFailure(null);
    expect(ios.valid).to.equal(false);
    expect(ios.lastError).to.match(/knows no app with this bundle ID/);
  });
});
