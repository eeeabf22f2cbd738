// Uploaded files of imports: a folder for each import in the data directory, accessible to this user only.
import { mkdir, open, readdir, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createFolder } from '../configuration/data-directory.js';
import { Unavailable, UploadRefused } from '../../domain/errors.js';
import type { ImportUploads } from './port.js';

const MAX_NAME = 100;
/** Files of an import, and their size together in sizes of one file. */
const MAX_FILES = 50;
const MAX_SIZES = 4;
const MIB = 1024 * 1024;

export function createImportUploads(dataDirectory: string, maxMiB: number): ImportUploads {
  const root = resolve(dataDirectory, 'imports');
  const folderOf = (importId: string) => join(root, importId);
  const arriving = new Map<string, number>();
  return {
    begin: (id) => {
      const count = (arriving.get(id) ?? 0) + 1;
      arriving.set(id, count);
      const end = () => {
        const left = (arriving.get(id) ?? 1) - 1;
        if (left > 0) arriving.set(id, left);
        else arriving.delete(id);
      };
      return { count, end };
    },
    store: async (importId, fileName, parts) => {
      const folder = folderOf(importId);
      createFolder(root);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, safeNameOf(fileName));
      try {
        await writeNewFile(path, parts, maxMiB, await roomIn(folder, maxMiB * MAX_SIZES));
      } catch (err) {
        await rmdir(folder).catch(() => undefined); // It contains the other files of the import.
        throw err;
      }
      return path;
    },
    isHere: (importId) => existsSync(folderOf(importId)),
    discard: (importId) => rm(folderOf(importId), { recursive: true, force: true }),
    discardPath: (path) => rm(path, { force: true }),
    list: async () => {
      const names = await readdir(root).catch(() => []);
      const folders = names.map(async (importId) => {
        const changedAtMs = await lastChangeIn(folderOf(importId));
        return changedAtMs === null ? [] : [{ importId, changedAtMs }];
      });
      return (await Promise.all(folders)).flat();
    },
  };
}

/** Returns the time of the last change, UTC ms: while a file arrives, it changes and its folder does not. Null for a missing folder. */
async function lastChangeIn(folder: string): Promise<number | null> {
  const files = await readdir(folder).catch(() => []);
  const paths = [folder, ...files.map((file) => join(folder, file))];
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  return found.reduce<number | null>((last, one) => (one ? Math.max(last ?? 0, one.mtimeMs) : last), null);
}

/** Returns the last part of a path without characters that mean something to a file system. */
function safeNameOf(fileName: string): string {
  const last = fileName.split(/[\\/]/).at(-1) ?? '';
  const name = last
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(-MAX_NAME)
    .toWellFormed();
  return name.replaceAll(/[. ]/g, '') === '' ? 'file' : name;
}

/** Returns the bytes that another file may have. */
async function roomIn(folder: string, maxMiB: number): Promise<number> {
  const files = await readdir(folder);
  if (files.length >= MAX_FILES)
    throw new UploadRefused('too-large', `an import has at most ${MAX_FILES} files; import the others afterwards`);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return maxMiB * MIB - sizes.reduce((sum, size) => sum + size, 0);
}

async function writeNewFile(
  path: string,
  parts: AsyncIterable<Uint8Array>,
  maxMiB: number,
  room: number,
): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'EEXIST') throw new UploadRefused('name-taken', 'the import has a file of this name; use another');
    throw diskFault(err);
  });
  try {
    let bytes = 0;
    for await (const part of parts) {
      bytes += part.length;
      if (bytes > maxMiB * MIB) throw tooLarge(maxMiB);
      if (bytes > room) throw allTooLarge(maxMiB * MAX_SIZES);
      await file.writeFile(part).catch((err: NodeJS.ErrnoException) => Promise.reject(diskFault(err)));
    }
    if (bytes === 0) throw new UploadRefused('empty', 'send the content of the file as the body');
  } catch (err) {
    await file.close();
    await unlink(path);
    throw err;
  }
  await file.close();
}

function tooLarge(maxMiB: number): UploadRefused {
  const text = `the file is larger than ${maxMiB} MiB; compress it with gzip, or import it with subledger import`;
  return new UploadRefused('too-large', text);
}

function allTooLarge(maxMiB: number): UploadRefused {
  const text = `the files of the import are larger than ${maxMiB} MiB together; import the others afterwards`;
  return new UploadRefused('too-large', text);
}

/** A full disk is an outage: the operator has to free space. */
function diskFault(err: NodeJS.ErrnoException): Error {
  return err.code === 'ENOSPC' || err.code === 'EDQUOT' ? new Unavailable('the disk of the uploads is full', 60) : err;
}
