// One process at a time owns a data directory. The operating system holds the lock, so a killed process leaves none behind.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

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
  } catch {
    // SQLITE_BUSY is the answer "somebody else has it"; the owner file is only for the message.
    db.close();
    throw new DirectoryInUse(directory, readOwner(ownerFile));
  }
  writeFileSync(ownerFile, `process ${process.pid}`);
  return () => db.close();
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The other process holds the lock but has not written its name yet.
    return 'unknown process';
  }
}
