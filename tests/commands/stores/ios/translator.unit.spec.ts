// The ios-store's notifications as store commands: what each type and subtype becomes.
import { expect } from 'chai';
import type { IosRenewalInfo, IosTransaction } from '../../../../src/adapters/ios-store/port.js';
import { translateIosNotification } from '../../../../src/commands/stores/ios/translator/translator.js';
import type { StoreCommand } from '../../../../src/domain/subscriber/decide/store-commands.js';
import { isoFromMs } from '../../../../src/domain/time.js';
import { contextOf, dayMs, notificationOf, renewalOf, transactionOf } from './samples.js';

const iso = (n: number) => isoFromMs(dayMs(n));

/** Returns the commands of a notification signed on `day`. */
function commands(
  type: string,
  subtype: string | null,
  day: number,
  transaction: Partial<IosTransaction> = {},
  renewal?: Partial<IosRenewalInfo>,
): readonly StoreCommand[] {
  const parts = { transaction: transactionOf(transaction), ...(renewal && { renewal: renewalOf(renewal) }) };
  return translateIosNotification(notificationOf(type, subtype, day, parts), contextOf())?.commands ?? [];
}

function kinds(commands: readonly StoreCommand[]): string[] {
  return commands.map((c) => c.kind);
}

const shared = (day: number) => ({ storeChainId: '1000', storeTime: iso(day) });
/** Shows the latest transaction of then. */
const shownOn = (day: number) => ({ ...shared(day), shown: '1000' });

function planned(day: number, storeProductId: string) {
  const productId = storeProductId === 'app.monthly' ? 'prod_1' : null;
  return { kind: 'recordNextProduct', ...shownOn(day), productId, storeProductId, effectiveAt: null };
}

function priced(day: number, status: string) {
  const asked = { newPrice: { currency: 'USD', amountMicros: 12_990_000 }, effectiveAt: iso(31), respondBy: null };
  return { kind: 'recordPriceIncrease', ...shownOn(day), status, ...asked, inferred: false };
}

describe('an ios-store notification', () => {
  it('names its chain, its owner and its time', () => {
    const transaction = transactionOf({ transactionId: '1001', appAccountToken: 'token' });
    const translated = translateIosNotification(notificationOf('DID_RENEW', null, 31, { transaction }), contextOf());
    expect(translated).to.include({ storeChainId: '1000', accountToken: 'token', firstAt: iso(0) });
  });

  for (const [type, subtype] of [
    ['SUBSCRIBED', 'INITIAL_BUY'],
    ['SUBSCRIBED', 'RESUBSCRIBE'],
    ['DID_RENEW', null],
    ['DID_RENEW', 'BILLING_RECOVERY'],
  ] as const) {
    it(`${type} ${subtype ?? ''} is the transaction itself`, () => {
      const [period, ...others] = commands(type, subtype, 0);
      expect(period).to.deep.include({ kind: 'recordPeriod', ...shared(0), inferred: false });
      expect(others).to.deep.equal([]);
    });
  }

  it('ONE_TIME_CHARGE is the purchase itself', () =>
    expect(kinds(commands('ONE_TIME_CHARGE', null, 0, { type: 'Consumable' }))).to.deep.equal([
      'recordOneTimePurchase',
    ]));

  for (const [subtype, on] of [
    ['AUTO_RENEW_ENABLED', true],
    ['AUTO_RENEW_DISABLED', false],
  ] as const) {
    it(`DID_CHANGE_RENEWAL_STATUS ${subtype} is one command, whatever the snapshot holds`, () => {
      const [period, intent, ...others] = commands('DID_CHANGE_RENEWAL_STATUS', subtype, 3, {}, { autoRenewStatus: 1 });
      expect(period).to.include({ kind: 'recordPeriod', inferred: true });
      const intention = { kind: 'recordAutoRenew', on, reason: 'unsubscribe', inferred: false };
      expect(intent).to.deep.equal({ ...intention, ...shownOn(3) });
      expect(kinds(others)).to.deep.equal(['recordNextProduct']);
    });
  }

  it('DID_FAIL_TO_RENEW GRACE_PERIOD begins the grace period', () => {
    const [, failure] = commands('DID_FAIL_TO_RENEW', 'GRACE_PERIOD', 31, {}, { gracePeriodExpiresDate: dayMs(37) });
    const expected = { kind: 'recordBillingFailure', ...shownOn(31), graceEndsAt: iso(37), inferred: false };
    expect(failure).to.deep.equal(expected);
  });

  it('DID_FAIL_TO_RENEW GRACE_PERIOD without a date begins the shortest grace period', () => {
    const [, failure] = commands('DID_FAIL_TO_RENEW', 'GRACE_PERIOD', 31, {}, {});
    expect(failure).to.include({ kind: 'recordBillingFailure', graceEndsAt: iso(34) });
  });

  it('DID_FAIL_TO_RENEW begins no grace period', () => {
    const [, failure] = commands('DID_FAIL_TO_RENEW', null, 31, {}, { gracePeriodExpiresDate: dayMs(37) });
    expect(failure).to.include({ kind: 'recordBillingFailure', graceEndsAt: null });
  });

  it('GRACE_PERIOD_EXPIRED is the end of grace', () =>
    expect(commands('GRACE_PERIOD_EXPIRED', null, 37)[1]).to.deep.equal({ kind: 'recordGraceEnd', ...shownOn(37) }));

  for (const [subtype, intent, reason] of [
    ['VOLUNTARY', undefined, 'unsubscribe'],
    ['BILLING_RETRY', undefined, 'billing_error'],
    ['PRICE_INCREASE', undefined, 'price_increase'],
    ['PRODUCT_NOT_FOR_SALE', undefined, 'product_not_for_sale'],
    ['VOLUNTARY', 2, 'unsubscribe'],
    [null, 1, 'unsubscribe'],
    [null, 2, 'billing_error'],
    [null, 3, 'price_increase'],
    [null, 4, 'product_not_for_sale'],
    [null, 5, 'unknown'],
    [null, 77, 'unknown'],
    [null, undefined, 'unknown'],
  ] as const) {
    it(`EXPIRED ${subtype ?? ''} with intent ${intent ?? 'none'} is for ${reason}`, () => {
      const renewal = intent === undefined ? {} : { expirationIntent: intent };
      const [, ended] = commands('EXPIRED', subtype, 31, {}, { autoRenewStatus: 0, ...renewal });
      expect(ended).to.deep.equal({ kind: 'recordExpiry', ...shownOn(31), reason });
    });
  }

  it('REFUND is a refund at the store’s date under the app’s policy', () => {
    const [, money] = commands('REFUND', null, 12, { revocationDate: dayMs(10), revocationReason: 0 });
    const refund = { kind: 'full', share: 1 };
    const when = { transactionId: '1000', refundedAt: iso(10) };
    expect(money).to.deep.equal({
      kind: 'recordRefund',
      ...shared(12),
      ...when,
      refund,
      policy: 'revoke_immediately',
    });
  });

  it('REFUND of any type of product is a refund', () =>
    expect(kinds(commands('REFUND', null, 12, { type: 'Consumable', revocationDate: dayMs(10) }))).to.deep.equal([
      'recordOneTimePurchase',
      'recordRefund',
    ]));

  it('REFUND_REVERSED is a reversal when it was signed', () => {
    const reversal = { kind: 'recordRefundReversal', ...shownOn(20), transactionId: '1000', reversedAt: iso(20) };
    expect(commands('REFUND_REVERSED', null, 20)[1]).to.deep.equal(reversal);
  });

  it('REFUND in the grace period records the grace period first', () => {
    const grace = { isInBillingRetryPeriod: true, gracePeriodExpiresDate: dayMs(37) };
    expect(kinds(commands('REFUND', null, 33, { revocationDate: dayMs(33) }, grace)).slice(0, 3)).to.deep.equal([
      'recordPeriod',
      'recordBillingFailure',
      'recordRefund',
    ]);
  });

  it('about anything else shows a refund that was not notified', () =>
    expect(
      kinds(commands('DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED', 12, { revocationDate: dayMs(10) })),
    ).to.include('recordRefund'));

  it('REVOKE takes a family share back', () => {
    const shareOf = { inAppOwnershipType: 'FAMILY_SHARED', revocationDate: dayMs(10) };
    const [, revocation, ...others] = commands('REVOKE', null, 12, shareOf);
    expect(revocation).to.deep.equal({
      kind: 'recordRevocation',
      ...shared(12),
      transactionId: '1000',
      revokedAt: iso(10),
      reason: 'family_sharing',
    });
    expect(others).to.deep.equal([]);
  });

  for (const [subtype, storeProductId] of [
    ['DOWNGRADE', 'app.weekly'],
    [null, 'app.monthly'],
  ] as const) {
    it(`DID_CHANGE_RENEWAL_PREF ${subtype ?? ''} names the next product`, () =>
      expect(
        commands('DID_CHANGE_RENEWAL_PREF', subtype, 10, {}, { autoRenewProductId: storeProductId })[1],
      ).to.deep.equal({ ...planned(10, storeProductId), inferred: false }));
  }

  for (const [type, subtype, isNews] of [
    ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE', true],
    ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE', false],
    ['OFFER_REDEEMED', 'INITIAL_BUY', true],
    ['OFFER_REDEEMED', undefined, false],
  ] as const) {
    it(`${type} ${subtype ?? ''} ${isNews ? 'announces its transaction' : 'shows the running transaction'}`, () =>
      expect(commands(type, subtype ?? null, 10)[0]).to.include({ kind: 'recordPeriod', inferred: !isNews }));
  }

  it('RENEWAL_EXTENDED moves the end of a transaction that it only shows', () => {
    const [period, extension] = commands('RENEWAL_EXTENDED', null, 10);
    expect(period).to.include({ kind: 'recordPeriod', inferred: true, keepsEnd: true });
    expect(extension).to.deep.equal({ kind: 'recordExtension', ...shownOn(10), expiresAt: iso(31), inferred: false });
  });

  for (const [type, subtype, status] of [
    ['PRICE_INCREASE', 'PENDING', 'requested'],
    ['PRICE_INCREASE', 'ACCEPTED', 'accepted'],
    ['PRICE_CHANGE', null, 'changed'],
  ] as const) {
    it(`${type} ${subtype ?? ''} records a price that is ${status}`, () => {
      const renewal = { renewalPrice: 12_990, currency: 'USD', renewalDate: dayMs(31) };
      expect(commands(type, subtype, 5, {}, renewal)[1]).to.deep.equal(priced(5, status));
    });
  }

  for (const [subtype, expected] of [
    ['UPGRADE', 'introductory'],
    [undefined, 'promotional'],
  ] as const) {
    it(`OFFER_REDEEMED ${subtype ?? ''} is an offer of ${subtype ? 'the transaction' : 'the next renewal'}`, () => {
      const redeemed = commands('OFFER_REDEEMED', subtype ?? null, 5, { offerType: 1 }, { offerType: 2 });
      const [offer] = redeemed.filter((c) => c.kind === 'recordOffer');
      expect(offer?.offer.offerType).to.equal(expected);
    });
  }

  it('OFFER_REDEEMED DOWNGRADE names the next product beside its offer', () =>
    expect(
      kinds(commands('OFFER_REDEEMED', 'DOWNGRADE', 5, {}, { autoRenewProductId: 'app.weekly' })).slice(1, 3),
    ).to.deep.equal(['recordNextProduct', 'recordOffer']));

  it('REFUND_DECLINED is that', () =>
    expect(commands('REFUND_DECLINED', null, 5)[1]).to.deep.equal({
      kind: 'recordRefundDeclined',
      ...shownOn(5),
      transactionId: '1000',
    }));

  it('CONSUMPTION_REQUEST is to be answered within twelve hours', () =>
    expect(commands('CONSUMPTION_REQUEST', null, 5, { type: 'Consumable' })[1]).to.include({
      kind: 'recordConsumptionRequest',
      respondBy: iso(5.5),
    }));

  it('RENEWAL_EXTENSION FAILURE is that of one subscription', () =>
    expect(kinds(commands('RENEWAL_EXTENSION', 'FAILURE', 5))).to.include('recordExtensionFailure'));

  it('MIGRATION moves the chain before anything else', () => {
    const [moved, period] = commands('MIGRATION', null, 5, { previousOriginalTransactionId: '900' });
    expect(moved).to.deep.equal({ kind: 'recordMigration', ...shared(5), fromChainId: '900' });
    expect(period).to.include({ kind: 'recordPeriod' });
  });

  it('carries the renewal state that it was not about as inferred', () =>
    expect(commands('DID_RENEW', null, 31, {}, { autoRenewStatus: 0, priceIncreaseStatus: 0 }).slice(1)).to.deep.equal([
      { kind: 'recordAutoRenew', ...shownOn(31), on: false, reason: 'unsubscribe', inferred: true },
      { ...planned(31, 'app.monthly'), inferred: true },
      { ...priced(31, 'requested'), newPrice: null, effectiveAt: null, inferred: true },
    ]));

  for (const type of ['TEST', 'SOMETHING_NEW']) {
    it(`${type} is nothing to apply`, () =>
      expect(translateIosNotification(notificationOf(type, null, 0), contextOf())).to.equal(null));
  }

  it('without a transaction is nothing to apply', () =>
    expect(translateIosNotification(notificationOf('DID_RENEW', null, 0, {}), contextOf())).to.equal(null));
});

describe('money given back', () => {
  for (const [type, percentage, kind, share] of [
    ['REFUND_PRORATED', 50_000, 'prorated', 0.5],
    ['REFUND_PRORATED', 33_333, 'prorated', 0.33333],
    ['REFUND_PRORATED', 120_000, 'prorated', 1],
    ['REFUND_PRORATED', undefined, 'full', 1],
    ['REFUND_FULL', 50_000, 'full', 1],
  ] as const) {
    it(`given back as ${type} of ${percentage ?? 'no percentage'} is a share of ${share}`, () => {
      const percent = percentage === undefined ? {} : { revocationPercentage: percentage };
      const [, money] = commands('REFUND', null, 12, { revocationDate: dayMs(10), revocationType: type, ...percent });
      expect(money).to.deep.include({ refund: { kind, share } });
    });
  }
});
