// Reasons of all differences of a comparison, in columns that are transferred between threads, with a lookup.

/** Maximum number of customers listed per reason. */
export const MAX_LISTED = 20;

/** Location of a reason. `track` and `index` are 0 and the bucket for a series, the row and the column for cohorts. */
export type ReasonPlace = {
  readonly kind: string;
  readonly measure: string;
  readonly track: number;
  readonly index: number;
};

/** Unrounded reason, in the unit of the sums. `customers` lists the first customers that were added. */
export type RawReason = {
  readonly kind: string;
  readonly amount: number;
  readonly count: number;
  readonly customers: readonly string[];
};

/** Changes of one measure by one kind of reason along a track, by place. The customer numbers of place `i` end before `ends[i]`. */
export type ReasonGroup = {
  readonly kind: string;
  /** Index 0 is the whole, followed by the segments in order. */
  readonly part: number;
  readonly measure: string;
  readonly track: number;
  readonly amounts: Float64Array;
  readonly counts: Int32Array;
  readonly listed: Int32Array;
  readonly ends: Int32Array;
};

/** All reasons of a comparison. `customerIds` maps the customer numbers of the groups to IDs. */
export type PackedReasons = {
  readonly segments: readonly string[];
  readonly customerIds: readonly string[];
  readonly groups: readonly ReasonGroup[];
};

/** Returns a lookup of reasons by place along a track; null if there are no reasons. `segment` is null for the whole. */
export type ReasonsAlong = (
  segment: string | null,
  measure: string,
  track: number,
) => ((index: number) => readonly RawReason[]) | null;

/** Creates a lookup whose reasons are sorted by kind. */
export function reasonsAlong({ segments, customerIds, groups }: PackedReasons): ReasonsAlong {
  const byPlace = new Map<string, ReasonGroup[]>();
  const keyOf = (part: number, measure: string, track: number) => `${part}|${measure}|${track}`;
  for (const group of [...groups].sort((a, b) => (a.kind < b.kind ? -1 : 1))) {
    const key = keyOf(group.part, group.measure, group.track);
    const same = byPlace.get(key) ?? [];
    byPlace.set(key, same);
    same.push(group);
  }
  const parts = new Map(segments.map((value, i) => [value, i + 1]));
  return (segment, measure, track) => {
    const part = segment === null ? 0 : (parts.get(segment) ?? -1);
    const along = byPlace.get(keyOf(part, measure, track));
    if (!along) return null;
    return (index) => {
      const found: RawReason[] = [];
      for (const group of along) {
        const at = Math.min(index, group.counts.length - 1);
        const count = group.counts[at] ?? 0;
        if (count === 0) continue;
        found.push({
          kind: group.kind,
          amount: group.amounts[at] ?? 0,
          count,
          customers: listedAt(group, index, customerIds),
        });
      }
      return found;
    };
  };
}

/** Merges the reasons of several parts of the customers. Each reason lists at most `mostListed` customers, part by part. */
export function mergeReasons(all: readonly [PackedReasons, ...PackedReasons[]], mostListed: number): PackedReasons {
  const [first] = all;
  if (all.length === 1) return first;
  const { customerIds, numberOf } = numberListed();
  const same = new Map<string, { readonly group: ReasonGroup; readonly ids: readonly string[] }[]>();
  for (const { groups, customerIds: ids } of all) {
    for (const group of groups) {
      const key = `${group.kind}|${group.part}|${group.measure}|${group.track}`;
      same.set(key, [...(same.get(key) ?? []), { group, ids }]);
    }
  }
  const groups = [...same.values()].map((parts): ReasonGroup => {
    const { kind, part, measure, track } = (parts[0] as (typeof parts)[number]).group;
    const sample: number[] = [];
    const ends = new Int32Array(Math.max(...parts.map(({ group }) => group.ends.length)));
    for (let i = 0; i < ends.length; i++) {
      const found = parts.flatMap(({ group, ids }) => listedAt(group, i, ids)).slice(0, mostListed);
      ends[i] = sample.push(...found.map(numberOf));
    }
    const counts = Int32Array.from(summed(parts.map(({ group }) => group.counts)));
    const amounts = summed(parts.map(({ group }) => group.amounts));
    return { kind, part, measure, track, amounts, counts, listed: Int32Array.from(sample), ends };
  });
  return { segments: first.segments, customerIds, groups };
}

/** Adds up arrays by place; a shorter array continues with its last value. */
function summed(all: readonly (Float64Array | Int32Array)[]): Float64Array {
  const sums = new Float64Array(Math.max(...all.map(({ length }) => length)));
  for (const own of all) {
    for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (own[Math.min(i, own.length - 1)] ?? 0);
  }
  return sums;
}

function listedAt({ listed, ends }: ReasonGroup, index: number, customerIds: readonly string[]): string[] {
  const [begin, end] = [ends[index - 1] ?? 0, ends[index] ?? 0];
  return begin >= end ? [] : [...listed.subarray(begin, end)].map((i) => customerIds[i] ?? '');
}

/** Assigns consecutive numbers to listed customers. */
export function numberListed() {
  const numbers = new Map<string, number>();
  const customerIds: string[] = [];
  return {
    customerIds,
    numberOf: (customerId: string): number => {
      let number = numbers.get(customerId);
      if (number === undefined) numbers.set(customerId, (number = customerIds.push(customerId) - 1));
      return number;
    },
  };
}
