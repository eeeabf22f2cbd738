// Entries of one customer at a time that are known at some time between two instants.
import type { LedgerColumns } from '../ledger.js';
import { selectEntries } from '../row-selection.js';

/** Entries in columns, valid until the next customer is gathered. `from` and `to` are knowledge times; the other columns are as in a row. */
export type CustomerEntries = {
  count: number;
  slots: Int32Array;
  at: Float64Array;
  from: Float64Array;
  to: Float64Array;
  values: Float64Array;
  attributes: Int32Array;
  lags: Float64Array;
};

/**
 * Granularity at which unchanged entries are omitted (nothing recorded between the two instants, no effect of elapsed time). Rows are
 * omitted one by one if they add up independently, all rows of a customer if they only add up together, nothing if they are compared with
 * another ledger.
 */
export type OmittedEntries = 'rows' | 'customers' | 'nothing';

/**
 * Returns a function that gathers the entries of a customer that have a slot (by entry number), are known at some `since <= asOf <= until`
 * and count before `until`. UTC ms.
 */
export function createGatherer(
  { rows, cells }: Pick<LedgerColumns, 'rows' | 'cells'>,
  slots: ReadonlyMap<number, number>,
  { since, until }: { readonly since: number; readonly until: number },
  omission: OmittedEntries,
): (place: number | undefined) => CustomerEntries {
  const selected = selectEntries(cells, slots);
  const longestLag = selected.lags.reduce((a, b) => Math.max(a, b), 0);
  const { columns, kinds, starts, ends } = rows;
  const changes = (i: number): boolean =>
    (columns.from[i] ?? 0) >= since || (columns.to[i] ?? 0) < until || (columns.at[i] ?? 0) + longestLag >= since;
  const isAsked = (i: number): boolean => {
    const kind = kinds[i] ?? 0;
    if (selected.ends[kind] === selected.ends[kind + 1]) return false;
    return (columns.from[i] ?? 0) < until && (columns.to[i] ?? 0) >= since && (columns.at[i] ?? 0) < until;
  };
  const hasChanges = (begin: number, end: number): boolean => {
    for (let i = begin; i < end; i++) if (isAsked(i) && changes(i)) return true;
    return false;
  };
  let entries = allocateEntries(256);
  return (place) => {
    let count = 0;
    const begin = starts[place ?? 0] ?? 0;
    let end = place === undefined ? 0 : (ends[place] ?? 0);
    if (omission === 'customers' && !hasChanges(begin, end)) end = begin;
    for (let i = begin; i < end; i++) {
      if (!isAsked(i) || (omission === 'rows' && !changes(i))) continue;
      const kind = kinds[i] ?? 0;
      const [first, last] = [selected.ends[kind] ?? 0, selected.ends[kind + 1] ?? 0];
      if (count + last - first > entries.at.length) entries = growEntries(entries);
      for (let entry = first; entry < last; entry++) {
        entries.slots[count] = selected.slots[entry] ?? 0;
        entries.at[count] = columns.at[i] ?? 0;
        entries.from[count] = columns.from[i] ?? 0;
        entries.to[count] = columns.to[i] ?? 0;
        entries.values[count] = selected.values[entry] ?? 0;
        entries.attributes[count] = columns.attributes[i] ?? 0;
        entries.lags[count] = selected.lags[entry] ?? 0;
        count++;
      }
    }
    entries.count = count;
    return entries;
  };
}

function allocateEntries(size: number): CustomerEntries {
  const [at, from, to, values, lags] = Array.from({ length: 5 }, () => new Float64Array(size));
  const [slots, attributes] = [new Int32Array(size), new Int32Array(size)];
  const none = new Float64Array(0);
  return {
    ...{ count: 0, slots, attributes },
    ...{ at: at ?? none, from: from ?? none, to: to ?? none, values: values ?? none, lags: lags ?? none },
  };
}

/** Doubles the capacity; a cell has fewer entries than the initial capacity. */
function growEntries(before: CustomerEntries): CustomerEntries {
  const larger = allocateEntries(2 * before.at.length);
  for (const name of ['slots', 'attributes'] as const) larger[name].set(before[name]);
  for (const name of ['at', 'from', 'to', 'values', 'lags'] as const) larger[name].set(before[name]);
  return larger;
}
