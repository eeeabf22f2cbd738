// A worker that starts for the first time after webhooks were created and events recorded, as on servers where it starts last.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startReceiver, type ReceivedRequest } from '../../adapters/outbound/receiver.js';
import { ownEngine } from '../../distributed/servers.js';
import { MONTHLY, notification, setUpProject, startHarness, type Harness, type Slice } from '../support/harness.js';

const egress = { EGRESS_ALLOW_CIDRS: '127.0.0.1/32', EGRESS_ALLOW_HTTP: 'true' };
/** Two events of the grant, two of the purchase, and the received notification. */
const EXPECTED = 5;

describe('the first start of a worker', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'subledger-first-worker-'));
  /** Both services use the same data, on servers too. */
  const installation = { ...ownEngine(), DATA_DIR: dataDir, ...egress };
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let withoutWorker: Harness;
  let slice: Slice;
  let hasAll: Promise<void>;

  before(async () => {
    let resolve: () => void = () => undefined;
    hasAll = new Promise((done) => (resolve = done));
    let arrived = 0;
    receiver = await startReceiver((res) => {
      res.end();
      if (++arrived === EXPECTED) resolve();
    });
    withoutWorker = await startHarness({ ...installation, ROLES: 'http,projector' });
    slice = await setUpProject(withoutWorker);
  });
  after(async () => {
    await receiver.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const grant = async (appUserId: string) => {
    const path = `/v1/subscribers/${appUserId}/entitlements`;
    const body = { entitlementId: 'pro', duration: 'monthly' };
    expect((await withoutWorker.call('POST', path, body, { key: slice.secretKey })).status).to.equal(201);
  };

  let transactions = 0;
  const buy = async () => {
    const now = Date.now();
    const transactionId = `7${now}${++transactions}`;
    const period = { purchaseDate: now - 1000, expiresDate: now + 86_400_000, price: 9990, currency: 'USD' };
    const transaction = { transactionId, originalTransactionId: transactionId, productId: MONTHLY, ...period };
    const sent = notification({ notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: now, transaction });
    expect((await withoutWorker.call('POST', slice.notificationPath, sent)).status).to.equal(200);
    return JSON.stringify(sent);
  };

  it('sends every event after the creation of a webhook or a forwarding address, and none before', async () => {
    const { projectId, appId, secretKey: key } = slice;
    await grant('before');
    const base = `/v1/projects/${projectId}`;
    const webhook = { url: `${receiver.url}/webhook` };
    expect((await withoutWorker.call('POST', `${base}/webhooks`, webhook, { key })).status).to.equal(201);
    const forwarding = { notificationForwardingUrl: `${receiver.url}/raw` };
    expect((await withoutWorker.call('PATCH', `${base}/apps/${appId}`, forwarding, { key })).status).to.equal(200);
    await grant('after');
    const bought = await buy();
    await withoutWorker.stop();

    const whole = await startHarness(installation);
    await hasAll;
    await whole.service().idle();
    await whole.stop();
    const of = (path: string): readonly ReceivedRequest[] => receiver.seen.filter((one) => one.path === path);
    const events = of('/webhook').map(({ body }) => JSON.parse(body.toString()).event);
    const kinds = (isGrant: boolean) =>
      events.filter(({ appUserId }) => (appUserId === 'after') === isGrant).map(({ type }) => type);
    expect(kinds(true)).to.deep.equal(['NON_RENEWING_PURCHASE', 'ENTITLEMENT_CHANGED']);
    expect(kinds(false)).to.deep.equal(['INITIAL_PURCHASE', 'ENTITLEMENT_CHANGED']);
    expect(of('/raw').map(({ body }) => body.toString())).to.deep.equal([bought]);
  });
});
