// A signed transaction of the ios-store in store-neutral form: units, codes, offers, money.
import { expect } from 'chai';
import type { IosTransaction } from '../../../../src/adapters/ios-store/port.js';
import { translateIosTransaction } from '../../../../src/commands/stores/ios/translator/translator.js';
import type { RecordOneTimePurchase, RecordPeriod } from '../../../../src/domain/subscriber/decide/store-commands.js';
import { isoFromMs } from '../../../../src/domain/time.js';
import { contextOf, dayMs, transactionOf } from './samples.js';

function periodOf(transaction: Partial<IosTransaction>, app: Parameters<typeof contextOf>[0] = {}): RecordPeriod {
  const [command] = translateIosTransaction(transactionOf(transaction), contextOf(app)).commands;
  if (command?.kind !== 'recordPeriod') throw new Error('the transaction is no period');
  return command;
}

function itemOf(transaction: Partial<IosTransaction>): RecordOneTimePurchase {
  const [command] = translateIosTransaction(transactionOf(transaction), contextOf()).commands;
  if (command?.kind !== 'recordOneTimePurchase') throw new Error('the transaction is no one-time purchase');
  return command;
}

describe('a transaction that a device holds', () => {
  it('shows nothing about intentions', () => expect(periodOf({})).to.include({ storeTime: null, inferred: false }));

  it('that was revoked is bought and refunded', () => {
    const translated = translateIosTransaction(transactionOf({ revocationDate: dayMs(10) }), contextOf());
    expect(translated.commands.map((command) => command.kind)).to.deep.equal(['recordPeriod', 'recordRefund']);
    expect(translated.commands[1]).to.include({ storeTime: null, refundedAt: isoFromMs(dayMs(10)) });
  });
});

describe('the country of a transaction', () => {
  for (const [storefront, country] of [
    ['DEU', 'DE'],
    ['XKX', 'XK'],
    ['XKS', 'XK'],
    ['XK', 'XK'],
    ['QQQ', null],
  ] as const)
    it(`of the storefront ${storefront} is ${country}`, () =>
      expect(periodOf({ storefront }).purchase.country).to.equal(country));
});

describe('a revocation', () => {
  const refundOf = (fields: Partial<IosTransaction>) => {
    const revoked = transactionOf({ revocationDate: dayMs(10), ...fields });
    const command = translateIosTransaction(revoked, contextOf()).commands.find((c) => c.kind === 'recordRefund');
    return command?.refund;
  };
  for (const [revocationType, kind, share] of [
    ['REFUND_PRORATED', 'prorated', 0.3],
    ['REFUND_OF_LATER_VERSIONS', 'prorated', 0.3],
    [undefined, 'prorated', 0.3],
    ['REFUND_FULL', 'full', 1],
  ] as const)
    it(`of the type ${revocationType} with 30 percent refunds ${share * 100} percent`, () => {
      const type = revocationType === undefined ? {} : { revocationType };
      expect(refundOf({ ...type, revocationPercentage: 30_000 })).to.deep.equal({ kind, share });
    });

  it('without a percentage refunds all', () =>
    expect(refundOf({ revocationType: 'REFUND_OF_LATER_VERSIONS' })).to.deep.equal({ kind: 'full', share: 1 }));
});

describe('a year that is paid month by month', () => {
  it('is a month to each charge', () =>
    expect(periodOf({ billingPlanType: 'MONTHLY', productId: 'app.yearly' })).to.include({
      periodDuration: 'P1M',
      productDuration: 'P1M',
    }));
});

describe('money', () => {
  const moneyOf = (transaction: Partial<IosTransaction>, app = {}) => periodOf(transaction, app).money;

  it('goes from milliunits to micros', () =>
    expect(moneyOf({ price: 10_990 })).to.include({ amountMicros: 10_990_000, usdMicros: 10_990_000, fxRate: '1' }));

  it('in another currency has no USD worth of its own', () =>
    expect(moneyOf({ price: 12_000_000, currency: 'JPY' })).to.include({
      currency: 'JPY',
      amountMicros: 12_000_000_000,
      usdMicros: null,
      fxRate: null,
    }));

  it('that the store leaves out is unknown, not zero', () => {
    const { price: _, ...priceless } = transactionOf();
    const [command] = translateIosTransaction(priceless, contextOf()).commands;
    expect(command).to.have.nested.property('money.amountMicros', null);
  });

  it('of a family member is nothing, since the buyer paid', () => {
    const command = periodOf({ inAppOwnershipType: 'FAMILY_SHARED', price: 9990 });
    expect(command.money).to.include({ amountMicros: 0, usdMicros: 0 });
    expect(command.purchase.ownership).to.equal('family_shared');
  });

  it('of a free trial is nothing', () =>
    expect(moneyOf({ offerType: 1, offerDiscountType: 'FREE_TRIAL', price: 9990 })).to.include({ amountMicros: 0 }));

  it('leaves the store 30 %, or 15 % of a small business or in the second year', () => {
    expect(moneyOf({}).commissionRate).to.equal(0.3);
    expect(moneyOf({}, { iosStoreSmallBusiness: true }).commissionRate).to.equal(0.15);
    expect(moneyOf({ purchaseDate: dayMs(364) }).commissionRate).to.equal(0.3);
    expect(moneyOf({ purchaseDate: dayMs(365) }).commissionRate).to.equal(0.15);
  });
});

describe('a period', () => {
  for (const [offerType, offerDiscountType, periodType, offer] of [
    [undefined, undefined, 'normal', null],
    [1, 'FREE_TRIAL', 'trial', 'introductory'],
    [1, 'PAY_AS_YOU_GO', 'intro', 'introductory'],
    [1, 'PAY_UP_FRONT', 'intro', 'introductory'],
    [2, 'FREE_TRIAL', 'trial', 'promotional'],
    [2, 'PAY_AS_YOU_GO', 'normal', 'promotional'],
    [3, 'PAY_UP_FRONT', 'normal', 'offer_code'],
    [4, 'PAY_AS_YOU_GO', 'normal', 'win_back'],
    [9, 'PAY_AS_YOU_GO', 'normal', 'unspecified'],
  ] as const) {
    it(`of offer ${offerType ?? 'none'} ${offerDiscountType ?? ''} is ${periodType}`, () => {
      const command = periodOf({ ...(offerType && { offerType }), ...(offerDiscountType && { offerDiscountType }) });
      expect([command.periodType, command.offer.offerType]).to.deep.equal([periodType, offer]);
    });
  }

  it('lasts as long as its offer, else as its product', () => {
    expect(periodOf({ offerPeriod: 'P1W' })).to.include({ periodDuration: 'P1W', productDuration: 'P1M' });
    expect(periodOf({})).to.include({ periodDuration: 'P1M', productDuration: 'P1M' });
    expect(periodOf({ productId: 'app.other' })).to.include({ periodDuration: null, productDuration: null });
  });

  it('is a renewal if the store marks it as one', () => {
    expect(periodOf({}).reason).to.equal('purchase');
    expect(periodOf({ transactionReason: 'RENEWAL' }).reason).to.equal('renewal');
  });

  it('names the subscription that it would open by its own transaction', () =>
    expect(periodOf({}).newSubscriptionId).to.not.equal(periodOf({ transactionId: '1001' }).newSubscriptionId));
});

describe('a purchase', () => {
  it('has its country in two letters', () => {
    expect(periodOf({ storefront: 'DEU' }).purchase.country).to.equal('DE');
    expect(periodOf({ storefront: 'XXX' }).purchase.country).to.equal(null);
  });

  it('has its environment', () => {
    expect(periodOf({}).purchase.environment).to.equal('production');
    expect(periodOf({ environment: 'Sandbox' }).purchase.environment).to.equal('sandbox');
  });

  it('has the catalogue’s product, if there is one', () => {
    expect(periodOf({}).purchase.productId).to.equal('prod_1');
    expect(periodOf({ productId: 'app.other' }).purchase.productId).to.equal(null);
  });
});

describe('a one-time purchase', () => {
  it('is of its type and quantity', () => {
    expect(itemOf({ type: 'Consumable', quantity: 3 })).to.include({ productType: 'consumable', quantity: 3 });
    expect(itemOf({ type: 'Non-Consumable' })).to.include({ productType: 'non_consumable', expiresAt: null });
  });

  it('that does not renew lasts as its product does, else permanently', () => {
    const type = 'Non-Renewing Subscription';
    const lasting = { type, productId: 'app.season', purchaseDate: Date.UTC(2026, 0, 31) };
    expect(itemOf(lasting).expiresAt).to.equal('2026-02-28T00:00:00.000Z');
    expect(itemOf({ type, productId: 'app.other' }).expiresAt).to.equal(null);
  });

  it('of a type that is new to us gives no access', () =>
    expect(itemOf({ type: 'Something New' }).productType).to.equal('consumable'));
});
