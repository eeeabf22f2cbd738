// Checks common to all document stores: names of collections and indexes, and index fields of documents. A violation is a bug of the
// caller, never of a user, hence plain errors.
import type { CollectionSpec, Doc, Scalar, Scan } from './port.js';

/** Collection with its indexes by name; `fields` are the distinct fields of all indexes. */
export type Collection = {
  readonly name: string;
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  readonly fields: readonly string[];
};

// Lower case, because SQLite treats table names that differ only in case as equal.
const COLLECTION_NAME = /^(?!sqlite_)[a-z][a-z0-9_-]{0,99}$/;
const INDEX_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;

/** Validates a spec and merges it with the known collection, so that two modules may each declare indexes. */
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

/** Returns the document's index fields in the order of `collection.fields`; empty for a tombstone. Throws for a document that lacks one. */
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

/** Returns the fields of the index that a scan uses. Throws for a scan that the index cannot serve. */
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

/** Returns whether a value is a scalar. NaN and the infinities are not JSON: they would be read back as null. */
export function isScalar(value: unknown): value is Scalar {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

/**
 * Returns whether a text is valid as a key. SQLite truncates bound text at U+0000, and lone surrogates all become U+FFFD, so two ids could
 * become one. Document bodies may contain both.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
