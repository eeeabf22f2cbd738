// Reasons of every difference between two results of one query, computed from the ledger. Tests compare them with reasons computed from
// single customer histories.
import type { ChartQuery } from '../../catalogue/chart-query.js';
import { createCellReader, EVERY_SEGMENT, unpackCell } from '../../compare/cells.js';
import { changesBetween } from '../../compare/history-changes.js';
import { lengthOf } from '../../compare/places.js';
import { measureWeightsOf, timesIn, type SumName } from '../../compare/measure-weights.js';
import type { PackedReasons, ReasonPlace } from '../../compare/packed-reasons.js';
import type { CustomerHistory } from '../../history/history.js';
import { earlyKinds, type LedgerColumns } from '../ledger.js';
import { createWindow, partOf, WHOLE, type ComparisonWindow, type LedgerSide } from './comparison-window.js';
import { createChanges, type Reader, type Rows } from './ledger-changes.js';
import { activityReader, cohortReader, customerReader } from './compare-per-customer.js';
import { additiveReader, renewalReader } from './compare-additive.js';
import { reasonNumber } from './reason-kinds.js';
import { createReasonTotals, type ReasonTotals, type RecordChange } from './reason-totals.js';

/** History of a customer on both sides, undefined if a side does not have it. */
export type HistoryPair = { readonly then: CustomerHistory | undefined; readonly now: CustomerHistory | undefined };

/** Both sides as ledgers with the same segments, and the histories of the customers that {@link customersToRecompute} returns. */
export type LedgerComparison = {
  readonly then: LedgerSide;
  readonly now: LedgerSide;
  /** Knowledge of the later side in the earlier side's currency; null if both have the same currency. */
  readonly inEarlier: LedgerColumns | null;
  readonly pairs: ReadonlyMap<string, HistoryPair>;
};

/**
 * Returns customers with an entry that was recorded before it took effect, so that their rows are not in the order of recording: their
 * changes must be computed from their histories.
 */
export function customersToRecompute(then: LedgerSide, now: LedgerSide): readonly string[] {
  const [earlier, later] = then.q.range.asOf <= now.q.range.asOf ? [then, now] : [now, then];
  const [since, until] = [earlier.q.range.asOf, later.q.range.asOf];
  const { early, customerIds } = later.ledger;
  const countsSightings = later.q.chart.subject === 'customers';
  const crossing = earlyKinds.isCrossed + (countsSightings ? earlyKinds.isSeenBetween : 0);
  const { at, known } = early.columns;
  const isCrossing = (i: number): boolean => {
    const [kind, learned, takesEffect] = [early.kinds[i] ?? 0, known[i] ?? 0, at[i] ?? 0];
    if ((kind & earlyKinds.isSighting) !== 0 && !countsSightings) return false;
    if (takesEffect >= until || takesEffect < since) return false;
    return learned < since || (kind & crossing) !== 0;
  };
  return customerIds.filter((_, place) => {
    const end = early.ends[place] ?? 0;
    for (let i = early.starts[place] ?? 0; i < end; i++) if (isCrossing(i)) return true;
    return false;
  });
}

/** Computes the reasons; each lists at most `mostListed` customers. */
export function compareLedgers(compare: LedgerComparison, mostListed: number): PackedReasons {
  const between = createWindow(compare.then, compare.now, compare.inEarlier);
  const { chart, selectors, visibleCount } = between;
  const range = { ...between.range, asOf: between.since };
  const forms = measureWeightsOf(chart, selectors);
  const tally = withReader(between, (reader) => {
    const lengths = lengthOf({ chart, range }, visibleCount);
    const all = createReasonTotals({ forms, sums: reader.sums, lengthOf: lengths, mostListed });
    walk(compare, between, reader, all);
    return all;
  });
  return tally.packed(compare.now.q.segments ?? [], (n) => customerAt(between, n));
}

/** Returns the customers of one reason with their unrounded amounts, unordered. */
export function customersOfReason(
  compare: LedgerComparison,
  { kind, measure, track, index }: ReasonPlace,
): readonly { readonly customerId: string; readonly value: number }[] {
  const between = createWindow(compare.then, compare.now, compare.inEarlier);
  const form = measureWeightsOf(between.chart, between.selectors).find((f) => f.id === measure)?.form;
  const wantedKind = reasonNumber(kind);
  const found: { customerId: string; value: number }[] = [];
  withReader(between, (reader) => {
    const weights = reader.sums.map((sum) => form?.get(sum));
    let value = 0;
    const recordChange: RecordChange = (kindNumber, part, sum, of, from, to, amount) => {
      const weight = weights[sum];
      if (kindNumber !== wantedKind || part !== WHOLE || of !== track || !weight) return;
      for (let at = from; at < to && at <= index; at++) value += timesIn(weight, at, index) * amount;
    };
    const end = (n: number): void => {
      if (value !== 0) found.push({ customerId: customerAt(between, n), value });
      value = 0;
    };
    walk(compare, between, reader, { recordChange, end });
  });
  return found;
}

/** Returns the ID of a customer by number: those of the last ledger come first, then those that only the first ledger has. */
function customerAt({ first, last }: ComparisonWindow, n: number): string {
  const { customerIds } = last.ledger;
  return customerIds[n] ?? first.ledger.customerIds[n - customerIds.length] ?? '';
}

function walk<G extends Rows>(
  { then, now, pairs }: LedgerComparison,
  between: ComparisonWindow,
  reader: Reader<G>,
  { recordChange, end }: Pick<ReasonTotals, 'recordChange' | 'end'>,
): void {
  const { first, last } = between;
  const changes = createChanges(between, reader, recordChange);
  const ask = createHistoryChanges(then.q, now.q, reader.sums, recordChange);
  const add = (customerId: string, place: number | undefined, number: number): void => {
    const pair = pairs.get(customerId);
    if (pair) ask(pair);
    else changes(customerId, place);
    end(number);
  };
  const { customerIds } = last.ledger;
  for (const [place, customerId] of customerIds.entries()) add(customerId, place, place);
  if (first.ledger === last.ledger) return;
  for (const [i, customerId] of first.ledger.customerIds.entries()) {
    if (last.ledger.placeOf(customerId) === undefined) add(customerId, undefined, customerIds.length + i);
  }
}

/** Records changes computed from the histories themselves. */
function createHistoryChanges(
  then: ChartQuery,
  now: ChartQuery,
  sums: readonly SumName[],
  recordChange: RecordChange,
): (pair: HistoryPair) => void {
  const frame = then.range.asOf <= now.range.asOf ? now : then;
  const reader = createCellReader(frame, Math.min(then.range.buckets.length, now.range.buckets.length));
  const between = changesBetween(then, now, reader);
  const numbers = new Map(sums.map((sum, i) => [sum, i]));
  const parts = new Map((now.segments ?? []).map((value, i) => [value, partOf(i)]));
  return (pair) => {
    for (const { kind, amounts } of between(pair.then, pair.now).changes) {
      const number = reasonNumber(kind) ?? 0;
      for (const [key, amount] of amounts) {
        const { part, sum, track, index } = unpackCell(key);
        const found = numbers.get(sum);
        if (found === undefined) continue;
        const own = parts.get(reader.segments[part - EVERY_SEGMENT - 1] ?? '');
        const targets = part === WHOLE ? [WHOLE] : part === EVERY_SEGMENT ? [...parts.values()] : [own];
        for (const p of targets) if (p !== undefined) recordChange(number, p, found, track, index, index + 1, amount);
      }
    }
  };
}

/** Calls `use` with the reader of the chart. */
export function withReader<R>(between: ComparisonWindow, use: <G extends Rows>(reader: Reader<G>) => R): R {
  const { chart } = between;
  if (chart.kind === 'cohort') {
    return chart.of === 'customers' ? use(cohortReader(between)) : use(renewalReader(between));
  }
  if (chart.needs === 'customers') return use(customerReader(between, chart));
  return chart.needs === 'activity' ? use(activityReader(between)) : use(additiveReader(between, chart));
}
