// Cases from public reports of how the android-store behaves, each played over HTTP.
import { expect } from 'chai';
import { playCase } from './case-player.js';
import { setUpAndroidScenarios } from './scenarios.js';

describe('a reported android case', () => {
  const ground = setUpAndroidScenarios();
  const { sell, call, clock } = ground;
  before(async () => {
    await sell('pro:month');
    await sell('basic:month');
    await sell('extra:month');
    await sell('pro:year', { duration: 'P1Y' });
    const id = await sell('life', { type: 'non_consumable', duration: null });
    const price = { amount: 49.99, currency: 'USD' };
    await call('POST', `${ground.base()}/products/${id}/prices`, price);
  });
  type Money = { readonly amountMicros: number | null };
  const charges = ({ timeline }: Awaited<ReturnType<typeof playCase>>) =>
    timeline.flatMap(({ data }) => (data['money'] === undefined ? [] : [(data['money'] as Money).amountMicros]));
  const isOpen = async (played: Awaited<ReturnType<typeof playCase>>) =>
    (await played.access()).body.subscriber.entitlements.pro?.isActive ?? false;

  it('counts the charge of a product bought again while it was on hold', async () => {
    const played = await playCase(ground, 'rebuy-same-product-on-hold');
    expect(played.events).to.deep.equal([
      'SubscriptionStarted T-60',
      'SubscriptionBillingIssueDetected T-30',
      'SubscriptionBillingRetryEntered T-30',
      'SubscriptionExpired T-2',
      'SubscriptionStarted T-2',
    ]);
    expect(played.timeline.findLast(({ type }) => type === 'SubscriptionExpired')?.data).to.include({
      reason: 'billing_error',
    });
    expect(played.timeline.at(-1)?.data).to.include({ startReason: 'resubscribe' });
    expect(charges(played)).to.deep.equal([9_990_000, 9_990_000]);
    expect(played.kinds.at(-1)).to.equal('INITIAL_PURCHASE');
    clock.set(played.msOf('T+28d') - 1);
    expect(await isOpen(played)).to.equal(true);
    clock.set(played.msOf('T+28d'));
    expect(await isOpen(played)).to.equal(false);
  });

  it('takes a deferred downgrade for a change of product, not for a cancellation', async () => {
    const played = await playCase(ground, 'deferred-downgrade-is-no-cancellation');
    expect(played.events).to.deep.equal(['SubscriptionStarted T-20', 'SubscriptionProductChangeScheduled T-5']);
    expect(played.kinds).to.deep.equal(['INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
    const [subscription] = played.customer.subscriptions;
    expect(subscription).to.include({ autoRenewStatus: 'will_change_product', unsubscribedAt: null });
    expect((await played.access()).body.subscriber.entitlements.pro).to.include({ isActive: true, willRenew: true });
  });

  it('counts a rewarded purchase as nothing', async () => {
    const played = await playCase(ground, 'rewarded-purchase-is-not-revenue');
    expect(charges(played)).to.deep.equal([0]);
    expect(played.customer.totalSpentUsd).to.equal(0);
    expect(await isOpen(played)).to.equal(true);
  });

  it('refunds a purchase in a list with a row without an order', async () => {
    const played = await playCase(ground, 'one-odd-voided-row');
    expect(played.events).to.include('TransactionRefunded T-1');
    expect(await isOpen(played)).to.equal(false);
  });

  it('gives a one-time purchase to whom it was pending for', async () => {
    const played = await playCase(ground, 'one-time-pending-receipt-owner');
    expect(played.events).to.deep.equal(['OneTimePurchaseCompleted T-3']);
    expect(await isOpen(played)).to.equal(true);
  });

  type Subscription = { readonly storeProductId: string; readonly state: string; readonly accessEndsAt: string };
  const ends = ({ customer, msOf }: Awaited<ReturnType<typeof playCase>>) =>
    customer.subscriptions
      .map(
        (s: Subscription) => `${s.storeProductId} ${s.state} ${(Date.parse(s.accessEndsAt) - msOf('T')) / 3_600_000}h`,
      )
      .sort();

  it('gives access until the later end that the answer to a receipt shows', async () => {
    const played = await playCase(ground, 'later-end-shown-to-a-receipt');
    expect(ends(played)).to.deep.equal(['pro:month active 10h']);
    expect(await isOpen(played)).to.equal(true);
    expect(charges(played)).to.deep.equal([9_990_000]);
  });

  it('ends an add-on that was revoked alone', async () => {
    const played = await playCase(ground, 'add-on-revoked-ends-now');
    expect(ends(played)).to.deep.equal(['extra:month expired -1h', 'pro:month active 600h']);
    expect(played.kinds).to.deep.equal(['INITIAL_PURCHASE', 'INITIAL_PURCHASE', 'EXPIRATION UNKNOWN']);
  });

  const refunds = ({ timeline }: Awaited<ReturnType<typeof playCase>>) =>
    timeline.flatMap(({ type, data }) => {
      if (type !== 'TransactionRefunded') return [];
      const { purchase, refund } = data as { purchase: Subscription; refund: { money: Money } };
      return [`${purchase.storeProductId} ${refund.money.amountMicros}`];
    });

  for (const name of ['voided-row-of-one-add-on', 'voided-row-of-one-add-on-without-order'])
    it(`refunds the item that ended, not the others of its order (${name})`, async () => {
      const played = await playCase(ground, name);
      expect(refunds(played)).to.deep.equal(['extra:month 4990000']);
      expect(ends(played).at(-1)).to.equal('pro:month active 600h');
    });

  it('gives back what the order shows, when a revoke is prorated', async () => {
    const played = await playCase(ground, 'prorated-revoke-gives-a-part-back');
    expect(refunds(played)).to.deep.equal(['pro:year 43550000']);
    expect(await isOpen(played)).to.equal(false);
  });

  it('takes the end of a purchase that was cancelled in grace for that of the grace period', async () => {
    const played = await playCase(ground, 'cancelled-in-grace-is-no-extension');
    expect(ends(played)).to.deep.equal(['pro:month grace_period 96h']);
    expect(played.kinds).to.not.include('SUBSCRIPTION_EXTENDED');
    expect(played.kinds).to.include('CANCELLATION UNSUBSCRIBE');
  });

  it('shortens an active purchase whose end moved back', async () => {
    const played = await playCase(ground, 'active-purchase-shortened');
    expect(ends(played)).to.deep.equal(['pro:month active 72h']);
    expect(played.kinds).to.deep.equal(['INITIAL_PURCHASE']);
  });

  it('begins no period before the purchase', async () => {
    const played = await playCase(ground, 'period-begins-before-the-purchase');
    const begun = played.timeline.flatMap(({ data }) => (data['purchasedAt'] as string | undefined) ?? []);
    expect(begun.length).to.be.greaterThan(0);
    for (const at of begun) expect(Date.parse(at)).to.be.at.least(played.msOf('T-40min'));
    expect(await isOpen(played)).to.equal(false);
  });
});
