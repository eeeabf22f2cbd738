// Purchases that the store reports before their customer is known: kept under a name of their own until then.
import { expect } from 'chai';
import { derivedUuid } from '../../../src/domain/ids.js';
import { BUNDLE_ID, MONTHLY, notification, store } from '../support/harness.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');

describe('a purchase that the store notifies first', () => {
  const { harness, slice } = setUpService({}, { now: () => NOW });
  let drawn = 6_000_000;

  const call = (method: string, path: string, body: unknown) =>
    harness.call(method, path, body, { key: slice.secretKey });
  const bought = (fields: object = {}) => ({
    transactionId: `${drawn++}`,
    productId: MONTHLY,
    purchaseDate: NOW - 5 * 86_400_000,
    expiresDate: NOW + 25 * 86_400_000,
    price: 9990,
    ...fields,
  });
  const present = (who: string, transaction: ReturnType<typeof bought>) => {
    const receipt = store.signedTransaction({ ...transaction, bundleId: BUNDLE_ID, environment: 'Production' });
    return call('POST', `/v1/subscribers/${who}/receipts`, { store: 'ios-store', receipt });
  };
  const timeline = async (who: string) => {
    const path = `/v1/projects/${slice.projectId}/customers/${who}/timeline?order=oldest`;
    return (await call('GET', path, undefined)).body.items.map((e: { type: string }) => e.type);
  };
  const notify = async (transaction: ReturnType<typeof bought>) => {
    const fields = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: NOW, transaction };
    await harness.call('POST', slice.notificationPath, notification(fields));
    await harness.service().idle();
    const path = `/v1/projects/${slice.projectId}/customers?search=${transaction.transactionId}`;
    return (await call('GET', path, undefined)).body.items[0];
  };

  it('merges its anonymous customer, who is found under every name', async () => {
    const transaction = bought();
    const anonymous = await notify(transaction);
    expect(anonymous.appUserId).to.match(/^\$anon:/);
    const { body } = await present('lea', transaction);
    expect(body.subscriber).to.deep.include({ appUserId: 'lea', originalAppUserId: anonymous.appUserId });
    const base = `/v1/projects/${slice.projectId}/customers`;
    const names = ['lea', encodeURIComponent(anonymous.appUserId), anonymous.id];
    const seen = await Promise.all(names.map((name) => call('GET', `${base}/${name}`, undefined)));
    expect(seen.map((a) => [a.status, a.body.appUserId])).to.deep.equal(names.map(() => [200, 'lea']));
    expect(seen[0]?.body.aliases).to.deep.equal([anonymous.appUserId]);
    const sdk = await call('GET', `/v1/subscribers/${encodeURIComponent(anonymous.appUserId)}`, undefined);
    expect(sdk.body.subscriber).to.deep.equal(body.subscriber);
    expect(await timeline('lea')).to.include.members(['CustomerMergedInto', 'CustomerMerged']);
  });

  it('is not shown to who works a name out from the ids of project and transaction', async () => {
    const transaction = bought();
    await notify(transaction);
    const texts = [`${slice.projectId}|${transaction.transactionId}`, transaction.transactionId];
    for (const text of texts) {
      const path = `/v1/subscribers/${encodeURIComponent(`$anon:${derivedUuid(text)}`)}`;
      const { body } = await harness.call('GET', path, undefined, { key: slice.publicKey });
      expect(body.subscriber).to.deep.include({ subscriptions: {}, entitlements: {} });
    }
  });

  it('lets what is written under the old name reach the customer', async () => {
    const transaction = bought();
    const { appUserId } = await notify(transaction);
    await present('mia', transaction);
    const path = `/v1/subscribers/${encodeURIComponent(appUserId)}/attributes`;
    await call('POST', path, { attributes: { late: 'yes' } });
    const { body } = await call('GET', '/v1/subscribers/mia', undefined);
    expect(body.subscriber.attributes.late.value).to.equal('yes');
  });

  it('is the named customer’s when the store sends an account token', async () => {
    const appUserId = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
    await call('POST', `/v1/subscribers/${appUserId}`, {});
    expect((await notify(bought({ appAccountToken: appUserId }))).appUserId).to.equal(appUserId);
  });

  it('is the customer’s who registered the account token', async () => {
    const $appAccountToken = '7f9619ff-8b86-4011-b42d-00c04fc964ff';
    await call('POST', '/v1/subscribers/nia', { attributes: { $appAccountToken } });
    expect((await notify(bought({ appAccountToken: $appAccountToken }))).appUserId).to.equal('nia');
  });
});
