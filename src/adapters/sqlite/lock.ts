// One process at a time owns a data directory. The operating system holds the lock, so a killed process leaves none behind.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from './engine.js';
import type { Database } from './database.js';

const SQLITE_BUSY = 5;

/** Keeps the locks from the garbage collector, which would close the file and so let the directory go. */
const held = new Set<Database>();

export class DirectoryInUse extends Error {
  constructor(directory: string, owner: string) {
    super(
      `DATA_DIR ${directory} is in use by another Subledger process (${owner}). Stop it, or set DATA_DIR to another folder.`,
    );
    this.name = 'DirectoryInUse';
  }
}

/** Takes the directory (made when missing) or throws {@link DirectoryInUse}. Returns the release. */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const ownerFile = join(directory, 'owner');
  const db = new DatabaseSync(join(directory, 'lock.sqlite'));
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (err) {
    db.close();
    // SQLITE_BUSY is the answer "somebody else has it"; the owner file is only for the message.
    if (isBusy(err)) throw new DirectoryInUse(directory, readOwner(ownerFile));
    throw err;
  }
  writeFileSync(ownerFile, `process ${process.pid}`);
  held.add(db);
  return () => {
    if (held.delete(db)) db.close();
  };
}

function isBusy(err: unknown): boolean {
  return err instanceof Error && 'errcode' in err && err.errcode === SQLITE_BUSY;
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The other process holds the lock but has not written its name yet.
    return 'unknown process';
  }
}
