// The USD value of a charge: exact, at the rate of its day, and unknown rather than guessed.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Money } from '../../../src/domain/money.js';
import { convertToUsd } from '../../../src/domain/rates/convert.js';
import { ratesDecider, type Rates } from '../../../src/domain/rates/rates.js';
import { decideAll, foldEvents } from '../../../src/domain/decider.js';

const published = (...days: readonly [day: string, rates: Record<string, string>][]): Rates => {
  const commands = days.map(([day, rates]) => ({ day, rates }));
  return foldEvents(ratesDecider, decideAll(ratesDecider, commands, {}));
};
const known = published(['2026-04-10', { USD: '1.25', GBP: '0.8', JPY: '186.75' }]);
const price = (currency: string | null, amountMicros: number | null): Money => {
  return { currency, amountMicros, usdMicros: null, fxRate: null, fxDate: null, taxRate: 0, commissionRate: 0.3 };
};
const converted = (money: Money, day: string, rates = known) => {
  const { usdMicros, fxRate, fxDate } = convertToUsd(money, `${day}T23:59:59.999Z`, rates);
  return [usdMicros, fxRate, fxDate];
};

describe('a charge in another currency', () => {
  it('is crossed over the euro', () =>
    expect(converted(price('GBP', 8_000_000), '2026-04-10')).to.deep.equal([12_500_000, '1.5625', '2026-04-10']));

  it('in euros takes the rate as it is', () =>
    expect(converted(price('EUR', 9_990_000), '2026-04-10')).to.deep.equal([12_487_500, '1.25', '2026-04-10']));

  it('shows a rate of eight decimals and counts with all of them', () =>
    // 1.25 / 186.75 = 0.0066934404283…
    expect(converted(price('JPY', 1_000_000_000_000), '2026-04-10')).to.deep.equal([
      6_693_440_428,
      '0.00669344',
      '2026-04-10',
    ]));

  it('is rounded half away from zero', () => {
    const half = published(['2026-04-10', { USD: '0.5' }]);
    expect(converted(price('EUR', 3), '2026-04-10', half)[0]).to.equal(2);
    expect(converted(price('EUR', -3), '2026-04-10', half)[0]).to.equal(-2);
  });

  it('takes the latest earlier day, up to seven back', () => {
    expect(converted(price('EUR', 1_000_000), '2026-04-17')[2]).to.equal('2026-04-10');
    expect(converted(price('EUR', 1_000_000), '2026-04-18')).to.deep.equal([null, null, null]);
  });

  it('never takes a later day', () => expect(converted(price('EUR', 1), '2026-04-09')[0]).to.equal(null));

  it('goes further back for a currency that a day leaves out', () => {
    const rates = published(['2026-04-09', { USD: '1.2', GBP: '0.6' }], ['2026-04-10', { USD: '1.25' }]);
    expect(converted(price('GBP', 1_000_000), '2026-04-10', rates)).to.deep.equal([2_000_000, '2', '2026-04-09']);
  });

  it('is unknown in an unquoted currency, or at a rate of zero', () => {
    expect(converted(price('XXX', 1_000_000), '2026-04-10')[0]).to.equal(null);
    expect(converted(price('GBP', 1), '2026-04-10', published(['2026-04-10', { USD: '1', GBP: '0' }]))[0]).to.equal(
      null,
    );
  });

  it('is left alone when its value or its price is not what is missing', () => {
    const worth = { ...price('GBP', 1_000_000), usdMicros: 7 };
    expect(convertToUsd(worth, '2026-04-10T00:00:00.000Z', known)).to.equal(worth);
    expect(converted(price('GBP', null), '2026-04-10')[0]).to.equal(null);
    expect(converted(price(null, 1_000_000), '2026-04-10')[0]).to.equal(null);
  });

  it('in dollars is taken as it is, without any rate', () =>
    expect(converted(price('USD', 9_990_000), '2026-01-01', {})).to.deep.equal([9_990_000, '1', null]));

  it('is the nearest whole number to the quotient', () => {
    const rate = fc.tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(fc.nat(2_000_000_000), rate, rate, (amount, [d, dPlaces], [u, uPlaces]) => {
        const text = (n: number, places: number) => {
          const digits = String(n).padStart(places + 1, '0');
          return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
        };
        const rates = published(['2026-04-10', { USD: text(d, dPlaces), SEK: text(u, uPlaces) }]);
        const usd = convertToUsd(price('SEK', amount), '2026-04-10T12:00:00.000Z', rates).usdMicros;
        const over = BigInt(amount) * BigInt(d) * 10n ** BigInt(uPlaces);
        const under = BigInt(u) * 10n ** BigInt(dPlaces);
        const isTooMuch = over / under > BigInt(Number.MAX_SAFE_INTEGER) - 2n;
        if (usd === null) expect(isTooMuch).to.equal(true);
        if (usd === null) return;
        const off = 2n * (BigInt(usd) * under - over);
        expect(off <= under && off > -under).to.equal(true);
      }),
    );
  });
});

describe('a day of reference rates', () => {
  const day = '2026-04-10';
  it('is recorded once', () =>
    expect(
      decideAll(
        ratesDecider,
        [
          { day, rates: { USD: '1.25' } },
          { day, rates: { USD: '1.25' } },
        ],
        {},
      ),
    ).to.have.length(1));

  it('is corrected where it differs, and only there', () => {
    const [event] = ratesDecider.decide({ day, rates: { USD: '1.25', GBP: '0.81', SEK: '11' } }, known);
    expect(event).to.include({ type: 'ExchangeRatesCorrected', at: '2026-04-10T00:00:00.000Z' });
    expect(event?.data.rates).to.deep.equal({ GBP: '0.81', SEK: '11' });
    const after = event ? ratesDecider.evolve(known, event) : {};
    expect(after['2026']?.[day]).to.deep.equal({ USD: '1.25', GBP: '0.81', JPY: '186.75', SEK: '11' });
  });
});
