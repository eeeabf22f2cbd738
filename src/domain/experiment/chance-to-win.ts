// The probability that one variant's rate is higher than another's: both rates are Beta(1 + successes, 1 + failures), and the
// probability is a finite sum (Evan Miller, "Formulas for Bayesian A/B Testing", 2014).

export type Trials = { readonly successes: number; readonly of: number };

/** Returns P(rate of `variant` > rate of `control`) in closed form. */
export function chanceToWin(variant: Trials, control: Trials): number {
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

function clamp(p: number): number {
  return Math.min(1, Math.max(0, p));
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
