// One-time purchases as the android-store's resource "ProductPurchaseV2" shows them: options, rentals, pre-orders, several products.
import { expect } from 'chai';
import { aboutProduct, money } from '../../../../simulator/android-store/payloads.js';
import { setUpAndroidScenarios } from './scenarios.js';

type Line = Readonly<Record<string, unknown>>;

describe('a one-time purchase of the android-store', function () {
  this.timeout(120_000);
  const ground = setUpAndroidScenarios();
  const { sell, clock, call, harness } = ground;
  let purchases = 0;
  before(async () => {
    await sell('movie:rent', { type: 'non_renewing_subscription', duration: 'P2D' });
    await sell('movie', { type: 'non_consumable', duration: null });
    await sell('clip', { type: 'non_consumable', duration: null });
    const coins = await sell('coins', { type: 'consumable', duration: null });
    await call('POST', `${ground.base()}/products/${coins}/prices`, { amount: 1.99, currency: 'USD' });
  });

  const begin = () => {
    const token = `once-${++purchases}`;
    const orderId = `GPA.${token}`;
    const user = `buyer-${purchases}`;
    const start = clock.now();
    return {
      token,
      orderId,
      user,
      show: (lines: readonly Line[], fields: object = {}, v2: object = {}) =>
        ground.store().products.set(token, {
          productId: String(lines[0]?.['productId']),
          resource: {
            ...{ purchaseTimeMillis: String(start), orderId, regionCode: 'US', acknowledgementState: 1, ...fields },
            v2: { productLineItem: lines, ...v2 },
          },
        }),
      order: (totals: Readonly<Record<string, number>>, state = 'PROCESSED') => {
        const lineItems = Object.entries(totals).map(([productId, milli]) => ({ productId, total: money(milli) }));
        const sum = Object.values(totals).reduce((all, one) => all + one, 0);
        ground.store().orders.set(orderId, { orderId, state, total: money(sum), lineItems });
      },
      receipt: async (productId: string) => {
        const body = { store: 'android-store', receipt: token, productId, appId: ground.appId() };
        const key = ground.slice().secretKey;
        return (await harness().call('POST', `/v1/subscribers/${user}/receipts`, body, { key })).status;
      },
      bought: async () => {
        const { purchases: all, totalSpentUsd } = await call('GET', `${ground.base()}/customers/${user}`);
        const days = (at: string | null) => (at === null ? 'for ever' : `${(Date.parse(at) - start) / 86_400_000}d`);
        const rows = all.map((p: Readonly<Record<string, string>>) => {
          return `${p['storeProductId']} x${p['quantity']} ${p['amount']} ${days(p['accessEndsAt'] ?? null)}`;
        });
        return [...rows.sort(), totalSpentUsd];
      },
      offers: async () => {
        const { items } = await call('GET', `${ground.base()}/customers/${user}/timeline?order=oldest`);
        return items.flatMap(({ data }: { data: { offer?: { offerId: string | null } } }) => data.offer?.offerId ?? []);
      },
      push: async (sku: string) => {
        await ground.scenario().push(0, aboutProduct(1, token, sku));
      },
    };
  };
  const line = (productId: string, details: object = {}) => ({ productId, productOfferDetails: details });

  it('ends with its rental, by the catalogue or after the longest one', async () => {
    const [listed, other] = [begin(), begin()];
    listed.show([line('movie', { purchaseOptionId: 'rent', rentOfferDetails: {}, offerId: 'launch' })]);
    listed.order({ movie: 3990 });
    other.show([line('clip', { purchaseOptionId: 'rent', rentOfferDetails: {} })]);
    other.order({ clip: 990 });
    expect([await listed.receipt('movie'), await other.receipt('clip')]).to.deep.equal([200, 200]);
    expect(await listed.bought()).to.deep.equal(['movie:rent x1 3.99 2d', 3.99]);
    expect(await listed.offers()).to.deep.equal(['launch']);
    expect(await other.bought()).to.deep.equal(['clip x1 0.99 30d', 0.99]);
  });

  it('of several products counts each with its quantity and its own price, once', async () => {
    const p = begin();
    p.show([line('coins', { quantity: 2 }), line('clip', {})]);
    p.order({ coins: 3980, clip: 990 });
    expect(await p.receipt('clip')).to.equal(200);
    expect(await p.receipt('coins')).to.equal(200);
    await p.push('coins');
    expect(await p.bought()).to.deep.equal(['clip x1 0.99 for ever', 'coins x2 3.98 for ever', 4.97]);
  });

  it('gives nothing and costs nothing as long as a pre-order is not charged', async () => {
    const p = begin();
    p.show([line('clip', { preorderOfferDetails: {} })]);
    p.order({ clip: 990 }, 'PENDING');
    expect(await p.receipt('clip')).to.equal(200);
    expect(await p.bought()).to.deep.equal([0]);
    p.order({ clip: 990 });
    await p.push('clip');
    expect(await p.bought()).to.deep.equal(['clip x1 0.99 for ever', 0.99]);
  });

  it('is read by the old resource where the new one does not know it', async () => {
    const p = begin();
    p.show([line('clip')]);
    p.order({ clip: 990 });
    ground.store().setFailure(404, /productsv2/);
    expect(await p.receipt('clip')).to.equal(200);
    expect(await p.bought()).to.deep.equal(['clip x1 0.99 for ever', 0.99]);
  });

  it('without an order has the type that only the old resource shows', async () => {
    const p = begin();
    p.show([line('coins')], { purchaseType: 2 });
    expect(await p.receipt('coins')).to.equal(200);
    expect(await p.bought()).to.deep.equal(['coins x1 0 for ever', 0]);
  });

  it('that was voided before its receipt gives no access', async () => {
    const p = begin();
    p.show([line('clip', { quantity: 1, refundableQuantity: 0 })]);
    p.order({ clip: 990 });
    ground.store().voided.push({
      ...{ purchaseToken: p.token, orderId: p.orderId, voidedTimeMillis: String(clock.now()) },
    });
    expect(await p.receipt('clip')).to.equal(200);
    expect(await p.bought()).to.deep.equal(['clip x1 0.99 0d', 0]);
  });
});
