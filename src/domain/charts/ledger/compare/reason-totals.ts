// Totals by reason for every displayed value of a chart, with its customers. They are stored in columns, by number, because a comparison
// may affect every customer.
import { numberListed, type PackedReasons, type ReasonGroup } from '../../compare/packed-reasons.js';
import type { WeightedMeasure, SumName, Weight } from '../../compare/measure-weights.js';
import { reasonName } from './reason-kinds.js';

export type RecordChange = (
  kind: number,
  part: number,
  /** Number of the sum among `sums`. */
  sum: number,
  track: number,
  /** First place, -1 for everything before the first bucket; the change applies to the places before `to`. */
  from: number,
  to: number,
  amount: number,
) => void;

export type ReasonTotals = {
  /** Records a change of the current customer. */
  readonly recordChange: RecordChange;
  /** Finishes the current customer, given by its number. */
  end(customer: number): void;
  /** Returns the reasons of the whole and of the given first segments. `idOf` maps customer numbers to IDs. */
  packed(segments: readonly string[], idOf: (customer: number) => string): PackedReasons;
};

type ReasonTotalsOptions = {
  readonly forms: readonly WeightedMeasure[];
  readonly sums: readonly SumName[];
  /** Maximum number of places of a track; Infinity if no value continues into the next place. */
  readonly lengthOf: (track: number) => number;
  /** Maximum number of customers listed per reason. */
  readonly mostListed: number;
};

type Group = {
  readonly track: number;
  readonly length: number;
  amounts: Float64Array;
  counts: Int32Array;
  readonly lists: number[][];
  /** Next place, by place, whose list has room; the place itself if it has room. */
  open: Int32Array;
};

const KINDS = 64;
const TRACKS = 2 ** 11;
const PLACES = 2 ** 16;
/** Above this number of changes, the built-in sort is used. */
const MAX_INSERTION_SORT = 48;

export function createReasonTotals({ forms, sums, lengthOf, mostListed }: ReasonTotalsOptions): ReasonTotals {
  const additive = forms.filter((f) => f.form !== null);
  const weights = sums.map((sum) =>
    additive.flatMap(({ form }, number): { readonly number: number; readonly weight: Weight }[] => {
      const weight = form?.get(sum);
      return weight ? [{ number, weight }] : [];
    }),
  );
  const groups = new Map<number, Group>();
  const steps = createSteps();
  const recordChange: RecordChange = (kind, part, sum, track, from, to, amount) => {
    if (amount === 0 || from >= to || from >= lengthOf(track)) return;
    for (const { number, weight } of weights[sum] ?? []) {
      const group = ((part * KINDS + kind) * additive.length + number) * TRACKS + track;
      for (let at = from; at < to; at++) {
        steps.add(group, Math.max(0, at), weight.stock * amount);
        steps.add(group, at + 1, weight.before * amount);
        if (weight.stock === 0 && weight.before === 0) break;
      }
      if (from < 0) continue;
      steps.add(group, from, weight.flow * amount);
      steps.add(group, to, -weight.flow * amount);
    }
  };
  const groupOf = (key: number): Group => {
    let group = groups.get(key);
    if (!group) {
      const track = key % TRACKS;
      const length = lengthOf(track);
      const size = Math.min(length, PLACES - 1) > 4096 ? 64 : length + 1;
      group = { track, length, ...roomOf(size), lists: [] };
      groups.set(key, group);
    }
    return group;
  };
  const end = (customer: number): void => {
    steps.takeSpans((key, from, to, value) => {
      const group = groupOf(key);
      const until = Math.min(to, group.length);
      if (from >= until) return;
      // A value without an end occurs only in a group with a known length.
      if (until >= group.amounts.length) grow(group, until);
      addSpan(group, from, until, value);
      if (mostListed > 0) list(group, from, until, customer, mostListed);
    });
  };
  return {
    recordChange,
    end,
    packed: (segments, idOf) => {
      const { customerIds, numberOf } = numberListed();
      const all = [...groups].flatMap(([key, group]): readonly ReasonGroup[] => {
        const rest = Math.floor(key / TRACKS);
        const partAndKind = Math.floor(rest / additive.length);
        const part = Math.floor(partAndKind / KINDS);
        if (part > segments.length) return [];
        const measure = additive[rest % additive.length]?.id ?? '';
        const columns = columnsOf(group, (customer) => numberOf(idOf(customer)));
        return [{ kind: reasonName(partAndKind % KINDS), part, measure, ...columns }];
      });
      return { segments, customerIds, groups: all };
    },
  };
}

type Steps = {
  /** Changes the value of a group by the amount, from the place on. */
  add(group: number, place: number, amount: number): void;
  /** Removes the steps, and calls `use` for each range of places where a value is not 0; `to` is Infinity without an end. */
  takeSpans(use: (group: number, from: number, to: number, value: number) => void): void;
};

/** Collects the steps of one customer: group and place in one number, and the amount by which the value changes there. */
function createSteps(): Steps {
  let steps = new Float64Array(256);
  let amounts = new Float64Array(256);
  let count = 0;
  return {
    add: (group, place, amount) => {
      if (amount === 0) return;
      if (count === steps.length) {
        const [moreSteps, moreAmounts] = [new Float64Array(2 * count), new Float64Array(2 * count)];
        moreSteps.set(steps);
        moreAmounts.set(amounts);
        [steps, amounts] = [moreSteps, moreAmounts];
      }
      steps[count] = group * PLACES + place;
      amounts[count++] = amount;
    },
    takeSpans: (use) => {
      sortSteps(steps, amounts, count);
      let value = 0;
      for (let i = 0; i < count; i++) {
        const [step, next] = [steps[i] ?? 0, steps[i + 1] ?? 0];
        const group = Math.floor(step / PLACES);
        const isLast = i + 1 === count || Math.floor(next / PLACES) !== group;
        const [from, to] = [step % PLACES, isLast ? Infinity : next % PLACES];
        value += amounts[i] ?? 0;
        if (value !== 0 && from < to) use(group, from, to, value);
        if (isLast) value = 0;
      }
      count = 0;
    },
  };
}

function roomOf(size: number): Pick<Group, 'amounts' | 'counts' | 'open'> {
  return {
    amounts: new Float64Array(size),
    counts: new Int32Array(size),
    open: Int32Array.from({ length: size + 1 }, (_, i) => i),
  };
}

function grow(group: Group, until: number): void {
  const room = roomOf(2 * until + 1);
  room.amounts.set(group.amounts);
  room.counts.set(group.counts);
  room.open.set(group.open);
  Object.assign(group, room);
}

/** Adds a range of places; amounts and counts are stored as steps until they are read. */
function addSpan({ amounts, counts }: Group, from: number, to: number, value: number): void {
  amounts[from] = (amounts[from] ?? 0) + value;
  amounts[to] = (amounts[to] ?? 0) - value;
  counts[from] = (counts[from] ?? 0) + 1;
  counts[to] = (counts[to] ?? 0) - 1;
}

function list(group: Group, from: number, to: number, customer: number, maxCount: number): void {
  const { lists } = group;
  for (let i = openFrom(group, from); i < to; i = openFrom(group, i + 1)) {
    const own = (lists[i] ??= []);
    if (own.push(customer) >= maxCount) group.open[i] = i + 1;
  }
}

/** Returns the first place from `index` on whose list has room. */
function openFrom({ open }: Group, index: number): number {
  let found = index;
  while ((open[found] ?? found) !== found) found = open[found] ?? found;
  if (found > index) open[index] = found;
  return found;
}

function columnsOf(
  { track, amounts, counts, lists }: Group,
  numberOf: (customer: number) => number,
): Omit<ReasonGroup, 'kind' | 'part' | 'measure'> {
  let [amount, count, end] = [0, 0, 0];
  return {
    track,
    amounts: amounts.map((step) => (amount += step)),
    counts: counts.map((step) => (count += step)),
    listed: Int32Array.from(lists.flat(), numberOf),
    ends: Int32Array.from({ length: lists.length }, (_, i) => (end += lists[i]?.length ?? 0)),
  };
}

/** Sorts the first `count` items of both arrays by step. */
function sortSteps(steps: Float64Array, amounts: Float64Array, count: number): void {
  if (count > MAX_INSERTION_SORT) {
    const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => (steps[a] ?? 0) - (steps[b] ?? 0));
    const [sorted, moved] = [order.map((i) => steps[i] ?? 0), order.map((i) => amounts[i] ?? 0)];
    steps.set(sorted);
    amounts.set(moved);
    return;
  }
  for (let i = 1; i < count; i++) {
    const [step, amount] = [steps[i] ?? 0, amounts[i] ?? 0];
    let at = i - 1;
    for (; at >= 0 && (steps[at] ?? 0) > step; at--) {
      steps[at + 1] = steps[at] ?? 0;
      amounts[at + 1] = amounts[at] ?? 0;
    }
    steps[at + 1] = step;
    amounts[at + 1] = amount;
  }
}
