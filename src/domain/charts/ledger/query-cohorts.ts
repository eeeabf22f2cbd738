// Query of customer cohorts: what each cohort brought, by age.
import { DAY_MS, startOfDay, type Interval } from '../calendar.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { ageOf } from '../result/cohorts.js';
import type { BucketedRange } from '../result/buckets.js';
import { ageResult, unitOf, type AgesRow, type ChartResult } from '../result/result.js';
import { NOT_SELECTED, placesOf, type RowSelection, cellsWith, isKnown, selectEntries } from './row-selection.js';
import { joinNumbers, measureNumber, worthNumbers } from './measure-codes.js';
import type { LedgerColumns } from './ledger.js';
import type { PartialCohorts } from './partial.js';

/** Slots of the gathered entries. */
export const [JOINS, WORTH, COMES, GOES] = [0, 1, 2, 3];

export function queryCohorts(ledger: LedgerColumns, q: ChartQuery, selection: RowSelection): PartialCohorts {
  const { range, selectors } = q;
  const { asOf, interval } = range;
  const isOfNew = selectors.cohort === 'new_customers';
  const joiners = isOfNew ? selection.customers : selection.purchases;
  const places = placesOf(range);
  const ages = createAges(interval, range.start, asOf);
  /** The last table is the whole, which a customer may have joined earlier than a segment. */
  const WHOLE = selection.segments;
  const count = range.buckets.length;
  const starts = startsOfRows(range);
  const length = starts[count] ?? 0;
  const sizes = new Float64Array((WHOLE + 1) * count);
  const earliest = new Float64Array(sizes.length).fill(Infinity);
  const sums = new Float64Array((WHOLE + 1) * length);

  const selected = selectEntries(ledger.cells, slotsOf(q));
  const isJoining = cellsWith(selected, JOINS);
  const { columns, kinds, starts: begins, ends } = ledger.rows;
  const { at, attributes } = columns;
  /** One element per table contains when the customer joined, the day on which its ages begin, and the start of its row in the sums. */
  const joinedAt = new Float64Array(WHOLE + 1);
  const days = new Float64Array(WHOLE + 1);
  const rows = new Int32Array(WHOLE + 1);
  /** A customer is new regardless of the purchase filters. */
  const isInEach = selection.by === 'purchase' && isOfNew;
  const join = (segment: number): void => {
    const instant = joinedAt[segment] ?? Infinity;
    const place = instant === Infinity ? NOT_SELECTED : places.of(instant);
    rows[segment] = place < 1 ? NOT_SELECTED : segment * length + (starts[place - 1] ?? 0);
    if (place < 1) return;
    days[segment] = startOfDay(instant);
    const row = segment * count + place - 1;
    sizes[row] = (sizes[row] ?? 0) + 1;
    earliest[row] = Math.min(earliest[row] ?? 0, instant);
  };
  /** Returns false if the customer has not joined. */
  const joinAll = (begin: number, end: number): boolean => {
    joinedAt.fill(Infinity);
    let whole = Infinity;
    for (let i = begin; i < end; i++) {
      if (!isJoining[kinds[i] ?? 0] || !isKnown(columns, i, asOf)) continue;
      const segment = joiners[attributes[i] ?? 0] ?? NOT_SELECTED;
      if (segment === NOT_SELECTED) continue;
      const instant = at[i] ?? 0;
      whole = Math.min(whole, instant);
      if (selection.by !== 'none') joinedAt[segment] = Math.min(joinedAt[segment] ?? Infinity, instant);
    }
    if (whole === Infinity) return false;
    if (isInEach) joinedAt.fill(whole);
    joinedAt[WHOLE] = whole;
    for (let segment = selection.by === 'none' ? WHOLE : 0; segment <= WHOLE; segment++) join(segment);
    return true;
  };
  const addTo = (segment: number, slot: number, instant: number, value: number): void => {
    const row = rows[segment] ?? NOT_SELECTED;
    if (row === NOT_SELECTED) return;
    const day = days[segment] ?? 0;
    if (slot === WORTH) {
      if (instant >= day) add(sums, row + ages.of(day, instant), value);
      return;
    }
    // Live from its age at that instant to the last existing age.
    const live = slot === COMES ? value : -value;
    add(sums, row + (instant < day ? 0 : ages.of(day, instant)), live);
    add(sums, row + ages.of(day, asOf - 1) + 1, -live);
  };
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    const [begin, end] = [begins[customer] ?? 0, ends[customer] ?? 0];
    if (!joinAll(begin, end)) continue;
    for (let i = begin; i < end; i++) {
      const kind = kinds[i] ?? 0;
      const last = selected.ends[kind + 1] ?? 0;
      let entry = selected.ends[kind] ?? 0;
      if (entry === last || !isKnown(columns, i, asOf)) continue;
      const segment = selection.purchases[attributes[i] ?? 0] ?? NOT_SELECTED;
      if (segment === NOT_SELECTED) continue;
      for (; entry < last; entry++) {
        const slot = selected.slots[entry] ?? NOT_SELECTED;
        if (slot === JOINS) continue;
        const value = selected.values[entry] ?? 0;
        addTo(WHOLE, slot, at[i] ?? 0, value);
        if (selection.by !== 'none') addTo(segment, slot, at[i] ?? 0, value);
      }
    }
  }
  return { kind: 'cohorts', sizes, earliest, sums };
}

/** Returns the start of each row's sums, and the end of the last one. No member of a row is older than the first instant of the row. */
function startsOfRows({ buckets, interval, asOf }: BucketedRange): Float64Array {
  const starts = new Float64Array(buckets.length + 1);
  for (const [i, { start }] of buckets.entries()) {
    starts[i + 1] = (starts[i] ?? 0) + ageOf(interval, startOfDay(start), asOf - 1) + 2;
  }
  return starts;
}

/** Returns the result of a table by its number. */
export function cohortResults(
  q: ChartQuery,
  { sizes, earliest, sums }: PartialCohorts,
): (table: number) => ChartResult {
  const { chart, range, selectors } = q;
  const starts = startsOfRows(range);
  const count = range.buckets.length;
  const unit = unitOf(chart, selectors);
  const isOfStays = selectors.cohortMeasure === 'retained_subscriptions';
  return (table) => {
    const from = table * (starts[count] ?? 0);
    const rows = range.buckets.map((_, i): AgesRow => {
      const own = sums.subarray(from + (starts[i] ?? 0), from + (starts[i + 1] ?? 0));
      const row = table * count + i;
      return { size: sizes[row] ?? 0, earliest: earliest[row] ?? Infinity, sums: isOfStays ? accumulated(own) : own };
    });
    return ageResult(range, selectors, unit, rows);
  };
}

export function slotsOf({ selectors }: Pick<ChartQuery, 'selectors'>): ReadonlyMap<number, number> {
  const { cohort, cohortMeasure, revenueType } = selectors;
  const joins = cohort === 'new_customers' ? measureNumber('customers.new') : joinNumbers[cohort];
  if (cohortMeasure !== 'retained_subscriptions') {
    return new Map([
      [joins, JOINS],
      [worthNumbers[revenueType], WORTH],
    ]);
  }
  return new Map([
    [joins, JOINS],
    [measureNumber('actives.new'), COMES],
    [measureNumber('actives.back'), COMES],
    [measureNumber('actives.out'), GOES],
  ]);
}

function add(sums: Float64Array, k: number, value: number): void {
  sums[k] = (sums[k] ?? 0) + value;
}

/** Returns running totals. The last sum only contains ends. */
function accumulated(sums: Float64Array): Float64Array {
  let total = 0;
  return sums.map((value) => (total += value));
}

/** Computes ages in whole intervals, once for each pair of days; `first` is the first day on which ages begin. */
export function createAges(interval: Interval, first: number, asOf: number) {
  const byDay: Int32Array[] = [];
  return {
    of: (day: number, at: number): number => {
      const days = Math.floor((at - day) / DAY_MS);
      if (interval === 'day') return days;
      const cached = (byDay[(day - first) / DAY_MS] ??= new Int32Array(Math.floor((asOf - day) / DAY_MS) + 1).fill(
        NOT_SELECTED,
      ));
      let age = cached[days] ?? NOT_SELECTED;
      if (age === NOT_SELECTED) cached[days] = age = ageOf(interval, day, day + days * DAY_MS);
      return age;
    },
  };
}
