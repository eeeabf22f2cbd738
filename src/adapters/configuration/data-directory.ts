// Layout of the data directory of an installation without servers, and the secrets created in it.
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileFault, systemCodeOf, WrongConfiguration } from './wrong-configuration.js';

export function dataFiles(directory: string): { readonly log: string; readonly documents: string } {
  return { log: join(directory, 'log.sqlite'), documents: join(directory, 'documents.sqlite') };
}

/** Returns the folder of read models under construction, by the name of the build. */
export function buildFolder(directory: string, name: string): string {
  return join(directory, 'builds', name);
}

/** Returns the folder of chart ledger snapshots, which are rebuilt when missing. */
export function ledgerFolder(directory: string): string {
  return join(directory, 'ledgers');
}

const OWN_FILE = /^((log|documents|lock)\.sqlite(-wal|-shm|-journal)?|owner|(master\.key|jwt\.secret)(\.new)?)$/;
const OWN_FOLDERS: readonly string[] = ['builds', 'imports', 'ledgers', 'operator-requests', 'replays', 'spool'];

/** Creates a directory with its parents, accessible to this user only. Node's own recursive form never returns below `/proc`. */
export function createFolder(directory: string): void {
  if (!existsSync(directory) && dirname(directory) !== directory) createFolder(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (err) {
    // It exists, perhaps created by another process at this moment.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw err;
  }
}

const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const FIX = 'set DATA_DIR to a directory that this user may write to';
const FULL = 'is on a disk without free space; free some space there';
const DATABASE_FAULTS = new Map([
  [
    SQLITE_READONLY,
    `may not be written by the user of this process, or is on a disk that is mounted read-only; ${FIX}`,
  ],
  [SQLITE_FULL, FULL],
  [SQLITE_CANTOPEN, `has files that are not accessible to the user of this process; ${FIX}`],
]);

/** Returns the configuration error of `DATA_DIR` that causes the error, or the error itself. */
export function dataDirectoryFault(directory: string, err: unknown): unknown {
  const database =
    err instanceof Error && 'errcode' in err ? DATABASE_FAULTS.get(Number(err.errcode) & 0xff) : undefined;
  if (database !== undefined) return new WrongConfiguration([`DATA_DIR: ${directory} ${database}`]);
  const code = systemCodeOf(err);
  if (code === undefined || !(err instanceof Error)) return err;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  if (!('path' in err)) return isFull ? new WrongConfiguration([`DATA_DIR: ${directory} ${FULL}`]) : err;
  const path = String(err.path);
  if (!isWithin(directory, path) && !isWithin(path, directory)) return err;
  if (isFull) return new WrongConfiguration([`DATA_DIR: ${path} ${FULL}`]);
  const isMissing = code === 'ENOENT' && 'syscall' in err && err.syscall === 'mkdir';
  return new WrongConfiguration([
    `DATA_DIR: ${path} ${isMissing ? 'cannot be created there' : fileFault(err)}; ${FIX}`,
  ]);
}

function isWithin(directory: string, path: string): boolean {
  const relativePath = relative(directory, path);
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`);
}

/** Restricts the directory and our files in it to this user, also when they existed with other modes. Files of others are not changed. */
export function restrictAccess(directory: string): void {
  setMode(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isFile() && OWN_FILE.test(entry.name)) setMode(path, 0o600);
    if (entry.isDirectory() && OWN_FOLDERS.includes(entry.name)) restrictFolder(path);
  }
}

/** Creates an empty file that only this user may read. An existing one is not opened: closing it would release SQLite's locks on it. */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (err) {
    if (systemCodeOf(err) !== 'EEXIST') throw err;
  }
}

function restrictFolder(folder: string): void {
  setMode(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) restrictFolder(path);
    else if (entry.isFile()) setMode(path, 0o600);
  }
}

function setMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (err) {
    // Some volumes have no modes or do not allow changing them; a file of another process may be gone by now.
    const code = systemCodeOf(err);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EROFS' && code !== 'ENOENT') throw err;
  }
}

/** Returns the bytes that this process may still write there, and the size of the disk; null when the directory is missing. */
export async function diskSpaceAt(directory: string): Promise<{ readonly free: number; readonly all: number } | null> {
  try {
    const { bavail, bsize, blocks } = await statfs(directory);
    return { free: bavail * bsize, all: blocks * bsize };
  } catch (err) {
    if (systemCodeOf(err) === 'ENOENT') return null;
    throw err;
  }
}

/**
 * Secrets stored in the directory unless the configuration contains them. `fault` returns what is wrong with a content and how to fix it,
 * or null.
 */
export const storedSecrets = [
  {
    file: 'master.key',
    name: 'MASTER_KEY',
    fault: (text: string) =>
      Buffer.from(text, 'base64').length === 32
        ? null
        : 'does not contain 32 bytes in base64: restore it from its backup',
  },
  {
    file: 'jwt.secret',
    name: 'JWT_SECRET',
    fault: (text: string) =>
      text.length >= 32
        ? null
        : 'has less than 32 bytes: delete it to have a new one created, which revokes all access tokens',
  },
] as const;

/** Returns a secret of the directory, created with mode 0600 when missing; `isNew` if this call created it. */
export function readOrCreateSecret(
  directory: string,
  name: string,
  make: () => string,
): { value: string; isNew: boolean } {
  const file = join(directory, name);
  if (existsSync(file)) return { value: readFileSync(file, 'utf8').trim(), isNew: false };
  const value = make();
  // Written atomically: an interrupted start must not leave a partial secret.
  writeFileSync(`${file}.new`, `${value}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return { value, isNew: true };
}
