// Days that may convert differently, against the conversion itself.
import { expect } from 'chai';
import { daysWithChangedRates, createUsdConverter } from '../../../src/domain/rates/convert.js';
import type { Rates } from '../../../src/domain/rates/rates.js';
import { correctedRates, patchyRates } from '../../charts-reference/random-rates.js';
import { DAY } from '../../charts-reference/time.js';
import { chance } from '../../projections/support/seeded-random.js';

const PAIRS = 60;
const AMOUNT = 1_234_567_890;
const valueOn = (day: number, rates: Rates) => createUsdConverter('XTS', new Date(day).toISOString(), rates)?.(AMOUNT);

describe('days whose rates are others', () => {
  it(`are all that convert otherwise, of ${PAIRS} random pairs, and few others`, () => {
    const random = chance();
    for (let n = 0; n < PAIRS; n++) {
      const before = patchyRates(random);
      const after = correctedRates(before, random);
      const changed = daysWithChangedRates(before, after);
      for (let day = Date.UTC(2024, 10, 20); day < Date.UTC(2026, 5, 1); day += DAY) {
        if (valueOn(day, before) === valueOn(day, after)) continue;
        expect(changed.has(day), `${new Date(day).toISOString()} (pair ${n}, SEED=${random.seed})`).to.equal(true);
      }
    }
  });

  it('are none where nothing is another', () => {
    const rates = { '2026': { '2026-03-02': { USD: '1.1', XTS: '2' } } };
    expect([...daysWithChangedRates(rates, structuredClone(rates))]).to.deep.equal([]);
  });

  it('end a week after the day, which counts for days without a rate', () => {
    const days = [...daysWithChangedRates({}, { '2026': { '2026-12-28': { USD: '1.1', XTS: '2' } } })];
    expect(days.map((day) => new Date(day).toISOString().slice(0, 10))).to.include.members([
      '2026-12-28',
      '2027-01-04',
    ]);
    expect(days).to.have.length(8);
  });
});
