// Opens SQLite files, with the durability settings asserted on every open, and rewrites them without free pages and remnants in used ones.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type * as Sqlite from '@photostructure/sqlite';
import { Unavailable } from '../../domain/errors.js';
import { createPrivateFile } from '../configuration/data-directory.js';

// One API: Node's own module where it is available without a flag and has the online backup (22.16 and later), otherwise a package's.
export type Database = Sqlite.DatabaseSyncInstance;
type Engine = Pick<typeof Sqlite, 'DatabaseSync' | 'backup'>;

const require = createRequire(import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasBuiltIn = major > 23 || (major === 23 && minor >= 8) || (major === 22 && minor >= 16);

export const { DatabaseSync, backup } = require(hasBuiltIn ? 'node:sqlite' : '@photostructure/sqlite') as Engine;

export type Statement = ReturnType<Database['prepare']>;
type Parameter = string | number;

export type Query<R> = {
  get(...parameters: readonly Parameter[]): R | undefined;
  all(...parameters: readonly Parameter[]): readonly R[];
};

/** Prepares a query whose columns are the fields of `R`: the only place where rows are taken for that type. */
export function prepareQuery<R extends object>(db: Database, sql: string): Query<R> {
  return db.prepare(sql);
}

/** Returns the row of a query that always has one, such as a total. Throws if it has none. */
export function readOne<R extends object>(db: Database, sql: string): R {
  return prepareOne<R>(db, sql)();
}

/** Prepares a query that always has a row. It throws if it has none. */
export function prepareOne<R extends object>(db: Database, sql: string): (...parameters: readonly Parameter[]) => R {
  const query = prepareQuery<R>(db, sql);
  return (...parameters) => {
    const row = query.get(...parameters);
    if (!row) throw new Error(`no row of: ${sql}`);
    return row;
  };
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** SQLite's messages by code: for a statement that fails while iterating rows, the driver's error has only the message. */
const FAULTS_OF_FILES = new Map([
  [10, 'disk I/O error'],
  [SQLITE_CORRUPT, 'database disk image is malformed'],
  [14, 'unable to open database file'],
  [SQLITE_NOTADB, 'file is not a database'],
]);

/** Error of a file that was truncated or overwritten, or is not an SQLite file. */
export class DamagedFile extends Error {
  constructor(file: string, fault: string) {
    super(`${file} is damaged (${fault}). Stop the service and restore it from its backup.`);
    this.name = 'DamagedFile';
  }
}

/** Returns the error, or a {@link DamagedFile} if its code means that the file is damaged. */
export function damageOr(file: string, err: unknown): unknown {
  return err instanceof Error && [SQLITE_CORRUPT, SQLITE_NOTADB].includes(fileFaultCode(err) ?? 0)
    ? new DamagedFile(file, err.message)
    : err;
}

/** Runs a read. Throws {@link Unavailable} for a failure caused by the file; other errors are bugs and pass unchanged. */
export function guardRead<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (err) {
    if (!(err instanceof Error) || fileFaultCode(err) === undefined) throw err;
    throw new Unavailable(`${file} cannot be read: ${err.message}; see subledger doctor`);
  }
}

/** Returns the code of a failure caused by the file. */
function fileFaultCode(err: Error): number | undefined {
  if ('errcode' in err) {
    const code = Number(err.errcode) & 0xff;
    return FAULTS_OF_FILES.has(code) ? code : undefined;
  }
  return [...FAULTS_OF_FILES].find(([, words]) => err.message === words)?.[0];
}

/** Checks the whole file; throws {@link DamagedFile} for the first fault. */
export function checkFile(file: string): void {
  let fault: string;
  try {
    const db = openForReading(file);
    try {
      fault = String(Object.values(readOne(db, 'PRAGMA quick_check(1)'))[0]);
    } finally {
      db.close();
    }
  } catch (err) {
    throw damageOr(file, err);
  }
  if (fault !== 'ok') throw new DamagedFile(file, fault.replace(/\s+/g, ' '));
}

/**
 * Opens a file for its only writer: WAL, one sync per commit. A re-opened WAL file falls back to NORMAL, hence set and asserted. Deleted
 * and replaced data is overwritten: a wrapped data key on a free page would decrypt erased data again.
 */
export function openForWriting(file: string): Database {
  // SQLite gives its other files the mode of this one.
  createPrivateFile(file);
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA wal_autocheckpoint = 4000;
    PRAGMA cache_size = -65536;
  `);
  expectPragma(db, 'journal_mode', 'wal');
  expectPragma(db, 'synchronous', 2);
  expectPragma(db, 'secure_delete', 1);
  return db;
}

/** Opens a file for reading next to its writer, in this process or another. */
export function openForReading(file: string): Database {
  const db = new DatabaseSync(file, { readOnly: true });
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824;');
  return db;
}

function expectPragma(db: Database, name: string, expected: string | number): void {
  const row = readOne<Record<string, unknown>>(db, `PRAGMA ${name}`);
  if (row[name] !== expected) throw new Error(`SQLite refused ${name}=${expected}; its value is ${String(row[name])}`);
}

/**
 * Rewrites the file, which must not be open elsewhere, and returns its sizes with the journal in bytes. It needs free space of
 * twice the file's size. Throws `DamagedFile`.
 */
export function vacuumFile(file: string): { readonly before: number; readonly after: number } {
  const before = sizeOf(file);
  const temporary = process.env['SQLITE_TMPDIR'];
  // SQLite writes the new file to a temporary one first, which must be on the data disk.
  process.env['SQLITE_TMPDIR'] = dirname(file);
  try {
    const db = openForWriting(file);
    try {
      db.exec('VACUUM');
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      db.close();
    }
  } catch (err) {
    throw damageOr(file, err);
  } finally {
    if (temporary === undefined) delete process.env['SQLITE_TMPDIR'];
    else process.env['SQLITE_TMPDIR'] = temporary;
  }
  return { before, after: sizeOf(file) };
}

function sizeOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
