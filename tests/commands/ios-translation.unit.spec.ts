// The ios-store's notifications as store-neutral facts: what each type and subtype tells.
import { expect } from 'chai';
import type { IosRenewalInfo, IosTransaction } from '../../src/adapters/ios-store/port.js';
import { translateIosNotification } from '../../src/commands/notifications/ios-store.js';
import type { StoreFactCommand } from '../../src/domain/subscriber/commands.js';
import { isoFromMs } from '../../src/domain/time.js';
import { contextOf, dayMs, notificationOf, renewalOf, transactionOf } from './ios-samples.js';

const iso = (n: number) => isoFromMs(dayMs(n));

/** The facts of a notification signed on `day`. */
function facts(
  type: string,
  subtype: string | null,
  day: number,
  transaction: Partial<IosTransaction> = {},
  renewal?: Partial<IosRenewalInfo>,
): readonly StoreFactCommand[] {
  const parts = { transaction: transactionOf(transaction), ...(renewal && { renewal: renewalOf(renewal) }) };
  return translateIosNotification(notificationOf(type, subtype, day, parts), contextOf())?.facts ?? [];
}

function kinds(commands: readonly StoreFactCommand[]): string[] {
  return commands.map((c) => c.kind);
}

const shared = (day: number) => ({ storeChainId: '1000', storeTime: iso(day) });

describe('an ios-store notification', () => {
  it('names its chain, its owner and its time', () => {
    const transaction = transactionOf({ transactionId: '1001', appAccountToken: 'token' });
    const told = translateIosNotification(notificationOf('DID_RENEW', null, 31, { transaction }), contextOf());
    expect(told).to.include({ storeChainId: '1000', accountToken: 'token', firstAt: iso(0) });
  });

  for (const [type, subtype] of [
    ['SUBSCRIBED', 'INITIAL_BUY'],
    ['SUBSCRIBED', 'RESUBSCRIBE'],
    ['DID_RENEW', null],
    ['DID_RENEW', 'BILLING_RECOVERY'],
  ] as const) {
    it(`${type} ${subtype ?? ''} is the transaction itself`, () => {
      const [period, ...others] = facts(type, subtype, 0);
      expect(period).to.deep.include({ kind: 'recordPeriod', ...shared(0), inferred: false });
      expect(others).to.deep.equal([]);
    });
  }

  it('ONE_TIME_CHARGE is the purchase itself', () =>
    expect(kinds(facts('ONE_TIME_CHARGE', null, 0, { type: 'Consumable' }))).to.deep.equal(['recordOneTimePurchase']));

  for (const [subtype, on] of [
    ['AUTO_RENEW_ENABLED', true],
    ['AUTO_RENEW_DISABLED', false],
  ] as const) {
    it(`DID_CHANGE_RENEWAL_STATUS ${subtype} is told once, whatever the snapshot holds`, () => {
      const [period, told, ...others] = facts('DID_CHANGE_RENEWAL_STATUS', subtype, 3, {}, { autoRenewStatus: 1 });
      expect(period).to.include({ kind: 'recordPeriod', inferred: true });
      const intention = { kind: 'recordAutoRenew', on, reason: 'unsubscribe', inferred: false };
      expect(told).to.deep.equal({ ...intention, ...shared(3) });
      expect(others).to.deep.equal([]);
    });
  }

  it('DID_FAIL_TO_RENEW GRACE_PERIOD tells the grace', () => {
    const [, failure] = facts('DID_FAIL_TO_RENEW', 'GRACE_PERIOD', 31, {}, { gracePeriodExpiresDate: dayMs(37) });
    const expected = { kind: 'recordBillingFailure', ...shared(31), graceEndsAt: iso(37), inferred: false };
    expect(failure).to.deep.equal(expected);
  });

  it('DID_FAIL_TO_RENEW tells no grace', () => {
    const [, failure] = facts('DID_FAIL_TO_RENEW', null, 31, {}, { gracePeriodExpiresDate: dayMs(37) });
    expect(failure).to.include({ kind: 'recordBillingFailure', graceEndsAt: null });
  });

  it('GRACE_PERIOD_EXPIRED is the end of grace', () =>
    expect(facts('GRACE_PERIOD_EXPIRED', null, 37)[1]).to.deep.equal({ kind: 'recordGraceEnd', ...shared(37) }));

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
      const [, ended] = facts('EXPIRED', subtype, 31, {}, { autoRenewStatus: 0, ...renewal });
      expect(ended).to.deep.equal({ kind: 'recordExpiry', ...shared(31), reason });
    });
  }

  it('REFUND is a refund at the store’s date under the app’s policy', () => {
    const [, money] = facts('REFUND', null, 12, { revocationDate: dayMs(10), revocationReason: 0 });
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
    expect(kinds(facts('REFUND', null, 12, { type: 'Consumable', revocationDate: dayMs(10) }))).to.deep.equal([
      'recordOneTimePurchase',
      'recordRefund',
    ]));

  it('REFUND_REVERSED is a reversal when it was signed', () => {
    const reversal = { kind: 'recordRefundReversal', ...shared(20), transactionId: '1000', reversedAt: iso(20) };
    expect(facts('REFUND_REVERSED', null, 20)[1]).to.deep.equal(reversal);
  });

  it('carries the renewal state that it was not about as inferred', () =>
    expect(facts('DID_RENEW', null, 31, {}, { autoRenewStatus: 0 }).at(-1)).to.include({
      kind: 'recordAutoRenew',
      on: false,
      inferred: true,
    }));

  for (const type of ['TEST', 'METADATA_UPDATE', 'SOMETHING_NEW']) {
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
    it(`given back as ${type} of ${percentage ?? 'nothing said'} is a share of ${share}`, () => {
      const percent = percentage === undefined ? {} : { revocationPercentage: percentage };
      const [, money] = facts('REFUND', null, 12, { revocationDate: dayMs(10), revocationType: type, ...percent });
      expect(money).to.deep.include({ refund: { kind, share } });
    });
  }
});
