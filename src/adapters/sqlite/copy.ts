// Copies files that another process is writing, all as of one instant: the state that a kill at that instant would leave.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { createPrivateFile } from '../configuration/data-directory.js';
import { Unavailable } from '../../domain/errors.js';
import { openForReading, guardRead, readOne, type Database, backup, DatabaseSync } from './database.js';

export type FileCopy = { readonly from: string; readonly to: string };
/** Reports the progress in pages of the current file. */
export type CopyProgress = (copy: FileCopy, done: number, all: number) => void;

/** A check takes well under a millisecond, a commit with its sync more than one. */
const MAX_CHECKS = 10_000;
const PAGES_PER_STEP = 2000;

type Source = { readonly copy: FileCopy; readonly db: Database; readonly watch: Database };

/**
 * Creates each `to`, which must not exist: one file, synced, without a journal. The sources stay writable; their write-ahead files grow
 * until the end. Throws {@link Unavailable} when a source cannot be read, or is never idle long enough.
 */
export async function copyAtOneInstant(
  copies: readonly FileCopy[],
  onPages: CopyProgress = () => undefined,
): Promise<void> {
  const sources: Source[] = [];
  try {
    for (const copy of copies) {
      const [db, watch] = guardRead(copy.from, () => [openForReading(copy.from), openForReading(copy.from)] as const);
      sources.push({ copy, db, watch });
    }
    beginAtOneInstant(sources);
    for (const { copy, db } of sources) {
      createPrivateFile(copy.to);
      const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) =>
        onPages(copy, totalPages - remainingPages, totalPages);
      await backup(db, copy.to, { rate: PAGES_PER_STEP, progress });
      leaveWalMode(copy.to);
    }
  } finally {
    for (const { db, watch } of sources) {
      if (db.isTransaction) db.exec('ROLLBACK');
      db.close();
      watch.close();
    }
  }
}

/**
 * Starts read transactions as of one instant. Snapshots of several files cannot be taken in one step: if no file changed from before the
 * first to after the last, they are of one instant.
 */
function beginAtOneInstant(sources: readonly Source[]): void {
  for (let polls = 0; polls < MAX_CHECKS; polls++) {
    const before = sources.map(readVersion);
    for (const { copy, db } of sources) {
      db.exec('BEGIN');
      // The first read takes the snapshot.
      guardRead(copy.from, () => db.prepare('SELECT 1 FROM sqlite_master').get());
    }
    if (sources.every((source, i) => readVersion(source) === before[i])) return;
    for (const { db } of sources) db.exec('ROLLBACK');
  }
  throw new Unavailable('The database is being written too heavily to copy. Retry at a quieter time.');
}

/** Returns a number that changes with each commit of another connection. */
function readVersion({ copy, watch }: Source): unknown {
  return guardRead(copy.from, () => Object.values(readOne(watch, 'PRAGMA data_version'))[0]);
}

/** Ends WAL mode of the copy: its header declares WAL like its source, and any reader would create a write-ahead file. */
function leaveWalMode(file: string): void {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA journal_mode = DELETE');
  } finally {
    db.close();
  }
  for (const path of [file, dirname(file)]) syncPath(path);
}

/** Syncs a file or a directory. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
