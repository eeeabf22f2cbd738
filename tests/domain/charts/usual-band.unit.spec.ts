// The usual band of a daily figure: tables, and the same band by another computation.
import { expect } from 'chai';
import { bandSentence } from '../../../src/domain/charts/band-sentence.js';
import type { Unit } from '../../../src/domain/charts/catalogue/display-values.js';
import { judgeFigure, type DailyFigure } from '../../../src/domain/charts/usual-band.js';
import { createRandom } from '../../../simulator/random.js';

const figures = (values: readonly (number | null)[], count = 100): DailyFigure[] =>
  values.map((value) => ({ value, count }));
const steady = figures(Array.from({ length: 12 }, () => 100));
const spreading = figures([80, 90, 100, 110, 120, 80, 90, 100, 110, 120, 100, 100]);

describe('the usual band of a figure', () => {
  const cases: readonly (readonly [
    name: string,
    figure: DailyFigure,
    earlier: readonly DailyFigure[],
    unit: Unit,
    verdict: string,
    band: readonly [number, number] | null,
  ])[] = [
    // A number has at least the spread of chance: the square root of 100.
    ['a steady number', { value: 100, count: 100 }, steady, 'count', 'usual', [60, 140]],
    ['its lower edge', { value: 60, count: 60 }, steady, 'count', 'usual', [60, 140]],
    ['below it', { value: 59, count: 59 }, steady, 'count', 'low', [60, 140]],
    ['its upper edge', { value: 140, count: 140 }, steady, 'count', 'usual', [60, 140]],
    ['above it', { value: 141, count: 141 }, steady, 'count', 'high', [60, 140]],
    ['nothing at all', { value: 0, count: 0 }, steady, 'count', 'low', [60, 140]],
    // Median 100, median deviation 10: 4 × 14.826.
    ['a number that varies', { value: 100, count: 100 }, spreading, 'count', 'usual', [40.7, 159.3]],
    // Money varies by the root of the purchases at least: 100 / √100.
    ['money', { value: 50, count: 90 }, steady, 'usd', 'low', [60, 140]],
    ['more refunds than charges', { value: -20, count: 90 }, steady, 'usd', 'low', [60, 140]],
    // One outlier of twelve does not widen the band.
    [
      'a week of a sale',
      { value: 100, count: 100 },
      [...steady.slice(1), ...figures([9000])],
      'count',
      'usual',
      [60, 140],
    ],
    ['too few days', { value: 0, count: 0 }, steady.slice(0, 7), 'count', 'too_few_days', null],
    ['just enough days', { value: 0, count: 0 }, steady.slice(0, 8), 'count', 'low', [60, 140]],
    [
      'days without a value',
      { value: 0, count: 0 },
      [...steady.slice(0, 7), ...figures([null, null])],
      'count',
      'too_few_days',
      null,
    ],
    [
      'tiny numbers',
      { value: 0, count: 0 },
      figures(
        Array.from({ length: 12 }, () => 5),
        5,
      ),
      'count',
      'too_small',
      null,
    ],
    [
      'the least number',
      { value: 0, count: 0 },
      figures(
        Array.from({ length: 12 }, () => 20),
        20,
      ),
      'count',
      'low',
      [2.11, 37.89],
    ],
    // A share with 100 losses a day varies by a tenth of itself.
    ['a share', { value: 5, count: 100 }, figures(Array.from({ length: 12 }, () => 5)), 'percent', 'usual', [3, 7]],
    [
      'a high share',
      { value: 7.5, count: 100 },
      figures(Array.from({ length: 12 }, () => 5)),
      'percent',
      'high',
      [3, 7],
    ],
    [
      'a share of nothing',
      { value: null, count: 0 },
      figures(Array.from({ length: 12 }, () => 5)),
      'percent',
      'usual',
      [3, 7],
    ],
  ];
  for (const [name, figure, earlier, unit, verdict, band] of cases) {
    it(`${name}: ${verdict}`, () => {
      const judged = judgeFigure(figure, earlier, unit);
      expect(judged.verdict).to.equal(verdict);
      expect(judged.band && [judged.band.low, judged.band.high]).to.deep.equal(band);
    });
  }

  it('does not depend on the order of the days', () => {
    const judged = judgeFigure({ value: 100, count: 100 }, spreading, 'count');
    expect(judgeFigure({ value: 100, count: 100 }, spreading.toReversed(), 'count')).to.deep.equal(judged);
  });

  it('agrees with a computation by ranks, for numbers of any kind', () => {
    const random = createRandom('band').next;
    for (let round = 0; round < 300; round++) {
      const size = 8 + Math.floor(random() * 5);
      const values = Array.from({ length: size }, () => Math.floor(random() * 500) - 50);
      const { band } = judgeFigure({ value: 0, count: 400 }, figures(values, 400), 'usd');
      const middle = byRank(values);
      const deviation = 1.4826 * byRank(values.map((value) => Math.abs(value - middle)));
      const spread = deviation > Math.abs(middle) / 20 ? deviation : Math.abs(middle) / 20;
      expect(band?.median).to.be.closeTo(middle, 0.006);
      expect(band?.low).to.be.closeTo(middle - 4 * spread, 0.006);
      expect(band?.high).to.be.closeTo(middle + 4 * spread, 0.006);
    }
  });

  it('is rarely left by chance', () => {
    const random = createRandom('chance').next;
    const poisson = (mean: number) => {
      let events = 0;
      for (let product = random(); product > Math.exp(-mean); product *= random()) events++;
      return events;
    };
    let left = 0;
    const days = 2000;
    for (let day = 0; day < days; day++) {
      const draw = () => {
        const value = poisson(60);
        return { value, count: value };
      };
      const { verdict } = judgeFigure(draw(), Array.from({ length: 12 }, draw), 'count');
      if (verdict !== 'usual') left++;
    }
    expect(left / days).to.be.below(0.005);
  });
});

describe('the sentence about a figure', () => {
  const shared = { name: 'Revenue', unit: 'usd' as const, day: '2026-11-24', value: 412.5 };
  const band = { low: 900, high: 1500.25, median: 1200, days: 12 };
  it('states the figure, its place and what is usual', () =>
    expect(bandSentence({ ...shared, verdict: 'low', band })).to.equal(
      'Revenue on Tuesday 2026-11-24 was $412.50, lower than usual: by the last 12 Tuesdays, usual are $900.00 to $1500.25 (median $1200.00).',
    ));
  it('states why there is no band', () => {
    expect(bandSentence({ ...shared, verdict: 'too_few_days', band: null })).to.contain('8 of the last 12 Tuesdays');
    expect(bandSentence({ ...shared, verdict: 'too_small', band: null })).to.contain('fewer than 20 a day');
  });
});

/** Returns the middle of the numbers: the mean of the values that have as many below as above. */
function byRank(values: readonly number[]): number {
  const middles = values.filter((value) => {
    const below = values.filter((other) => other < value).length;
    const above = values.filter((other) => other > value).length;
    return below <= values.length / 2 && above <= values.length / 2;
  });
  return (Math.min(...middles) + Math.max(...middles)) / 2;
}
