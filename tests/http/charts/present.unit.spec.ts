// What responses of charts contain beside their values.
import { expect } from 'chai';
import { presentUnconverted } from '../../../src/http/charts/present.js';

describe('what could not be converted', () => {
  it('is summed up where 216 days were listed', () => {
    const days = Array.from({ length: 216 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));
    const shown = presentUnconverted({ unconverted: () => ({ transactions: 400, days }) });
    expect(shown).to.deep.equal({
      transactions: 400,
      days: days.slice(0, 10),
      dayCount: 216,
      firstDay: '2026-01-01',
      lastDay: '2026-08-04',
    });
  });

  it('is nothing when there is a rate for every day', () => {
    const shown = presentUnconverted({ unconverted: () => ({ transactions: 0, days: [] }) });
    expect(shown).to.deep.equal({ transactions: 0, days: [], dayCount: 0, firstDay: null, lastDay: null });
  });
});
