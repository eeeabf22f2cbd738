// The first download of an app, which iOS devices prove: apps that went from paid to free let their earlier buyers in by it.
import { expect } from 'chai';
import { startIosStore, type SimulatedIosStore } from '../../../simulator/ios-store/api-server.js';
import { createCertificateAuthority } from '../../../simulator/ios-store/certificate-authority.js';
import { storePayloads, type AppTransactionFields } from '../../../simulator/ios-store/payloads.js';
import { appReceipt, attribute, CREATED_AT, element, purchaseSet } from '../../adapters/ios-store/app-receipts.js';
import { BUNDLE_ID, MONTHLY, signAppReceipt, store } from '../support/harness.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';
import { iosKey } from '../support/store-credentials.js';
import { sdkClient } from './setup.js';

const now = Date.now();
const DAY_MS = 86_400_000;
const BOUGHT = '2019-05-09T17:20:05.000Z';
const none = [null, null];
const stranger = storePayloads((await createCertificateAuthority()).sign);

const proof = (fields: Partial<AppTransactionFields> = {}): AppTransactionFields => ({
  ...{ bundleId: BUNDLE_ID, receiptType: 'Production', originalApplicationVersion: '1.4.2' },
  ...{ originalPurchaseDate: Date.parse(BOUGHT), receiptCreationDate: now, ...fields },
});
const SANDBOX = { receiptType: 'Sandbox', originalApplicationVersion: '1.0' } as const;

/** An app receipt of StoreKit 1 with the attributes of the first download. */
const receiptOf = (
  type: string,
  version: string,
  boughtAt: string,
  more: readonly Buffer[] = [],
  bundle = BUNDLE_ID,
) => {
  const text = (tag: number, value: string) => element(tag, Buffer.from(value));
  const [utf8, ia5] = [12, 22];
  const fields = [
    ...[attribute(0, text(utf8, type)), attribute(2, text(utf8, bundle)), attribute(12, text(ia5, CREATED_AT))],
    ...[attribute(18, text(ia5, boughtAt)), attribute(19, text(utf8, version)), ...more],
  ];
  return signAppReceipt(appReceipt(bundle, [], fields));
};

describe('the first download of an app', () => {
  const settings: Record<string, string> = { COMPAT_PORT: '0' };
  let simulated: SimulatedIosStore;
  before(async () => {
    simulated = await startIosStore({ KEY1: iosKey() });
    Object.assign(settings, simulated.settings);
  });
  const { harness, slice, as, asMember } = setUpServiceWithFreshProjects(settings);
  const sdk = sdkClient(harness, () => slice.publicKey);
  after(() => simulated.close());

  const present = async (fields: object, who = 'ann') => {
    const { status, body } = await sdk('POST', '/v1/receipts', { app_user_id: who, is_restore: true, ...fields });
    expect([status, body.message]).to.deep.equal([200, undefined]);
    return [body.subscriber.original_application_version, body.subscriber.original_purchase_date];
  };
  const shown = async (who = 'ann', key = slice.publicKey) => {
    const { body } = await sdkClient(harness, () => key)('GET', `/v1/subscribers/${encodeURIComponent(who)}`);
    return [body.subscriber.original_application_version, body.subscriber.original_purchase_date];
  };
  const transaction = () =>
    store.signedTransaction({
      ...{ bundleId: BUNDLE_ID, environment: 'Production', transactionId: '100', productId: MONTHLY },
      ...{ purchaseDate: now - DAY_MS, expiresDate: now + DAY_MS, signedDate: now, price: 9990, currency: 'USD' },
    });

  it('is shown after a purchase, and after a restore without any', async () => {
    const named = { fetch_token: transaction(), product_id: MONTHLY };
    expect(await present({ ...named, app_transaction: store.signedAppTransaction(proof()) })).to.deep.equal([
      '1.4.2',
      BOUGHT,
    ]);
    expect(await shown()).to.deep.equal(['1.4.2', BOUGHT]);
    expect(await present({ app_transaction: store.signedAppTransaction(proof()) }, 'ben')).to.deep.equal([
      '1.4.2',
      BOUGHT,
    ]);
    const { body } = await harness.call(
      'GET',
      `/v1/projects/${slice.projectId}/customers?search=ben`,
      undefined,
      asMember,
    );
    const path = `/v1/projects/${slice.projectId}/customers/${body.items[0].id}/timeline`;
    const { body: timeline } = await harness.call('GET', path, undefined, asMember);
    expect(JSON.stringify(timeline)).to.contain('First downloaded the app in version 1.4.2, on 2019-05-09.');
  });

  for (const [what, sign] of [
    ['that the store did not sign', () => stranger.signedAppTransaction(proof())],
    ['of another app', () => store.signedAppTransaction(proof({ bundleId: 'com.example.other' }))],
    ['of Xcode', () => store.signedAppTransaction(proof({ receiptType: 'Xcode' }))],
    ['without a version', () => store.signedAppTransaction(proof({ originalApplicationVersion: '' }))],
    ['that is no signed text', () => 'nonsense'],
    ['that is too long', () => 'a'.repeat(30_000)],
  ] as const)
    it(`counts for nothing with a proof ${what}, and the purchase counts all the same`, async () => {
      const named = { fetch_token: transaction(), product_id: MONTHLY };
      expect(await present({ ...named, app_transaction: sign() })).to.deep.equal(none);
      const { body } = await sdk('GET', '/v1/subscribers/ann');
      expect(body.subscriber.subscriptions).to.have.all.keys(MONTHLY);
    });

  it('is of production before the sandbox, and the earliest, in any order', async () => {
    const earlier = { originalPurchaseDate: Date.parse(BOUGHT) - DAY_MS, originalApplicationVersion: '1.4' };
    const proofs = [proof(SANDBOX), proof(), proof(earlier), proof({ ...SANDBOX, originalPurchaseDate: 0 })];
    const expected = ['1.4', '2019-05-08T17:20:05.000Z'];
    for (const [i, order] of [proofs, proofs.toReversed()].entries()) {
      for (const one of order) await present({ app_transaction: store.signedAppTransaction(one) }, `c${i}`);
      expect(await shown(`c${i}`)).to.deep.equal(expected);
    }
  });

  it('in the sandbox is not shown by a project that gives no access for sandbox purchases', async () => {
    const app_transaction = store.signedAppTransaction(proof(SANDBOX));
    expect(await present({ app_transaction })).to.deep.equal(['1.0', BOUGHT]);
    await harness.call('PATCH', `/v1/projects/${slice.projectId}`, { sandboxAccess: 'nobody' }, asMember);
    expect(await present({ app_transaction })).to.deep.equal(none);
  });

  it('is shown with a key of its app and of a server, not with that of another app', async () => {
    await present({ app_transaction: store.signedAppTransaction(proof()) });
    const base = `/v1/projects/${slice.projectId}`;
    const other = { name: 'Other', platform: 'ios', bundleId: 'com.example.other' };
    const { body: app } = await harness.call('POST', `${base}/apps`, other, asMember);
    const { body } = await harness.call(
      'POST',
      `${base}/api-keys`,
      { name: 'o', kind: 'public', appId: app.id },
      asMember,
    );
    for (let repeat = 0; repeat < 2; repeat++) {
      expect(await shown()).to.deep.equal(['1.4.2', BOUGHT]);
      expect(await shown('ann', body.key)).to.deep.equal(none);
      expect(await shown('ann', slice.secretKey)).to.deep.equal(['1.4.2', BOUGHT]);
    }
  });

  it('stays with a customer who logs in, as the first ID does', async () => {
    const anonymous = `$RCAnonymousID:${'7'.repeat(32)}`;
    await present({ app_transaction: store.signedAppTransaction(proof()) }, anonymous);
    const login = { app_user_id: anonymous, new_app_user_id: 'dora' };
    const { body } = await sdk('POST', '/v1/subscribers/identify', login);
    expect(body.subscriber.original_app_user_id).to.equal(anonymous);
    expect(await shown('dora')).to.deep.equal(['1.4.2', BOUGHT]);
    const { body: later } = await sdk('GET', '/v1/subscribers/dora');
    expect(later.subscriber.original_app_user_id).to.equal(anonymous);
  });

  it('is gone with an erased customer', async () => {
    await present({ app_transaction: store.signedAppTransaction(proof()) });
    expect((await sdkClient(harness, () => slice.secretKey)('DELETE', '/v1/subscribers/ann')).status).to.equal(200);
    expect(await present({})).to.deep.equal(none);
  });

  it('is read from an app receipt, with purchases and without', async () => {
    const old = '2019-05-09T17:20:05Z';
    expect(await present({ fetch_token: await receiptOf('Production', '7', old) })).to.deep.equal(['7', BOUGHT]);
    const sandbox = await receiptOf('ProductionSandbox', '1.0', '2013-08-01T07:00:00Z');
    expect(await present({ fetch_token: sandbox })).to.deep.equal(['7', BOUGHT]);
    expect(await present({ fetch_token: sandbox }, 'tester')).to.deep.equal(['1.0', '2013-08-01T07:00:00.000Z']);
    expect(await present({ fetch_token: await receiptOf('Production', '7', 'soon') }, 'eve')).to.deep.equal(none);

    const path = `/v1/projects/${slice.projectId}/apps/${slice.appId}/credentials/ios-store`;
    await harness.call('POST', path, { issuerId: 'issuer', keyId: 'KEY1', privateKey: iosKey() }, as);
    simulated.chains.set('100', { transactions: [transaction()], renewal: undefined, status: 1 });
    const purchasedAt = new Date(now - DAY_MS).toISOString().replace(/\.\d+Z/, 'Z');
    const purchase = { transactionId: '100', productId: MONTHLY, purchasedAt, webOrderLineItemId: '7100' };
    const receipt = await receiptOf('Production', '8', old, [attribute(17, purchaseSet(purchase))]);
    expect(await present({ fetch_token: receipt, is_restore: false }, 'finn')).to.deep.equal(['8', BOUGHT]);
  });
});
