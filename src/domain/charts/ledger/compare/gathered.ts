// The entries of one customer at a time that are known at some time between two instants.
import type { LedgerColumns } from '../ledger.js';
import { pick } from '../picked.js';

/** Good until the next customer. `from` and `to` are moments, all else as in a block. */
export type Gathered = {
  count: number;
  slots: Int32Array;
  at: Float64Array;
  from: Float64Array;
  to: Float64Array;
  values: Float64Array;
  attributes: Int32Array;
  lags: Float64Array;
};

export const nothingGathered: Gathered = room(0);

/** Those of the entries in `slots`, by their number, that are known at some `since <= asOf <= until` and count before `until`. UTC ms. */
export function createGatherer(
  { rows, cells }: Pick<LedgerColumns, 'rows' | 'cells'>,
  slots: ReadonlyMap<number, number>,
  since: number,
  until: number,
): (place: number | undefined) => Gathered {
  const picked = pick(cells, slots);
  const { columns, kinds, starts, ends } = rows;
  let gathered = room(256);
  return (place) => {
    let count = 0;
    const end = place === undefined ? 0 : (ends[place] ?? 0);
    for (let i = starts[place ?? 0] ?? 0; i < end; i++) {
      const kind = kinds[i] ?? 0;
      const [first, last] = [picked.ends[kind] ?? 0, picked.ends[kind + 1] ?? 0];
      if (first === last) continue;
      const [at, from, to] = [columns.at[i] ?? 0, columns.from[i] ?? 0, columns.to[i] ?? 0];
      if (from >= until || to < since || at >= until) continue;
      if (count + last - first > gathered.at.length) gathered = grown(gathered);
      for (let entry = first; entry < last; entry++) {
        gathered.slots[count] = picked.slots[entry] ?? 0;
        gathered.at[count] = at;
        gathered.from[count] = from;
        gathered.to[count] = to;
        gathered.values[count] = picked.values[entry] ?? 0;
        gathered.attributes[count] = columns.attributes[i] ?? 0;
        gathered.lags[count] = picked.lags[entry] ?? 0;
        count++;
      }
    }
    gathered.count = count;
    return gathered;
  };
}

function room(size: number): Gathered {
  const [at, from, to, values, lags] = Array.from({ length: 5 }, () => new Float64Array(size));
  const [slots, attributes] = [new Int32Array(size), new Int32Array(size)];
  const none = new Float64Array(0);
  return {
    ...{ count: 0, slots, attributes },
    ...{ at: at ?? none, from: from ?? none, to: to ?? none, values: values ?? none, lags: lags ?? none },
  };
}

/** A cell has no more entries than the least room. */
function grown(before: Gathered): Gathered {
  const larger = room(2 * before.at.length);
  for (const name of ['slots', 'attributes'] as const) larger[name].set(before[name]);
  for (const name of ['at', 'from', 'to', 'values', 'lags'] as const) larger[name].set(before[name]);
  return larger;
}
