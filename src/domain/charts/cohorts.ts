// Charts whose cells are members by age: how subscriptions renew, and what customers bring over their own time.
import { addIntervals, addSpan, DAY_MS, spanOf, startOfDay, type Interval, type Span } from './calendar.js';
import type { Selectors } from './chart.js';
import { isTrial, moneyOf } from './contribution.js';
import type { Charge, Life, LiveLine } from './life.js';

/** One member of the row in which `at` lies: its columns from 0 on. */
export type Member<C> = { readonly at: number; readonly columns: readonly C[] };
export type Renewal = { readonly isRetained: boolean };

/** The renewals that were due before `asOf`; null for a subscription of another duration or without a standard payment. */
export function renewalsOf(line: LiveLine, productDuration: string, asOf: number): Member<Renewal> | null {
  const span = spanOf(productDuration);
  if (!span || !isSameSpan(line.about.productDuration, span)) return null;
  const payments = line.charges.filter((c) => c.period.type === 'normal');
  const [first] = payments;
  if (!first) return null;
  const columns: Renewal[] = [];
  let eligibleAt = -Infinity;
  for (let k = 0; ; k++) {
    const payment = payments[k];
    const due = payment?.period.at ?? payments[k - 1]?.contractEnd ?? addSpan(first.period.at, span, k);
    eligibleAt = Math.max(eligibleAt, due);
    if (eligibleAt >= asOf) break;
    columns.push({ isRetained: payment !== undefined && (k === 0 || !isRevoked(line, payment)) });
  }
  return { at: first.period.at, columns };
}

function isSameSpan(duration: string | null, { months, days }: Span): boolean {
  const other = duration === null ? null : spanOf(duration);
  return other !== null && other.months === months && other.days === days && months + days > 0;
}

function isRevoked({ adjustmentsOf }: LiveLine, { period }: Charge): boolean {
  let revoked = false;
  for (const a of adjustmentsOf(period.id)) {
    if (a.kind === 'refund' && a.cuts) revoked = true;
    if (a.kind === 'reversal') revoked = false;
  }
  return revoked;
}

export type CohortQuestion = Pick<Selectors, 'cohort' | 'cohortMeasure' | 'revenueType'> & {
  readonly interval: Interval;
  readonly asOf: number;
};

/** What a customer brought in each interval since day 0. `lines`: those of its purchases that are asked about. */
export function worthByAge(life: Life, lines: readonly LiveLine[], o: CohortQuestion): Member<number> | null {
  const at = joinedAt(life, o.cohort);
  if (at === null || at >= o.asOf) return null;
  const day = startOfDay(at);
  const columns: number[] = [];
  if (o.cohortMeasure === 'retained_subscriptions') {
    for (let k = 0; addIntervals(o.interval, day, k) < o.asOf; k++) {
      columns.push(liveAt(lines, Math.min(addIntervals(o.interval, day, k + 1), o.asOf)));
    }
    return { at, columns };
  }
  for (const { at: moved, part } of moneyOf(lines, o.revenueType)) {
    if (moved < day || moved >= o.asOf) continue;
    const k = ageOf(o.interval, day, moved);
    while (columns.length <= k) columns.push(0);
    columns[k] = (columns[k] ?? 0) + part;
  }
  return { at, columns };
}

/** The cohort is the customer's own: what is asked about its purchases does not change it. */
function joinedAt({ firstSeen, lines }: Life, cohort: Selectors['cohort']): number | null {
  if (cohort === 'new_customers') return firstSeen;
  const counts = ({ isPaid, isFullyRefunded }: Charge) =>
    cohort === 'initial_conversions' || (isPaid && !isFullyRefunded);
  const bought = lines.flatMap((l) => l.charges.filter(counts).map((c) => c.period.at));
  return bought.length === 0 ? null : Math.min(...bought);
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
