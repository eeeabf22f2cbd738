// One way to open a SQLite file, with the durability settings asserted on every open.
import { DatabaseSync, type Database } from './engine.js';

export type { Database } from './engine.js';
export type Statement = ReturnType<Database['prepare']>;

/** For the one writer of a file: WAL, one sync per commit. A re-opened WAL file falls back to NORMAL, hence set and asserted. */
export function openForWriting(file: string): Database {
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA wal_autocheckpoint = 4000;
    PRAGMA cache_size = -65536;
  `);
  expectPragma(db, 'journal_mode', 'wal');
  expectPragma(db, 'synchronous', 2);
  return db;
}

/** For readers beside the writer, in this process or another. */
export function openForReading(file: string): Database {
  const db = new DatabaseSync(file, { readOnly: true });
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824;');
  return db;
}

function expectPragma(db: Database, name: string, expected: string | number): void {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, unknown>;
  if (row[name] !== expected) throw new Error(`SQLite refused ${name}=${expected}; it says ${String(row[name])}`);
}
