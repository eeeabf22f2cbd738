// The results of each variant's customers since their enrollment, by RevenueCat's definitions of experiment results: production only,
// without family-shared purchases. Counts are of customers, except those of trials. The source is the customer history of the charts.
import type { Charge, KnownHistory, LiveLine } from '../charts/history/known-history.js';
import { monthlyOf } from '../charts/money.js';

/** Result of one customer. Money in USD micros. */
export type Outcome = {
  readonly isConverted: boolean;
  readonly trialsStarted: number;
  readonly trialsCompleted: number;
  readonly trialsConverted: number;
  readonly isPaying: boolean;
  readonly isActive: boolean;
  readonly isChurned: boolean;
  readonly isRefunded: boolean;
  readonly revenueMicros: number;
  readonly mrrMicros: number;
};

const NO_OUTCOME: Outcome = {
  isConverted: false,
  trialsStarted: 0,
  trialsCompleted: 0,
  trialsConverted: 0,
  isPaying: false,
  isActive: false,
  isChurned: false,
  isRefunded: false,
  revenueMicros: 0,
  mrrMicros: 0,
};

/** `history`: production history before `asOf`; null for a customer without a known history. Times in UTC ms. */
export function outcomeOf(history: KnownHistory | null, enrolledAt: number, asOf: number): Outcome {
  if (!history) return NO_OUTCOME;
  const charges = history.lines.flatMap((l) => l.charges).filter((c) => c.period.at >= enrolledAt);
  const movements = history.lines
    .flatMap((l) => [...l.strays, ...l.charges.flatMap((c) => c.movements)])
    .filter(({ at }) => at >= enrolledAt && at < asOf);
  const trials = history.lines.flatMap(trialsOf).filter((t) => t.startedAt >= enrolledAt);
  const finished = trials.filter((t) => t.isConverted || t.endsAt < asOf);
  const active = history.lines.flatMap((l) => activeCharges(l, asOf));
  const hadPaid = charges.some(({ period: { type } }) => type !== 'trial' && type !== 'one_time');
  return {
    isConverted: charges.length > 0,
    trialsStarted: trials.length,
    trialsCompleted: finished.length,
    trialsConverted: trials.filter((t) => t.isConverted).length,
    isPaying: charges.some((c) => (c.price ?? 0) > 0),
    isActive: active.length > 0,
    isChurned: hadPaid && active.length === 0,
    isRefunded: movements.some((m) => m.kind === 'refund'),
    revenueMicros: movements.reduce((sum, m) => sum + m.usd, 0),
    mrrMicros: active.reduce((sum, c) => sum + monthlyOf(c.period, c.price, c.contractEnd, 'revenue'), 0),
  };
}

/** A trial is converted when a period that is not a trial follows it. */
function trialsOf({ charges }: LiveLine) {
  return charges.flatMap(({ period, contractEnd }, i) => {
    if (period.type !== 'trial') return [];
    const next = charges[i + 1]?.period.type;
    const isConverted = next !== undefined && next !== 'trial';
    return [{ startedAt: period.at, endsAt: contractEnd, isConverted }];
  });
}

/** Returns the charges of the periods that give access at that instant, including grace periods and excluding trials. */
function activeCharges({ charges, pieces }: LiveLine, asOf: number): readonly Charge[] {
  const live = pieces.filter((p) => p.from < asOf && asOf <= p.to && p.period.type !== 'trial');
  return live.flatMap(({ period }) => charges.find((c) => c.period.id === period.id) ?? []);
}

export type VariantResults = {
  readonly customers: number;
  readonly initialConversions: number;
  readonly initialConversionRate: number | null;
  readonly trialsStarted: number;
  readonly trialsCompleted: number;
  readonly trialsConverted: number;
  readonly trialConversionRate: number | null;
  readonly payingCustomers: number;
  readonly conversionToPayingRate: number | null;
  readonly activeSubscribers: number;
  readonly churnedSubscribers: number;
  readonly refundedCustomers: number;
  readonly revenueMicros: number;
  readonly mrrMicros: number;
};

/** Sums the outcomes of one variant. A rate is null when its denominator is zero. */
export function summarize(outcomes: readonly Outcome[]): VariantResults {
  const count = (is: (o: Outcome) => boolean) => outcomes.filter(is).length;
  const sum = (of: (o: Outcome) => number) => outcomes.reduce((total, o) => total + of(o), 0);
  const customers = outcomes.length;
  const initialConversions = count((o) => o.isConverted);
  const payingCustomers = count((o) => o.isPaying);
  const trialsCompleted = sum((o) => o.trialsCompleted);
  const trialsConverted = sum((o) => o.trialsConverted);
  return {
    customers,
    initialConversions,
    initialConversionRate: ratioOf(initialConversions, customers),
    trialsStarted: sum((o) => o.trialsStarted),
    trialsCompleted,
    trialsConverted,
    trialConversionRate: ratioOf(trialsConverted, trialsCompleted),
    payingCustomers,
    conversionToPayingRate: ratioOf(payingCustomers, customers),
    activeSubscribers: count((o) => o.isActive),
    churnedSubscribers: count((o) => o.isChurned),
    refundedCustomers: count((o) => o.isRefunded),
    revenueMicros: sum((o) => o.revenueMicros),
    mrrMicros: sum((o) => o.mrrMicros),
  };
}

function ratioOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

type Trials = { readonly successes: number; readonly of: number };

/** Returns P(rate of `variant` > rate of `control`) in closed form: both are Beta(1 + successes, 1 + failures) (Evan Miller, 2014). */
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
