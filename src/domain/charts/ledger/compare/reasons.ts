// The reasons of all differences of a comparison, as they cross threads, and how they are looked up.
import { otherKinds } from '../../compare/changes.js';
import type { ReasonsOf } from '../../compare/comparison.js';
import { kindName, KINDS } from '../moments.js';
import type { LedgerTally, ReasonGroup } from './tally.js';

/** Behind the kinds of events. */
export const TIME = KINDS;
export const SETTING = KINDS + 1;
export const RATES = KINDS + 2;
export const PRODUCTS = KINDS + 3;
const others: Readonly<Record<number, string>> = {
  [TIME]: otherKinds.time,
  [SETTING]: otherKinds.setting,
  [RATES]: otherKinds.rates,
  [PRODUCTS]: otherKinds.products,
};
const otherNumbers = new Map(Object.entries(others).map(([number, kind]) => [kind, Number(number)]));

export function reasonName(kind: number): string {
  return others[kind] ?? kindName(kind);
}

/** Of a kind beside the events; undefined for one of these. */
export function otherKindNumber(kind: string): number | undefined {
  return otherNumbers.get(kind);
}

/** `customerIds`: those that are listed anywhere, by the numbers that they are listed by. Parts: the whole, then the segments. */
export type PackedReasons = {
  readonly segments: readonly string[];
  readonly customerIds: readonly string[];
  readonly groups: readonly ReasonGroup[];
};

export function packReasons(
  tally: LedgerTally,
  segments: readonly string[],
  idOf: (customer: number) => string,
): PackedReasons {
  const numbers = new Map<number, number>();
  const customerIds: string[] = [];
  const numberOf = (customer: number): number => {
    let number = numbers.get(customer);
    if (number === undefined) numbers.set(customer, (number = customerIds.push(idOf(customer)) - 1));
    return number;
  };
  const groups = tally.groups().map((group) => ({ ...group, listed: group.listed.map(numberOf) }));
  return { segments, customerIds, groups };
}

/** Kinds in their order. */
export function reasonsFrom({ segments, customerIds, groups }: PackedReasons): ReasonsOf {
  const byPlace = new Map<string, ReasonGroup[]>();
  const keyOf = (part: number, measure: string, track: number) => `${part}|${measure}|${track}`;
  for (const group of [...groups].sort((a, b) => (reasonName(a.kind) < reasonName(b.kind) ? -1 : 1))) {
    const key = keyOf(group.part, group.measure, group.track);
    const same = byPlace.get(key) ?? [];
    byPlace.set(key, same);
    same.push(group);
  }
  const parts = new Map(segments.map((value, i) => [value, i + 1]));
  return (segment, measure, track, index) => {
    const part = segment === null ? 0 : (parts.get(segment) ?? -1);
    return (byPlace.get(keyOf(part, measure, track)) ?? []).flatMap(({ kind, amounts, counts, listed, ends }) => {
      const count = counts[index] ?? 0;
      if (count === 0) return [];
      const customers = [...listed.subarray(ends[index - 1] ?? 0, ends[index])].map((i) => customerIds[i] ?? '');
      return [{ kind: reasonName(kind), amount: amounts[index] ?? 0, count, customers }];
    });
  };
}
