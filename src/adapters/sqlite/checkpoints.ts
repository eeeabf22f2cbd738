// Writes the write-ahead file into the database file, and overwrites what SQLite leaves behind there. `secure_delete` overwrites what is
// deleted, but when SQLite splits or joins pages, copies of the rows that moved stay in the unused part of the page they left, and are
// not deleted with them. Every page that changed is in the write-ahead file, so all such parts are overwritten before that file begins
// anew, also when the process was killed before: then it is still there at the next start.
//
// The formats are those of https://sqlite.org/fileformat2.html (1.6) and https://sqlite.org/walformat.html (2.1).
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Database } from './database.js';

/** Where the file that all connections share says how many pages the write-ahead file has, in the order of bytes of this machine. */
const FRAME_COUNT_AT = 16;
const WAL_HEADER = 32;
/** In that header: another each time the file begins anew. */
const SALT_AT = 16;
const FRAME_HEADER = 24;
const BYTES_AT_ONCE = 1 << 20;
const FILE_HEADER = 100;
const PAGE_SIZE_AT = 16;
/** The first byte of a page of a tree, and how long the header is that it begins. Others begin with the number of a page. */
const TREE_PAGES = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
]);
/** In a file with more, the number of a page may begin with such a byte, too, and nothing is overwritten. At 4 KiB it is 128 GiB. */
const MOST_PAGES = 0x01ff_ffff;

export type Checkpoints = {
  /** To be called after each commit. What fails is tried again at the next: everything is in the write-ahead file until then. */
  afterCommit(): void;
  /** All that was written; waits for readers. The write-ahead file is empty then, unless one of them stays. */
  last(): void;
  /** After the connection, and after those of readers in this process: it ends the locks on the file. */
  close(): void;
};

/** For the one connection that writes the file, on which SQLite makes no checkpoints of its own then. Call it before the first write. */
export function takeOverCheckpoints(file: string, db: Database): Checkpoints {
  const pragma = (name: string) => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() as object)[0]);
  const pagesBetween = pragma('wal_autocheckpoint');
  db.exec('PRAGMA wal_autocheckpoint = 0');
  const pageSize = pragma('page_size');
  // SQLite opens its three files with the first look into a table.
  db.prepare('SELECT 1 FROM sqlite_schema').get();
  const handles = {
    database: openSync(file, 'r+'),
    wal: openSync(`${file}-wal`, 'r'),
    shared: openSync(`${file}-shm`, 'r'),
  };
  const count = new Uint32Array(1);
  const salt = Buffer.alloc(8);
  /** Written into the database file, and not looked at yet. */
  const changed = new Set<number>();
  /** How much of the write-ahead file with this salt was looked at: while somebody reads, it does not begin anew. */
  let seen = { salt: '', frames: 0 };

  const writtenPages = () => {
    readSync(handles.shared, count, 0, 4, FRAME_COUNT_AT);
    return count[0] ?? 0;
  };
  /** False with a reader of an earlier state: some pages stay behind, and the write-ahead file goes on. */
  const checkpoint = (mode: 'PASSIVE' | 'FULL') => {
    const { log, checkpointed } = db.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as Record<string, number>;
    if (log === undefined || log !== checkpointed) return false;
    readSync(handles.wal, salt, 0, 8, SALT_AT);
    if (seen.salt !== salt.toString('hex')) seen = { salt: salt.toString('hex'), frames: 0 };
    for (const page of pagesInWal(handles.wal, seen.frames, log, pageSize)) changed.add(page);
    seen.frames = log;
    const inOrder = [...changed].sort((a, b) => a - b);
    if (overwriteUnused(handles.database, inOrder, pageSize)) fdatasyncSync(handles.database);
    changed.clear();
    return true;
  };
  const tryCheckpoint = () => {
    try {
      checkpoint('PASSIVE');
    } catch {
      // A full disk and the like: the next commit meets it too, and is answered so.
    }
  };
  // A process that was killed may have ended between the two steps.
  tryCheckpoint();
  return {
    afterCommit: () => {
      if (writtenPages() >= pagesBetween) tryCheckpoint();
    },
    last: () => {
      if (checkpoint('FULL')) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    close: () => Object.values(handles).forEach(closeSync),
  };
}

/** In the whole of a file that nobody has open. It is not synced. */
export function overwriteAllUnused(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    const header = Buffer.alloc(FILE_HEADER);
    readSync(handle, header, 0, FILE_HEADER, 0);
    const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
    overwriteUnused(handle, numbersTo(Math.floor(fstatSync(handle).size / pageSize)), pageSize);
  } finally {
    closeSync(handle);
  }
}

function* numbersTo(last: number): Generator<number> {
  for (let number = 1; number <= last; number++) yield number;
}

function* pagesInWal(wal: number, from: number, to: number, pageSize: number): Generator<number> {
  const frame = FRAME_HEADER + pageSize;
  const atOnce = Math.max(1, Math.floor(BYTES_AT_ONCE / frame));
  const bytes = Buffer.allocUnsafe(atOnce * frame);
  for (let first = from; first < to; first += atOnce) {
    const read = readSync(wal, bytes, 0, Math.min(atOnce, to - first) * frame, WAL_HEADER + first * frame);
    for (let at = 0; at + FRAME_HEADER <= read; at += frame) yield bytes.readUInt32BE(at);
  }
}

/** Whether there was something. Nobody may write the file meanwhile. */
function overwriteUnused(database: number, pages: Iterable<number>, pageSize: number): boolean {
  const page = Buffer.allocUnsafe(pageSize);
  const zeros = Buffer.alloc(pageSize);
  if (fstatSync(database).size > MOST_PAGES * pageSize) return false;
  let isOverwritten = false;
  for (const number of pages) {
    const start = (number - 1) * pageSize;
    // A file that became shorter has it no more.
    if (readSync(database, page, 0, pageSize, start) < pageSize) continue;
    const [from, to] = unusedPart(page, number === 1 ? FILE_HEADER : 0);
    if (from >= to || page.compare(zeros, 0, to - from, from, to) === 0) continue;
    writeSync(database, zeros, 0, to - from, start + from);
    isOverwritten = true;
  }
  return isOverwritten;
}

/** Between the places of a page's rows and the rows, which begin at its end. */
function unusedPart(page: Buffer, header: number): readonly [from: number, to: number] {
  const headerSize = TREE_PAGES.get(page.readUInt8(header));
  if (headerSize === undefined) return [0, 0];
  const rows = page.readUInt16BE(header + 3);
  const rowsBegin = page.readUInt16BE(header + 5) || 65_536;
  return [header + headerSize + 2 * rows, Math.min(rowsBegin, page.length)];
}
