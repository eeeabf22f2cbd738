// The payload format `revenuecat`: for each event the bodies that RevenueCat would send, with its names and values.
import { expect } from 'chai';
import type { StoreKind } from '../../../src/domain/store-kinds.js';
import { subscriberEvents as e, type SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import { exampleOf } from '../../../src/domain/webhook/examples.js';
import { kindsOfFormat, sentKinds } from '../../../src/domain/webhook/kinds.js';
import { bodyOf, withoutMoney } from '../../../src/domain/webhook/payload.js';
import { revenueCatMessage } from '../../../src/domain/webhook/revenuecat.js';
import {
  disabled,
  enabled,
  expired,
  issueDetected,
  refunded,
  retryEntered,
  reversed,
} from '../subscriber/store-samples.js';
import {
  coins,
  converted,
  day,
  first,
  itemCompleted,
  lifetime,
  purchaseOf,
  renewed,
  second,
  started,
  subPurchaseOf,
  trial,
  usd,
  yearly,
} from '../subscriber/samples.js';
import { historySteps, PRO } from './history-steps.js';

type Body = { readonly api_version: string; readonly event: Readonly<Record<string, unknown>> };
type Sent = Body['event'];

const at = (n: number) => Date.parse(day(n));

/** The bodies that the last event of a history leads to. */
function bodiesAfter(...events: readonly SubscriberEvent[]): readonly Body[] {
  const step = historySteps(...events).at(-1);
  if (!step) return [];
  const offeringKeyOf = (id: string) => `key of ${id}`;
  return step.messages.flatMap((message) => {
    const sent = revenueCatMessage(message, { ...step, offeringKeyOf });
    if (!sent) return [];
    const payload = { id: `whe_${sent.kind}`, type: sent.kind, projectId: 'proj_1', ...sent.fields };
    return [JSON.parse(bodyOf(payload, 'revenuecat')) as Body];
  });
}

const given = (...history: readonly SubscriberEvent[]) => ({
  when: (event: SubscriberEvent) => {
    const sent = bodiesAfter(...history, event).map((body) => body.event);
    return {
      /** Each event sent, in order, contains these fields. */
      then: (...expected: readonly Sent[]) => {
        expect(sent.map(({ type }) => type)).to.deep.equal(expected.map(({ type }) => type));
        for (const [i, fields] of expected.entries()) expect(sent[i]).to.deep.include(fields);
      },
      thenWithout: (...names: readonly string[]) => expect(sent[0]).not.to.have.any.keys(...names),
      thenNothing: () => expect(sent).to.deep.equal([]),
    };
  },
});

const lookupKeys = { entitlement_ids: ['pro'], entitlement_id: 'pro' };
const rates = { currency: 'USD', tax_percentage: 0, commission_percentage: 0.3, takehome_percentage: 0.7 };
const noMoney = { price: 0, price_in_purchased_currency: 0, ...rates };
const of = (t: typeof first, n: number) => ({ purchase: subPurchaseOf(t), storeTime: day(n) });
const changedPurchase = (event: SubscriberEvent, change: object): SubscriberEvent => {
  const data = event.data as { readonly purchase: object };
  return { ...event, data: { ...data, purchase: { ...data.purchase, ...change } } } as SubscriberEvent;
};
const changedData = (event: SubscriberEvent, change: object): SubscriberEvent =>
  ({ ...event, data: { ...event.data, ...change } }) as SubscriberEvent;

describe('the revenuecat format of a purchase', () => {
  it('INITIAL_PURCHASE has exactly the names and values of RevenueCat', () => {
    const attributes = { $email: { value: 'ann@example.com', updatedAt: day(0) } };
    const event = changedPurchase(started(first), { offeringId: 'ofr_1' });
    const bodies = bodiesAfter(e.CustomerAttributesUpdated.of({ attributes }, { at: day(0) }), event);
    expect(bodies).to.deep.equal([
      {
        api_version: '1.0',
        event: {
          type: 'INITIAL_PURCHASE',
          id: 'whe_INITIAL_PURCHASE',
          event_timestamp_ms: at(0),
          app_user_id: 'alice',
          original_app_user_id: 'alice',
          aliases: ['alice'],
          subscriber_attributes: { $email: { value: 'ann@example.com', updated_at_ms: at(0) } },
          experiments: [],
          app_id: 'app_1',
          environment: 'PRODUCTION',
          store: 'APP_STORE',
          product_id: 'app.monthly',
          entitlement_ids: ['pro'],
          entitlement_id: 'pro',
          presented_offering_id: 'key of ofr_1',
          period_type: 'NORMAL',
          purchased_at_ms: at(0),
          expiration_at_ms: at(31),
          transaction_id: 't1',
          original_transaction_id: 't1',
          is_family_share: false,
          country_code: 'US',
          offer_code: null,
          renewal_number: 1,
          price: 9.99,
          currency: 'USD',
          price_in_purchased_currency: 9.99,
          tax_percentage: 0,
          commission_percentage: 0.3,
          takehome_percentage: 0.7,
        },
      },
    ]);
  });

  for (const [type, period] of [
    ['trial', 'TRIAL'],
    ['intro', 'INTRO'],
    ['normal', 'NORMAL'],
    ['prepaid', 'PREPAID'],
  ] as const)
    it(`a period ${type} is ${period}`, () =>
      given()
        .when(started({ ...first, type }))
        .then({ type: 'INITIAL_PURCHASE', period_type: period }));

  for (const [store, name] of [
    ['ios-store', 'APP_STORE'],
    ['android-store', 'PLAY_STORE'],
    ['test-store', 'TEST_STORE'],
  ] as const)
    it(`the store ${store} is ${name}`, () =>
      given()
        .when(changedPurchase(started(first), { store: store as StoreKind }))
        .then({ type: 'INITIAL_PURCHASE', store: name }));

  it('the environment is SANDBOX for a sandbox purchase', () =>
    given()
      .when(started({ ...first, sandbox: true }))
      .then({ type: 'INITIAL_PURCHASE', environment: 'SANDBOX' }));

  it('a family share is marked', () =>
    given()
      .when(started({ ...first, shared: true }, { startReason: 'family_share' }))
      .then({ type: 'INITIAL_PURCHASE', is_family_share: true }));

  it('a product of the android-store keeps its base plan', () =>
    given()
      .when(changedPurchase(started(first), { store: 'android-store', storeProductId: 'pro:monthly' }))
      .then({ type: 'INITIAL_PURCHASE', product_id: 'pro:monthly' }));

  it('an offer code is named', () =>
    given()
      .when(
        changedData(started(first), {
          offer: { offerType: 'offer_code', offerId: 'SUMMER', discountType: 'pay_up_front' },
        }),
      )
      .then({ type: 'INITIAL_PURCHASE', offer_code: 'SUMMER' }));

  it('an unknown price is null, and so are unknown shares', () => {
    const unknown = { currency: null, amountMicros: null, usdMicros: null, taxRate: null, commissionRate: null };
    given()
      .when(changedData(started(first), { money: { ...usd(0), ...unknown } }))
      .then({
        ...{ type: 'INITIAL_PURCHASE', price: null, currency: null, price_in_purchased_currency: null },
        ...{ tax_percentage: null, commission_percentage: null, takehome_percentage: null },
      });
  });

  it('the takehome is the share after the commission, without an error of rounding', () =>
    given()
      .when(changedData(started(first), { money: { ...usd(9_990_000), taxRate: 0.1109, commissionRate: 0.2853 } }))
      .then({
        ...{ type: 'INITIAL_PURCHASE', tax_percentage: 0.1109, commission_percentage: 0.2853 },
        takehome_percentage: 0.7147,
      }));

  it('RENEWAL marks a conversion and counts the first charge', () => {
    given(started(first))
      .when(renewed(second))
      .then({ type: 'RENEWAL', is_trial_conversion: false, renewal_number: 2, price: 9.99, transaction_id: 't2' });
    given(started(trial))
      .when(renewed(converted, { isTrialConversion: true }))
      .then({ type: 'RENEWAL', is_trial_conversion: true, renewal_number: 2, expiration_at_ms: at(38) });
  });

  it('a trial that had run out and is bought later is a RENEWAL that converts it', () => {
    const later = { ...converted, from: 20, to: 51 };
    const again = { startReason: 'resubscribe', previousSubscriptionId: 'sub_t1' } as const;
    given(started(trial), expired(trial, 7, 'unsubscribe'))
      .when(started(later, again))
      .then({ type: 'RENEWAL', is_trial_conversion: true, renewal_number: 2, price: 9.99, purchased_at_ms: at(20) });
    const android = (event: SubscriberEvent) => changedPurchase(event, { store: 'android-store' });
    given(android(started(trial)), android(expired(trial, 7, 'unsubscribe')))
      .when(android(started(later, again)))
      .then({ type: 'RENEWAL', is_trial_conversion: true });
    given(android(started(first)), android(expired(first, 31, 'unsubscribe')))
      .when(android(started({ ...second, from: 40 }, again)))
      .then({ type: 'INITIAL_PURCHASE', renewal_number: 1 });
    given(started(first), expired(first, 31, 'unsubscribe'))
      .when(started({ ...second, from: 40 }, again))
      .then({ type: 'RENEWAL', is_trial_conversion: false, renewal_number: 2 });
  });

  it('original_transaction_id of the android-store is the first order, never the purchase token', () => {
    const android = (orderId: string) => ({
      ...{ store: 'android-store', storeChainId: 'token', originalTransactionId: 'token', transactionId: orderId },
    });
    const firstOrder = 'GPA.3345-1234-5678-90123';
    for (const orderId of [firstOrder, `${firstOrder}..0`, `${firstOrder}..17`])
      given(changedPurchase(started(first), android(firstOrder)))
        .when(changedPurchase(renewed(second), android(orderId)))
        .then({ type: 'RENEWAL', transaction_id: orderId, original_transaction_id: firstOrder });
    given()
      .when(changedPurchase(itemCompleted(coins), android(firstOrder)))
      .then({ type: 'NON_RENEWING_PURCHASE', transaction_id: firstOrder, original_transaction_id: firstOrder });
  });

  it('NON_RENEWING_PURCHASE has no end and no number of renewals', () =>
    given()
      .when(itemCompleted(coins))
      .then({
        ...{ type: 'NON_RENEWING_PURCHASE', product_id: 'app.item', period_type: 'NORMAL', price: 4.99 },
        ...{ purchased_at_ms: at(0), expiration_at_ms: null, renewal_number: null, store: 'APP_STORE' },
      }));
});

describe('the revenuecat format of a subscription’s life', () => {
  const life = started(first);

  for (const reason of [
    'unsubscribe',
    'billing_error',
    'developer_initiated',
    'price_increase',
    'customer_support',
    'unknown',
  ] as const)
    it(`CANCELLATION has the reason ${reason.toUpperCase()} and no price`, () =>
      given(life)
        .when(disabled(first, 5, { reason }))
        .then({ type: 'CANCELLATION', cancel_reason: reason.toUpperCase(), ...noMoney, ...lookupKeys }));

  it('UNCANCELLATION takes it back', () =>
    given(life, disabled(first, 5))
      .when(enabled(first, 6))
      .then({ type: 'UNCANCELLATION', expiration_at_ms: at(31), ...noMoney }));

  it('BILLING_ISSUE has the end of grace and comes before its CANCELLATION', () =>
    given(life)
      .when(issueDetected(first, 31, 37))
      .then(
        { type: 'BILLING_ISSUE', grace_period_expiration_at_ms: at(37) },
        { type: 'CANCELLATION', cancel_reason: 'BILLING_ERROR' },
      ));

  it('BILLING_ISSUE without a grace period has null', () =>
    given(life)
      .when(issueDetected(first, 31, null))
      .then(
        { type: 'BILLING_ISSUE', grace_period_expiration_at_ms: null },
        { type: 'CANCELLATION', cancel_reason: 'BILLING_ERROR' },
      ));

  it('EXPIRATION after a failed payment has the reason BILLING_ERROR', () =>
    given(life, issueDetected(first, 31, null))
      .when(retryEntered(first, 31, 31))
      .then({ type: 'EXPIRATION', expiration_reason: 'BILLING_ERROR' }));

  for (const [reason, name] of [
    ['unsubscribe', 'UNSUBSCRIBE'],
    ['billing_error', 'BILLING_ERROR'],
    ['price_increase', 'PRICE_INCREASE'],
    ['developer_initiated', 'DEVELOPER_INITIATED'],
    ['customer_support', 'CUSTOMER_SUPPORT'],
    ['subscription_paused', 'SUBSCRIPTION_PAUSED'],
    ['product_not_for_sale', 'UNKNOWN'],
    ['unknown', 'UNKNOWN'],
  ] as const)
    it(`EXPIRATION for ${reason} has the reason ${name}`, () =>
      given(life)
        .when(expired(first, 31, reason))
        .then({ type: 'EXPIRATION', expiration_reason: name, expiration_at_ms: at(31), ...noMoney }));

  it('SUBSCRIPTION_PAUSED has the time of resuming, and its EXPIRATION only the reason', () => {
    const paused = e.SubscriptionPauseScheduled.of(
      { ...of(first, 5), pauseAt: day(31), autoResumeAt: day(60) },
      { at: day(5) },
    );
    given(life)
      .when(paused)
      .then({ type: 'SUBSCRIPTION_PAUSED', auto_resume_at_ms: at(60), ...noMoney });
    const begun = e.SubscriptionPaused.of({ ...of(first, 5), autoResumeAt: day(60) }, { at: day(31) });
    given(life, paused).when(begun).then({ type: 'EXPIRATION', expiration_reason: 'SUBSCRIPTION_PAUSED' });
    given(life, paused).when(begun).thenWithout('auto_resume_at_ms', 'cancel_reason');
  });

  it('SUBSCRIPTION_EXTENDED has the new end', () =>
    given(life)
      .when(
        e.SubscriptionExtended.of({ ...of(first, 3), previousExpiresAt: day(31), expiresAt: day(38) }, { at: day(3) }),
      )
      .then({ type: 'SUBSCRIPTION_EXTENDED', expiration_at_ms: at(38), ...noMoney }));

  it('PRODUCT_CHANGE names the store’s products, planned or immediate', () => {
    const planned = { ...of(first, 5), newProductId: 'prod_2', newStoreProductId: 'app.two', effectiveAt: day(31) };
    given(life)
      .when(e.SubscriptionProductChangeScheduled.of(planned, { at: day(5) }))
      .then({ type: 'PRODUCT_CHANGE', product_id: 'app.monthly', new_product_id: 'app.two', ...noMoney });
    const products = { fromProductId: 'prod_1', toProductId: 'prod_2', toSubscriptionId: 'sub_t1' };
    const stores = { fromStoreProductId: 'app.monthly', toStoreProductId: 'app.yearly' };
    const data = { ...of(yearly, 10), ...products, ...stores, mode: 'immediate' as const };
    const changed = e.SubscriptionProductChanged.of(data, { at: day(10) });
    given(life)
      .when(changed)
      .then({ type: 'PRODUCT_CHANGE', product_id: 'app.monthly', new_product_id: 'app.yearly', ...lookupKeys });
    const upgraded = started(yearly, { startReason: 'product_change', previousSubscriptionId: 'sub_t1' });
    const over = expired(first, 10, 'product_change');
    given(life, changed, over)
      .when(upgraded)
      .then({
        ...{ type: 'RENEWAL', is_trial_conversion: false, renewal_number: 2, product_id: 'app.yearly' },
        ...{ price: 99.99, original_transaction_id: 't1' },
      });
    given(life, changed, over, upgraded)
      .when(renewed({ ...yearly, id: 't3', from: 375, to: 740 }, { of: 'sub_t2' }))
      .then({ type: 'RENEWAL', renewal_number: 3 });
  });
});

describe('the revenuecat format of refunds', () => {
  const latest = { isLatest: true, accessRevoked: true };
  const money = { price: -9.99, price_in_purchased_currency: -9.99, currency: 'USD', takehome_percentage: 0.7 };
  const refund = { type: 'CANCELLATION', cancel_reason: 'CUSTOMER_SUPPORT' };

  it('a refund of the latest charge is one CANCELLATION with a negative price', () =>
    given(started(first))
      .when(refunded(first, 5, latest))
      .then({ ...refund, ...money, transaction_id: 't1' }));

  it('a partial refund has its part of the price', () =>
    given(started(first))
      .when(refunded(first, 5, { ...latest, share: 0.5 }))
      .then({ ...refund, price: -4.995 }));

  it('a refund of an earlier charge is not sent', () =>
    given(started(first), renewed(second))
      .when(refunded(first, 40, { isLatest: false, accessRevoked: false }))
      .thenNothing());

  for (const [what, item, end] of [
    ['a consumable', coins, null],
    ['an item that lasts', lifetime, at(5)],
  ] as const)
    it(`a refund of ${what} is a CANCELLATION with the time of purchase`, () =>
      given(itemCompleted(item))
        .when(refunded({ id: 't1', product: 'app.item', price: 4_990_000 }, 5, { ...latest, of: null }))
        .then({
          ...{ ...refund, product_id: 'app.item', price: -4.99, period_type: 'NORMAL' },
          ...{ purchased_at_ms: at(0), expiration_at_ms: end, renewal_number: null },
        }));

  it('the end is the instant of the refund that took access, and the contract’s if it took none', () => {
    const history = [started(first), refunded(first, 5, latest)];
    given(started(first))
      .when(refunded(first, 5, latest))
      .then({ ...refund, expiration_at_ms: at(5) });
    given(...history)
      .when(expired(first, 5, 'customer_support'))
      .then({ type: 'EXPIRATION', expiration_reason: 'CUSTOMER_SUPPORT', expiration_at_ms: at(5), ...noMoney });
    given(...history)
      .when(reversed(first, 6, { accessRestored: true }))
      .then({ type: 'REFUND_REVERSED', expiration_at_ms: at(31) });
    given(started(first))
      .when(refunded(first, 5, { ...latest, accessRevoked: false }))
      .then({ ...refund, expiration_at_ms: at(31) });
  });

  it('the end is the instant of a revocation, of a subscription and of an item', () => {
    const reason = 'family_sharing' as const;
    given(started(first))
      .when(e.SubscriptionRevoked.of({ ...of(first, 5), reason }, { at: day(5) }))
      .then({ type: 'EXPIRATION', expiration_at_ms: at(5), ...noMoney });
    const purchase = purchaseOf({ id: 't1', product: 'app.item' });
    given(itemCompleted(lifetime))
      .when(e.OneTimePurchaseRevoked.of({ purchase, reason }, { at: day(5) }))
      .then(
        { type: 'CANCELLATION', cancel_reason: 'UNKNOWN', expiration_at_ms: at(5), purchased_at_ms: at(0), ...noMoney },
        { type: 'EXPIRATION', expiration_reason: 'UNKNOWN', expiration_at_ms: at(5), ...noMoney },
      );
  });

  it('after a transfer the owner’s CANCELLATION has the money, and the payer’s is not sent', () => {
    const event = refunded(first, 5, latest);
    given(started(first))
      .when(changedData(event, { paidBy: 'cus_bob' }))
      .then({ ...refund, ...money });
    given(started(first))
      .when(changedData(event, { heldBy: 'cus_bob' }))
      .thenNothing();
  });

  it('REFUND_REVERSED brings the money back to the owner', () => {
    const event = reversed(first, 6, { accessRestored: true });
    const back = { type: 'REFUND_REVERSED', price: 9.99, price_in_purchased_currency: 9.99, currency: 'USD' };
    const history = [started(first), refunded(first, 5, latest)];
    given(...history)
      .when(event)
      .then(back);
    given(...history)
      .when(changedData(event, { paidBy: 'cus_bob' }))
      .then(back);
    given(...history)
      .when(changedData(event, { heldBy: 'cus_bob' }))
      .thenNothing();
  });
});

describe('the revenuecat format of customers and grants', () => {
  const granted = (to: number | null, source: 'promotional' | 'temporary' = 'promotional') => {
    const terms = { startsAt: day(0), expiresAt: to === null ? null : day(to) };
    return e.EntitlementGranted.of({ grantId: 'grant_1', ...PRO, duration: null, ...terms, source }, { at: day(0) });
  };
  const grant = {
    ...{ store: 'PROMOTIONAL', environment: 'PRODUCTION', period_type: 'PROMOTIONAL', transaction_id: 'grant_1' },
    ...{ original_transaction_id: 'grant_1', price: 0, is_family_share: false, ...lookupKeys },
  };

  for (const [days, name] of [
    [1, 'daily'],
    [3, 'three_day'],
    [7, 'weekly'],
    [14, 'two_week'],
    [30, 'monthly'],
    [10, 'custom'],
    [null, 'lifetime'],
  ] as const)
    it(`a grant of ${days ?? 'unlimited'} days is a NON_RENEWING_PURCHASE of rc_promo_pro_${name}`, () => {
      const sent = given().when(granted(days));
      const expiration = days === null ? null : at(days);
      sent.then({
        ...{ ...grant, type: 'NON_RENEWING_PURCHASE', product_id: `rc_promo_pro_${name}` },
        ...{ purchased_at_ms: at(0), expiration_at_ms: expiration },
      });
      sent.thenWithout('app_id');
    });

  it('a revoked grant is a CANCELLATION and an EXPIRATION with its end, one that ran out an EXPIRATION', () => {
    const ended = { grantId: 'grant_1', ...PRO };
    const product = { ...grant, product_id: 'rc_promo_pro_weekly' };
    given(granted(7))
      .when(e.EntitlementRevoked.of(ended, { at: day(2) }))
      .then(
        { ...product, type: 'CANCELLATION', cancel_reason: 'DEVELOPER_INITIATED', expiration_at_ms: at(2) },
        { ...product, type: 'EXPIRATION', expiration_reason: 'DEVELOPER_INITIATED', expiration_at_ms: at(2) },
      );
    given(granted(7))
      .when(e.EntitlementGrantExpired.of(ended, { at: day(7) }))
      .then({ ...product, type: 'EXPIRATION', expiration_reason: 'UNKNOWN' });
  });

  it('TEMPORARY_ENTITLEMENT_GRANT has the fields that RevenueCat guarantees', () =>
    given()
      .when(granted(1, 'temporary'))
      .then({
        ...{ type: 'TEMPORARY_ENTITLEMENT_GRANT', app_user_id: 'alice', store: 'PROMOTIONAL', ...lookupKeys },
        ...{ purchased_at_ms: at(0), expiration_at_ms: at(1), transaction_id: 'grant_1' },
        product_id: 'rc_promo_pro_daily',
      }));

  const received = (reason: 'restore' | 'merge'): SubscriberEvent => {
    const transaction = { transactionId: 't1', purchase: subPurchaseOf(first), subscriptionId: 'sub_t1' };
    const settled = { purchasedAt: day(0), money: usd(9_990_000), refund: null };
    const times = { refundedAts: [], reversedAts: [], deferredReversals: [] };
    const subscriptions = historySteps(started(first)).at(-1)?.after.subscriptions ?? [];
    const line = { storeChainId: 't1', storeTime: null, subscriptions, owned: [], noted: [] };
    return e.PurchaseTransferred.of(
      {
        ...{ direction: 'in', fromCustomerId: 'cus_bob', toCustomerId: 'cus_alice', storeChainIds: ['t1'] },
        ...{ reason, snapshot: { ...line, transactions: [{ ...transaction, ...settled, ...times }] } },
      },
      { at: day(1) },
    );
  };

  it('a log-in of an anonymous buyer sends no TRANSFER', () => {
    given().when(received('merge')).thenNothing();
  });

  for (const reason of ['merge', 'restore'] as const)
    it(`a purchase received by ${reason} has its currency and its shares`, () =>
      given(received(reason))
        .when(disabled(first, 5))
        .then({ type: 'CANCELLATION', ...noMoney }));

  it('TRANSFER names both sides and no customer', () => {
    const event = received('restore');
    expect(bodiesAfter(event).map((body) => body.event)).to.deep.equal([
      {
        ...{ type: 'TRANSFER', id: 'whe_TRANSFER', event_timestamp_ms: at(1) },
        ...{ app_id: 'app_1', environment: 'PRODUCTION', store: 'APP_STORE' },
        ...{ transferred_from: ['name of cus_bob'], transferred_to: ['alice'] },
      },
    ]);
  });

  it('SUBSCRIBER_ALIAS names the customers who were merged', () => {
    const merged = { mergedCustomerId: 'cus_anon', mergedAppUserId: '$anon:1', grants: [], experiments: [] };
    const data = { ...merged, reason: 'anonymous_identified' as const, aliases: [], spentMicros: 0 };
    const names = { app_user_id: 'alice', original_app_user_id: '$anon:1', aliases: ['alice', '$anon:1'] };
    const sent = given().when(e.CustomerMerged.of(data, { at: day(1) }));
    sent.then({ type: 'SUBSCRIBER_ALIAS', ...names });
    sent.thenWithout('product_id', 'price', 'store');
  });

  it('EXPERIMENT_ENROLLMENT names the variant and its offering by its key, and later events contain it', () => {
    const data = { experimentId: 'exp_1', variantId: 'var_b', variantName: 'B', offeringId: 'ofr_1' };
    const enrolled = e.ExperimentEnrolled.of(data, { at: day(1) });
    const variant = { experiment_id: 'exp_1', experiment_variant: 'B', enrolled_at_ms: at(1) };
    given()
      .when(enrolled)
      .then({
        ...{ type: 'EXPERIMENT_ENROLLMENT', ...variant, experiment_enrolled_at_ms: at(1) },
        ...{ offering_id: 'key of ofr_1', experiments: [variant] },
      });
    given(enrolled)
      .when(started(first))
      .then({ type: 'INITIAL_PURCHASE', experiments: [variant] });
  });
});

describe('the revenuecat format', () => {
  it('has no kind that RevenueCat lacks', () => {
    const lacking = sentKinds.filter((kind) => !kindsOfFormat('revenuecat').includes(kind));
    expect(lacking).to.deep.equal([
      ...['REFUND', 'PRICE_CORRECTED', 'PRICE_INCREASE_CONSENT_REQUIRED', 'PRICE_INCREASE_CONSENT_APPROVED'],
      'ENTITLEMENT_CHANGED',
      'BOOKS_MONTH_COMPLETE',
      'BOOKS_LINE_MISSING_HERE',
      'FIGURE_OUT_OF_BAND',
    ]);
    expect(kindsOfFormat('camelCase')).to.equal(sentKinds);
  });

  it('sends neither price increases nor corrected prices', () => {
    const newPrice = { currency: 'USD', amountMicros: 12_990_000 };
    const increase = { ...of(first, 5), newPrice, effectiveAt: day(31) };
    const asked = e.PriceIncreaseConsentRequested.of({ ...increase, respondBy: day(20) }, { at: day(5) });
    given(started(first)).when(asked).thenNothing();
    given(started(first), asked)
      .when(e.PriceIncreaseAccepted.of(increase, { at: day(6) }))
      .thenNothing();
    const ids = { purchase: subPurchaseOf(first), transactionId: 't1', subscriptionId: 'sub_t1' };
    const prices = { previous: usd(0), money: usd(9_990_000), refundedShare: 0 };
    given(started(first))
      .when(e.TransactionPriceCorrected.of({ ...ids, ...prices }, { at: day(0) }))
      .thenNothing();
  });

  for (const kind of kindsOfFormat('revenuecat'))
    it(`has an example of ${kind} without undefined values`, () => {
      const fields = exampleOf(kind, day(0), 'revenuecat');
      const payload = { id: 'whe_1', type: kind, projectId: 'proj_1', ...fields };
      const { api_version: version, event } = JSON.parse(bodyOf(payload, 'revenuecat')) as Body;
      expect([version, event['type'], event['id']]).to.deep.equal(['1.0', kind, 'whe_1']);
      expect(event['event_timestamp_ms']).to.equal(at(0));
      if (kind !== 'TEST') expect(event['is_example']).to.equal(true);
      expect(Object.keys(event).filter((name) => /[A-Z]/.test(name))).to.deep.equal([]);
    });

  it('leaves attributes out of a body that would be too long', () => {
    const subscriberAttributes = { a: { value: 'x'.repeat(70_000), updatedAtMs: 1 } };
    const payload = { id: 'whe_1', type: 'RENEWAL', projectId: 'proj_1', subscriberAttributes };
    expect(bodyOf(payload, 'revenuecat').length).to.be.lessThan(65_536);
    expect((JSON.parse(bodyOf(payload, 'revenuecat')) as Body).event).not.to.have.property('subscriber_attributes');
  });

  it('shows no money to requesters who may not see it', () => {
    const [body] = bodiesAfter(started(first));
    const { event } = JSON.parse(withoutMoney(JSON.stringify(body))) as Body;
    expect(event).not.to.have.any.keys(
      ...['price', 'currency', 'price_in_purchased_currency', 'tax_percentage', 'commission_percentage'],
      'takehome_percentage',
    );
    expect(event).to.include({ type: 'INITIAL_PURCHASE', product_id: 'app.monthly' });
  });
});
