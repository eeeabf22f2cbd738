// App receipts (base64) and restores over HTTP: what the app gets, with and without credentials of its store.
import { expect } from 'chai';
import { startIosStore, type SimulatedIosStore } from '../../../simulator/ios-store/api-server.js';
import { appReceipt } from '../../adapters/ios-store/app-receipts.js';
import {
  BUNDLE_ID,
  MONTHLY,
  setUpProject,
  signAppReceipt,
  startHarness,
  store,
  type Harness,
  type Slice,
} from '../support/harness.js';
import { expectRefused } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { iosKey } from '../support/store-credentials.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;

describe('an app receipt over HTTP', () => {
  let simulated: SimulatedIosStore;
  let harness: Harness;
  let slice: Slice;
  before(async () => {
    simulated = await startIosStore({ KEY1: iosKey() });
    harness = await startHarness(simulated.settings, createManualClock(NOW).runtime);
  });
  after(async () => {
    await harness.stop();
    await simulated.close();
  });
  beforeEach(async () => {
    slice = await setUpProject(harness);
    simulated.setFailure(null);
  });

  const call = (method: string, path: string, body?: unknown) =>
    harness.call(method, path, body, { key: slice.secretKey });
  const register = (keyId = 'KEY1') => {
    const path = `/v1/projects/${slice.projectId}/apps/${slice.appId}/credentials/ios-store`;
    return call('POST', path, { issuerId: 'issuer', keyId, privateKey: iosKey() });
  };
  const present = async (receipt: string, more: object = {}) => {
    const signedReceipt = await signAppReceipt(receipt);
    return call('POST', '/v1/subscribers/ann/receipts', { store: 'ios-store', receipt: signedReceipt, ...more });
  };
  const signed = (transactionId: string, more: object = {}) => {
    const dates = { purchaseDate: NOW - 5 * DAY_MS, expiresDate: NOW + 25 * DAY_MS, signedDate: NOW };
    const shared = { bundleId: BUNDLE_ID, environment: 'Production' as const, productId: MONTHLY };
    return store.signedTransaction({ ...shared, ...dates, transactionId, ...more });
  };
  const receiptOf = (transactionId: string) => {
    const bought = { purchasedAt: '2026-11-15T10:00:00Z', webOrderLineItemId: `7${transactionId}` };
    return appReceipt(BUNDLE_ID, [{ transactionId, productId: MONTHLY, ...bought }]);
  };
  const show = (transactionId: string, ...transactions: readonly string[]) =>
    simulated.chains.set(transactionId, { transactions: [...transactions], renewal: undefined, status: 1 });

  it('opens what the product unlocks', async () => {
    await register();
    show('100', signed('100'));
    const { status, body } = await present(receiptOf('100'));
    expect([status, body.subscriber.entitlements.pro.isActive]).to.deep.equal([200, true]);
  });

  it('is answered with 503 without credentials of the app, and records nothing', async () => {
    await expectRefused(harness, () => present(receiptOf('101')), 503);
    const { body, headers } = await present(receiptOf('101'));
    expect(body.message).to.match(/credentials/);
    expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
  });

  it('is answered with 503 when the store refuses the credentials, or is away', async () => {
    await register('UNKNOWN');
    await expectRefused(harness, () => present(receiptOf('102')), 503);
    const { body } = await present(receiptOf('102'));
    expect(body.message).to.match(/credentials/);
    simulated.setFailure(500);
    await expectRefused(harness, () => present(receiptOf('102')), 503);
  });

  it('is refused with 400 if it is no receipt, or unknown to the store', async () => {
    await register();
    await expectRefused(harness, () => present('AAAA'), 400);
    await expectRefused(harness, () => present(receiptOf('103')), 400);
  });

  it('restores all purchases, which the response shows', async () => {
    await register();
    const lifetime = { productId: 'lifetime', type: 'Non-Consumable', expiresDate: undefined };
    show('104', signed('104'), signed('105', lifetime));
    const { body } = await present(signed('104'), { isRestore: true });
    expect(body.subscriber.subscriptions).to.have.keys(MONTHLY);
    expect(body.subscriber.nonSubscriptions).to.have.keys('lifetime');
  });
});
