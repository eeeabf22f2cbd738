// App receipts (StoreKit 1) as iOS SDKs post them: what is answered with 2xx or 4xx is finished on the device and never presented again.
import { expect } from 'chai';
import { startIosStore, type SimulatedIosStore } from '../../../simulator/ios-store/api-server.js';
import { appReceipt, type ReceiptFields } from '../../adapters/ios-store/app-receipts.js';
import { BUNDLE_ID, MONTHLY, signAppReceipt, store } from '../support/harness.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';
import { iosKey } from '../support/store-credentials.js';
import { sdkClient } from './setup.js';

const DAY_MS = 86_400_000;
const GOLD = 'com.example.app.gold.month';
const now = Date.now();

describe('an app receipt of an SDK', () => {
  const settings: Record<string, string> = { COMPAT_PORT: '0' };
  let simulated: SimulatedIosStore;
  before(async () => {
    simulated = await startIosStore({ KEY1: iosKey() });
    Object.assign(settings, simulated.settings);
  });
  const { harness, slice, as } = setUpServiceWithFreshProjects(settings);
  const sdk = sdkClient(harness, () => slice.publicKey);
  after(() => simulated.close());
  beforeEach(async () => {
    simulated.chains.clear();
    const path = `/v1/projects/${slice.projectId}/apps/${slice.appId}/credentials/ios-store`;
    await harness.call('POST', path, { issuerId: 'issuer', keyId: 'KEY1', privateKey: iosKey() }, as);
  });

  type Entry = { readonly id: string; readonly productId: string; readonly day: number; readonly type?: 'Consumable' };
  const show = (...entries: readonly Entry[]) => {
    const transactions = entries.map(({ id, productId, day, type }) =>
      store.signedTransaction({
        ...{
          bundleId: BUNDLE_ID,
          environment: 'Production',
          transactionId: id,
          productId,
          price: 9990,
          currency: 'USD',
        },
        ...{ purchaseDate: now + day * DAY_MS, signedDate: now },
        ...(type ? { type } : { expiresDate: now + (day + 30) * DAY_MS }),
      }),
    );
    for (const { id } of entries) simulated.chains.set(id, { transactions, renewal: undefined, status: 1 });
  };
  const receiptOf = (entries: readonly Entry[], padding: readonly ReceiptFields[] = []) =>
    signAppReceipt(
      appReceipt(BUNDLE_ID, [
        ...entries.map(({ id: transactionId, productId, day, type }) => ({
          ...{ transactionId, productId },
          purchasedAt: new Date(now + day * DAY_MS).toISOString().replace(/\.\d+Z/, 'Z'),
          ...(!type && { webOrderLineItemId: `7${transactionId}` }),
        })),
        ...padding,
      ]),
    );
  const post = async (entries: readonly Entry[], named: object) =>
    sdk('POST', '/v1/receipts', { app_user_id: 'ann', fetch_token: await receiptOf(entries), ...named });

  it('posted for a purchase records that one and a later renewal of another', async () => {
    const gold = { id: '100', productId: GOLD, day: -3 };
    const pro = { id: '200', productId: MONTHLY, day: -1 };
    show(gold, pro);
    for (const named of [{ product_id: GOLD, transaction_id: '100' }, { product_id: GOLD }]) {
      const { status, body } = await post([gold, pro], named);
      expect([status, Object.keys(body.subscriber.subscriptions).toSorted()]).to.deep.equal([200, [GOLD, MONTHLY]]);
    }
  });

  it('lists each consumable by its transaction, and a repeat adds nothing', async () => {
    const coins = (id: string, day: number) => ({ id, productId: 'coins', day, type: 'Consumable' as const });
    const both = [coins('300', -2), coins('301', -1)];
    show(...both);
    const first = await post(both, { product_id: 'coins', transaction_id: '300' });
    const ids = (body: typeof first.body) =>
      body.subscriber.non_subscriptions.coins.map((p: { store_transaction_id: string }) => p.store_transaction_id);
    expect([first.status, ids(first.body)]).to.deep.equal([200, ['300', '301']]);
    await harness.service().idle();
    const head = await harness.service().services.deps.log.head();
    const second = await post(both, { product_id: 'coins', transaction_id: '301' });
    expect([second.status, ids(second.body)]).to.deep.equal([200, ['300', '301']]);
    await harness.service().idle();
    expect(await harness.service().services.deps.log.head()).to.equal(head);
  });

  it('that the store signed, without knowing its purchase, is kept by the device', async () => {
    const { status, body } = await post([{ id: '400', productId: MONTHLY, day: -1 }], { product_id: MONTHLY });
    expect([status, body.code]).to.deep.equal([503, 7110]);
  });

  it('that was made before the purchase is kept until the store lists it', async () => {
    const pro = { id: '500', productId: MONTHLY, day: -2 };
    const gold = { id: '501', productId: GOLD, day: -1 };
    const named = { product_id: GOLD, transaction_id: '501' };
    show(pro);
    expect((await post([pro], named)).status).to.equal(503);
    show(pro, gold);
    const { status, body } = await post([pro], named);
    expect([status, Object.keys(body.subscriber.subscriptions).toSorted()]).to.deep.equal([200, [GOLD, MONTHLY]]);
  });

  it('that was made before two purchases of the named product records both', async () => {
    const pro = { id: '800', productId: MONTHLY, day: -3 };
    const later = [
      { id: '801', productId: GOLD, day: -2 },
      { id: '802', productId: GOLD, day: -1 },
    ];
    show(pro, ...later);
    expect((await post([pro], { product_id: GOLD })).status).to.equal(200);
    await harness.service().idle();
    const { body } = await harness.call('GET', `/v1/projects/${slice.projectId}/transactions?limit=10`, undefined, as);
    const ids = body.items.map((t: { id: string }) => t.id).toSorted();
    expect(ids).to.deep.equal(['800', '801', '802']);
  });

  it('of several megabytes is read, by both APIs', async function () {
    this.timeout(120_000);
    const pro = { id: '600', productId: MONTHLY, day: -1 };
    show(pro);
    const note = 'x'.repeat(30_000);
    const padding = Array.from({ length: 100 }, () => ({
      ...{ transactionId: 'none', productId: note, purchasedAt: '2020-01-01T00:00:00Z' },
    }));
    const fetch_token = await receiptOf([pro], padding);
    expect(fetch_token.length).to.be.above(3_000_000);
    const named = { app_user_id: 'ann', fetch_token, product_id: MONTHLY, transaction_id: '600' };
    expect((await sdk('POST', '/v1/receipts', named)).status).to.equal(200);
    const body = { store: 'ios-store', receipt: fetch_token };
    const rest = await harness.call('POST', '/v1/subscribers/ann/receipts', body, { key: slice.publicKey });
    expect(rest.status).to.equal(200);
  });

  it('shows offers to former subscribers, whatever they bought last', async () => {
    const entries = [
      { id: '700', productId: MONTHLY, day: -200 },
      { id: '701', productId: 'coins', day: -1, type: 'Consumable' as const },
    ];
    show(...entries);
    const offers = {
      app_user_id: 'ann',
      fetch_token: await receiptOf(entries),
      generate_offers: [{ offer_id: 'o', product_id: MONTHLY }],
    };
    const { status, body } = await sdk('POST', '/v1/offers', offers);
    expect([status, body.offers?.[0]?.signature_error]).to.deep.equal([200, null]);
  });
});
