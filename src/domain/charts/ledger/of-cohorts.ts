// What each cohort of customers brought by age, from the ledger.
import { DAY_MS, startOfDay, type Interval } from '../calendar.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { ageOf } from '../result/cohorts.js';
import { ageResult, unitOf, type AgesRow } from '../result/result.js';
import { NOT, placesOf, type Asked, type Segmented } from './asked.js';
import { joinNumbers, measureNumber, worthNumbers } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import { cellsWith, isKnown, pick } from './picked.js';

type Ages = AgesRow & { size: number; earliest: number; readonly sums: Float64Array };
/** Slots of the entries. */
export const [JOINS, WORTH, COMES, GOES] = [0, 1, 2, 3];

export function readCohorts(ledger: LedgerColumns, q: ChartQuery, asked: Asked): Segmented {
  const { range, selectors, chart } = q;
  const { asOf, interval } = range;
  const isOfStays = selectors.cohortMeasure === 'retained_subscriptions';
  const isOfNew = selectors.cohort === 'new_customers';
  const joiners = isOfNew ? asked.whos : asked.lines;
  const places = placesOf(range);
  const ages = createAges(interval, range.start, asOf);
  /** The last is of the whole, in which a customer may have joined earlier than in a segment. */
  const WHOLE = asked.segments;
  const rows = Array.from({ length: WHOLE + 1 }, () => range.buckets.map(() => null as Ages | null));
  const rowOf = (segment: number, place: number): Ages => {
    const own = (rows[segment] ??= []);
    const known = own[place - 1];
    if (known) return known;
    // Nobody in a bucket is older than its first instant.
    const columns = ages.of(startOfDay(range.buckets[place - 1]?.start ?? asOf), asOf - 1) + 2;
    return (own[place - 1] = { size: 0, earliest: Infinity, sums: new Float64Array(columns) });
  };

  const picked = pick(ledger.cells, slotsOf(q));
  const isJoining = cellsWith(picked, JOINS);
  const { columns, kinds, starts, ends } = ledger.rows;
  const { at, attributes } = columns;
  /** Of one customer, by segment: when it joined, on which day its ages begin, and with whom it counts. */
  const joinedAt = new Float64Array(WHOLE + 1);
  const days = new Float64Array(WHOLE + 1);
  const cohorts = Array.from({ length: WHOLE + 1 }, (): Ages | null => null);
  /** A customer is new whichever purchases are asked for. */
  const isInEach = asked.by === 'purchase' && isOfNew;
  const join = (segment: number): void => {
    const instant = joinedAt[segment] ?? Infinity;
    const place = instant === Infinity ? NOT : places.of(instant);
    const row = place < 1 ? null : rowOf(segment, place);
    cohorts[segment] = row;
    if (!row) return;
    days[segment] = startOfDay(instant);
    row.size++;
    row.earliest = Math.min(row.earliest, instant);
  };
  /** False when the customer has not joined. */
  const joinAll = (begin: number, end: number): boolean => {
    joinedAt.fill(Infinity);
    let whole = Infinity;
    for (let i = begin; i < end; i++) {
      if (!isJoining[kinds[i] ?? 0] || !isKnown(columns, i, asOf)) continue;
      const segment = joiners[attributes[i] ?? 0] ?? NOT;
      if (segment === NOT) continue;
      const instant = at[i] ?? 0;
      whole = Math.min(whole, instant);
      if (asked.by !== 'none') joinedAt[segment] = Math.min(joinedAt[segment] ?? Infinity, instant);
    }
    if (whole === Infinity) return false;
    if (isInEach) joinedAt.fill(whole);
    joinedAt[WHOLE] = whole;
    for (let segment = asked.by === 'none' ? WHOLE : 0; segment <= WHOLE; segment++) join(segment);
    return true;
  };
  const addTo = (segment: number, slot: number, instant: number, value: number): void => {
    const sums = cohorts[segment]?.sums;
    if (!sums) return;
    const day = days[segment] ?? 0;
    if (slot === WORTH) {
      if (instant >= day) add(sums, ages.of(day, instant), value);
      return;
    }
    // Live from its age then on, up to the last age there is.
    const live = slot === COMES ? value : -value;
    add(sums, instant < day ? 0 : ages.of(day, instant), live);
    add(sums, ages.of(day, asOf - 1) + 1, -live);
  };
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    const [begin, end] = [starts[customer] ?? 0, ends[customer] ?? 0];
    if (!joinAll(begin, end)) continue;
    for (let i = begin; i < end; i++) {
      const kind = kinds[i] ?? 0;
      const last = picked.ends[kind + 1] ?? 0;
      let entry = picked.ends[kind] ?? 0;
      if (entry === last || !isKnown(columns, i, asOf)) continue;
      const segment = asked.lines[attributes[i] ?? 0] ?? NOT;
      if (segment === NOT) continue;
      for (; entry < last; entry++) {
        const slot = picked.slots[entry] ?? NOT;
        if (slot === JOINS) continue;
        const value = picked.values[entry] ?? 0;
        addTo(WHOLE, slot, at[i] ?? 0, value);
        if (asked.by !== 'none') addTo(segment, slot, at[i] ?? 0, value);
      }
    }
  }

  const unit = unitOf(chart, selectors);
  const resultOf = (number: number) => {
    const shown = (rows[number] ?? []).map((row): AgesRow => {
      const { size, earliest, sums } = row ?? { size: 0, earliest: Infinity, sums: new Float64Array(0) };
      return { size, earliest, sums: isOfStays ? accumulated(sums) : sums };
    });
    return ageResult(range, selectors, unit, shown);
  };
  return { whole: resultOf(WHOLE), segment: resultOf };
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

/** The last of the sums only ends what goes on. */
function accumulated(sums: Float64Array): Float64Array {
  let total = 0;
  return sums.map((value) => (total += value));
}

/** Ages in whole intervals, each worked out once for each pair of days; `first` is the first of the days that ages begin on. */
export function createAges(interval: Interval, first: number, asOf: number) {
  const byDay: Int32Array[] = [];
  return {
    of: (day: number, at: number): number => {
      const days = Math.floor((at - day) / DAY_MS);
      if (interval === 'day') return days;
      const known = (byDay[(day - first) / DAY_MS] ??= new Int32Array(Math.floor((asOf - day) / DAY_MS) + 1).fill(NOT));
      let age = known[days] ?? NOT;
      if (age === NOT) known[days] = age = ageOf(interval, day, day + days * DAY_MS);
      return age;
    },
  };
}
