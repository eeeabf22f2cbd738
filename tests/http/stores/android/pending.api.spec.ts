// One-time purchases of the android-store that are paid later: whose they are, and what becomes of them.
import { expect } from 'chai';
import { aboutProduct } from '../../../../simulator/android-store/payloads.js';
import { expectRefusal } from '../../support/refusal.js';
import { setUpAndroidScenarios } from './scenarios.js';

const PENDING = 2;
const BOUGHT = 0;
const CALLED_OFF = 1;

describe('a one-time android purchase that is paid later', () => {
  const ground = setUpAndroidScenarios();
  const { scenario, store, sell, call, clock, idle } = ground;
  before(() => sell('life', { type: 'non_consumable', duration: null }));
  let buyers = 0;

  const shelve = (token: string, purchaseState: number, more: object = {}) => {
    const resource = { purchaseState, purchaseTimeMillis: String(clock.now()), regionCode: 'US', ...more };
    store().products.set(token, { productId: 'life', resource });
  };
  const present = (who: string, receipt: string, productId = 'life') => {
    const body = { store: 'android-store', receipt, productId, appId: ground.appId() };
    return ground.harness().call('POST', `/v1/subscribers/${who}/receipts`, body, { key: ground.slice().secretKey });
  };
  const isOpen = async (who: string) => {
    const { subscriber } = await call('GET', `/v1/subscribers/${who}`);
    return subscriber.entitlements.pro?.isActive ?? false;
  };
  const events = async (who: string) => {
    const { items } = await call('GET', `${ground.base()}/customers/${who}/timeline?order=oldest`);
    return items.map(({ type }: { type: string }) => type).filter((type: string) => type !== 'CustomerCreated');
  };
  const newBuyer = () => `later-${++buyers}`;

  it('is called off for the customer of the receipt', async () => {
    const { purchase, push } = scenario();
    const who = newBuyer();
    shelve(purchase, PENDING);
    expect((await present(who, purchase)).status).to.equal(200);
    shelve(purchase, CALLED_OFF);
    await push(1, aboutProduct(2, purchase, 'life'));
    expect(await events(who)).to.deep.equal(['OneTimePurchasePendingCancelled']);
    expect(await isOpen(who)).to.equal(false);
  });

  it('is of the customer of the latest receipt, once', async () => {
    const { purchase, push } = scenario();
    const [first, second] = [newBuyer(), newBuyer()];
    shelve(purchase, PENDING);
    for (const who of [first, first, second, second]) expect((await present(who, purchase)).status).to.equal(200);
    shelve(purchase, BOUGHT, { orderId: `GPA.${purchase}` });
    await push(1, aboutProduct(1, purchase, 'life'));
    await push(1, aboutProduct(1, purchase, 'life'));
    expect([await isOpen(first), await isOpen(second)]).to.deep.equal([false, true]);
    expect((await events(second)).filter((type: string) => type === 'OneTimePurchaseCompleted')).to.have.length(1);
  });

  it('is kept and answered 202 while the store shows no time of purchase', async () => {
    const { purchase } = scenario();
    const who = newBuyer();
    shelve(purchase, PENDING, { purchaseTimeMillis: undefined });
    const { status, body } = await present(who, purchase);
    expect([status, body.pending?.reason]).to.deep.equal([202, 'payment_pending']);
    clock.set(clock.now() + 400_000);
    await idle();
    expect(await isOpen(who)).to.equal(false);
    shelve(purchase, BOUGHT, { orderId: `GPA.${purchase}` });
    clock.set(clock.now() + 3_600_000);
    await idle();
    expect(await isOpen(who)).to.equal(true);
  });

  it('is restored from what is known once the store has forgotten it', async () => {
    const { purchase } = scenario();
    const [who, other] = [newBuyer(), newBuyer()];
    shelve(purchase, BOUGHT, { orderId: `GPA.${purchase}` });
    expect((await present(who, purchase)).status).to.equal(200);
    store().setFailure(410, /\/tokens\//);
    expect((await present(who, purchase)).status).to.equal(200);
    expect((await present(other, purchase)).status).to.equal(200);
    expect([await isOpen(who), await isOpen(other)]).to.deep.equal([false, true]);
    expectRefusal(await present(other, `${purchase}-never-seen`), 400);
    expectRefusal(await present(other, purchase, 'pro_month:p1m'), 400);
    store().setFailure(null);
  });

  for (const [purchaseType, name, environment, amount] of [
    [0, 'a test', 'sandbox', null],
    [1, 'with a promotional code', 'production', 0],
    [2, 'as a reward', 'production', 0],
  ] as const)
    it(`is not revenue when it was made ${name}`, async () => {
      const { purchase } = scenario();
      const who = newBuyer();
      shelve(purchase, BOUGHT, { purchaseType });
      expect((await present(who, purchase)).status).to.equal(200);
      const { totalSpentUsd } = await call('GET', `${ground.base()}/customers/${who}`);
      expect(totalSpentUsd).to.equal(0);
      const { items } = await call('GET', `${ground.base()}/customers/${who}/timeline?order=oldest`);
      const { data } = items.find(({ type }: { type: string }) => type === 'OneTimePurchaseCompleted');
      expect([data.purchase.environment, data.money.amountMicros]).to.deep.equal([environment, amount]);
    });

  it('is refunded despite unreadable rows, which the credentials status reports', async () => {
    const { purchase, push } = scenario();
    const who = newBuyer();
    shelve(purchase, BOUGHT, { orderId: `GPA.${purchase}` });
    await present(who, purchase);
    const odd = { purchaseToken: 7, voidedTimeMillis: String(clock.now()) };
    const voided = { purchaseToken: purchase, orderId: `GPA.${purchase}`, voidedTimeMillis: String(clock.now()) };
    store().voided.push(odd, 'nothing' as never, voided);
    const notice = { voidedPurchaseNotification: { ...voided, productType: 2, refundType: 1 } };
    await push(1, notice);
    expect(await isOpen(who)).to.equal(false);
    const status = () => call('GET', `${ground.base()}/apps/${ground.appId()}/credentials/status`);
    expect(JSON.stringify(await status())).to.include('voided purchases were skipped');
    store().voided.splice(store().voided.indexOf(odd), 2);
    await push(2, notice);
    expect(JSON.stringify(await status())).not.to.include('voided purchases were skipped');
  });

  it('by a promotional code is taken back by its token', async () => {
    const { purchase } = scenario();
    const who = newBuyer();
    shelve(purchase, BOUGHT, { purchaseType: 1 });
    await present(who, purchase);
    expect(await isOpen(who)).to.equal(true);
    store().voided.push({ purchaseToken: purchase, voidedTimeMillis: String(clock.now()) });
    clock.set(clock.now() + 7 * 3_600_000);
    // The list is read by a task of its own, which nothing else waits for.
    for (let n = 0; n < 1000 && (await isOpen(who)); n++) await idle();
    expect(await isOpen(who)).to.equal(false);
  });
});
