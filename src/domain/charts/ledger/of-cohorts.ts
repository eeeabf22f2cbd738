// Charts whose cells are members by age, from the ledger.
import { DAY_MS, spanOf, startOfDay, type Interval } from '../calendar.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { ageOf, columnsDue, isSameSpan } from '../result/cohorts.js';
import { ageResult, renewalResult, unitOf, type AgesRow } from '../result/result.js';
import { NOT, placesOf, type Asked, type Segmented } from './asked.js';
import { joinNumbers, measureNumber, worthNumbers } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import { createVisitor, pick } from './picked.js';

type Ages = AgesRow & { size: number; earliest: number; readonly sums: Float64Array };
const [JOINS, WORTH, COMES, GOES] = [0, 1, 2, 3];

export function readCohorts(ledger: LedgerColumns, q: ChartQuery, asked: Asked): Segmented {
  const { range, selectors, chart } = q;
  const { asOf, interval } = range;
  const { cohort, cohortMeasure, revenueType } = selectors;
  const isOfStays = cohortMeasure === 'retained_subscriptions';
  const isOfNew = cohort === 'new_customers';
  const slots = new Map([
    [isOfNew ? measureNumber('customers.new') : joinNumbers[cohort], JOINS],
    ...(isOfStays
      ? ([
          [measureNumber('actives.new'), COMES],
          [measureNumber('actives.back'), COMES],
          [measureNumber('actives.out'), GOES],
        ] as const)
      : ([[worthNumbers[revenueType], WORTH]] as const)),
  ]);
  const visitRows = createVisitor(ledger.rows, pick(ledger.cells, slots), asOf);
  const places = placesOf(range);
  const ages = createAges(interval, asOf);
  const WHOLE = asked.segments.length;
  const rows = Array.from({ length: WHOLE + 1 }, () => range.buckets.map(() => null as Ages | null));
  const rowOf = (segment: number, place: number, at: number): Ages => {
    const own = (rows[segment] ??= []);
    const day = startOfDay(range.buckets[place - 1]?.start ?? at);
    // Members of a clipped bucket or a late one are younger than its first instant, never older.
    const row = (own[place - 1] ??= {
      size: 0,
      earliest: Infinity,
      sums: new Float64Array(ages.of(day, asOf - 1) + 2),
    });
    return row;
  };
  const join = (segment: number, place: number, at: number): void => {
    const row = rowOf(segment, place, at);
    row.size++;
    row.earliest = Math.min(row.earliest, at);
  };

  /** By segment, when the customer joined; of new customers under the number of the whole. */
  const joined = new Map<number, number>();
  const findJoined = (slot: number, at: number, _value: number, attributes: number): void => {
    if (slot !== JOINS || at >= asOf) return;
    const segment = (isOfNew ? asked.whos : asked.lines)[attributes] ?? NOT;
    if (segment === NOT) return;
    for (const of of asked.by === 'purchase' && isOfNew ? [WHOLE] : [WHOLE, segment]) {
      joined.set(of, Math.min(joined.get(of) ?? Infinity, at));
    }
  };
  const addTo = (segment: number, slot: number, at: number, value: number, began: number): void => {
    const place = places.of(began);
    if (place < 1) return;
    const day = startOfDay(began);
    const { sums } = rowOf(segment, place, began);
    if (slot === WORTH) {
      if (at >= day) add(sums, ages.of(day, at), value);
      return;
    }
    // Live from its age then on, up to the last age there is.
    const live = slot === COMES ? value : -value;
    add(sums, at < day ? 0 : ages.of(day, at), live);
    add(sums, ages.of(day, asOf - 1) + 1, -live);
  };
  const addUp = (slot: number, at: number, value: number, attributes: number): void => {
    const segment = asked.lines[attributes] ?? NOT;
    if (slot === JOINS || segment === NOT || at >= asOf) return;
    const whole = joined.get(WHOLE);
    const own = joined.get(segment) ?? (isOfNew ? whole : undefined);
    if (whole !== undefined) addTo(WHOLE, slot, at, value, whole);
    if (own !== undefined) addTo(segment, slot, at, value, own);
  };
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    joined.clear();
    visitRows(customer, findJoined);
    if (joined.size === 0) continue;
    for (const [segment, at] of joined) {
      const place = places.of(at);
      if (place >= 1) join(segment, place, at);
    }
    visitRows(customer, addUp);
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

function add(sums: Float64Array, k: number, value: number): void {
  sums[k] = (sums[k] ?? 0) + value;
}

/** The last of the sums only ends what goes on. */
function accumulated(sums: Float64Array): Float64Array {
  let total = 0;
  return sums.map((value) => (total += value));
}

/** Ages in whole intervals, each worked out once for each pair of days. */
function createAges(interval: Interval, asOf: number) {
  const byDay = new Map<number, Int32Array>();
  return {
    of: (day: number, at: number): number => {
      const days = Math.floor((at - day) / DAY_MS);
      if (interval === 'day') return days;
      let known = byDay.get(day);
      if (!known) byDay.set(day, (known = new Int32Array(Math.floor((asOf - day) / DAY_MS) + 1).fill(NOT)));
      let age = known[days] ?? NOT;
      if (age === NOT) known[days] = age = ageOf(interval, day, day + days * DAY_MS);
      return age;
    },
  };
}

export function readRenewals(ledger: LedgerColumns, { range, selectors }: ChartQuery, asked: Asked): Segmented {
  const { asOf } = range;
  const span = spanOf(selectors.productDuration);
  const isWanted = ledger.renewalKinds.map((kind) => span !== null && isSameSpan(kind.span, span));
  const places = placesOf(range);
  type Renewals = { size: number; readonly eligible: number[]; readonly sums: number[] };
  const empty = () => range.buckets.map((): Renewals => ({ size: 0, eligible: [], sums: [] }));
  const rows = Array.from({ length: asked.segments.length + 1 }, empty);
  const WHOLE = asked.segments.length;
  const { columns, kinds, starts, ends } = ledger.renewals;
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) {
      const kind = ledger.renewalKinds[kinds[i] ?? 0];
      if (!kind || !isWanted[kinds[i] ?? 0] || (columns.from[i] ?? 0) >= asOf || asOf > (columns.to[i] ?? 0)) continue;
      const segment = asked.lines[columns.attributes[i] ?? 0] ?? NOT;
      const at = columns.at[i] ?? 0;
      const place = segment === NOT ? NOT : places.of(at);
      if (place < 1) continue;
      const due = columnsDue({ ...kind, at, lapsesAt: columns.lapsesAt[i] ?? 0 }, asOf);
      for (const number of [WHOLE, segment]) {
        const row = rows[number]?.[place - 1];
        if (!row) continue;
        row.size++;
        for (let k = 0; k < due; k++) row.eligible[k] = (row.eligible[k] ?? 0) + 1;
        for (let k = 0; k < due; k++) row.sums[k] = (row.sums[k] ?? 0) + (k < kind.payments ? 1 : 0);
        for (const k of kind.revoked) row.sums[k] = (row.sums[k] ?? 0) - 1;
      }
    }
  }
  const resultOf = (number: number) =>
    renewalResult(
      range,
      selectors.productDuration,
      (rows[number] ?? []).map((row) => ({ ...row, earliest: Infinity })),
    );
  return { whole: resultOf(WHOLE), segment: resultOf };
}
