// Statistics of experiments beside published values and a simulation with fixed seeds.
import { expect } from 'chai';
import {
  chanceOfHigherMean,
  chanceOfHigherRate,
  chanceOfSplit,
  chiSquareTail,
  intervalOfMeans,
  intervalOfRates,
  sampleOf,
} from '../../../src/domain/experiment/statistics.js';

/** Uniform numbers from a fixed seed (mulberry32). */
function uniformFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the chance of a higher rate', () => {
  it('is even for equals', () => {
    expect(chanceOfHigherRate({ successes: 0, of: 0 }, { successes: 0, of: 0 })).to.be.closeTo(0.5, 1e-9);
    expect(chanceOfHigherRate({ successes: 40, of: 100 }, { successes: 40, of: 100 })).to.be.closeTo(0.5, 1e-9);
  });

  it('of one is what the other lacks', () => {
    for (const [s, n, t, m] of [
      [3, 10, 5, 12],
      [90, 100, 70, 100],
      [1, 1000, 4, 900],
      [0, 5, 5, 5],
    ] as const) {
      const [a, b] = [
        { successes: s, of: n },
        { successes: t, of: m },
      ];
      expect(chanceOfHigherRate(a, b) + chanceOfHigherRate(b, a)).to.be.closeTo(1, 1e-8);
    }
  });

  it('is known where it can be worked out by hand', () => {
    // Beta(2, 1) against Beta(1, 1): the probability that x exceeds a uniform is its mean.
    expect(chanceOfHigherRate({ successes: 1, of: 1 }, { successes: 0, of: 0 })).to.be.closeTo(2 / 3, 1e-9);
    expect(chanceOfHigherRate({ successes: 0, of: 1 }, { successes: 0, of: 0 })).to.be.closeTo(1 / 3, 1e-9);
    expect(chanceOfHigherRate({ successes: 9, of: 10 }, { successes: 0, of: 0 })).to.be.closeTo(10 / 12, 1e-9);
  });

  it('agrees with a simulation of both distributions', () => {
    const uniform = uniformFrom(7);
    /** Gamma with a whole shape, as a sum of exponential times. */
    const gamma = (shape: number) => {
      let sum = 0;
      for (let i = 0; i < shape; i++) sum -= Math.log(1 - uniform());
      return sum;
    };
    const rate = ({ successes, of }: { successes: number; of: number }) => {
      const hits = gamma(1 + successes);
      return hits / (hits + gamma(1 + of - successes));
    };
    const [variant, control] = [
      { successes: 24, of: 130 },
      { successes: 18, of: 120 },
    ];
    const draws = 10_000;
    let wins = 0;
    for (let i = 0; i < draws; i++) if (rate(variant) > rate(control)) wins++;
    expect(chanceOfHigherRate(variant, control)).to.be.closeTo(wins / draws, 0.015);
  });

  it('is sure for large counts', () => {
    expect(chanceOfHigherRate({ successes: 60_000, of: 100_000 }, { successes: 50_000, of: 100_000 })).to.be.closeTo(
      1,
      1e-6,
    );
    expect(chanceOfHigherRate({ successes: 0, of: 0 }, { successes: 90_000, of: 100_000 })).to.be.within(0, 0.2);
  });
});

describe('the interval of two rates', () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998), table II, method 10.
  for (const [s, n, t, m, low, high] of [
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
  ] as const) {
    it(`is the published one for ${s}/${n} and ${t}/${m}`, () => {
      const found = intervalOfRates({ successes: s, of: n }, { successes: t, of: m });
      expect(found.low).to.be.closeTo(low, 0.00006);
      expect(found.high).to.be.closeTo(high, 0.00006);
    });
  }
});

describe('the comparison of two means', () => {
  it('is the tail of the normal distribution', () => {
    for (const [z, chance] of [
      [0, 0.5],
      [1.2815516, 0.9],
      [1.644854, 0.95],
      [1.959964, 0.975],
      [3.090232, 0.999],
      [-3.090232, 0.001],
    ] as const) {
      const [variant, control] = [
        { count: 200, nonZero: 50, mean: 5 + z, variance: 120 },
        { count: 50, nonZero: 10, mean: 5, variance: 20 },
      ];
      expect(chanceOfHigherMean(variant, control)).to.be.closeTo(chance, 1e-6);
    }
  });

  it('has the mean and the variance of a sample, also of large equal amounts', () => {
    expect(sampleOf([2, 4, 4, 4, 5, 5, 7, 9])).to.deep.equal({ count: 8, nonZero: 8, mean: 5, variance: 32 / 7 });
    expect(sampleOf([1e9, 1e9 + 1, 0])).to.include({ count: 3, nonZero: 2 });
    expect(sampleOf([1e9, 1e9 + 2]).variance).to.equal(2);
    expect(sampleOf([])).to.deep.equal({ count: 0, nonZero: 0, mean: 0, variance: 0 });
    const same = sampleOf([9.99, 9.99]);
    expect([chanceOfHigherMean(same, same), chanceOfHigherMean(same, sampleOf([0, 0]))]).to.deep.equal([0.5, 1]);
  });

  it('agrees with resampling of revenue that most customers do not have', () => {
    const uniform = uniformFrom(11);
    const revenue = (count: number, share: number, price: number) =>
      Array.from({ length: count }, () => (uniform() < share ? price * (1 + Math.floor(uniform() * 4)) : 0));
    const [variant, control] = [revenue(500, 0.2, 7.99), revenue(400, 0.18, 6.99)];
    const meanOfResample = (values: readonly number[]) => {
      let sum = 0;
      for (let i = 0; i < values.length; i++) sum += values[Math.floor(uniform() * values.length)] ?? 0;
      return sum / values.length;
    };
    const differences = Array.from({ length: 4000 }, () => meanOfResample(variant) - meanOfResample(control));
    differences.sort((a, b) => a - b);
    const wins = differences.filter((d) => d > 0).length / differences.length;
    expect(wins).to.be.within(0.5, 0.995);
    expect(chanceOfHigherMean(sampleOf(variant), sampleOf(control))).to.be.closeTo(wins, 0.02);
    const { low, high } = intervalOfMeans(sampleOf(variant), sampleOf(control));
    expect(low).to.be.closeTo(differences[100] ?? NaN, 0.2);
    expect(high).to.be.closeTo(differences[3899] ?? NaN, 0.2);
  });
});

describe('the check of a ratio', () => {
  it('has the published critical values of chi-square', () => {
    for (const [x, degrees, tail] of [
      [3.8415, 1, 0.05],
      [10.8276, 1, 0.001],
      [5.9915, 2, 0.05],
      [13.8155, 2, 0.001],
      [7.8147, 3, 0.05],
      [9.4877, 4, 0.05],
      [16.919, 9, 0.05],
      [27.8772, 9, 0.001],
    ] as const) {
      expect(chiSquareTail(x, degrees) / tail, `${x} with ${degrees}`).to.be.closeTo(1, 0.0005);
    }
    expect(chiSquareTail(0, 1)).to.equal(1);
  });

  it('finds customers that are missing on one side, by the weights', () => {
    expect(chanceOfSplit([500, 500], [1, 1])).to.equal(1);
    expect(chanceOfSplit([821, 1000], [1, 1])).to.be.lessThan(0.0001);
    expect(chanceOfSplit([750, 250], [3, 1])).to.equal(1);
    expect(chanceOfSplit([500, 500], [3, 1])).to.be.lessThan(1e-9);
    expect(chanceOfSplit([520, 480], [50, 50])).to.be.closeTo(0.2059, 0.0001);
  });

  it('says nothing of a few customers', () => {
    expect(chanceOfSplit([9, 0], [1, 1])).to.equal(null);
    expect(chanceOfSplit([0, 0], [1, 1])).to.equal(null);
    expect(chanceOfSplit([100], [1])).to.equal(null);
    expect(chanceOfSplit([], [])).to.equal(null);
  });
});
