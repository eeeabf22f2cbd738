// Rewrites a SQLite file from its rows with SQLite's own command, which removes free pages and remnants in used pages.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { damageOr, openForWriting } from './database.js';

/** Sizes of the file with its journal, in bytes. */
export type VacuumResult = { readonly before: number; readonly after: number };

/** Rewrites the file, which must not be open elsewhere. It needs free space of twice the file's size. Throws `DamagedFile`. */
export function vacuumFile(file: string): VacuumResult {
  const before = sizeOf(file);
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
  }
  return { before, after: sizeOf(file) };
}

function sizeOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
