// Charts whose cells are members by age: how subscriptions renew, and what customers bring over their own time.
import { addIntervals, DAY_MS, spanOf, spansUntil, startOfDay, type Interval, type Span } from '../calendar.js';
import type { Selectors } from '../catalogue/chart.js';
import { isTrial, moneyOf } from '../contribution.js';
import type { Charge, KnownHistory, LiveLine } from '../history/known-history.js';

/** One member of the row in which `at` lies: its columns from 0 on. */
export type Member<C> = { readonly at: number; readonly columns: readonly C[] };
export type Renewal = { readonly isRetained: boolean };

/** How the renewals of one subscription stand, without a clock. Instants in UTC ms. */
export type RenewalStatus = {
  readonly span: Span;
  /** The first standard payment, whose column is 0. */
  readonly at: number;
  readonly payments: number;
  /** Of these payments, the first left out: those that were given back with the access. */
  readonly revoked: readonly number[];
  /** When the first payment that was not made is due. */
  readonly lapsesAt: number;
  /** The first column that is due later than that: it, and all behind it, by the calendar. */
  readonly calendarFrom: number;
};

/** Null for a subscription of no fixed duration, or without a standard payment. */
export function renewalStatusOf(line: LiveLine): RenewalStatus | null {
  const { productDuration } = line.about;
  const span = productDuration === null ? null : spanOf(productDuration);
  if (!span || span.months + span.days === 0) return null;
  const payments = line.charges.filter((c) => c.period.type === 'normal');
  const [first, last] = [payments[0], payments.at(-1)];
  if (!first || !last) return null;
  const { at } = first.period;
  const lapsesAt = Math.max(last.period.at, last.contractEnd);
  const revoked = payments.flatMap((payment, k) => (k > 0 && isRevoked(line, payment) ? [k] : []));
  const calendarFrom = Math.max(payments.length, spansUntil(at, span, lapsesAt)) + 1;
  return { span, at, payments: payments.length, revoked, lapsesAt, calendarFrom };
}

/**
 * The renewals that were due before `asOf`; null for a subscription of another duration or without a standard payment. `calendarAsOf`: the
 * same of those that are due by the calendar.
 */
export function renewalsOf(
  line: LiveLine,
  productDuration: string,
  asOf: number,
  calendarAsOf = asOf,
): Member<Renewal> | null {
  const status = renewalStatusOf(line);
  const asked = spanOf(productDuration);
  if (!status || !asked || !isSameSpan(status.span, asked)) return null;
  return renewalsBy(status, asOf, calendarAsOf);
}

/** The renewals that were due before `asOf`, of one whose renewals stand so. */
function renewalsBy(status: RenewalStatus, asOf: number, calendarAsOf: number): Member<Renewal> {
  const { at, span, payments, revoked } = status;
  const columns: Renewal[] = [];
  for (let k = 0; k < payments; k++) columns.push({ isRetained: !revoked.includes(k) });
  const due = columnsDue(status, asOf, () => spansUntil(at, span, calendarAsOf - 1));
  while (columns.length < due) columns.push({ isRetained: false });
  return { at, columns };
}

/** How many columns were due before `asOf`, those that were paid included. `spans`: how many are due by the calendar, the first left out. */
export function columnsDue(
  { payments, lapsesAt, calendarFrom }: Pick<RenewalStatus, 'payments' | 'lapsesAt' | 'calendarFrom'>,
  asOf: number,
  spans: () => number,
): number {
  return lapsesAt >= asOf ? payments : Math.max(payments, calendarFrom, spans() + 1);
}

export function isSameSpan(a: Span, b: Span): boolean {
  return a.months === b.months && a.days === b.days;
}

/** A refund took the access that was paid for, and was not reversed. */
export function isRevoked({ adjustmentsOf }: LiveLine, { period }: Charge): boolean {
  let revoked = false;
  for (const a of adjustmentsOf(period.id)) {
    if (a.kind === 'refund' && a.cuts) revoked = true;
    if (a.kind === 'reversal') revoked = false;
  }
  return revoked;
}

export type PurchaseCohort = Exclude<Selectors['cohort'], 'new_customers'>;

export type CohortQuestion = Pick<Selectors, 'cohort' | 'cohortMeasure' | 'revenueType'> & {
  readonly interval: Interval;
  readonly asOf: number;
};

/** What a customer brought in each interval since day 0. `lines`: those of its purchases that are asked about. */
export function worthByAge(
  history: KnownHistory,
  lines: readonly LiveLine[],
  o: CohortQuestion,
): Member<number> | null {
  const at = joinedAt(history, lines, o.cohort);
  if (at === null || at >= o.asOf) return null;
  const day = startOfDay(at);
  if (o.cohortMeasure === 'retained_subscriptions') {
    const columns: number[] = [];
    for (let k = 0; addIntervals(o.interval, day, k) < o.asOf; k++) {
      columns.push(liveAt(lines, Math.min(addIntervals(o.interval, day, k + 1), o.asOf)));
    }
    return { at, columns };
  }
  const moves: { readonly k: number; readonly part: number }[] = [];
  let last = -1;
  for (const { at: moved, part } of moneyOf(lines, o.revenueType)) {
    if (moved < day || moved >= o.asOf) continue;
    const k = ageOf(o.interval, day, moved);
    moves.push({ k, part });
    if (k > last) last = k;
  }
  const worths = new Array<number>(last + 1).fill(0);
  for (const { k, part } of moves) worths[k] = (worths[k] ?? 0) + part;
  return { at, columns: worths };
}

/** A purchase cohort takes in whoever made a purchase that is asked about; new customers are so whatever they bought. */
function joinedAt({ firstSeen }: KnownHistory, lines: readonly LiveLine[], cohort: Selectors['cohort']): number | null {
  if (cohort === 'new_customers') return firstSeen;
  const bought = lines.flatMap((l) => l.charges.filter((c) => joins(c, cohort)).map((c) => c.period.at));
  return bought.length === 0 ? null : Math.min(...bought);
}

/** The first such purchase decides when a customer joins the cohort. */
export function joins({ isPaid, isFullyRefunded }: Charge, cohort: PurchaseCohort): boolean {
  return cohort === 'initial_conversions' || (isPaid && !isFullyRefunded);
}

function liveAt(lines: readonly LiveLine[], at: number): number {
  let live = 0;
  for (const { pieces } of lines) for (const p of pieces) if (!isTrial(p) && p.from < at && at <= p.to) live++;
  return live;
}

/** In days, clamping included: from January 31 to April 30 a quarter has 89. */
const SHORTEST: Readonly<Record<Interval, number>> = { day: 1, week: 7, month: 28, quarter: 89, year: 365 };

/** How many whole intervals after `day` the instant lies. UTC ms. */
export function ageOf(interval: Interval, day: number, at: number): number {
  let k = Math.floor((at - day) / (SHORTEST[interval] * DAY_MS));
  while (k > 0 && addIntervals(interval, day, k) > at) k--;
  return k;
}
