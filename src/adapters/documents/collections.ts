// What every document store checks before it touches anything: names of collections and indexes, and that each document carries its
// index fields. A violation is a bug of the caller, never of a user, hence plain errors.
import type { CollectionSpec, Doc, Scalar, Scan } from './port.js';

/** A collection with its indexes by name; `fields` are those of all indexes, each once. */
export type Collection = {
  readonly name: string;
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  readonly fields: readonly string[];
};

// Lower case, because SQLite takes names that differ in case only for the same table.
const COLLECTION_NAME = /^(?!sqlite_)[a-z][a-z0-9_-]{0,99}$/;
const INDEX_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;

/** Checks a spec and joins it to what is known of the collection, so that two modules may each declare their index. */
export function describeCollection(spec: CollectionSpec, known?: Collection): Collection {
  if (!COLLECTION_NAME.test(spec.name)) throw new Error(`collection name ${JSON.stringify(spec.name)} is not allowed`);
  const indexes = new Map(known?.indexes ?? [['id', []]]);
  for (const { name, fields } of spec.indexes) {
    const wellNamed = INDEX_NAME.test(name) && fields.every((field) => FIELD_NAME.test(field));
    const unique = new Set(fields).size === fields.length;
    if (!wellNamed || !unique || name === 'id' || fields.length === 0) {
      throw new Error(`index ${spec.name}.${JSON.stringify(name)} (${fields.join()}) is not allowed`);
    }
    indexes.set(name, [...fields]);
  }
  return { name: spec.name, indexes, fields: [...new Set([...indexes.values()].flat())] };
}

/** The document's index fields in the order of `collection.fields`; refuses a document that lacks one, a tombstone has none. */
export function keysOf(collection: Collection, id: string, doc: Doc | null): readonly Scalar[] {
  if (!isStorable(id)) throw new Error(`${collection.name}: id ${JSON.stringify(id)} is not storable`);
  if (doc === null) return [];
  return collection.fields.map((field) => {
    const value = Object.hasOwn(doc, field) ? doc[field] : undefined;
    if (!isScalar(value)) throw new Error(`${collection.name}/${id}: index field ${field} is not a scalar`);
    if (typeof value === 'string' && !isStorable(value)) {
      throw new Error(`${collection.name}/${id}: index field ${field} is not storable`);
    }
    return value;
  });
}

/** The fields of the index that a scan names; refuses what no store could answer from that index. */
export function fieldsOfScan(collection: Collection, scan: Scan): readonly string[] {
  const fields = collection.indexes.get(scan.index);
  const name = `${collection.name}.${scan.index}`;
  if (!fields) throw new Error(`index ${name} is not declared`);
  if (scan.eq.length > fields.length) throw new Error(`index ${name} has no more than ${fields.length} fields`);
  if (!Number.isSafeInteger(scan.limit) || scan.limit < 1) throw new Error(`index ${name}: limit ${scan.limit}`);
  for (const value of [...scan.eq, scan.from, scan.to]) {
    if (typeof value === 'string' && !isStorable(value)) throw new Error(`index ${name}: a bound is not storable`);
  }
  return fields;
}

/** NaN and the infinities are not JSON: they would come back as null. */
export function isScalar(value: unknown): value is Scalar {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

/** SQLite cuts a bound text at U+0000 and lone surrogates all turn into U+FFFD: two ids would then be one. Document bodies may have both. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
