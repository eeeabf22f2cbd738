// Members of cohort charts by age: subscription renewals, and customer value over time since joining.
import { addIntervals, DAY_MS, spanOf, spansUntil, startOfDay, type Interval, type Span } from '../calendar.js';
import type { Selectors } from '../catalogue/chart.js';
import { isTrial, paidMovements } from '../contribution.js';
import type { Charge, KnownHistory, LiveLine } from '../history/known-history.js';
import { partOf } from '../money.js';

/** Member of the row that contains `at`, with its columns from 0 on. */
export type Member<C> = { readonly at: number; readonly columns: readonly C[] };
export type Renewal = { readonly isRetained: boolean };

/** Renewal status of one subscription, independent of the current time. Instants in UTC ms. */
export type RenewalStatus = {
  readonly span: Span;
  /** First standard payment, which is column 0. */
  readonly at: number;
  readonly payments: number;
  /** Numbers of the payments, except the first, that were refunded with loss of access. */
  readonly revoked: readonly number[];
  /** Time at which the first missing payment is due. */
  readonly lapsesAt: number;
  /** First column that is due later than that: it and all later columns are due by the calendar. */
  readonly calendarFrom: number;
};

/** Returns the renewal status; null without a fixed duration or a standard payment. */
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
 * Returns the renewals due before `asOf`; null for a subscription of another duration or without a standard payment. `calendarAsOf` is the
 * limit for renewals due by the calendar.
 */
export function renewalsOf(
  line: LiveLine,
  productDuration: string,
  asOf: number,
  calendarAsOf = asOf,
): Member<Renewal> | null {
  const status = renewalStatusOf(line);
  const span = spanOf(productDuration);
  if (!status || !span || !isSameSpan(status.span, span)) return null;
  return renewalsBy(status, asOf, calendarAsOf);
}

/** Returns the renewals due before `asOf` for a status. */
function renewalsBy(status: RenewalStatus, asOf: number, calendarAsOf: number): Member<Renewal> {
  const { at, span, payments, revoked } = status;
  const columns: Renewal[] = [];
  for (let k = 0; k < payments; k++) columns.push({ isRetained: !revoked.includes(k) });
  const due = columnsDue(status, asOf, () => spansUntil(at, span, calendarAsOf - 1));
  while (columns.length < due) columns.push({ isRetained: false });
  return { at, columns };
}

/**
 * Returns the number of columns due before `asOf`, paid ones included. `spans` returns the number due by the calendar, without the first.
 */
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

/** Returns whether an unreversed refund ended the paid access. */
export function isRevoked({ adjustmentsOf }: LiveLine, { period }: Charge): boolean {
  let revoked = false;
  for (const a of adjustmentsOf(period.id)) {
    if (a.kind === 'refund' && a.cuts) revoked = true;
    if (a.kind === 'reversal') revoked = false;
  }
  return revoked;
}

export type PurchaseCohort = Exclude<Selectors['cohort'], 'new_customers'>;

export type CohortTerms = Pick<Selectors, 'cohort' | 'cohortMeasure' | 'revenueType'> & {
  readonly interval: Interval;
  readonly asOf: number;
};

/** Returns what a customer brought in each interval since day 0. `lines` are its purchases that match the query. */
export function worthByAge(history: KnownHistory, lines: readonly LiveLine[], o: CohortTerms): Member<number> | null {
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
  for (const m of paidMovements(lines)) {
    if (m.at < day || m.at >= o.asOf) continue;
    const k = ageOf(o.interval, day, m.at);
    moves.push({ k, part: partOf(m, o.revenueType) });
    if (k > last) last = k;
  }
  const worths = new Array<number>(last + 1).fill(0);
  for (const { k, part } of moves) worths[k] = (worths[k] ?? 0) + part;
  return { at, columns: worths };
}

/**
 * Returns when the customer joined: a purchase cohort requires a purchase that matches the query; new customers count whatever they bought.
 */
function joinedAt({ firstSeen }: KnownHistory, lines: readonly LiveLine[], cohort: Selectors['cohort']): number | null {
  if (cohort === 'new_customers') return firstSeen;
  const bought = lines.flatMap((l) => l.charges.filter((c) => joins(c, cohort)).map((c) => c.period.at));
  return bought.length === 0 ? null : Math.min(...bought);
}

/** Returns whether the charge makes its customer a member of the cohort; the first such purchase is decisive. */
export function joins({ isPaid, isFullyRefunded }: Charge, cohort: PurchaseCohort): boolean {
  return cohort === 'initial_conversions' || (isPaid && !isFullyRefunded);
}

function liveAt(lines: readonly LiveLine[], at: number): number {
  let live = 0;
  for (const { pieces } of lines) for (const p of pieces) if (!isTrial(p) && p.from < at && at <= p.to) live++;
  return live;
}

/** Shortest length of an interval in days, clamping included: from January 31 to April 30 a quarter has 89 days. */
const MIN_DAYS: Readonly<Record<Interval, number>> = { day: 1, week: 7, month: 28, quarter: 89, year: 365 };

/** Returns the number of whole intervals from `day` to the instant. UTC ms. */
export function ageOf(interval: Interval, day: number, at: number): number {
  let k = Math.floor((at - day) / (MIN_DAYS[interval] * DAY_MS));
  while (k > 0 && addIntervals(interval, day, k) > at) k--;
  return k;
}
