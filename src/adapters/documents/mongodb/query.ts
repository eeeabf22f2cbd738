// Translation of a scan to MongoDB: equality, range and cursor position over `k.<field>` and the id, in index order.
import type { Filter, Sort } from 'mongodb';
import type { Scalar, Scan } from '../port.js';

/** Stored document. `g`: guard, `w`: id of the write that stored it, `d`: JSON text, null on a tombstone, `k`: index fields. */
export type StoredDoc = {
  readonly _id: string;
  readonly g: string;
  readonly w?: string;
  readonly d: string | null;
  readonly k?: { readonly [field: string]: Scalar };
};

type Condition = { readonly [key: string]: unknown };

export const keyOf = (field: string) => `k.${field}`;

/** Returns the keys of an index: its fields, then the id. */
export function indexKeys(fields: readonly string[]): readonly string[] {
  return [...fields.map(keyOf), '_id'];
}

/** Returns the filter of a scan. `after` are the keys of the previous row after the equality prefix. */
export function scanFilter(
  fields: readonly string[],
  { eq, from, to, reverse }: Scan,
  after: readonly Scalar[] | undefined,
): Filter<StoredDoc> {
  const keys = indexKeys(fields);
  const rest = keys.slice(eq.length);
  const [next = '_id'] = rest;
  const conditions: Condition[] = eq.map((value, i) => ({ [keys[i] ?? '']: { $eq: value } }));
  if (from !== undefined) conditions.push({ [next]: { $gte: from } });
  if (to !== undefined) conditions.push({ [next]: { $lt: to } });
  if (after) conditions.push(...rowsAfter(rest, after, reverse ?? false));
  conditions.push({ d: { $ne: null } });
  return { $and: conditions };
}

export function sortOf(fields: readonly string[], reverse = false): Sort {
  return Object.fromEntries(indexKeys(fields).map((key) => [key, reverse ? -1 : 1]));
}

/**
 * Returns the conditions for rows after the previous one in index order. The bound on the first key alone is redundant and less exact, but
 * the server starts its scan there.
 */
function rowsAfter(keys: readonly string[], after: readonly Scalar[], reverse: boolean): Condition[] {
  const [beyond, fromThere] = reverse ? ['$lt', '$lte'] : ['$gt', '$gte'];
  const branches = keys.map((key, i) => ({
    ...Object.fromEntries(keys.slice(0, i).map((k, j) => [k, { $eq: after[j] }])),
    [key]: { [beyond]: after[i] },
  }));
  const [first = '_id'] = keys;
  return keys.length === 1 ? branches : [{ [first]: { [fromThere]: after[0] } }, { $or: branches }];
}
