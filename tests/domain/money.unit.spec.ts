// Money in integer micro-units.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  iosStoreCommission,
  microsFromMilli,
  moneySchema,
  splitRevenue,
  toUnconvertedMoney,
  type Money,
} from '../../src/domain/money.js';

const price: Money = {
  currency: 'USD',
  amountMicros: 9_990_000,
  usdMicros: 9_990_000,
  fxRate: '1',
  fxDate: null,
  taxRate: 0.2,
  commissionRate: 0.3,
};

describe('an amount without an exchange rate', () => {
  for (const [currency, amountMicros, usdMicros, fxRate] of [
    ['USD', 9_990_000, 9_990_000, '1'],
    ['USD', null, null, '1'],
    ['EUR', 9_990_000, null, null],
    ['EUR', 0, 0, null],
    [null, 0, 0, null],
    [null, null, null, null],
  ] as const) {
    it(`of ${amountMicros} ${currency} is worth ${usdMicros} in US dollars`, () =>
      expect(toUnconvertedMoney({ currency, amountMicros })).to.deep.equal({
        ...{ currency, amountMicros, usdMicros, fxRate },
        fxDate: null,
      }));
  }
});

describe('a charge', () => {
  it('is split by its rates', () =>
    expect(splitRevenue(price)).to.deep.equal({
      gross: 9_990_000,
      tax: 1_998_000,
      commission: 2_997_000,
      proceeds: 4_995_000,
    }));

  it('is split by a share', () => expect(splitRevenue(price, 0.5).gross).to.equal(4_995_000));

  it('of unknown worth counts nothing', () =>
    expect(splitRevenue({ ...price, usdMicros: null })).to.deep.equal({
      gross: 0,
      tax: 0,
      commission: 0,
      proceeds: 0,
    }));

  it('loses nothing in the split', () => {
    const rate = fc.double({ min: 0, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(fc.nat(2_000_000_000), rate, rate, (usdMicros, taxRate, commissionRate) => {
        const part = splitRevenue({ ...price, usdMicros, taxRate, commissionRate });
        expect(part.tax + part.commission + part.proceeds).to.equal(usdMicros);
        expect(Object.values(part).every(Number.isSafeInteger)).to.equal(true);
      }),
    );
  });

  it('is never held in fractions of a micro', () =>
    expect(moneySchema.safeParse({ ...price, amountMicros: 0.5 }).success).to.equal(false));
});

describe('a store’s price', () => {
  it('in milliunits becomes micros', () => expect(microsFromMilli(10_990)).to.equal(10_990_000));

  for (const [amountMicros, known] of [
    [10 ** 15, 10 ** 15],
    [10 ** 15 + 1, null],
    [10 ** 18, null],
    [-(10 ** 18), null],
  ] as const)
    it(`of ${amountMicros} micros is ${known === null ? 'unknown money' : 'a charge'}`, () => {
      const { currency, ...amounts } = toUnconvertedMoney({ currency: 'USD', amountMicros });
      expect([currency, amounts.amountMicros, amounts.usdMicros]).to.deep.equal(['USD', known, known]);
    });
});

describe('the ios-store’s commission', () => {
  const commission = (smallBusiness: boolean, isSubscription: boolean, purchasedAt: string) =>
    iosStoreCommission({
      smallBusiness,
      isSubscription,
      originallyPurchasedAt: '2024-01-31T10:00:00.000Z',
      purchasedAt,
    });

  it('is 30 %', () => expect(commission(false, true, '2025-01-31T09:59:59.999Z')).to.equal(0.3));

  it('is 15 % for a small business', () => expect(commission(true, false, '2024-01-31T10:00:00.000Z')).to.equal(0.15));

  it('is 15 % for a subscription from twelve months on', () =>
    expect(commission(false, true, '2025-01-31T10:00:00.000Z')).to.equal(0.15));

  it('stays 30 % for one-time purchases', () =>
    expect(commission(false, false, '2026-01-31T10:00:00.000Z')).to.equal(0.3));
});
