// Lock of a data directory: one process at a time owns it. The operating system holds the lock, so a killed process leaves none. The lock
// file may be deleted while its owner runs; the owner then locks the new file, and a starting process that finds the file missing or
// replaced waits for that.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectoryFault, dataFiles, createFolder, createPrivateFile } from '../configuration/data-directory.js';
import { DatabaseSync, type Database } from './database.js';

const SQLITE_BUSY = 5;
/** Interval at which the owner checks that the file is still its own, and time that a starting process waits for an owner to do so. */
const CHECK_INTERVAL_MS = 500;
const OWNER_WAIT_MS = 3000;

type Lock = { db: Database; file: string; inode: string };

/** References to the locks: garbage collection would close the file and release the directory. */
const ownLocks = new Set<Lock>();

export class DirectoryInUse extends Error {
  constructor(directory: string, owner: string) {
    super(
      `DATA_DIR ${directory} is in use by another Subledger process (${owner}). Stop it, or set DATA_DIR to another folder.`,
    );
    this.name = 'DirectoryInUse';
  }
}

/**
 * Locks the directory (created when missing) or throws {@link DirectoryInUse} or `WrongConfiguration`. Returns the release function. Throws
 * outside any call stack, which ends the process, when another process has locked the directory in the meantime.
 */
export function lockDirectory(directory: string): () => void {
  const lock = acquireAfterOwnerCheck(directory);
  ownLocks.add(lock);
  const watch = setInterval(() => ensureLock(directory, lock), CHECK_INTERVAL_MS);
  watch.unref();
  return () => {
    clearInterval(watch);
    if (!ownLocks.delete(lock)) return;
    // The next process then does not wait for this owner.
    rmSync(ownerFile(directory), { force: true });
    lock.db.close();
  };
}

function acquireAfterOwnerCheck(directory: string): Lock {
  try {
    createFolder(directory);
    waitForOwner(directory);
    return acquireLock(directory);
  } catch (err) {
    throw dataDirectoryFault(directory, err);
  }
}

const lockFile = (directory: string) => join(directory, 'lock.sqlite');
const ownerFile = (directory: string) => join(directory, 'owner');

function acquireLock(directory: string): Lock {
  const file = lockFile(directory);
  createPrivateFile(file);
  const db = new DatabaseSync(file);
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (err) {
    db.close();
    // SQLITE_BUSY means that another process has the lock; the owner file is used only for the message.
    if (isBusy(err)) throw new DirectoryInUse(directory, readOwner(directory).name);
    throw err;
  }
  const inode = inodeOf(file) ?? '';
  try {
    writeFileSync(ownerFile(directory), `process ${process.pid}\n${inode}\n`, { mode: 0o600 });
  } catch (err) {
    db.close();
    throw err;
  }
  return { db, file, inode };
}

/** Locks the file again after it was deleted or replaced: the lock on the old file no longer excludes other processes. */
function ensureLock(directory: string, lock: Lock): void {
  if (inodeOf(lock.file) === lock.inode || !existsSync(directory)) return;
  const { db } = lock;
  try {
    Object.assign(lock, acquireLock(directory));
    db.close();
  } catch (err) {
    // Other errors, such as a full disk, may be gone at the next check.
    if (err instanceof DirectoryInUse) throw err;
  }
}

function waitForOwner(directory: string): void {
  const waiter = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < OWNER_WAIT_MS && isLockReplaced(directory); waited += 100)
    Atomics.wait(waiter, 0, 0, 100);
}

/** Returns whether the file that the last owner locked is missing although that owner did not exit normally, or left data. */
function isLockReplaced(directory: string): boolean {
  const inode = inodeOf(lockFile(directory));
  if (inode === null) return existsSync(ownerFile(directory)) || Object.values(dataFiles(directory)).some(existsSync);
  const owner = readOwner(directory);
  return owner.inode !== '' && owner.inode !== inode;
}

function inodeOf(file: string): string | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino.toString() ?? null;
}

function isBusy(err: unknown): boolean {
  return err instanceof Error && 'errcode' in err && err.errcode === SQLITE_BUSY;
}

function readOwner(directory: string): { readonly name: string; readonly inode: string } {
  try {
    const [name = '', inode = ''] = readFileSync(ownerFile(directory), 'utf8').split('\n');
    return { name, inode };
  } catch {
    // The other process holds the lock but has not written its name yet.
    return { name: 'unknown process', inode: '' };
  }
}
