// When what is known of a customer changes. An entry counts from the later of when it took effect and when it was learned.
import type { CustomerHistory, History, Stamp } from '../../history/history.js';

export function countsFrom({ at, known }: Stamp): number {
  return Math.max(at, known);
}

/** A time at which the app was in use, and what is known of it: `from < asOf <= to`. UTC ms. */
export type Sighting = { readonly at: number; readonly from: number; readonly to: number };

/** In the order of their time. */
export function sightingsOf(customer: CustomerHistory): readonly Sighting[] {
  const found: Sighting[] = [];
  const add = ({ created, seen }: History, since: number, until: number) => {
    for (const stamp of created ? [created, ...seen] : seen) {
      const to = Math.min(stamp.gone ?? Infinity, until);
      found.push({ at: stamp.at, from: Math.max(countsFrom(stamp), since), to });
    }
  };
  add(customer.own, -Infinity, Infinity);
  for (const m of customer.merged) add(m.history, countsFrom(m), m.gone ?? Infinity);
  return found.sort((a, b) => a.at - b.at);
}

/** All instants at which something else than activity changes, in their order; of activity, when a customer is found to be older. UTC ms. */
export function instantsOf(customer: CustomerHistory): readonly number[] {
  const found = new Set<number>();
  const add = (stamp: Stamp) => {
    found.add(countsFrom(stamp));
    if (stamp.gone !== undefined) found.add(stamp.gone);
  };
  for (const { created, lines, adjustments } of [customer.own, ...customer.merged.map((m) => m.history)]) {
    if (created) add(created);
    for (const { periods, marks } of Object.values(lines)) {
      periods.forEach(add);
      marks.forEach(add);
    }
    for (const all of Object.values(adjustments)) all.forEach(add);
  }
  customer.merged.forEach(add);
  if (customer.movedTo) add(customer.movedTo);
  let earliest = Infinity;
  for (const { at, from, to } of [...sightingsOf(customer)].sort((a, b) => a.from - b.from)) {
    if (at < earliest || to !== Infinity) found.add(from);
    if (to !== Infinity) found.add(to);
    else earliest = Math.min(earliest, at);
  }
  return [...found].sort((a, b) => a - b);
}
