// Purchases of the android-store that consist of several products: each is a subscription of its own with its own money, though one order
// pays for all.
import { expect } from 'chai';
import { money, orderResource } from '../../../../simulator/android-store/payloads.js';
import { setUpAndroidScenarios } from './scenarios.js';
import { BASE_PLAN, PRO, type beginAndroidScenario } from './scenario.js';

type Scenario = ReturnType<typeof beginAndroidScenario>;
type Item = { readonly product: string; readonly to: number; readonly n?: number; readonly milli?: number };
type Line = { readonly storeProductId: string; readonly state: string };

const ARCHIVE = 'archive';
const ARCHIVE_MILLI = 2990;

describe('an android purchase of several products', () => {
  const { scenario, store, sell, call, idle, clock, appId } = setUpAndroidScenarios();
  before(() => sell(`${ARCHIVE}:${BASE_PLAN}`));

  const base = (to: number, n = 0): Item => ({ product: PRO, to, n, milli: 9990 });
  const archive = (to: number, n = 0): Item => ({ product: ARCHIVE, to, n, milli: ARCHIVE_MILLI });
  const consistsOf = (s: Scenario, items: readonly Item[], more: object = {}) => {
    const lineItems = items.map(({ product, to, n = 0, milli = 0 }) => ({
      productId: product,
      expiryTime: new Date(s.ms(to)).toISOString(),
      latestSuccessfulOrderId: s.orderOf(n),
      autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: money(milli) },
      offerDetails: { basePlanId: BASE_PLAN },
      offerPhase: { basePrice: {} },
      ...more,
    }));
    const orderId = s.orderOf(Math.max(...items.map(({ n = 0 }) => n)));
    return { n: Math.max(...items.map(({ n = 0 }) => n)), also: { latestOrderId: orderId, lineItems } };
  };
  /** Each product with its state. */
  const lines = async (s: Scenario) => {
    const { subscriptions } = await s.customer();
    const shown = subscriptions.map((l: Line) => `${l.storeProductId} ${l.state}`);
    return shown.sort();
  };
  const charged = async (s: Scenario) =>
    (await s.timeline())
      .filter(({ type }) => type === 'SubscriptionStarted' || type === 'SubscriptionRenewed')
      .map(({ data }) => {
        const { storeProductId } = data['purchase'] as { storeProductId: string };
        return `${storeProductId.split(':')[0]} ${(data['money'] as { amountMicros: number }).amountMicros / 1e6}`;
      })
      .sort();
  const spent = async (s: Scenario) => (await s.customer()).totalSpentUsd;

  it('is one customer’s, with a subscription for each, through their renewals', async () => {
    const s = scenario();
    await s.notify(0, 'PURCHASED', consistsOf(s, [base(31), archive(31)]));
    expect(await lines(s)).to.deep.equal([`${ARCHIVE}:p1m active`, `${PRO}:p1m active`]);
    expect(await spent(s)).to.equal(12.98);
    await s.notify(31, 'RENEWED', consistsOf(s, [archive(62, 1), base(62, 1)]));
    await s.see(32, 'active', true);
    expect(await charged(s)).to.deep.equal(['archive 2.99', 'archive 2.99', 'pro_month 9.99', 'pro_month 9.99']);
    expect(await spent(s)).to.equal(25.96);
    expect(await s.kinds()).to.deep.equal(['INITIAL_PURCHASE', 'INITIAL_PURCHASE', 'RENEWAL', 'RENEWAL']);
  });

  it('counts once when it is received again, by whatever message', async () => {
    const s = scenario();
    const whole = consistsOf(s, [base(31), archive(31)]);
    await s.notify(0, 'PURCHASED', whole);
    await s.notify(1, 'PURCHASED', whole);
    await s.notify(2, 'ITEMS_CHANGED', consistsOf(s, [archive(31), base(31)]));
    expect(await charged(s)).to.deep.equal(['archive 2.99', 'pro_month 9.99']);
  });

  it('keeps its products apart when the added one lasts longer', async () => {
    const s = scenario();
    await s.notify(0, 'PURCHASED', consistsOf(s, [base(31)]));
    await s.notify(5, 'ITEMS_CHANGED', consistsOf(s, [base(31), archive(36)]));
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionStarted T+0']);
    await s.notify(31, 'RENEWED', consistsOf(s, [base(62, 1), archive(36)]));
    expect(await charged(s)).to.deep.equal(['archive 2.99', 'pro_month 9.99', 'pro_month 9.99']);
    const types = (await s.events()).map((event) => event.split(' ')[0]);
    expect(types).to.deep.equal(['SubscriptionStarted', 'SubscriptionStarted', 'SubscriptionRenewed']);
  });

  it('is paid by the lines of its order', async () => {
    const s = scenario();
    const orderId = s.orderOf(0);
    const times = { fromMs: s.ms(0), toMs: s.ms(31) };
    const lineOf = (productId: string, priceMilli: number) => {
      const [line] = orderResource({ orderId, productId, basePlanId: BASE_PLAN, ...times, priceMilli }).lineItems;
      return { ...line, total: money(priceMilli) };
    };
    const lineItems = [lineOf(PRO, 4990), lineOf(ARCHIVE, 990)];
    store().orders.set(orderId, { orderId, state: 'PROCESSED', total: money(5980), lineItems });
    const introductory = { offerPhase: { introductoryPrice: {} } };
    await s.notify(0, 'PURCHASED', consistsOf(s, [base(31), archive(31)], introductory));
    expect(await charged(s)).to.deep.equal(['archive 0.99', 'pro_month 4.99']);
    expect(await spent(s)).to.equal(5.98);
  });

  it('is given back for each of its products', async () => {
    const s = scenario();
    await s.notify(0, 'PURCHASED', consistsOf(s, [base(31), archive(31)]));
    store().voided.push({ purchaseToken: s.purchase, orderId: s.orderOf(0), voidedTimeMillis: String(s.ms(10)) });
    clock.set(s.ms(10.5));
    await idle();
    expect(await spent(s)).to.equal(0);
    expect(await lines(s)).to.deep.equal([`${ARCHIVE}:p1m refunded`, `${PRO}:p1m refunded`]);
    await s.see(11, 'refunded', false);
  });

  it('ends only for the product that is taken out of it', async () => {
    const s = scenario();
    await s.notify(0, 'PURCHASED', consistsOf(s, [base(31), archive(31)]));
    await s.notify(10, 'ITEMS_CHANGED', consistsOf(s, [base(31)]));
    await s.notify(12, 'ITEMS_CHANGED', consistsOf(s, [base(31)]));
    expect(await lines(s)).to.deep.equal([`${ARCHIVE}:p1m expired`, `${PRO}:p1m active`]);
    expect((await s.events()).slice(2)).to.deep.equal(['SubscriptionExpired T+10']);
    expect(await s.kinds()).to.deep.equal(['INITIAL_PURCHASE', 'INITIAL_PURCHASE', 'EXPIRATION UNSUBSCRIBE']);
  });

  it('is owned by who presents its token', async () => {
    const s = scenario();
    s.show(consistsOf(s, [base(31), archive(31)]));
    clock.set(s.ms(0.1));
    const body = { store: 'android-store', receipt: s.purchase, productId: `${PRO}:${BASE_PLAN}`, appId: appId() };
    const { subscriber } = await call('POST', '/v1/subscribers/dora/receipts', body);
    expect(Object.keys(subscriber.subscriptions).sort()).to.deep.equal([`${ARCHIVE}:p1m`, `${PRO}:p1m`]);
    expect((await s.customer()).appUserId).to.equal('dora');
    expect(await spent(s)).to.equal(12.98);
  });
});
