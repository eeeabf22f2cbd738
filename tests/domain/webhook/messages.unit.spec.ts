// Webhook types by event and their contents: the event of each type, and none for all other events.
import { expect } from 'chai';
import { subscriberEvents as e, type SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import type { Message } from '../../../src/domain/webhook/messages.js';
import { bodyOf } from '../../../src/domain/webhook/payload.js';
import {
  disabled,
  enabled,
  expired,
  graceEntered,
  graceExpired,
  issueDetected,
  refunded,
  retryEntered,
  reversed,
} from '../subscriber/store-samples.js';
import {
  converted,
  day,
  first,
  itemCompleted,
  coins,
  renewed,
  second,
  started,
  subPurchaseOf,
  trial,
  yearly,
} from '../subscriber/samples.js';
import { historySteps, PRO } from './history-steps.js';

/** All messages of a history. */
const messagesAfter = (...events: readonly SubscriberEvent[]) => historySteps(...events).map((step) => step.messages);
const last = (...events: readonly SubscriberEvent[]): readonly Message[] => messagesAfter(...events).at(-1) ?? [];
const kinds = (messages: readonly Message[]): readonly string[] => messages.map((m) => m.kind);
const fieldsOf = (messages: readonly Message[], kind: string) => messages.find((m) => m.kind === kind)?.fields ?? {};
const granted = (source: 'promotional' | 'temporary' = 'promotional') =>
  e.EntitlementGranted.of(
    { grantId: 'grant_1', ...PRO, duration: 'weekly', startsAt: day(0), expiresAt: day(7), source },
    { at: day(0) },
  );

describe('webhook kinds', () => {
  it('INITIAL_PURCHASE contains who bought what, until when, and for how much', () => {
    const messages = last(started(first));
    expect(kinds(messages)).to.deep.equal(['INITIAL_PURCHASE', 'ENTITLEMENT_CHANGED']);
    expect(messages[0]).to.include({ appId: 'app_1', environment: 'production' });
    expect(fieldsOf(messages, 'INITIAL_PURCHASE')).to.deep.include({
      eventTimestampMs: Date.parse(day(0)),
      sequence: 1,
      appUserId: 'alice',
      originalAppUserId: 'alice',
      aliases: ['alice'],
      environment: 'PRODUCTION',
      store: 'ios-store',
      productId: 'prod_app.monthly',
      storeProductId: 'app.monthly',
      entitlementIds: ['pro'],
      periodType: 'NORMAL',
      purchasedAtMs: Date.parse(day(0)),
      expirationAtMs: Date.parse(day(31)),
      subscriptionId: 'sub_t1',
      transactionId: 't1',
      price: 9.99,
      currency: 'USD',
      priceInPurchasedCurrency: 9.99,
      taxPercentage: 0,
      commissionPercentage: 0.3,
      countryCode: 'US',
      isFamilyShare: false,
      offerCode: null,
    });
  });

  it('INITIAL_PURCHASE marks a family share, and has a trial without a price', () => {
    const shared = fieldsOf(
      last(started({ ...first, shared: true }, { startReason: 'family_share' })),
      'INITIAL_PURCHASE',
    );
    expect(shared).to.include({ isFamilyShare: true });
    expect(fieldsOf(last(started(trial)), 'INITIAL_PURCHASE')).to.include({ periodType: 'TRIAL', price: 0 });
  });

  it('INITIAL_PURCHASE is not sent for what came over from another customer', () =>
    expect(kinds(last(started(first, { startReason: 'transfer' })))).to.deep.equal(['ENTITLEMENT_CHANGED']));

  it('RENEWAL marks a conversion', () => {
    const messages = last(started(trial), renewed(converted, { isTrialConversion: true }));
    expect(kinds(messages)).to.deep.equal(['RENEWAL', 'ENTITLEMENT_CHANGED']);
    expect(fieldsOf(messages, 'RENEWAL')).to.include({ isTrialConversion: true, renewalNumber: 1, price: 9.99 });
    expect(fieldsOf(messages, 'ENTITLEMENT_CHANGED')).to.deep.include({ added: [], removed: [] });
  });

  it('CANCELLATION contains the reason and no price, and UNCANCELLATION takes it back', () => {
    const off = last(started(first), disabled(first, 5));
    expect(kinds(off)).to.deep.equal(['CANCELLATION']);
    expect(fieldsOf(off, 'CANCELLATION')).to.include({ cancelReason: 'UNSUBSCRIBE', price: 0 });
    expect(kinds(last(started(first), disabled(first, 5), enabled(first, 6)))).to.deep.equal(['UNCANCELLATION']);
  });

  it('CANCELLATION of a commitment names its end, not that of the month', () => {
    const fields = fieldsOf(last(started(first), disabled(first, 5, { ends: 365 })), 'CANCELLATION');
    expect(fields).to.include({ expirationAtMs: Date.parse(day(31)), effectiveAtMs: Date.parse(day(365)) });
  });

  it('BILLING_ISSUE comes before its CANCELLATION and names the end of grace', () => {
    const messages = last(started(first), issueDetected(first, 31, 37));
    expect(kinds(messages).slice(0, 2)).to.deep.equal(['BILLING_ISSUE', 'CANCELLATION']);
    expect(fieldsOf(messages, 'BILLING_ISSUE')).to.include({ gracePeriodExpirationAtMs: Date.parse(day(37)) });
    expect(fieldsOf(messages, 'CANCELLATION')).to.include({ cancelReason: 'BILLING_ERROR' });
  });

  it('EXPIRATION is sent when retries begin, and not again when they end', () => {
    const retrying = [started(first), issueDetected(first, 31, null), retryEntered(first, 31, 31)];
    const messages = last(...retrying);
    expect(kinds(messages)).to.include('EXPIRATION');
    expect(fieldsOf(messages, 'EXPIRATION')).to.include({ expirationReason: 'BILLING_ERROR', price: 0 });
    expect(kinds(last(...retrying, expired(first, 91, 'billing_error')))).to.deep.equal([]);
  });

  it('a grace period that begins or ends is sent only as its change of access', () => {
    const graced = [started(first), graceEntered(first, 31, 37)];
    expect(kinds(last(...graced))).to.deep.equal(['ENTITLEMENT_CHANGED']);
    expect(kinds(last(...graced, graceExpired(first, 37, 37)))).to.deep.equal(['ENTITLEMENT_CHANGED']);
  });

  it('EXPIRATION contains the end, and ENTITLEMENT_CHANGED the access lost', () => {
    const messages = last(started(first), expired(first, 31, 'unsubscribe'));
    expect(kinds(messages)).to.deep.equal(['EXPIRATION', 'ENTITLEMENT_CHANGED']);
    expect(fieldsOf(messages, 'EXPIRATION')).to.include({ expirationReason: 'UNSUBSCRIBE' });
    expect(fieldsOf(messages, 'ENTITLEMENT_CHANGED')).to.deep.include({ removed: ['pro'], activeEntitlements: {} });
  });

  it('EXPIRATION is not sent for a change of product', () =>
    expect(kinds(last(started(first), expired(first, 10, 'product_change')))).not.to.include('EXPIRATION'));

  it('RENEWAL is what a change of product is at the renewal for which it was chosen, INITIAL_PURCHASE at once', () => {
    const change = { startReason: 'product_change' as const, previousSubscriptionId: 'sub_t1' };
    expect(kinds(last(started(first), started(yearly, { ...change, atRenewal: true })))).to.include('RENEWAL');
    expect(kinds(last(started(first), started(yearly, change)))).to.include('INITIAL_PURCHASE');
  });

  it('PRODUCT_CHANGE names the product before and the new one', () => {
    const change = (mode: 'immediate' | 'at_renewal') =>
      e.SubscriptionProductChanged.of(
        {
          purchase: subPurchaseOf(yearly),
          storeTime: day(10),
          fromStoreProductId: 'app.monthly',
          toStoreProductId: 'app.yearly',
          fromProductId: 'prod_app.monthly',
          toProductId: 'prod_app.yearly',
          mode,
          toSubscriptionId: 'sub_t1',
        },
        { at: day(10) },
      );
    const fields = fieldsOf(last(started(first), change('immediate')), 'PRODUCT_CHANGE');
    expect(fields).to.include({ productId: 'prod_app.monthly', newProductId: 'prod_app.yearly', price: 0 });
    expect(kinds(last(started(first), change('at_renewal')))).not.to.include('PRODUCT_CHANGE');
  });

  it('SUBSCRIPTION_EXTENDED contains the new end', () => {
    const data = { purchase: subPurchaseOf(first), storeTime: day(3), previousExpiresAt: day(31), expiresAt: day(38) };
    const messages = last(started(first), e.SubscriptionExtended.of(data, { at: day(3) }));
    expect(kinds(messages)).to.deep.equal(['SUBSCRIPTION_EXTENDED', 'ENTITLEMENT_CHANGED']);
    expect(fieldsOf(messages, 'SUBSCRIPTION_EXTENDED')).to.include({ expirationAtMs: Date.parse(day(38)) });
  });

  it('NON_RENEWING_PURCHASE is sent for purchases of items, and for grants', () => {
    expect(fieldsOf(last(itemCompleted(coins)), 'NON_RENEWING_PURCHASE')).to.include({
      price: 4.99,
      expirationAtMs: null,
    });
    const messages = last(granted());
    expect(kinds(messages)).to.deep.equal(['NON_RENEWING_PURCHASE', 'ENTITLEMENT_CHANGED']);
    const expected = { store: 'promotional', periodType: 'PROMOTIONAL', price: 0, transactionId: 'grant_1' };
    expect(fieldsOf(messages, 'NON_RENEWING_PURCHASE')).to.include(expected);
    expect(messages[0]).to.include({ appId: null, environment: null });
  });

  it('TEMPORARY_ENTITLEMENT_GRANT is sent for access lent while a store is unavailable', () =>
    expect(kinds(last(granted('temporary')))[0]).to.equal('TEMPORARY_ENTITLEMENT_GRANT'));

  it('a grant taken back is a CANCELLATION and an EXPIRATION, one that ran out an EXPIRATION', () => {
    const grant = { grantId: 'grant_1', ...PRO };
    const revoked = last(granted(), e.EntitlementRevoked.of(grant, { at: day(2) }));
    expect(kinds(revoked)).to.deep.equal(['CANCELLATION', 'EXPIRATION', 'ENTITLEMENT_CHANGED']);
    const end = { expirationAtMs: Date.parse(day(2)) };
    expect(fieldsOf(revoked, 'CANCELLATION')).to.include({ cancelReason: 'DEVELOPER_INITIATED', ...end });
    expect(fieldsOf(revoked, 'EXPIRATION')).to.include({ expirationReason: 'DEVELOPER_INITIATED', ...end });
    const over = last(granted(), e.EntitlementGrantExpired.of(grant, { at: day(7) }));
    expect(kinds(over)).to.deep.equal(['EXPIRATION', 'ENTITLEMENT_CHANGED']);
  });

  it('a refund’s money is on CANCELLATION when that is sent, else on REFUND', () => {
    const latest = last(started(first), refunded(first, 5, { isLatest: true, accessRevoked: true }));
    expect(kinds(latest)).to.deep.equal(['CANCELLATION', 'REFUND', 'ENTITLEMENT_CHANGED']);
    expect(fieldsOf(latest, 'CANCELLATION')).to.include({ cancelReason: 'CUSTOMER_SUPPORT', price: -9.99 });
    expect(fieldsOf(latest, 'REFUND')).to.include({ price: 0 });
    const older = last(started(first), renewed(second), refunded(first, 40, { isLatest: false, accessRevoked: false }));
    expect(kinds(older)).to.deep.equal(['REFUND']);
    expect(fieldsOf(older, 'REFUND')).to.include({ price: -9.99 });
  });

  it('REFUND_REVERSED brings the money back', () => {
    const events = [started(first), refunded(first, 5, { isLatest: true, accessRevoked: true })];
    const messages = last(...events, reversed(first, 6, { accessRestored: true }));
    expect(kinds(messages)).to.deep.equal(['REFUND_REVERSED', 'ENTITLEMENT_CHANGED']);
    expect(fieldsOf(messages, 'REFUND_REVERSED')).to.include({ price: 9.99 });
  });

  it('SUBSCRIBER_ALIAS names the customers who were merged', () => {
    const nothing = { aliases: [], grants: [], experiments: [], spentMicros: 0 };
    const reason = 'anonymous_identified' as const;
    const data = { mergedCustomerId: 'cus_anon', mergedAppUserId: '$anon:1', reason, ...nothing };
    const messages = last(e.CustomerMerged.of(data, { at: day(1) }));
    expect(kinds(messages)).to.deep.equal(['SUBSCRIBER_ALIAS']);
    const names = { originalAppUserId: '$anon:1', aliases: ['alice', '$anon:1'] };
    expect(fieldsOf(messages, 'SUBSCRIBER_ALIAS')).to.deep.include(names);
  });

  it('TRANSFER is sent once, for the receiving customer', () => {
    const snapshot = { storeChainId: 't1', storeTime: null, subscriptions: [], owned: [], transactions: [], noted: [] };
    const of = (direction: 'in' | 'out') =>
      e.PurchaseTransferred.of(
        {
          direction,
          fromCustomerId: 'cus_bob',
          toCustomerId: 'cus_alice',
          storeChainIds: ['t1'],
          reason: 'restore',
          snapshot,
        },
        { at: day(1) },
      );
    expect(kinds(last(of('out')))).to.deep.equal([]);
    const messages = last(of('in'));
    const names = { transferredFrom: ['name of cus_bob'], transferredTo: ['alice'] };
    expect(fieldsOf(messages, 'TRANSFER')).to.deep.include(names);
  });

  it('a scheduled pause is SUBSCRIPTION_PAUSED, its start an EXPIRATION, and its final end nothing more', () => {
    const common = { purchase: subPurchaseOf(first), storeTime: day(5) };
    const planned = e.SubscriptionPauseScheduled.of(
      { ...common, pauseAt: day(31), autoResumeAt: day(60) },
      { at: day(5) },
    );
    const messages = last(started(first), planned);
    expect(kinds(messages)).to.deep.equal(['SUBSCRIPTION_PAUSED']);
    expect(fieldsOf(messages, 'SUBSCRIPTION_PAUSED')).to.include({ autoResumeAtMs: Date.parse(day(60)), price: 0 });
    const begun = e.SubscriptionPaused.of({ ...common, autoResumeAt: day(60) }, { at: day(31) });
    const paused = last(started(first), planned, begun);
    expect(fieldsOf(paused, 'EXPIRATION')).to.include({ expirationReason: 'SUBSCRIPTION_PAUSED' });
    const over = expired(first, 60, 'subscription_paused');
    expect(kinds(last(started(first), planned, begun, over)), 'after its pause').to.deep.equal([]);
    expect(kinds(last(started(first), planned, over)), 'without a pause').to.include('EXPIRATION');
  });

  it('EXPIRATION is sent for what the store revoked', () => {
    const data = { purchase: subPurchaseOf(first), storeTime: day(5), reason: 'family_sharing' as const };
    const messages = last(started(first), e.SubscriptionRevoked.of(data, { at: day(5) }));
    expect(kinds(messages)).to.deep.equal(['EXPIRATION', 'ENTITLEMENT_CHANGED']);
  });

  it('PRODUCT_CHANGE is sent for a planned change', () => {
    const data = { purchase: subPurchaseOf(first), storeTime: day(5), newProductId: 'prod_2', effectiveAt: day(31) };
    const planned = e.SubscriptionProductChangeScheduled.of({ ...data, newStoreProductId: 'app.two' }, { at: day(5) });
    const messages = last(started(first), planned);
    expect(kinds(messages)).to.deep.equal(['PRODUCT_CHANGE']);
    const expected = { productId: 'prod_app.monthly', newProductId: 'prod_2', price: 0 };
    expect(fieldsOf(messages, 'PRODUCT_CHANGE')).to.include(expected);
  });

  it('a price increase is requested and accepted', () => {
    const newPrice = { currency: 'USD', amountMicros: 12_990_000 };
    const data = { purchase: subPurchaseOf(first), storeTime: day(5), newPrice, effectiveAt: day(31) };
    const asked = e.PriceIncreaseConsentRequested.of({ ...data, respondBy: day(20) }, { at: day(5) });
    const messages = last(started(first), asked);
    expect(kinds(messages)).to.deep.equal(['PRICE_INCREASE_CONSENT_REQUIRED']);
    const expected = { newPrice: 12.99, newPriceCurrency: 'USD', respondByMs: Date.parse(day(20)), price: 0 };
    expect(fieldsOf(messages, 'PRICE_INCREASE_CONSENT_REQUIRED')).to.include(expected);
    const accepted = last(started(first), asked, e.PriceIncreaseAccepted.of(data, { at: day(6) }));
    expect(kinds(accepted)).to.deep.equal(['PRICE_INCREASE_CONSENT_APPROVED']);
  });

  it('EXPERIMENT_ENROLLMENT names the variant', () => {
    const data = { experimentId: 'exp_1', variantId: 'var_b', variantName: 'B', offeringId: 'ofr_1' };
    const messages = last(e.ExperimentEnrolled.of(data, { at: day(1) }));
    expect(kinds(messages)).to.deep.equal(['EXPERIMENT_ENROLLMENT']);
    const expected = {
      experimentId: 'exp_1',
      experimentVariant: 'var_b',
      offeringId: 'ofr_1',
      enrolledAtMs: Date.parse(day(1)),
    };
    expect(messages[0]?.fields).to.deep.include(expected);
  });

  it('sends nothing for what changes no subscription and no access', () => {
    expect(kinds(last())).to.deep.equal([]);
    const attributes = { colour: { value: 'red', updatedAt: day(1) } };
    expect(kinds(last(e.CustomerAttributesUpdated.of({ attributes }, { at: day(1) })))).to.deep.equal([]);
    expect(kinds(last(e.CustomerMergedInto.of({ customerId: 'cus_x', appUserId: 'x' })))).to.deep.equal([]);
  });

  it('PRICE_CORRECTED brings a price that became known later, less what had gone back', () => {
    const bought = started(first) as Extract<SubscriberEvent, { type: 'SubscriptionStarted' }>;
    const { purchase, money } = bought.data;
    const unknown = { ...money, currency: null, amountMicros: null, usdMicros: null };
    const priceless = { ...bought, data: { ...bought.data, money: unknown } } as SubscriberEvent;
    const ids = { purchase, transactionId: 't1', subscriptionId: purchase.subscriptionId };
    const known = (refundedShare: number) =>
      e.TransactionPriceCorrected.of({ ...ids, previous: unknown, money, refundedShare }, { at: day(0) });
    const all = messagesAfter(priceless, known(0)).flat();
    expect(fieldsOf(all, 'INITIAL_PURCHASE')).to.include({ price: null, currency: null });
    const expected = { price: 9.99, priceInPurchasedCurrency: 9.99, currency: 'USD', transactionId: 't1' };
    expect(fieldsOf(all, 'PRICE_CORRECTED')).to.include(expected);
    expect(fieldsOf(last(priceless, known(0.5)), 'PRICE_CORRECTED')).to.include({ price: 4.995 });
    const late = { ...money, usdMicros: null };
    const converted = e.TransactionPriceCorrected.of(
      { ...ids, previous: late, money, refundedShare: 0 },
      { at: day(0) },
    );
    const rate = last({ ...bought, data: { ...bought.data, money: late } }, converted);
    expect(fieldsOf(rate, 'PRICE_CORRECTED')).to.include({ price: 9.99, priceInPurchasedCurrency: 0 });
  });

  it('PRICE_CORRECTED brings a price with which a late charge takes the place of the one that was sent', () => {
    const bought = started(first) as Extract<SubscriberEvent, { type: 'SubscriptionStarted' }>;
    const unknown = { ...bought.data.money, currency: null, amountMicros: null, usdMicros: null };
    const priceless = { ...bought, data: { ...bought.data, money: unknown } } as SubscriberEvent;
    const again = { ...bought, late: 'announced' as const };
    expect(kinds(last(priceless, again))).to.deep.equal(['PRICE_CORRECTED']);
    const expected = { price: 9.99, priceInPurchasedCurrency: 9.99, transactionId: 't1', periodType: 'NORMAL' };
    expect(fieldsOf(last(priceless, again), 'PRICE_CORRECTED')).to.include(expected);
    const gone = refunded(first, 5, { isLatest: true, accessRevoked: true });
    expect(fieldsOf(last(priceless, gone, again), 'PRICE_CORRECTED')).to.include({ price: 0 });
    expect(kinds(last(bought, again)), 'a price that was known').to.deep.equal([]);
    expect(kinds(last(priceless, again, again)), 'a second time').to.deep.equal([]);
  });

  it('the prices of all events sum up to net revenue', () => {
    const all = messagesAfter(
      started(first),
      renewed(second),
      refunded(first, 40, { isLatest: false, accessRevoked: false, share: 0.5 }),
      refunded(second, 41, { isLatest: true, accessRevoked: true }),
      expired(second, 41, 'customer_support'),
      reversed(second, 42, { accessRestored: true }),
      itemCompleted({ ...coins, id: 't9' }),
      disabled(second, 43),
    );
    const cents = all.flat().map((m) => Math.round(Number(m.fields['price'] ?? 0) * 1000));
    expect(cents.reduce((a, b) => a + b, 0)).to.equal(9990 + 9990 - 4995 - 9990 + 9990 + 4990);
  });
});

describe('webhook body', () => {
  const event = {
    id: 'whe_1',
    type: 'RENEWAL',
    projectId: 'proj_1',
    appUserId: 'ann',
    subscriberAttributes: { favouriteColour: { value: 'red', updatedAtMs: 1 } },
    activeEntitlements: { proPlus: { expiresAtMs: null, productId: null } },
    transferredFrom: ['theirOwnId'],
  };

  it('is camelCase, or snake_case but for users’ own names', () => {
    expect(JSON.parse(bodyOf(event, 'camelCase'))).to.deep.equal({ apiVersion: '1.0', event });
    expect(JSON.parse(bodyOf(event, 'snake_case'))).to.deep.equal({
      api_version: '1.0',
      event: {
        id: 'whe_1',
        type: 'RENEWAL',
        project_id: 'proj_1',
        app_user_id: 'ann',
        subscriber_attributes: { favouriteColour: { value: 'red', updated_at_ms: 1 } },
        active_entitlements: { proPlus: { expires_at_ms: null, product_id: null } },
        transferred_from: ['theirOwnId'],
      },
    });
  });

  it('leaves attributes out rather than grow beyond what receivers take', () => {
    const huge = { ...event, subscriberAttributes: { a: { value: 'x'.repeat(70_000), updatedAtMs: 1 } } };
    const body = bodyOf(huge, 'camelCase');
    expect(body.length).to.be.lessThan(65_536);
    expect(JSON.parse(body).event).not.to.have.property('subscriberAttributes');
  });
});
