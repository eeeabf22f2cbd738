// Indexes of a collection, and the scans of them. The declared indexes are created and the others dropped. Existing documents get the field
// of a new index; one without it prevents the start. A scan becomes equality, range and cursor position over `k.<field>` and the id.
import type { AnyBulkWriteOperation, Collection as Table, Filter, Sort } from 'mongodb';
import { isScalar, isStorable, type Collection } from '../collections.js';
import type { Scalar, Scan } from '../port.js';
import { fieldsOf } from '../../../domain/values/json.js';

const BATCH = 1000;
const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;

/** Makes a call on the collection, within the time limit of a call. Throws `Unavailable`. */
export type WithTable = <T>(work: (table: Table<StoredDoc>) => Promise<T>) => Promise<T>;

/** Ensures the indexes. Returns the problem that prevents them, or null. */
export async function ensureCollection(withTable: WithTable, { name, indexes }: Collection): Promise<string | null> {
  const present = await withTable(listIndexNames);
  const declared = new Map([...indexes.values()].filter((f) => f.length > 0).map((f) => [indexName(f), f]));
  for (const index of present) if (!declared.has(index)) await withTable((table) => dropIndex(table, index));
  const missing = [...declared].filter(([index]) => !present.has(index));
  const fields = [...new Set(missing.flatMap(([, f]) => f))];
  const problem = fields.length > 0 ? await addMissingFields(withTable, name, fields) : null;
  if (problem !== null) return problem;
  for (const [index, f] of missing) {
    const keys = new Map(indexKeys(f).map((key) => [key, 1] as const));
    await withTable((table) => table.createIndex(keys, { name: index }));
  }
  return null;
}

/** Returns the name of an index, derived from its fields, so that a changed definition is another index. */
const indexName = (fields: readonly string[]) => fields.join('+');

async function listIndexNames(table: Table<StoredDoc>): Promise<ReadonlySet<string>> {
  try {
    const found: readonly { readonly name?: unknown }[] = await table.listIndexes().toArray();
    return new Set(found.map(({ name }) => String(name)).filter((index) => index !== '_id_'));
  } catch (err) {
    if (codeOf(err) === NAMESPACE_NOT_FOUND) return new Set();
    throw err;
  }
}

/** Drops an index; another starting process may have been faster. */
async function dropIndex(table: Table<StoredDoc>, index: string): Promise<void> {
  await table.dropIndex(index).catch((err: unknown) => {
    if (codeOf(err) !== INDEX_NOT_FOUND) throw err;
  });
}

function codeOf(err: unknown): unknown {
  return fieldsOf(err)['code'];
}

/**
 * Adds fields to existing documents, under their guards, so that concurrent writes, which already contain the field, are not overwritten.
 */
async function addMissingFields(withTable: WithTable, name: string, fields: readonly string[]): Promise<string | null> {
  const lacking = fields.map((field) => ({ [keyOf(field)]: { $exists: false } }));
  for (let after = ''; ;) {
    const filter = { _id: { $gt: after }, d: { $ne: null }, $or: lacking };
    const rows = await withTable((table) => table.find(filter).sort({ _id: 1 }).limit(BATCH).toArray());
    const batch: AnyBulkWriteOperation<StoredDoc>[] = [];
    for (const { _id, g, d } of rows) {
      const doc: Record<string, unknown> = JSON.parse(d ?? '{}');
      const $set: Record<string, string | number | boolean> = {};
      for (const field of fields) {
        const value = Object.hasOwn(doc, field) ? doc[field] : undefined;
        if (!isScalar(value) || (typeof value === 'string' && !isStorable(value))) {
          return `a document of ${name} has no scalar ${field} to index`;
        }
        $set[keyOf(field)] = value;
      }
      batch.push({ updateOne: { filter: { _id, g }, update: { $set } } });
      after = _id;
    }
    if (batch.length > 0) await withTable((table) => table.bulkWrite(batch, { ordered: false }));
    if (rows.length < BATCH) return null;
  }
}

/** Stored document. `g`: guard, `w`: id of the write that stored it, `d`: JSON text, null on a tombstone, `k`: index fields. */
export type StoredDoc = {
  readonly _id: string;
  readonly g: string;
  readonly w?: string;
  readonly d: string | null;
  readonly k?: { readonly [field: string]: Scalar };
};

type Condition = { readonly [key: string]: unknown };

const keyOf = (field: string) => `k.${field}`;

/** Returns the keys of an index: its fields, then the id. */
function indexKeys(fields: readonly string[]): readonly string[] {
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
