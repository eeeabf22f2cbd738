// What each cohort of customers brought by age, from the ledger.
import { DAY_MS, startOfDay, type Interval } from '../calendar.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { ageOf } from '../result/cohorts.js';
import { ageResult, unitOf, type AgesRow } from '../result/result.js';
import { NOT, placesOf, type Asked, type Segmented } from './asked.js';
import { joinNumbers, measureNumber, worthNumbers } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import { blocksOf, endOfCustomer, type Block } from './picked.js';

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
  const WHOLE = asked.segments.length;
  const rows = Array.from({ length: WHOLE + 1 }, () => range.buckets.map(() => null as Ages | null));
  const rowOf = (segment: number, place: number): Ages => {
    const own = (rows[segment] ??= []);
    const known = own[place - 1];
    if (known) return known;
    // Nobody in a bucket is older than its first instant.
    const columns = ages.of(startOfDay(range.buckets[place - 1]?.start ?? asOf), asOf - 1) + 2;
    return (own[place - 1] = { size: 0, earliest: Infinity, sums: new Float64Array(columns) });
  };

  const joinedAt = new Float64Array(WHOLE + 1);
  const join = (segment: number): void => {
    const at = joinedAt[segment] ?? Infinity;
    const place = at === Infinity ? NOT : places.of(at);
    if (place < 1) return;
    const row = rowOf(segment, place);
    row.size++;
    row.earliest = Math.min(row.earliest, at);
  };
  const addTo = (segment: number, slot: number, at: number, value: number, began: number): void => {
    const place = places.of(began);
    if (place < 1) return;
    const day = startOfDay(began);
    const { sums } = rowOf(segment, place);
    if (slot === WORTH) {
      if (at >= day) add(sums, ages.of(day, at), value);
      return;
    }
    // Live from its age then on, up to the last age there is.
    const live = slot === COMES ? value : -value;
    add(sums, at < day ? 0 : ages.of(day, at), live);
    add(sums, ages.of(day, asOf - 1) + 1, -live);
  };
  const addCustomer = ({ slots, at, values, attributes }: Block, begin: number, end: number): void => {
    joinedAt.fill(Infinity);
    for (let i = begin; i < end; i++) {
      const segment = slots[i] === JOINS ? (joiners[attributes[i] ?? 0] ?? NOT) : NOT;
      if (segment === NOT) continue;
      const instant = at[i] ?? 0;
      joinedAt[WHOLE] = Math.min(joinedAt[WHOLE] ?? Infinity, instant);
      if (asked.by !== 'none') joinedAt[segment] = Math.min(joinedAt[segment] ?? Infinity, instant);
    }
    const whole = joinedAt[WHOLE] ?? Infinity;
    if (whole === Infinity) return;
    const isInEach = asked.by === 'purchase' && isOfNew;
    if (isInEach) joinedAt.fill(Infinity, 0, WHOLE);
    for (let segment = asked.by === 'none' ? WHOLE : 0; segment <= WHOLE; segment++) join(segment);
    for (let i = begin; i < end; i++) {
      const slot = slots[i] ?? NOT;
      const segment = slot === JOINS ? NOT : (asked.lines[attributes[i] ?? 0] ?? NOT);
      if (segment === NOT) continue;
      addTo(WHOLE, slot, at[i] ?? 0, values[i] ?? 0, whole);
      const own = isInEach ? whole : (joinedAt[segment] ?? Infinity);
      if (asked.by !== 'none' && own !== Infinity) addTo(segment, slot, at[i] ?? 0, values[i] ?? 0, own);
    }
  };
  for (const block of blocksOf(ledger, slotsOf(q), asOf)) {
    for (let begin = 0; begin < block.count;) {
      const end = endOfCustomer(block, begin);
      addCustomer(block, begin, end);
      begin = end;
    }
  }

  const unit = unitOf(chart, selectors);
  const shown = (own: readonly (Ages | null)[], members: readonly (Ages | null)[]) =>
    own.map((row, i): AgesRow => {
      const { size = 0, earliest = Infinity } = members[i] ?? {};
      const sums = row?.sums ?? new Float64Array(0);
      return { size, earliest, sums: isOfStays ? accumulated(sums) : sums };
    });
  const whole = rows[WHOLE] ?? [];
  return {
    whole: ageResult(range, selectors, unit, shown(whole, whole)),
    segment: (number) => {
      const own = rows[number] ?? [];
      return ageResult(range, selectors, unit, shown(own, asked.by === 'purchase' && isOfNew ? whole : own));
    },
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
