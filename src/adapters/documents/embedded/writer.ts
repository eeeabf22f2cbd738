// Writes the embedded document store; runs in the writer thread. Each operation is a savepoint of the group's transaction: a guard mismatch
// of one caller rolls back only that caller's writes.
import type { Database } from '../../sqlite/database.js';
import type { Collection } from '../collections.js';
import { isScalar, isStorable } from '../collections.js';
import { bulkWriter, isBeingFilled, type BulkOperation } from './bulk.js';
import {
  column,
  COLUMNS,
  createIndex,
  idIndexName,
  indexName,
  namesIn,
  quoteName,
  toSqlValue,
  type SqlValue,
} from './sql.js';

/**
 * Flat list of rows: collection, id, expected guard, new guard, JSON text, number of index fields, these fields. One list for all crosses
 * the thread in half the time of one per row.
 */
export type RowWrites = readonly (SqlValue | null)[];
export type DocumentsOperation =
  | { readonly kind: 'write'; readonly stages: readonly RowWrites[] }
  | { readonly kind: 'ensure'; readonly collections: readonly Collection[] }
  | { readonly kind: 'drop'; readonly c: string }
  | BulkOperation;
/** Result of an operation. `refused` is a bug of the caller; it is a result, because an exception here would fail the whole group. */
export type DocumentsResult = 'ok' | 'lost' | number | { readonly refused: string };

type Cell = SqlValue | null;
type Put = (id: Cell, expect: Cell, guard: Cell, text: Cell, keys: readonly Cell[]) => boolean;
type Table = { readonly fields: readonly string[]; readonly put: Put };

/** Number of cells of a row before its index fields. */
const CELLS_BEFORE_KEYS = 6;

/** Implements `WriterModule`. */
export function writer(db: Database): (operation: unknown) => DocumentsResult {
  const tables = new Map<string, Table>();
  const bulk = bulkWriter(db);
  const begin = db.prepare('SAVEPOINT operation');
  const keep = db.prepare('RELEASE operation');
  const undo = db.prepare('ROLLBACK TO operation');
  db.function('index_value', { deterministic: true }, (doc: unknown, field: unknown) =>
    indexValue(String(doc), String(field)),
  );
  return (operation) => {
    begin.run();
    const result = apply(db, tables, bulk, operation as DocumentsOperation);
    if (result === 'lost' || typeof result === 'object') undo.run();
    keep.run();
    return result;
  };
}

function apply(
  db: Database,
  tables: Map<string, Table>,
  bulk: (operation: BulkOperation) => DocumentsResult,
  operation: DocumentsOperation,
): DocumentsResult {
  switch (operation.kind) {
    case 'write':
      return applyWrites(tables, operation.stages);
    case 'ensure': {
      // Tables of an interrupted build are left to the build that continues: nothing else may write there until then.
      const whole = operation.collections.filter(({ name }) => !isBeingFilled(db, name));
      for (const collection of whole) {
        const missing = ensureTable(db, collection);
        if (missing) return { refused: `a document of ${collection.name} has no scalar ${missing} to index` };
      }
      for (const { name, fields } of whole) tables.set(name, prepareTable(db, name, fields));
      return 'ok';
    }
    case 'drop':
      tables.delete(operation.c);
      db.exec(`DROP TABLE IF EXISTS ${quoteName(operation.c)}`);
      return 'ok';
    default:
      return bulk(operation);
  }
}

function applyWrites(tables: Map<string, Table>, stages: readonly RowWrites[]): DocumentsResult {
  for (const cells of stages) {
    for (let at = 0; at < cells.length;) {
      const [c = null, id = null, expect = null, guard = null, text = null, count] = cells.slice(
        at,
        at + CELLS_BEFORE_KEYS,
      );
      const keys = cells.slice(at + CELLS_BEFORE_KEYS, at + CELLS_BEFORE_KEYS + Number(count));
      const table = tables.get(String(c));
      // The write was sent while its collection was dropped, or while an `ensure` with a new index was refused.
      if (!table || (text !== null && keys.length !== table.fields.length)) return { refused: `${c} is not ensured` };
      if (!table.put(id, expect, guard, text, keys)) return 'lost';
      at += CELLS_BEFORE_KEYS + keys.length;
    }
  }
  return 'ok';
}

function prepareTable(db: Database, name: string, fields: readonly string[]): Table {
  const table = quoteName(name);
  const columns = fields.map(column);
  const insert = db.prepare(
    `INSERT INTO ${table} (${['id', 'guard', 'doc', ...columns].join()})
     VALUES (?, ?, ?${', ?'.repeat(fields.length)}) ON CONFLICT (id) DO NOTHING`,
  );
  // Sets no index field, so that SQLite leaves the indexes alone; tried first, a miss costs one lookup.
  const updateBody = db.prepare(
    `UPDATE ${table} SET guard = ?, doc = ? WHERE id = ? AND guard = ?${columns.map((c) => ` AND ${c} IS ?`).join('')}`,
  );
  const updateAll = db.prepare(
    `UPDATE ${table} SET ${['guard', 'doc', ...columns].map((c) => `${c} = ?`).join()} WHERE id = ? AND guard = ?`,
  );
  const noKeys = fields.map(() => null);
  return {
    fields,
    put: (id, expect, guard, text, values) => {
      const keys = text === null ? noKeys : values;
      if (expect === null) return insert.run(id, guard, text, ...keys).changes === 1;
      if (text !== null && updateBody.run(guard, text, id, expect, ...keys).changes === 1) return true;
      return updateAll.run(guard, text, ...keys, id, expect).changes === 1;
    },
  };
}

/**
 * Creates missing tables and indexes. An index that is no longer declared is dropped: its columns would no longer be updated, and every
 * existing index must be correct. Returns the field that some document lacks, if any.
 */
function ensureTable(db: Database, { name, indexes }: Collection): string | undefined {
  const table = quoteName(name);
  db.exec(`CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY NOT NULL, guard TEXT NOT NULL, doc TEXT)`);
  const present = namesIn(
    db,
    `SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?`,
    name,
  );
  const columns = namesIn(db, COLUMNS, name);
  const declared = new Map([...indexes.values()].filter((f) => f.length > 0).map((f) => [indexName(name, f), f]));
  for (const index of present) {
    if (!declared.has(index) && index !== idIndexName(name)) db.exec(`DROP INDEX ${quoteName(index)}`);
  }
  const missing = [...declared].filter(([index]) => !present.has(index)).map(([, fields]) => fields);
  for (const field of new Set(missing.flat())) {
    const target = column(field);
    if (!columns.has(`f_${field}`)) db.exec(`ALTER TABLE ${table} ADD COLUMN ${target}`);
    db.prepare(`UPDATE ${table} SET ${target} = index_value(doc, ?) WHERE doc IS NOT NULL`).run(field);
    if (db.prepare(`SELECT 1 FROM ${table} WHERE doc IS NOT NULL AND ${target} IS NULL LIMIT 1`).get()) return field;
    // A tombstone written while the field was not declared keeps its old value; the index would list it.
    db.exec(`UPDATE ${table} SET ${target} = NULL WHERE doc IS NULL AND ${target} IS NOT NULL`);
  }
  for (const fields of missing) db.exec(createIndex(name, fields));
  return undefined;
}

function indexValue(text: string, field: string): SqlValue | null {
  const doc: Record<string, unknown> = JSON.parse(text);
  const value = Object.hasOwn(doc, field) ? doc[field] : undefined;
  return isScalar(value) && (typeof value !== 'string' || isStorable(value)) ? toSqlValue(value) : null;
}
