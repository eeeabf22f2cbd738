// Notifications about products, prices, shares and extensions, from outside: events in their order, and who has access when.
import { expect } from 'chai';
import { FIRST, MILLISECOND, type Period } from './scenario.js';
import { setUpScenarios } from './scenarios.js';

const YEARLY = 'com.example.app.max.year';
const TRIAL = { price: 0, offerType: 1, offerDiscountType: 'FREE_TRIAL', offerPeriod: 'P1W' };

describe('an ios notification of a change', () => {
  const { scenario, sell } = setUpScenarios();
  before(() => sell(YEARLY, 'P1Y', 'max'));

  const accessOf = async (s: ReturnType<typeof scenario>) => (await s.customer()).activeEntitlements.sort();
  const upgrade = (from: number): Period => ({
    n: 2,
    from,
    to: from + 365,
    productId: YEARLY,
    price: 99_990,
    transactionReason: 'PURCHASE',
  });

  it('changes the product at once, and access with it', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    expect(await accessOf(s)).to.deep.equal(['pro']);
    const renewal = { productId: YEARLY, autoRenewProductId: YEARLY };
    await s.notify(10, 'DID_CHANGE_RENEWAL_PREF/UPGRADE', { period: upgrade(10), renewal });
    expect(await accessOf(s)).to.deep.equal(['max']);
    expect(await s.events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionProductChanged T+10',
      'SubscriptionExpired T+10',
      'SubscriptionStarted T+10',
    ]);
    expect(await s.dataOf('SubscriptionProductChanged')).to.include({ mode: 'immediate', toStoreProductId: YEARLY });
    const { subscriptions } = await s.customer();
    expect(subscriptions.map((one: { state: string }) => one.state)).to.deep.equal(['expired', 'active']);
    expect((await s.timeline()).at(-1)?.data).to.include({
      startReason: 'product_change',
      previousSubscriptionId: subscriptions[0].id,
    });
    expect(await s.kinds()).to.deep.equal(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'INITIAL_PURCHASE']);
  });

  it('changes the product of a trial without ending it', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: { ...FIRST, to: 7, ...TRIAL } });
    const other = { ...upgrade(3), to: 10, ...TRIAL };
    const renewal = { productId: YEARLY, autoRenewProductId: YEARLY };
    await s.notify(3, 'DID_CHANGE_RENEWAL_PREF/UPGRADE', { period: other, renewal });
    expect(await s.events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionProductChanged T+3',
      'SubscriptionRenewed T+3',
    ]);
    const { subscriptions } = await s.customer();
    expect(subscriptions).to.have.length(1);
    expect(subscriptions[0]).to.include({ state: 'trial', storeProductId: YEARLY });
    expect(await s.kinds()).to.deep.equal(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL']);
  });

  it('schedules a change of product, shows it, and makes it at the renewal', async () => {
    const s = scenario();
    const yearly: Period = { ...FIRST, to: 100, productId: YEARLY, price: 99_990 };
    const down = { productId: YEARLY, autoRenewProductId: 'com.example.app.pro.month', renewalDate: s.ms(100) };
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: yearly, renewal: { productId: YEARLY } });
    await s.notify(10, 'DID_CHANGE_RENEWAL_PREF/DOWNGRADE', { period: yearly, renewal: down });
    expect((await s.customer()).subscriptions[0].autoRenewStatus).to.equal('will_change_product');
    await s.see(100 - MILLISECOND, 'active', false);
    expect(await accessOf(s)).to.deep.equal(['max']);
    await s.notify(100, 'DID_RENEW', { period: { n: 2, from: 100, to: 131 } });
    await s.see(100, 'active', true);
    expect(await accessOf(s)).to.deep.equal(['pro']);
    expect(await s.events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionProductChangeScheduled T+10',
      'SubscriptionProductChanged T+100',
      'SubscriptionExpired T+100',
      'SubscriptionStarted T+100',
    ]);
    expect(await s.dataOf('SubscriptionProductChanged')).to.include({ mode: 'at_renewal' });
    expect(await s.kinds()).to.deep.equal(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL']);
  });

  it('withdraws a planned change of product', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(5, 'DID_CHANGE_RENEWAL_PREF/DOWNGRADE', { renewal: { autoRenewProductId: YEARLY } });
    await s.notify(6, 'DID_CHANGE_RENEWAL_PREF', { renewal: { autoRenewProductId: 'com.example.app.pro.month' } });
    expect((await s.customer()).subscriptions[0]).to.include({ autoRenewStatus: 'will_renew', pendingProductId: null });
    expect(await s.events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionProductChangeScheduled T+5',
      'SubscriptionProductChangeCancelled T+6',
    ]);
  });

  it('reads a planned change off a later message when its own was lost', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(6, 'REFUND_DECLINED', { renewal: { autoRenewProductId: YEARLY, autoRenewStatus: 0 } });
    expect(await s.events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'RefundDeclined T+6',
      'SubscriptionAutoRenewDisabled T+6',
      'SubscriptionProductChangeScheduled T+6',
    ]);
  });

  it('requests consent to a price and expires subscriptions without it', async () => {
    const s = scenario();
    const asked = { renewal: { priceIncreaseStatus: 0, renewalPrice: 12_990, currency: 'USD', renewalDate: s.ms(31) } };
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(5, 'PRICE_INCREASE/PENDING', asked);
    expect((await s.customer()).subscriptions[0].autoRenewStatus).to.equal('requires_price_increase_consent');
    await s.notify(31, 'EXPIRED/PRICE_INCREASE', asked);
    await s.see(31, 'expired', false);
    expect(await s.events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'PriceIncreaseConsentRequested T+5',
      'SubscriptionExpired T+31',
    ]);
    expect(await s.dataOf('SubscriptionExpired')).to.include({ reason: 'price_increase' });
  });

  it('continues after consent', async () => {
    const s = scenario();
    const renewal = { renewalPrice: 12_990, currency: 'USD', renewalDate: s.ms(31) };
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(5, 'PRICE_INCREASE/PENDING', { renewal: { ...renewal, priceIncreaseStatus: 0 } });
    await s.notify(8, 'PRICE_INCREASE/ACCEPTED', { renewal: { ...renewal, priceIncreaseStatus: 1 } });
    expect((await s.customer()).subscriptions[0].autoRenewStatus).to.equal('will_renew');
    expect((await s.events()).slice(1)).to.deep.equal([
      'PriceIncreaseConsentRequested T+5',
      'PriceIncreaseAccepted T+8',
    ]);
  });

  it('withdraws a family share', async () => {
    const s = scenario();
    const period = { ...FIRST, inAppOwnershipType: 'FAMILY_SHARED' };
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY', { period });
    await s.see(10 - MILLISECOND, 'active', true);
    await s.notify(10, 'REVOKE', { period: { ...period, revocationDate: s.ms(10) } });
    await s.see(10, 'revoked', false);
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionRevoked T+10']);
    expect(await s.dataOf('SubscriptionStarted')).to.include({ startReason: 'family_share' });
    expect((await s.customer()).totalSpentUsd).to.equal(0);
  });

  it('extends a period without a charge', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(20, 'RENEWAL_EXTENDED', { period: { ...FIRST, to: 40 } });
    await s.see(40 - MILLISECOND, 'active', true);
    await s.see(40, 'expired', false);
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionExtended T+20']);
  });

  it('records offers, failed extensions and questions about a refund', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(4, 'OFFER_REDEEMED', { renewal: { offerType: 2, offerIdentifier: 'autumn' } });
    await s.notify(5, 'RENEWAL_EXTENSION/FAILURE');
    await s.notify(6, 'CONSUMPTION_REQUEST', { renewal: {} });
    await s.see(6, 'active', true);
    expect((await s.events()).slice(1)).to.deep.equal([
      'OfferRedeemed T+4',
      'SubscriptionExtensionFailed T+5',
      'ConsumptionInformationRequested T+6',
    ]);
    expect(await s.dataOf('OfferRedeemed')).to.deep.include({
      offer: { offerType: 'promotional', offerId: 'autumn', discountType: null },
    });
  });

  it('reverses a refund that is received only afterwards', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(20, 'REFUND_REVERSED');
    await s.notify(21, 'REFUND', { period: { ...FIRST, revocationDate: s.ms(10) }, signed: 10 });
    await s.see(22, 'active', true);
    expect((await s.customer()).totalSpentUsd).to.equal(9.99);
    expect((await s.events()).slice(1)).to.deep.equal([
      'TransactionRefunded T+10',
      'SubscriptionExpired T+10',
      'TransactionRefundReversed T+20',
    ]);
  });
});
