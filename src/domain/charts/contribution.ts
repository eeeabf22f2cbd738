// What one customer's history adds to every measure: integers at instants. All series are sums of these: a flow over its bucket, a stock
// over all that lies before the bucket's end. No clock: what time alone will do is added at the instant when it will have done it.
import { DAY_MS, startOfDay } from './calendar.js';
import type { Charge, KnownHistory, LiveLine } from './history/known-history.js';
import type { Measure } from './measures.js';
import { monthlyOf, movementsOf, partOf, type RevenueType } from './money.js';
import { stretchesOf, type Piece, type Renewal } from './history/segments.js';

export type Group = 'stays' | 'status' | 'money' | 'outcomes' | 'customers';

/** `value` counts at `at`, and exists from `effective` on where that is later. Times in UTC ms, money in USD micros. */
export type Emit = (measure: Measure, at: number, value: number, effective?: number) => void;

export type Terms = {
  readonly revenueType: RevenueType;
  /** Days after the first in which a purchase makes a customer a paying one; null without end. */
  readonly conversionTimeframe: number | null;
  /** Days after the first whose money counts; null without end. */
  readonly customerLifetime: number | null;
};

export const unbounded: Terms = { revenueType: 'revenue', conversionTimeframe: null, customerLifetime: null };

export const isTrial = (piece: Piece): boolean => piece.period.type === 'trial';
const isPaidTime = (piece: Piece): boolean => piece.period.type !== 'trial';

// Names that are made anew for every entry would have to be compared letter by letter where they are added up.
const entries = {
  actives: { new: 'actives.new', back: 'actives.back', out: 'actives.out' },
  trials: { new: 'trials.new', back: 'trials.back', out: 'trials.out' },
} as const;
const status = {
  actives: namesOf('actives'),
  trials: namesOf('trials'),
  mrr: namesOf('mrr'),
} as const;

function namesOf(kind: 'actives' | 'trials' | 'mrr'): Readonly<Record<Renewal, Measure>> {
  return {
    set_to_renew: `${kind}.set_to_renew`,
    set_to_cancel: `${kind}.set_to_cancel`,
    billing_issue: `${kind}.billing_issue`,
  };
}

/** Entries and exits of paid time and of trials, and the steps of what paid time is worth. */
export function contributeStays(line: LiveLine, { revenueType }: Terms, emit: Emit): void {
  if (line.pieces.length === 0) return;
  contributeEntries('trials', line.pieces.filter(isTrial), emit);
  const paid = line.pieces.filter(isPaidTime);
  contributeEntries('actives', paid, emit);
  let before: Piece | undefined;
  let worthBefore = 0;
  for (const [i, piece] of paid.entries()) {
    const worth = worthOf(piece, line, revenueType);
    if (before?.to !== piece.from) {
      emit(before ? 'mrr.back' : 'mrr.new', piece.from, worth);
      if (!before) emit(`actives.${wayIn(line.charges, piece)}`, piece.from, 1);
    } else if (worth !== worthBefore) {
      emit(worth > worthBefore ? 'mrr.up' : 'mrr.down', piece.from, Math.abs(worth - worthBefore));
    }
    if (paid[i + 1]?.from !== piece.to) emit('mrr.out', piece.to, worth);
    [before, worthBefore] = [piece, worth];
  }
}

/** Stretches that touch are one stay. The first entry is new, later ones are a coming back. */
function contributeEntries(kind: 'actives' | 'trials', pieces: readonly Piece[], emit: Emit): void {
  const names = entries[kind];
  for (const [i, { from, to }] of pieces.entries()) {
    if (pieces[i - 1]?.to !== from) emit(i === 0 ? names.new : names.back, from, 1);
    if (pieces[i + 1]?.from !== to) emit(names.out, to, 1);
  }
}

/** Returns the monthly worth of a piece of paid time, in micros of the currency of the history. */
export function worthOf({ period, contractEnd }: Piece, { charges }: LiveLine, type: RevenueType): number {
  const worth = charges.find((c) => c.period === period)?.worth ?? null;
  return monthlyOf(period, worth, contractEnd, type);
}

function wayIn(
  charges: readonly Charge[],
  first: Piece,
): 'trial_conversions' | 'intro_offers' | 'direct_subscriptions' {
  if (charges.some(({ period }) => period.type === 'trial' && period.at < first.from)) return 'trial_conversions';
  return first.period.type === 'intro' ? 'intro_offers' : 'direct_subscriptions';
}

/** What will come of the live ones, as stocks: each stretch enters its group and leaves it. */
export function contributeStatus(line: LiveLine, { revenueType }: Terms, emit: Emit): void {
  for (const piece of line.pieces) {
    const worth = isTrial(piece) ? 0 : worthOf(piece, line, revenueType);
    for (const { from, to, renewal } of stretchesOf(piece, line.marks)) {
      const counted = status[isTrial(piece) ? 'trials' : 'actives'][renewal];
      emit(counted, from, 1);
      emit(counted, to, -1);
      if (worth === 0) continue;
      emit(status.mrr[renewal], from, worth);
      emit(status.mrr[renewal], to, -worth);
    }
  }
}

/** Every movement of money on its own instant; refunds counted, besides, where their purchase is. `first`: of all the customer's charges. */
export function contributeMoney(line: LiveLine, first: Charge | null, emit: Emit): void {
  for (const charge of line.charges) {
    if (!charge.isPaid) continue;
    emit('money.transactions', charge.period.at, 1);
    if (charge.worth === null) emit('money.unconverted', charge.period.at, 1);
    if (charge.isRefunded) emit('money.refunded_transactions', charge.period.at, 1);
    for (const m of charge.movements) {
      contributeMovement(m, emit);
      if (charge === first) emit('money.new', m.at, m.usd);
    }
  }
  for (const m of line.strays) contributeMovement(m, emit);
}

function contributeMovement({ at, kind, usd, tax, fee }: LiveLine['strays'][number], emit: Emit): void {
  emit(kind === 'charge' ? 'money.gross' : 'money.refunds', at, kind === 'charge' ? usd : -usd);
  emit('money.tax', at, tax);
  emit('money.commission', at, fee);
}

/** What became of a trial, counted at its start. A trial that is to renew is abandoned only once its time is over. */
export function contributeOutcomes({ charges, marks, pieces }: LiveLine, emit: Emit): void {
  const trials = pieces.filter(isTrial);
  const [start, end] = [trials[0]?.from, trials.at(-1)?.to];
  if (start === undefined || end === undefined) return;
  emit('outcome.starts', start, 1);
  const payment = charges.find(({ period }) => period.type === 'intro' || period.type === 'normal');
  if (payment) emit(payment.isFullyRefunded ? 'outcome.abandoned' : 'outcome.conversions', start, 1);
  else if (isToRenew(marks)) emit('outcome.lapses', start, 1, end);
  else emit('outcome.abandoned', start, 1);
}

/** True unless the store reported last that auto-renewal is off. */
export function isToRenew(marks: LiveLine['marks']): boolean {
  return marks.findLast((m) => m.kind === 'renew_on' || m.kind === 'renew_off')?.kind !== 'renew_off';
}

/** What the customer is worth, counted where it was first seen. `lines`: those of its purchases that are asked about. */
export function contributeCustomer(history: KnownHistory, lines: readonly LiveLine[], terms: Terms, emit: Emit): void {
  const { firstSeen } = history;
  if (firstSeen === null) return;
  emit('customers.new', firstSeen, 1);
  const converts = windowEnd(firstSeen, terms.conversionTimeframe);
  const lasts = windowEnd(firstSeen, terms.customerLifetime);
  if (lines.some((line) => isPaying(line, converts))) emit('customers.converted', firstSeen, 1);
  if (lines.some((line) => isPaying(line, lasts))) emit('customers.paying', firstSeen, 1);
  let worth = 0;
  for (const { at, part } of moneyOf(lines, terms.revenueType)) if (at < lasts) worth += part;
  emit('customers.ltv', firstSeen, worth);
}

/** All movements of paid transactions. */
export function* moneyOf(lines: readonly LiveLine[], type: RevenueType): Generator<{ at: number; part: number }> {
  for (const { charges, strays } of lines) {
    for (const { isPaid, movements } of charges) {
      if (isPaid) for (const m of movements) yield { at: m.at, part: partOf(m, type) };
    }
    for (const m of strays) yield { at: m.at, part: partOf(m, type) };
  }
}

/** Has paid, and not got all of it back, before `until`: a refund after the window does not undo it. */
function isPaying(line: LiveLine, until: number): boolean {
  let count = 0;
  for (const { at, value } of payingOf(line)) if (at < until) count += value;
  return count > 0;
}

/** How many transactions of the line are paid and not fully refunded, as steps: 1 where one becomes so, -1 where it ceases to be. */
export function* payingOf({ charges, adjustmentsOf }: LiveLine): Generator<{ at: number; value: number }> {
  for (const { period, price, isPaid } of charges) {
    if (!isPaid) continue;
    const adjustments = adjustmentsOf(period.id);
    if (adjustments.length === 0) {
      yield { at: period.at, value: 1 };
      continue;
    }
    const later = adjustments.filter((a) => a.at > period.at);
    let counts = false;
    for (const { at } of [period, ...later]) {
      const within = adjustments.filter((a) => a.at <= at);
      const { isFullyRefunded } = movementsOf(period, price, within);
      if (counts !== isFullyRefunded) continue;
      counts = !isFullyRefunded;
      yield { at, value: counts ? 1 : -1 };
    }
  }
}

/** The window of `days` covers the first day and as many after it. */
export function windowEnd(firstSeen: number, days: number | null): number {
  return days === null ? Infinity : startOfDay(firstSeen) + (days + 1) * DAY_MS;
}

/** The first paid transaction of all, by which money is new. */
export function firstCharge(lines: readonly LiveLine[]): Charge | null {
  let first: Charge | null = null;
  for (const { charges } of lines) {
    for (const charge of charges) if (charge.isPaid && (first === null || isBefore(charge, first))) first = charge;
  }
  return first;
}

function isBefore(a: Charge, b: Charge): boolean {
  return a.period.at < b.period.at || (a.period.at === b.period.at && a.period.id < b.period.id);
}
