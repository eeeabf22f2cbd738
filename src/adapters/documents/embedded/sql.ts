// SQL of the embedded document store, shared by reader and writer. One table per collection. Index fields are separate columns, not
// expressions over the JSON. Both cost the same on inserts and when keys change, but with columns an update that leaves the keys alone
// touches no index, which makes it four times as fast, and most updates of read models are such. SQLite's JSON also reads every fifth
// decimal fraction one bit off and refuses nesting beyond 1000.
import type { Scalar, Scan } from '../port.js';
import { prepareQuery, type Database } from '../../sqlite/database.js';
import type { Collection } from '../collections.js';
import { compareScalars } from '../index-keys.js';

export type SqlValue = string | number;
export type Query = { readonly sql: string; readonly values: readonly SqlValue[] };

/** Quotes a name; `describeCollection` ensures that it contains no quote. */
export const quoteName = (name: string) => `"${name}"`;
export const column = (field: string) => `"f_${field}"`;
/** Returns the name of an index, derived from its fields, so that a changed definition is another index. */
export const indexName = (collection: string, fields: readonly string[]) => `${collection}(${fields.join()})`;
export const toSqlValue = (value: Scalar): SqlValue => (typeof value === 'boolean' ? Number(value) : value);

/** Name of the id index of a bulk-filled collection; in others the ids are the table's own key. */
export const idIndexName = (collection: string) => indexName(collection, ['id']);
export const primaryIndexName = (collection: string) => `sqlite_autoindex_${collection}_1`;

/** Returns the column `name` of the rows that the query selects for a table. */
export function namesIn(db: Database, query: string, table: string): ReadonlySet<string> {
  const rows = prepareQuery<{ readonly name: unknown }>(db, query).all(table);
  return new Set(rows.map(({ name }) => String(name)));
}

export const COLUMNS = 'SELECT name FROM pragma_table_info(?)';

export function createIdIndex(collection: string): string {
  return `CREATE UNIQUE INDEX ${quoteName(idIndexName(collection))} ON ${quoteName(collection)} (id)`;
}

/**
 * Returns the statement. Tombstones have NULL in every index field; a condition on `doc` instead would make each update of a document an
 * index update.
 */
export function createIndex(collection: string, fields: readonly string[]): string {
  const [first = 'id'] = fields;
  const columns = [...fields.map(column), 'id'].join();
  const name = quoteName(indexName(collection, fields));
  return `CREATE INDEX ${name} ON ${quoteName(collection)} (${columns}) WHERE ${column(first)} IS NOT NULL`;
}

/**
 * Returns the query of a scan. `after` are the keys of the previous row after the equality prefix; `index` is the index over `fields`. It
 * selects one row more than the limit, to detect a next page.
 */
export function scanQuery(
  { name }: Collection,
  { index, fields }: { readonly index: string; readonly fields: readonly string[] },
  scan: Scan,
  after: readonly Scalar[] | undefined,
): Query {
  const rest = [...fields.slice(scan.eq.length).map(column), 'id'];
  const [next = 'id'] = rest;
  const conditions = [fields[0] === undefined ? 'doc IS NOT NULL' : `${column(fields[0])} IS NOT NULL`];
  const values: Scalar[] = [...scan.eq];
  for (const field of fields.slice(0, scan.eq.length)) conditions.push(`${column(field)} = ?`);
  const { from, to } = tightenBounds(scan, after);
  if (from !== undefined) {
    conditions.push(`${next} >= ?`);
    values.push(from);
  }
  if (to !== undefined) {
    conditions.push(`${next} < ?`);
    values.push(to);
  }
  if (after) {
    conditions.push(`(${rest.join()}) ${scan.reverse ? '<' : '>'} (${rest.map(() => '?').join()})`);
    values.push(...after);
  }
  const order = rest.map((key) => (scan.reverse ? `${key} DESC` : key)).join();
  const sql = `SELECT id, guard, doc FROM ${quoteName(name)} INDEXED BY ${quoteName(index)} WHERE ${conditions.join(' AND ')}
    ORDER BY ${order} LIMIT ?`;
  return { sql, values: [...values.map(toSqlValue), scan.limit + 1] };
}

/** Omits the bound that the cursor has passed: SQLite starts at one bound per side only and would scan the previous pages again. */
function tightenBounds(
  { from, to, reverse }: Scan,
  after: readonly Scalar[] | undefined,
): { from?: Scalar; to?: Scalar } {
  const place = after?.[0];
  const keepFrom = from !== undefined && (reverse || place === undefined || compareScalars(place, from) < 0);
  const keepTo = to !== undefined && (!reverse || place === undefined || compareScalars(place, to) >= 0);
  return { ...(keepFrom ? { from } : {}), ...(keepTo ? { to } : {}) };
}
