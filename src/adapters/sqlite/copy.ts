// Copies files that another process is writing, all as they were at one instant: what a kill at that instant would have left.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFile } from '../configuration/data-directory.js';
import { Unavailable } from '../../domain/errors.js';
import { openForReading, reading, type Database } from './database.js';
import { backup, DatabaseSync } from './engine.js';

export type FileCopy = { readonly from: string; readonly to: string };
/** In pages of the file that is being copied. */
export type OnPages = (copy: FileCopy, done: number, all: number) => void;

/** To look takes well under a millisecond, a commit with its sync more than one. */
const MAX_LOOKS = 10_000;
const PAGES_AT_ONCE = 2000;

type Source = { readonly copy: FileCopy; readonly db: Database; readonly watch: Database };

/**
 * Makes each `to`, which must not be there: one file, synced, without a journal beside it. The writers of the sources go on meanwhile; their
 * write-ahead files grow until the end. Throws {@link Unavailable} when a source cannot be read, or never rests.
 */
export async function copyAtOneInstant(copies: readonly FileCopy[], onPages: OnPages = () => undefined): Promise<void> {
  const sources: Source[] = [];
  try {
    for (const copy of copies) {
      const [db, watch] = reading(copy.from, () => [openForReading(copy.from), openForReading(copy.from)] as const);
      sources.push({ copy, db, watch });
    }
    holdOneInstant(sources);
    for (const { copy, db } of sources) {
      makePrivateFile(copy.to);
      const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) =>
        onPages(copy, totalPages - remainingPages, totalPages);
      await backup(db, copy.to, { rate: PAGES_AT_ONCE, progress });
      settle(copy.to);
    }
  } finally {
    for (const { db, watch } of sources) {
      if (db.isTransaction) db.exec('ROLLBACK');
      db.close();
      watch.close();
    }
  }
}

/** Snapshots of several files cannot be taken in one step. When none has changed from before the first to after the last, they are of one instant. */
function holdOneInstant(sources: readonly Source[]): void {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const before = sources.map(versionOf);
    for (const { copy, db } of sources) {
      db.exec('BEGIN');
      // The snapshot is taken by the first read.
      reading(copy.from, () => db.prepare('SELECT 1 FROM sqlite_master').get());
    }
    if (sources.every((source, i) => versionOf(source) === before[i])) return;
    for (const { db } of sources) db.exec('ROLLBACK');
  }
  throw new Unavailable('the data changed without a pause while it was to be copied; try again when less is written');
}

/** Another number after each commit of another connection. */
function versionOf({ copy, watch }: Source): unknown {
  return reading(copy.from, () => Object.values(watch.prepare('PRAGMA data_version').get() as object)[0]);
}

/** The copy is marked like its source as having a write-ahead file, which any reader would create. */
function settle(file: string): void {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA journal_mode = DELETE');
  } finally {
    db.close();
  }
  for (const path of [file, dirname(file)]) syncPath(path);
}

/** A file or a directory. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
