// Adds up, for every shown value of a chart, how much each kind of reason has changed it, and whom it has changed it for.
import { EVERY_SEGMENT, unpackCell } from '../../../../src/domain/charts/compare/cells.js';
import type { WeightedMeasure, SumName, Weight } from '../../../../src/domain/charts/compare/measure-weights.js';
import type { Change } from '../../../../src/domain/charts/compare/history-changes.js';
import type { RawReason, ReasonGroup } from '../../../../src/domain/charts/compare/packed-reasons.js';

export type ReasonTotals = {
  /** All changes of one customer. */
  add(customerId: string, changes: readonly Change[]): void;
  /** `part` as in {@link Cell}; a segment that nobody has changed since shows what counts in every segment. Kinds in their order. */
  reasons(part: number, measure: string, track: number, index: number): readonly RawReason[];
  /** All of a part as {@link reasons} has it, `as` of another number; `numberOf` by customer id. */
  groups(part: number, as: number, numberOf: (customerId: string) => number): readonly ReasonGroup[];
};

/** Steps of a value along a track: the value of a place is the sum of those up to it. */
type Steps = Map<number, number>;
type Group = {
  readonly amounts: Steps;
  readonly counts: Steps;
  readonly listed: Map<number, string[]>;
  /** Maps a place whose list is full to a later place where it may not be. */
  readonly behindFull: Map<number, number>;
};
/** Groups by measure and track. */
type Groups = Map<string, Group>;
type PartGroups = Map<string, Groups>;

/** Lists at most `mostListed` customers for each reason. */
export function createReasonTotals(
  forms: readonly WeightedMeasure[],
  lengthOf: (track: number) => number,
  mostListed: number,
): ReasonTotals {
  const weights = weightsBySum(forms);
  /** Groups by part, then by kind. */
  const parts = new Map<number, PartGroups>();
  const settled = new WeakMap<Group, Totals>();
  const ofPart = (part: number) => parts.get(part) ?? (part > EVERY_SEGMENT ? parts.get(EVERY_SEGMENT) : undefined);
  const stepsOf = (changes: readonly Change[]): Map<number, Map<string, Map<string, Steps>>> => {
    const found = new Map<number, Map<string, Map<string, Steps>>>();
    for (const { kind, amounts } of changes) {
      for (const [key, amount] of amounts) {
        const { part, sum, track, index } = unpackCell(key);
        for (const { id, weight } of weights.get(sum) ?? []) {
          const ofPart = inMap(found, part, () => new Map<string, Map<string, Steps>>());
          const ofKind = inMap(ofPart, kind, () => new Map<string, Steps>());
          const steps = inMap(ofKind, `${id}|${track}`, () => new Map<number, number>());
          step(steps, Math.max(0, index), weight.stock * amount);
          step(steps, index + 1, weight.before * amount);
          if (index < 0) continue;
          step(steps, index, weight.flow * amount);
          step(steps, index + 1, -weight.flow * amount);
        }
      }
    }
    return found;
  };
  const put = (part: number, kind: string, place: string, customerId: string, steps: Steps): void => {
    const spans = spansOf(steps, lengthOf(Number(place.slice(place.indexOf('|') + 1))));
    if (spans.length === 0) return;
    const groups = inMap(
      inMap(parts, part, () => new Map<string, Groups>()),
      kind,
      () => new Map<string, Group>(),
    );
    const group = inMap(groups, place, newGroup);
    for (const [index, amount] of steps) step(group.amounts, index, amount);
    for (const { from, to } of spans) {
      step(group.counts, from, 1);
      step(group.counts, to, -1);
      if (mostListed === 0) continue;
      for (let i = openFrom(group, from); i < to; i = openFrom(group, i + 1)) list(group, i, customerId, mostListed);
    }
  };
  return {
    add: (customerId, changes) => {
      const own = stepsOf(changes);
      const shared = own.get(EVERY_SEGMENT);
      for (const part of own.keys()) {
        // A new segment begins with what has counted in all of them so far.
        if (part > EVERY_SEGMENT && !parts.has(part)) parts.set(part, copyGroups(parts.get(EVERY_SEGMENT)));
      }
      for (const part of shared ? new Set([...parts.keys(), ...own.keys()]) : own.keys()) {
        const changed = own.get(part) ?? new Map<string, Map<string, Steps>>();
        const joined = shared && part > EVERY_SEGMENT ? withShared(changed, shared) : changed;
        for (const [kind, places] of joined)
          for (const [place, steps] of places) put(part, kind, place, customerId, steps);
      }
    },
    groups: (part, as, numberOf) =>
      [...(ofPart(part) ?? [])].flatMap(([kind, groups]) =>
        [...groups].map(([place, group]) => {
          const { amounts, counts } = inMap(settled, group, () => totalsOf(group));
          const bar = place.indexOf('|');
          const lists = Array.from({ length: counts.length }, (_, i) => group.listed.get(i) ?? []);
          let end = 0;
          return {
            ...{ kind, part: as, measure: place.slice(0, bar), track: Number(place.slice(bar + 1)), amounts },
            counts: Int32Array.from(counts),
            listed: Int32Array.from(lists.flat(), numberOf),
            ends: Int32Array.from(lists, (ids) => (end += ids.length)),
          };
        }),
      ),
    reasons: (part, measure, track, index) => {
      const found: RawReason[] = [];
      for (const [kind, groups] of [...(ofPart(part) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const group = groups.get(`${measure}|${track}`);
        if (!group) continue;
        const { amounts, counts } = inMap(settled, group, () => totalsOf(group));
        const at = Math.min(index, amounts.length - 1);
        const [amount, count] = [amounts[at] ?? 0, counts[at] ?? 0];
        if (count > 0) found.push({ kind, amount, count, customers: group.listed.get(index) ?? [] });
      }
      return found;
    },
  };
}

/** Behind the last of them the values stay as they are. */
type Totals = { readonly amounts: Float64Array; readonly counts: Float64Array };

function totalsOf({ amounts, counts }: Group): Totals {
  const length = Math.max(...amounts.keys(), ...counts.keys()) + 1;
  const along = (steps: Steps) => {
    let value = 0;
    return Float64Array.from({ length }, (_, i) => (value += steps.get(i) ?? 0));
  };
  return { amounts: along(amounts), counts: along(counts) };
}

type WeightedMeasureId = { readonly id: string; readonly weight: Weight };

function weightsBySum(forms: readonly WeightedMeasure[]): ReadonlyMap<SumName, readonly WeightedMeasureId[]> {
  const found = new Map<SumName, WeightedMeasureId[]>();
  for (const { id, form } of forms) {
    for (const [sum, weight] of form ?? []) inMap(found, sum, (): WeightedMeasureId[] => []).push({ id, weight });
  }
  return found;
}

function newGroup(): Group {
  return { amounts: new Map(), counts: new Map(), listed: new Map(), behindFull: new Map() };
}

function copyGroups(groups: PartGroups | undefined): PartGroups {
  const copyOf = ({ amounts, counts, listed, behindFull }: Group): Group => ({
    amounts: new Map(amounts),
    counts: new Map(counts),
    listed: new Map([...listed].map(([i, ids]) => [i, [...ids]])),
    behindFull: new Map(behindFull),
  });
  const entries = [...(groups ?? [])].map(([kind, places]) => {
    return [kind, new Map([...places].map(([place, group]) => [place, copyOf(group)]))] as const;
  });
  return new Map(entries);
}

function withShared(own: Map<string, Map<string, Steps>>, shared: Map<string, Map<string, Steps>>) {
  const joined = new Map([...own].map(([kind, places]) => [kind, new Map(places)] as const));
  for (const [kind, places] of shared) {
    const ofKind = inMap(joined, kind, () => new Map<string, Steps>());
    for (const [place, steps] of places) {
      const sum = new Map(ofKind.get(place));
      for (const [index, amount] of steps) step(sum, index, amount);
      ofKind.set(place, sum);
    }
  }
  return joined;
}

function step(steps: Steps, index: number, amount: number): void {
  if (amount !== 0) steps.set(index, (steps.get(index) ?? 0) + amount);
}

/** Returns the spans of a track with values other than 0. */
function spansOf(steps: Steps, length: number): readonly { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = [];
  let value = 0;
  let from = 0;
  for (const index of [...steps.keys()].sort((a, b) => a - b)) {
    if (index >= length) break;
    if (value !== 0) spans.push({ from, to: index });
    value += steps.get(index) ?? 0;
    from = index;
  }
  if (value !== 0) spans.push({ from, to: length });
  return spans;
}

function list({ listed, behindFull }: Group, index: number, customerId: string, most: number): void {
  const ids = inMap(listed, index, (): string[] => []);
  if (ids.push(customerId) >= most) behindFull.set(index, index + 1);
}

/** The first place from `index` on whose list is not full. */
function openFrom({ behindFull }: Group, index: number): number {
  let open = index;
  for (let next = behindFull.get(open); next !== undefined; next = behindFull.get(open)) open = next;
  if (open > index) behindFull.set(index, open);
  return open;
}

function inMap<K, V>(map: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
