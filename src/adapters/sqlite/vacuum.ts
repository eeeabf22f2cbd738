// Rewrites a SQLite file from its rows alone, with SQLite's own command: free pages, and whatever it left in pages in use, are gone.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { damageOr, openForWriting } from './database.js';

/** Bytes of the file with its journal. */
export type Vacuumed = { readonly before: number; readonly after: number };

/** Nobody may have the file open. It needs room for the file twice more. Throws `DamagedFile`. */
export function vacuumFile(file: string): Vacuumed {
  const before = sizeOf(file);
  // SQLite writes the new file to a temporary one first, which belongs beside the data and nowhere else.
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
