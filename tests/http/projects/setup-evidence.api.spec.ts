// Evidence for and against the setup of a project.
import { expect } from 'chai';
import { startReceiver } from '../../adapters/outbound/receiver.js';
import { startIosStore, type SimulatedIosStore } from '../../../simulator/ios-store/api-server.js';
import { MONTHLY, notification, setUpProject, startHarness, type Harness, type Slice } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { anotherIosKey, iosKey } from '../support/store-credentials.js';
import { poll } from '../../fixtures/poll.js';

const NOW = Date.parse('2027-01-01T10:00:00.000Z');
const at = (ms: number) => new Date(ms).toISOString();
const egress = { EGRESS_ALLOW_CIDRS: '127.0.0.1/32', EGRESS_ALLOW_HTTP: 'true' };

describe('the evidence of a set-up', () => {
  const clock = createManualClock(NOW);
  let store: SimulatedIosStore;
  let harness: Harness;
  let slice: Slice;
  before(async () => {
    store = await startIosStore({ KEY1: iosKey() });
    harness = await startHarness({ ...store.settings, ...egress }, clock.runtime);
  });
  after(async () => {
    await harness.stop();
    await store.close();
  });
  beforeEach(async () => {
    slice = await setUpProject(harness);
  });

  const ask = async (method: string, path: string, body?: object) => {
    const response = await harness.call(method, `/v1/projects/${slice.projectId}${path}`, body, {
      key: slice.secretKey,
    });
    expect(response.status, JSON.stringify(response.body)).to.be.within(200, 201);
    return response.body;
  };
  const evidence = async () => (await ask('GET', '/setup-status')).evidence;
  /** First the task is taken up, then what it brought. */
  const idle = async () => {
    await harness.service().idle();
    await harness.service().idle();
  };
  const register = async (keyId: string, privateKey: string) => {
    await ask('POST', `/apps/${slice.appId}/credentials/ios-store`, { issuerId: 'issuer', keyId, privateKey });
    await idle();
  };

  it('has no evidence for an unconnected app', async () => {
    const { apps, failingWebhooks } = await evidence();
    const credentials = { configured: false, proven: null, provenAt: null, storeError: null };
    const refusedNotifications = { count: 0, last: null };
    const app = { appId: slice.appId, name: 'iOS', store: 'ios-store', lastNotification: null };
    expect(apps).to.deep.equal([{ ...app, refusedNotifications, credentials }]);
    expect(failingWebhooks).to.deep.equal([]);
  });

  it('names the last notification and what became of it', async () => {
    const transaction = { transactionId: '771', productId: MONTHLY, purchaseDate: NOW, expiresDate: NOW + 1e9 };
    const bought = notification({ notificationType: 'SUBSCRIBED', signedDate: NOW, transaction });
    await harness.call('POST', slice.notificationPath, bought);
    await harness.service().idle();
    const [{ lastNotification }] = (await evidence()).apps;
    const { id, ...said } = lastNotification;
    expect(said).to.deep.equal({
      ...{ at: at(NOW), type: 'SUBSCRIBED', state: 'handled', outcome: 'applied', reason: null },
    });
    expect((await ask('GET', `/notifications/${id}`)).receivedAt).to.equal(at(NOW));
  });

  it('reports when the store has accepted the credentials, or why it has not', async () => {
    await register('KEY1', iosKey());
    const proven = { configured: true, proven: true, provenAt: at(NOW), storeError: null };
    expect((await evidence()).apps[0].credentials).to.deep.equal(proven);
    await register('KEY1', anotherIosKey());
    const { proven: isProven, storeError } = (await evidence()).apps[0].credentials;
    expect(isProven).to.equal(false);
    expect(storeError).to.match(/401/);
  });

  it('names products that unlock nothing and offerings that sell nothing of an app', async () => {
    const fields = { storeProductId: 'year', displayName: 'Year', type: 'subscription' };
    const product = await ask('POST', '/products', { appId: slice.appId, ...fields });
    const offering = await ask('POST', '/offerings', { lookupKey: 'default', displayName: 'Default' });
    const android = { name: 'Android', platform: 'android', packageName: 'com.example.app' };
    const { id: androidId } = await ask('POST', '/apps', android);
    const lacking = (appId: string) => ({ offeringId: offering.id, lookupKey: 'default', appId });
    const before = await evidence();
    expect(before.productsWithoutEntitlement).to.deep.equal([
      { productId: product.id, appId: slice.appId, store: 'ios-store', storeProductId: 'year' },
    ]);
    expect(before.offeringsWithoutProduct).to.deep.equal([lacking(slice.appId), lacking(androidId)]);
    await ask('POST', '/entitlements/pro/products', { productIds: [product.id] });
    await ask('POST', '/offerings/default/packages', { lookupKey: '$annual', displayName: 'Year' });
    await ask('POST', '/offerings/default/packages/$annual/products', { productIds: [product.id] });
    const after = await evidence();
    expect(after.productsWithoutEntitlement).to.deep.equal([]);
    expect(after.offeringsWithoutProduct).to.deep.equal([lacking(androidId)]);
  });

  it('names a failing webhook with its start time', async () => {
    const receiver = await startReceiver((res) => res.writeHead(500).end());
    const hook = await ask('POST', '/webhooks', { name: 'Server', url: receiver.url });
    const test = await ask('POST', `/webhooks/${hook.id}/test`);
    const path = `/webhooks/${hook.id}/deliveries/${test.id}`;
    await poll(
      () => ask('GET', path),
      ({ attempts }) => attempts.length > 0,
    );
    // The sender counts in memory and saves what it counted with its next round.
    const { failingWebhooks: failing } = await poll(evidence, ({ failingWebhooks }) => failingWebhooks.length > 0);
    await receiver.stop();
    expect(failing).to.deep.equal([{ webhookId: hook.id, name: 'Server', since: at(NOW), lastStatus: 500 }]);
  });
});
