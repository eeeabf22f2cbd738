// The results of each variant's customers since their enrollment, by RevenueCat's definitions of experiment results: production only,
// without family-shared purchases. Counts are of customers, except those of trials. The source is the customer history of the charts.
import type { Charge, KnownHistory, LiveLine } from '../charts/history/known-history.js';
import { monthlyOf } from '../charts/money.js';
import { sampleOf, type Sample } from './statistics.js';

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
  /** One number per customer, for metrics that are means; `payingRevenueUsd` per paying customer. */
  readonly samples: {
    readonly revenueUsd: Sample;
    readonly payingRevenueUsd: Sample;
    readonly mrrUsd: Sample;
    readonly trialsStarted: Sample;
    readonly trialsCompleted: Sample;
    readonly trialsConverted: Sample;
  };
};

/** Sums the outcomes of one variant. A rate is null when its denominator is zero. */
export function summarize(outcomes: readonly Outcome[]): VariantResults {
  const count = (is: (o: Outcome) => boolean) => outcomes.filter(is).length;
  const sum = (of: (o: Outcome) => number) => outcomes.reduce((total, o) => total + of(o), 0);
  const sample = (of: (o: Outcome) => number) => sampleOf(outcomes.map(of));
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
    samples: {
      revenueUsd: sample(usdOfRevenue),
      payingRevenueUsd: sampleOf(outcomes.filter((o) => o.isPaying).map(usdOfRevenue)),
      mrrUsd: sample((o) => o.mrrMicros / 1e6),
      trialsStarted: sample((o) => o.trialsStarted),
      trialsCompleted: sample((o) => o.trialsCompleted),
      trialsConverted: sample((o) => o.trialsConverted),
    },
  };
}

function usdOfRevenue({ revenueMicros }: Outcome): number {
  return revenueMicros / 1e6;
}

function ratioOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** Attributes that a customer had at the creation, so that no purchase moves a customer to another segment. */
export const experimentSegments = ['country', 'platform'] as const;
export type ExperimentSegment = (typeof experimentSegments)[number];

/** Results of one value of a segment; `value` is null for customers without one. */
export type SegmentResults = { readonly value: string | null; readonly results: VariantResults };

/** Results of a variant, and of each value of the requested segment. */
export type SegmentedVariantResults = {
  readonly whole: VariantResults;
  readonly segments: readonly SegmentResults[];
};

/** Sums the outcomes of one variant for each value of a segment. */
export function summarizeSegments(
  outcomes: readonly { readonly value: string | null; readonly outcome: Outcome }[],
): readonly SegmentResults[] {
  const byValue = new Map<string | null, Outcome[]>();
  for (const { value, outcome } of outcomes) {
    const own = byValue.get(value);
    if (own) own.push(outcome);
    else byValue.set(value, [outcome]);
  }
  return [...byValue].map(([value, own]) => ({ value, results: summarize(own) }));
}
