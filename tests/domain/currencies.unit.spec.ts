// Conversion between decimal amounts and micro-units.
import { expect } from 'chai';
import { amountOf, decimalsOf, microsOf } from '../../src/domain/values/iso-codes.js';

describe('decimals of a currency', () => {
  for (const [currency, decimals] of [
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['HUF', 2],
    ['IDR', 2],
  ] as const) {
    it(`are ${decimals} of ${currency}`, () => expect(decimalsOf(currency)).to.equal(decimals));
  }

  it('are unknown for an invalid currency', () => {
    for (const code of ['XXX', 'XAU', 'usd', 'US', '__proto__']) expect(decimalsOf(code)).to.equal(undefined);
  });
});

describe('an amount', () => {
  for (const [amount, currency, micros] of [
    [9.99, 'USD', 9_990_000],
    [0.07, 'EUR', 70_000],
    [1.1, 'USD', 1_100_000],
    [0, 'USD', 0],
    [1500, 'JPY', 1_500_000_000],
    [1.234, 'KWD', 1_234_000],
    [999_999_999.99, 'IDR', 999_999_999_990_000],
  ] as const) {
    it(`of ${amount} ${currency} is ${micros} micro-units and back`, () => {
      expect(microsOf(amount, currency)).to.equal(micros);
      expect(amountOf(micros)).to.equal(amount);
    });
  }

  for (const [amount, currency] of [
    [9.999, 'USD'],
    [9.9999999, 'USD'],
    [0.5, 'JPY'],
    [1, 'ABC'],
  ] as const) {
    it(`of ${amount} ${currency} is refused`, () => expect(microsOf(amount, currency)).to.equal(null));
  }
});
