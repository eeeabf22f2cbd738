// Creates the declared indexes of a collection and drops the others. Existing documents get the field of a new index; one without it
// prevents the start.
import type { AnyBulkWriteOperation, Collection as Table } from 'mongodb';
import { isScalar, isStorable, type Collection } from '../collections.js';
import { indexKeys, keyOf, type StoredDoc } from './query.js';

const BATCH = 1000;
const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;

/** Ensures the indexes. Returns the problem that prevents them, or null. */
export async function ensureCollection(table: Table<StoredDoc>, { name, indexes }: Collection): Promise<string | null> {
  const present = await listIndexNames(table);
  const declared = new Map([...indexes.values()].filter((f) => f.length > 0).map((f) => [indexName(f), f]));
  for (const index of present) if (!declared.has(index)) await dropIndex(table, index);
  const missing = [...declared].filter(([index]) => !present.has(index));
  const fields = [...new Set(missing.flatMap(([, f]) => f))];
  const problem = fields.length > 0 ? await addMissingFields(table, name, fields) : null;
  if (problem !== null) return problem;
  for (const [index, f] of missing) {
    await table.createIndex(new Map(indexKeys(f).map((key) => [key, 1])), { name: index });
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
  return (err as { code?: unknown }).code;
}

/**
 * Adds fields to existing documents, under their guards, so that concurrent writes, which already contain the field, are not overwritten.
 */
async function addMissingFields(
  table: Table<StoredDoc>,
  name: string,
  fields: readonly string[],
): Promise<string | null> {
  const lacking = fields.map((field) => ({ [keyOf(field)]: { $exists: false } }));
  let batch: AnyBulkWriteOperation<StoredDoc>[] = [];
  const flush = async () => {
    if (batch.length > 0) await table.bulkWrite(batch, { ordered: false });
    batch = [];
  };
  for await (const { _id, g, d } of table.find({ d: { $ne: null }, $or: lacking })) {
    const doc = JSON.parse(d ?? '{}') as Record<string, unknown>;
    const $set: Record<string, string | number | boolean> = {};
    for (const field of fields) {
      const value = Object.hasOwn(doc, field) ? doc[field] : undefined;
      if (!isScalar(value) || (typeof value === 'string' && !isStorable(value))) {
        return `a document of ${name} has no scalar ${field} to index`;
      }
      $set[keyOf(field)] = value;
    }
    batch.push({ updateOne: { filter: { _id, g }, update: { $set } } });
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return null;
}
