// The owner of a purchase by its account token, with real keys and both stores. Tests of the rules are in commands/subscribers.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, notification, store } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { setUpAndroidScenarios } from './android/scenarios.js';
import { BASE_PLAN, PRO } from './android/scenario.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;

describe('account tokens of the ios-store', () => {
  const { harness, slice, as } = setUpService({}, { now: () => NOW });
  let drawn = 8_000_000;

  const call = (method: string, path: string, body?: unknown, key = slice.secretKey) =>
    harness.call(method, path, body, { key });
  const bought = (appAccountToken: string, more: object = {}) => ({
    transactionId: `${drawn++}`,
    ...{ productId: MONTHLY, price: 9990, appAccountToken },
    ...{ purchaseDate: NOW - 5 * DAY_MS, expiresDate: NOW + 25 * DAY_MS },
    ...more,
  });
  type Transaction = ReturnType<typeof bought>;
  const notify = async (transaction: Transaction) => {
    const fields = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: NOW, transaction };
    expect((await harness.call('POST', slice.notificationPath, notification(fields))).status).to.equal(200);
    await harness.service().idle();
  };
  const present = (who: string, transaction: Transaction, key = slice.publicKey) => {
    const receipt = store.signedTransaction({ ...transaction, bundleId: BUNDLE_ID, environment: 'Production' });
    return call('POST', `/v1/subscribers/${who}/receipts`, { store: 'ios-store', receipt }, key);
  };
  const holderOf = async ({ transactionId }: Transaction): Promise<string> => {
    await harness.service().idle();
    const path = `/v1/projects/${slice.projectId}/customers?search=${transactionId}`;
    const { items } = (await call('GET', path)).body;
    expect(items).to.have.length(1);
    return items[0].appUserId;
  };
  const setBehaviour = async (transferBehavior: string) =>
    expect((await harness.call('PATCH', `/v1/projects/${slice.projectId}`, { transferBehavior }, as)).status).to.equal(
      200,
    );

  for (const transferBehavior of ['transfer', 'transfer_if_no_active', 'keep']) {
    for (const way of ['app user id', 'attribute']) {
      it(`leave the purchase to its buyer whom a public key imitates by ${way} (${transferBehavior})`, async () => {
        await setBehaviour(transferBehavior);
        const token = randomUUID();
        const transaction = bought(token);
        const thief = way === 'attribute' ? `thief-${token}` : token;
        const attributes = way === 'attribute' ? { attributes: { $appAccountToken: token } } : {};
        await call('POST', `/v1/subscribers/${thief}`, attributes, slice.publicKey);
        await notify(transaction);
        expect(await holderOf(transaction)).to.match(/^\$anon:/);
        const path = `/v1/subscribers/${thief}`;
        expect((await call('GET', path, undefined, slice.publicKey)).body.subscriber.entitlements).to.deep.equal({});
        const buyer = `buyer-${token}`;
        expect((await present(buyer, transaction)).body.subscriber.entitlements.pro.isActive).to.equal(true);
        expect(await holderOf(transaction)).to.equal(buyer);
      });
    }

    it(`give way to the receipt of the buyer where a server named another customer (${transferBehavior})`, async () => {
      await setBehaviour(transferBehavior);
      const token = randomUUID();
      const transaction = bought(token);
      await call('POST', `/v1/subscribers/${token}`, {});
      await notify(transaction);
      expect(await holderOf(transaction)).to.equal(token);
      const presented = await present(`buyer-${token}`, transaction);
      expect(presented.status, JSON.stringify(presented.body)).to.equal(200);
      expect(await holderOf(transaction)).to.equal(`buyer-${token}`);
      const { subscriber } = (await call('GET', `/v1/subscribers/${token}`)).body;
      expect(subscriber.entitlements.pro?.isActive ?? false).to.equal(false);
    });
  }

  it('move the purchase of an anonymous customer when the server writes or confirms the claim later', async () => {
    await setBehaviour('keep');
    for (const isConfirmed of [true, false]) {
      const token = randomUUID();
      const transaction = bought(token);
      const path = `/v1/subscribers/${token}`;
      if (isConfirmed) await call('POST', path, {}, slice.publicKey);
      await notify(transaction);
      const anonymous = await holderOf(transaction);
      expect(anonymous).to.match(/^\$anon:/);
      expect((await call('POST', path, {})).status).to.equal(isConfirmed ? 200 : 201);
      expect(await holderOf(transaction)).to.equal(token);
      expect((await call('GET', path)).body.subscriber.entitlements.pro.isActive).to.equal(true);
      const customer = await call('GET', `/v1/projects/${slice.projectId}/customers/${token}`);
      expect(customer.body.aliases).to.deep.equal([anonymous]);
    }
  });

  it('show a confirmation in the timeline, and only one', async () => {
    const who = `ann-${randomUUID()}`;
    await call('POST', `/v1/subscribers/${who}`, {}, slice.publicKey);
    for (let n = 0; n < 2; n++) await call('POST', `/v1/subscribers/${who}`, {});
    const { items } = (await call('GET', `/v1/projects/${slice.projectId}/customers/${who}/timeline`)).body;
    expect(items.map(({ summary }: { summary: string }) => summary)).to.deep.equal([
      'The app user ID was confirmed with a secret key or by a user.',
      `Customer ${who} was created through the app.`,
    ]);
  });

  it('do not count with an email or a transaction id that is the same text', async () => {
    const token = `${drawn++}`;
    await present(`ann-${token}`, bought(randomUUID(), { transactionId: token }));
    const transaction = bought(token);
    await notify(transaction);
    expect(await holderOf(transaction)).to.match(/^\$anon:/);
  });
});

describe('account tokens of the android-store', () => {
  const ground = setUpAndroidScenarios();
  const { scenario, idle } = ground;
  const post = (who: string, key: string, body: object = {}) =>
    ground.harness().call('POST', `/v1/subscribers/${who}`, body, { key });
  const holderOf = async (text: string): Promise<string> => {
    await idle();
    const path = `/v1/projects/${ground.slice().projectId}/customers?search=${text}`;
    const { items } = (await ground.harness().call('GET', path, undefined, { key: ground.slice().secretKey })).body;
    return items[0].appUserId;
  };

  it('leave the purchase to its buyer whom a public key imitates', async () => {
    const { publicKey } = ground.slice();
    for (const way of ['app user id', 'attribute']) {
      const { notify, purchase } = scenario();
      const token = `user-${purchase}`;
      const thief = way === 'attribute' ? `thief-${purchase}` : token;
      await post(thief, publicKey, way === 'attribute' ? { attributes: { $appAccountToken: token } } : {});
      await notify(0, 'PURCHASED', { accountId: token });
      expect(await holderOf(purchase), way).to.match(/^\$anon:/);
      const receipt = {
        store: 'android-store',
        receipt: purchase,
        productId: `${PRO}:${BASE_PLAN}`,
        appId: ground.appId(),
      };
      await ground.call('POST', `/v1/subscribers/buyer-${purchase}/receipts`, receipt);
      expect(await holderOf(purchase), way).to.equal(`buyer-${purchase}`);
    }
  });

  it('name the customer of the server, before the purchase or after it, in the case in which they are written', async () => {
    const { secretKey } = ground.slice();
    for (const isBefore of [true, false]) {
      const { notify, purchase } = scenario();
      const token = `User-${purchase}`;
      await post(token.toLowerCase(), secretKey);
      if (isBefore) await post(token, secretKey);
      await notify(0, 'PURCHASED', { accountId: token });
      if (!isBefore) await post(token, secretKey);
      expect(await holderOf(purchase), `before: ${isBefore}`).to.equal(token);
    }
  });
});
