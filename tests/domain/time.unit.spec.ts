// Calendar arithmetic in UTC.
import { expect } from 'chai';
import {
  addDuration,
  earliest,
  isoFromMs,
  isStoreDuration,
  latest,
  msFromIso,
  utcDay,
  utcMonth,
} from '../../src/domain/time.js';

describe('an instant', () => {
  it('goes to milliseconds and back', () => {
    expect(isoFromMs(1_795_168_800_123)).to.equal('2026-11-20T10:00:00.123Z');
    expect(msFromIso('2026-11-20T10:00:00.123Z')).to.equal(1_795_168_800_123);
  });

  it('has a day and a month in UTC', () => {
    expect(utcDay('2026-11-30T23:59:59.999Z')).to.equal('2026-11-30');
    expect(utcMonth('2026-11-30T23:59:59.999Z')).to.equal('202611');
  });

  it('is earlier or later than another', () => {
    const [a, b] = ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.001Z'];
    expect([earliest(a, b), earliest(b, a), latest(a, b), latest(b, a)]).to.deep.equal([a, a, b, b]);
  });
});

describe('a duration', () => {
  const sums = [
    ['P1W', '2026-11-20T10:00:00.000Z', '2026-11-27T10:00:00.000Z'],
    ['P1M', '2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['P1M', '2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
    ['P1Y', '2028-02-29T10:00:00.000Z', '2029-02-28T10:00:00.000Z'],
    ['P60D', '2026-11-20T10:00:00.000Z', '2027-01-19T10:00:00.000Z'],
    ['P1D', '2026-10-24T23:30:00.000Z', '2026-10-25T23:30:00.000Z'],
  ] as const;
  for (const [duration, from, to] of sums) {
    it(`of ${duration} after ${utcDay(from)} ends on ${utcDay(to)}`, () =>
      expect(addDuration(from, duration)).to.equal(to));
  }

  it('of a store has no time part', () => {
    expect(['P1W', 'P1M', 'P3M', 'P1Y', 'P1Y6M'].every(isStoreDuration)).to.equal(true);
    expect(['', 'P', 'PT1H', 'P1DT1H', '1M', 'P1.5M', 'P-1M', 'P1M1Y'].some(isStoreDuration)).to.equal(false);
  });

  it('that is invalid cannot be added', () => expect(() => addDuration('yesterday', 'P1D')).to.throw(RangeError));
});
