// Reads the embedded document store: synchronously, on the calling thread, on a connection of its own. Reads by id in one turn of the event
// loop share a snapshot, which is left after each write: a read that starts after a write resolved sees that write.
import { openForReading, guardRead, prepareQuery, type Query } from '../../sqlite/database.js';
import { fieldsOfScan, isStorable, type Collection } from '../collections.js';
import { decodeCursor, encodeCursor } from '../index-keys.js';
import { idIndexName, indexName, primaryIndexName, quoteName, scanQuery } from './sql.js';
import type { Doc, Page, Row, Scan, StoredDocument } from '../port.js';

type SqlRow = { readonly id: string; readonly guard: string; readonly doc: string };
type StoredRow = { readonly id: string; readonly guard: string; readonly doc: string | null };
type Statements = {
  readonly get: Query<StoredRow>;
  /** Gets several ids, given as a JSON list: takes half the time for missing ones. */
  readonly getMany: Query<StoredRow>;
  readonly scans: Map<string, Query<SqlRow>>;
  idIndex?: string | undefined;
};

export type DocumentReader = {
  get(c: string, ids: readonly string[]): Map<string, StoredDocument>;
  scan(collection: Collection, scan: Scan): Page;
  hasIndex(name: string): boolean;
  /** Discards the statements of a dropped collection. */
  forget(c: string): void;
  /** Leaves the snapshot; called after each write. */
  leaveSnapshot(): void;
  close(): void;
};

/** Opens the reader. The file must exist. */
export function openDocumentReader(file: string): DocumentReader {
  const db = guardRead(file, () => openForReading(file));
  const collections = new Map<string, Statements>();
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  // Entering and leaving a snapshot costs more than finding a row. None outlives its turn: it would keep the write-ahead file growing.
  let isInSnapshot = false;
  const leaveSnapshot = () => {
    if (!isInSnapshot) return;
    isInSnapshot = false;
    try {
      commit.run();
    } catch {
      // The file is damaged: the read has already failed for that reason, and this runs in a timer, where an error would end the process.
      if (db.isTransaction) db.exec('ROLLBACK');
    }
  };
  const enterSnapshot = () => {
    if (isInSnapshot) return;
    begin.run();
    isInSnapshot = true;
    setImmediate(leaveSnapshot);
  };
  const statements = (c: string) => {
    const known = collections.get(c);
    if (known) return known;
    const prepared: Statements = {
      get: prepareQuery(db, `SELECT id, guard, doc FROM ${quoteName(c)} WHERE id = ?`),
      getMany: prepareQuery(
        db,
        `SELECT d.id, d.guard, d.doc FROM json_each(?) AS requested CROSS JOIN ${quoteName(c)} AS d ON d.id = requested.value`,
      ),
      scans: new Map(),
    };
    collections.set(c, prepared);
    return prepared;
  };
  const hasIndex = (name: string) => db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(name) !== undefined;
  const indexOver = (c: string, fields: readonly string[]): string => {
    if (fields.length > 0) return indexName(c, fields);
    const known = statements(c);
    // Not cached while missing: a build in progress creates the index at its end.
    known.idIndex ??= [idIndexName(c), primaryIndexName(c)].find(hasIndex);
    return known.idIndex ?? primaryIndexName(c);
  };
  const prepareScan = (c: string, sql: string) => {
    const { scans } = statements(c);
    const statement = scans.get(sql) ?? prepareQuery<SqlRow>(db, sql);
    scans.set(sql, statement);
    return statement;
  };
  const getOne = (c: string, id: string) => {
    if (!isStorable(id)) return undefined;
    const row = guardRead(file, () => {
      enterSnapshot();
      return statements(c).get.get(id);
    });
    return row && toStored(row);
  };
  return {
    get: (c, ids) => {
      const found = new Map<string, StoredDocument>();
      const [id] = ids;
      if (ids.length === 1 && id !== undefined) {
        const one = getOne(c, id);
        if (one) found.set(id, one);
        return found;
      }
      const storable = ids.filter(isStorable);
      const rows = guardRead(file, () => {
        enterSnapshot();
        return statements(c).getMany.all(JSON.stringify(storable));
      });
      for (const row of rows) found.set(row.id, toStored(row));
      return found;
    },
    scan: (collection, scan) => {
      const fields = fieldsOfScan(collection, scan);
      const index = guardRead(file, () => indexOver(collection.name, fields));
      const { sql, values } = scanQuery(collection, { index, fields }, scan, decodeCursor(scan, fields));
      const found = guardRead(file, () => prepareScan(collection.name, sql).all(...values));
      const rows: Row[] = found.slice(0, scan.limit).map(toRow);
      const last = rows.at(-1);
      return found.length > rows.length && last ? { rows, next: encodeCursor(scan.index, fields, last) } : { rows };
    },
    hasIndex: (name) => guardRead(file, () => hasIndex(name)),
    forget: (c) => collections.delete(c),
    leaveSnapshot,
    close: () => {
      leaveSnapshot();
      db.close();
    },
  };
}

/** Converts a row. The document is parsed on first access: a scan may skip rows by their ids alone. */
function toRow({ id, guard, doc }: SqlRow): Row {
  let parsed: Doc | undefined;
  return {
    id,
    guard,
    get doc(): Doc {
      return (parsed ??= JSON.parse(doc));
    },
  };
}

function toStored({ guard, doc }: StoredRow): StoredDocument {
  return { guard, doc: doc === null ? null : JSON.parse(doc) };
}
