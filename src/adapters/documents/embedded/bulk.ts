// Bulk writes of the embedded document store, for builds: tables are filled without checking guards, and indexed at the end, which is many
// times as fast as keeping random keys in order from the start. Runs in the writer thread. Where no id is put twice, even the ids are
// indexed only at the end. An interrupted build may have put some of them before: the later document then replaces the earlier one, as
// everywhere.
import { openForReading, type Database, type Statement } from '../../sqlite/database.js';
import type { Collection } from '../collections.js';
import {
  column,
  COLUMNS,
  createIdIndex,
  createIndex,
  idIndexName,
  indexName,
  namesIn,
  primaryIndexName,
  quoteName,
  type SqlValue,
} from './sql.js';

/** Flat list of the rows of one collection: id, guard, JSON text, index fields. One list crosses the thread faster than one per row. */
export type BulkRows = { readonly c: string; readonly values: readonly (SqlValue | null)[] };
/** Collection to fill, with or without an id index from the start: see {@link BulkSpec}. */
type BulkTable = { readonly collection: Collection; readonly isPutOnce: boolean };
export type BulkOperation =
  | { readonly kind: 'begin'; readonly begun: readonly BulkTable[] }
  | { readonly kind: 'finish'; readonly collections: readonly Collection[] }
  | { readonly kind: 'fill'; readonly fillings: readonly BulkRows[] }
  | { readonly kind: 'adopt'; readonly file: string; readonly collection: Collection; readonly after: number };

const SQLITE_CONSTRAINT = 19;
/** Rows copied per step, which blocks other writers of the file for some milliseconds. */
const ADOPT_BATCH = 1000;

type FillStatement = { readonly statement: Statement; readonly width: number };

/** Returns the function that applies one operation. The result of `adopt` is the row to continue after; 0 when all rows are copied. */
export function bulkWriter(db: Database): (operation: BulkOperation) => 'ok' | number | { readonly refused: string } {
  const fills = new Map<string, FillStatement>();
  return (operation) => {
    if (operation.kind === 'adopt') {
      const fill = fills.get(operation.collection.name);
      return fill
        ? adoptRows(fill.statement, operation)
        : { refused: `${operation.collection.name} is not open for bulk writes` };
    }
    if (operation.kind === 'fill') {
      for (const { c, values } of operation.fillings) {
        const fill = fills.get(c);
        if (!fill) return { refused: `${c} is not open for bulk writes` };
        for (let at = 0; at < values.length; at += fill.width) {
          fill.statement.run(...values.slice(at, at + fill.width));
        }
      }
      return 'ok';
    }
    if (operation.kind === 'begin') {
      for (const table of operation.begun) fills.set(table.collection.name, beginTable(db, table));
    } else {
      for (const collection of operation.collections) addIndexes(db, collection);
    }
    return 'ok';
  };
}

function beginTable(db: Database, { collection: { name, fields }, isPutOnce }: BulkTable): FillStatement {
  const table = quoteName(name);
  const key = isPutOnce ? '' : 'PRIMARY KEY ';
  db.exec(`CREATE TABLE IF NOT EXISTS ${table} (id TEXT ${key}NOT NULL, guard TEXT NOT NULL, doc TEXT)`);
  const isKeyed = hasIdIndex(db, name);
  const present = namesIn(db, COLUMNS, name);
  for (const field of fields) {
    if (!present.has(`f_${field}`)) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column(field)}`);
  }
  const columns = ['guard', 'doc', ...fields.map(column)];
  const replacing = `ON CONFLICT (id) DO UPDATE SET ${columns.map((c) => `${c} = excluded.${c}`).join()}`;
  const statement = db.prepare(
    `INSERT INTO ${table} (id, ${columns.join()}) VALUES (?${', ?'.repeat(columns.length)}) ${isKeyed ? replacing : ''}`,
  );
  return { statement, width: 1 + columns.length };
}

type AdoptedRow = { readonly place: number; readonly [column: string]: SqlValue | null };

function adoptRows(fill: Statement, { file, collection, after }: Extract<BulkOperation, { kind: 'adopt' }>): number {
  const columns = ['id', 'guard', 'doc', ...collection.fields.map((field) => `f_${field}`)];
  const source = openForReading(file);
  try {
    const rows: AdoptedRow[] = source
      .prepare(
        `SELECT rowid AS place, ${columns.map(quoteName).join()} FROM ${quoteName(collection.name)}
         WHERE rowid > ? ORDER BY rowid LIMIT ${ADOPT_BATCH}`,
      )
      .all(after);
    for (const row of rows) fill.run(...columns.map((name) => row[name] ?? null));
    return rows.length < ADOPT_BATCH ? 0 : (rows.at(-1)?.place ?? 0);
  } finally {
    source.close();
  }
}

function addIndexes(db: Database, { name, indexes }: Collection): void {
  const present = indexesOf(db, name);
  if (!hasIdIndex(db, name)) indexIds(db, name);
  for (const fields of indexes.values()) {
    if (fields.length > 0 && !present.has(indexName(name, fields))) db.exec(createIndex(name, fields));
  }
}

/** Returns whether a table is being filled by a build: it has no id index before the end. */
export function isBeingFilled(db: Database, name: string): boolean {
  const table = db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name);
  return table !== undefined && !hasIdIndex(db, name);
}

function hasIdIndex(db: Database, name: string): boolean {
  const present = indexesOf(db, name);
  return present.has(primaryIndexName(name)) || present.has(idIndexName(name));
}

function indexIds(db: Database, name: string): void {
  try {
    db.exec(createIdIndex(name));
  } catch (err) {
    if (!(err instanceof Error && 'errcode' in err && (Number(err.errcode) & 0xff) === SQLITE_CONSTRAINT)) throw err;
    const table = quoteName(name);
    db.exec(`DELETE FROM ${table} WHERE rowid NOT IN (SELECT max(rowid) FROM ${table} GROUP BY id)`);
    db.exec(createIdIndex(name));
  }
}

function indexesOf(db: Database, name: string): ReadonlySet<string> {
  return namesIn(db, `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?`, name);
}
