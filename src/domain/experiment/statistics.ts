// Statistics of experiments in closed form or by a fixed approximation, without randomness: the same numbers always give the same chance.

/** Successes among a number of independent attempts. */
export type Attempts = { readonly successes: number; readonly of: number };

/** Mean and sample variance of one number per customer. `nonZero`: how many of them are not zero. */
export type Sample = {
  readonly count: number;
  readonly nonZero: number;
  readonly mean: number;
  readonly variance: number;
};

export type Interval = { readonly low: number; readonly high: number };

/** Standard normal quantile of a two-sided interval of 95 %. */
const Z_95 = 1.959963984540054;

/** Returns the mean and the variance in two passes, so that large amounts lose no digits. */
export function sampleOf(values: readonly number[]): Sample {
  const count = values.length;
  if (count === 0) return { count, nonZero: 0, mean: 0, variance: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const nonZero = values.filter((value) => value !== 0).length;
  return { count, nonZero, mean, variance: count < 2 ? 0 : squares / (count - 1) };
}

/** Returns P(rate of `variant` > rate of `control`) in closed form: both are Beta(1 + successes, 1 + failures) (Evan Miller, 2014). */
export function chanceOfHigherRate(variant: Attempts, control: Attempts): number {
  const [a, b] = [1 + control.successes, 1 + control.of - control.successes];
  const [c, d] = [1 + variant.successes, 1 + variant.of - variant.successes];
  // The sum has as many terms as its first count, so the shorter of the two equivalent sums is used.
  if (c <= d) return clamp(probabilityExceeds(c, d, a, b));
  return clamp(1 - probabilityExceeds(d, c, b, a));
}

/** Returns P(Beta(c, d) > Beta(a, b)) as a sum over the successes of the first. */
function probabilityExceeds(c: number, d: number, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < c; i++) {
    sum += Math.exp(lnBeta(a + i, b + d) - Math.log(d + i) - lnBeta(1 + i, d) - lnBeta(a, b));
  }
  return sum;
}

/** Returns the 95 % interval of the difference of two rates by Newcombe's hybrid of Wilson's intervals (1998, method 10). */
export function intervalOfRates(variant: Attempts, control: Attempts): Interval {
  const [v, c] = [wilson(variant), wilson(control)];
  const difference = v.rate - c.rate;
  return {
    low: difference - Math.hypot(v.rate - v.low, c.high - c.rate),
    high: difference + Math.hypot(v.high - v.rate, c.rate - c.low),
  };
}

function wilson({ successes, of }: Attempts): Interval & { readonly rate: number } {
  const rate = successes / of;
  const z2 = Z_95 ** 2;
  const middle = (rate + z2 / (2 * of)) / (1 + z2 / of);
  const half = (Z_95 / (1 + z2 / of)) * Math.sqrt((rate * (1 - rate)) / of + z2 / (4 * of ** 2));
  return { rate, low: middle - half, high: middle + half };
}

/**
 * Returns P(mean of `variant` > mean of `control`): the difference is normal, with Welch's standard error, which does not assume equal
 * variances. Two samples without any variance are compared by their means alone.
 */
export function chanceOfHigherMean(variant: Sample, control: Sample): number {
  const difference = variant.mean - control.mean;
  const error = standardError(variant, control);
  if (error === 0) return difference === 0 ? 0.5 : difference > 0 ? 1 : 0;
  return 0.5 * complementaryError(-difference / error / Math.SQRT2);
}

/** Returns the 95 % interval of the difference of two means, with Welch's standard error. */
export function intervalOfMeans(variant: Sample, control: Sample): Interval {
  const difference = variant.mean - control.mean;
  const half = Z_95 * standardError(variant, control);
  return { low: difference - half, high: difference + half };
}

function standardError(a: Sample, b: Sample): number {
  return Math.sqrt(a.variance / a.count + b.variance / b.count);
}

/** The chi-square test is only valid if each variant expects this many customers. */
const MIN_EXPECTED = 5;

/**
 * Returns the probability of counts at least as far from the weights as these, if chance alone decided (Pearson's chi-square test); null
 * if there are too few customers for the test.
 */
export function chanceOfSplit(counts: readonly number[], weights: readonly number[]): number | null {
  const total = counts.reduce((sum, n) => sum + n, 0);
  const whole = weights.reduce((sum, w) => sum + w, 0);
  const expected = weights.map((w) => (total * w) / whole);
  if (counts.length < 2 || expected.some((n) => n < MIN_EXPECTED)) return null;
  const statistic = counts.reduce((sum, n, i) => sum + (n - (expected[i] ?? 0)) ** 2 / (expected[i] ?? 1), 0);
  return chiSquareTail(statistic, counts.length - 1);
}

/** Returns P(chi-square with `degrees` degrees of freedom > x), by the recurrence of the incomplete gamma function. */
export function chiSquareTail(x: number, degrees: number): number {
  if (x <= 0) return 1;
  const half = x / 2;
  const isOdd = degrees % 2 === 1;
  let tail = isOdd ? complementaryError(Math.sqrt(half)) : Math.exp(-half);
  for (let a = isOdd ? 0.5 : 1; a < degrees / 2; a++) tail += Math.exp(a * Math.log(half) - half - lnGamma(a + 1));
  return clamp(tail);
}

function clamp(p: number): number {
  return Math.min(1, Math.max(0, p));
}

// Coefficients of the rational approximation of erfc(x) exp(x²) with a relative error below 1.2e-7 (Numerical Recipes, erfcc).
const ERROR_COEFFICIENTS = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
  0.17087277,
];

/** Returns 1 − erf(x), with a relative error below 1.2e-7. */
function complementaryError(x: number): number {
  const t = 1 / (1 + 0.5 * Math.abs(x));
  const series = ERROR_COEFFICIENTS.reduceRight((sum, coefficient) => coefficient + t * sum, 0);
  const tail = t * Math.exp(-x * x + series);
  return x >= 0 ? tail : 2 - tail;
}

function lnBeta(x: number, y: number): number {
  return lnGamma(x) + lnGamma(y) - lnGamma(x + y);
}

const LANCZOS = [
  76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2,
  -0.5395239384953e-5,
];

/** Lanczos' approximation, accurate to ten digits for positive arguments. */
function lnGamma(x: number): number {
  const t = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);
  const series = LANCZOS.reduce((sum, coefficient, i) => sum + coefficient / (x + 1 + i), 1.000000000190015);
  return -t + Math.log((2.5066282746310005 * series) / x);
}
