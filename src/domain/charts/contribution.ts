// Contributions of one customer's history to every measure: integers at instants. All series are sums of these: a flow over its bucket, a
// stock over everything before the bucket's end. No clock is read: what elapsed time will cause is added at the instant at which it takes
// effect.
import { DAY_MS, startOfDay } from './calendar.js';
import type { Charge, KnownHistory, LiveLine } from './history/known-history.js';
import type { Measure } from './measures.js';
import { monthlyOf, movementsOf, partOf, type Movement, type RevenueType } from './money.js';
import { stretchesOf, type Piece, type Renewal } from './history/segments.js';

export type Group = 'stays' | 'status' | 'money' | 'outcomes' | 'customers';

/** Adds `value` at `at`; it exists only from `effective` on if that is later. Times in UTC ms, money in USD micros. */
export type Emit = (measure: Measure, at: number, value: number, effective?: number) => void;

export type Terms = {
  readonly revenueType: RevenueType;
  /** Days after the first sighting within which a purchase makes the customer a paying one; null for no limit. */
  readonly conversionTimeframe: number | null;
  /** Days after the first sighting whose money counts; null for no limit. */
  readonly customerLifetime: number | null;
};

export const unbounded: Terms = { revenueType: 'revenue', conversionTimeframe: null, customerLifetime: null };

export const isTrial = (piece: Piece): boolean => piece.period.type === 'trial';
const isPaidTime = (piece: Piece): boolean => piece.period.type !== 'trial';

// Constant names: strings built for every entry would be compared letter by letter where they are added up.
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

/** Emits the contributions of a customer's history to the measures of a group. `lines` are its purchases that match the query. */
export function contributeGroup(
  group: Group,
  history: KnownHistory,
  lines: readonly LiveLine[],
  terms: Terms,
  emit: Emit,
): void {
  if (group === 'customers') return contributeCustomer(history, lines, terms, emit);
  const first = group === 'money' ? firstCharge(history.lines) : null;
  for (const line of lines) {
    if (group === 'stays') contributeStays(line, terms, emit);
    else if (group === 'status') contributeStatus(line, terms, emit);
    else if (group === 'money') contributeMoney(line, first, emit);
    else contributeOutcomes(line, emit);
  }
}

/** Emits entries and exits of paid time and of trials, and price changes of paid time. */
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

/** Emits entries and exits; adjacent stretches are one stay. The first entry is new, later entries are returns. */
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

/** Emits the renewal status of live subscriptions as stocks: each stretch enters its group and leaves it. */
export function contributeStatus(line: LiveLine, { revenueType }: Terms, emit: Emit): void {
  for (const piece of line.pieces) {
    const worth = isTrial(piece) ? 0 : worthOf(piece, line, revenueType);
    for (const { from, to, renewal } of stretchesOf(piece, line.marks)) {
      const measure = status[isTrial(piece) ? 'trials' : 'actives'][renewal];
      emit(measure, from, 1);
      emit(measure, to, -1);
      if (worth === 0) continue;
      emit(status.mrr[renewal], from, worth);
      emit(status.mrr[renewal], to, -worth);
    }
  }
}

/**
 * Emits every money movement at its own instant; refunds are also counted at their purchase. `first` is the first of all charges of the
 * customer.
 */
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

/** Emits the outcome of a trial, counted at its start. A trial set to renew is abandoned only after its end. */
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

/** Emits the value of a customer, counted at its first sighting. `lines` are its purchases that match the query. */
export function contributeCustomer(history: KnownHistory, lines: readonly LiveLine[], terms: Terms, emit: Emit): void {
  const { firstSeen } = history;
  if (firstSeen === null) return;
  emit('customers.new', firstSeen, 1);
  const converts = windowEnd(firstSeen, terms.conversionTimeframe);
  const lasts = windowEnd(firstSeen, terms.customerLifetime);
  if (lines.some((line) => isPaying(line, converts))) emit('customers.converted', firstSeen, 1);
  if (lines.some((line) => isPaying(line, lasts))) emit('customers.paying', firstSeen, 1);
  let [worth, gross] = [0, 0];
  for (const m of paidMovements(lines)) {
    if (m.at >= lasts) continue;
    worth += partOf(m, terms.revenueType);
    if (m.kind === 'charge') gross += m.usd;
  }
  emit('customers.ltv', firstSeen, worth);
  emit('customers.gross', firstSeen, gross);
}

/** Yields all money movements of paid transactions. */
export function* paidMovements(lines: readonly LiveLine[]): Generator<Movement> {
  for (const { charges, strays } of lines) {
    for (const { isPaid, movements } of charges) if (isPaid) yield* movements;
    yield* strays;
  }
}

/** Returns whether the customer paid, without a full refund, before `until`: a refund after the window does not undo it. */
function isPaying(line: LiveLine, until: number): boolean {
  let count = 0;
  for (const { at, value } of payingOf(line)) if (at < until) count += value;
  return count > 0;
}

/** Yields the number of paid and not fully refunded transactions of the line as steps: 1 when one becomes so, -1 when it stops. */
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

/** Returns the end of a window that covers the first day and `days` more days. */
export function windowEnd(firstSeen: number, days: number | null): number {
  return days === null ? Infinity : startOfDay(firstSeen) + (days + 1) * DAY_MS;
}

/** Returns the first paid transaction, whose money counts as new. */
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
