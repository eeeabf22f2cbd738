// Snapshots in files of one folder. Each is written under a temporary name and renamed: a crash during a write leaves the previous snapshot
// in place.
import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '../configuration/wrong-configuration.js';
import type { Runtime } from '../runtime.js';
import { encodeFrames, readFrames } from './frames.js';
import { isSnapshotName, type SnapshotStore } from './port.js';

const SUFFIX = '.snapshot';
const TEMPORARY_SUFFIX = '.new';

/** Creates the store. The folder is created with the first snapshot. */
export function createFileSnapshots(folder: string, runtime: Pick<Runtime, 'newId'>): SnapshotStore {
  const fileOf = (name: string): string => {
    if (!isSnapshotName(name)) throw new Error(`invalid snapshot name: ${name}`);
    return join(folder, name + SUFFIX);
  };
  const files = () => readdir(folder).catch(ifMissing([]));
  return {
    open: async (name) => {
      const file = await open(fileOf(name), 'r').catch(ifMissing(null));
      return (
        file &&
        readFrames(
          (bytes) => readBytes(file, bytes),
          false,
          () => file.close(),
        )
      );
    },
    write: async (name, parts) => {
      const file = fileOf(name);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const fresh = `${file}.${runtime.newId('snap')}${TEMPORARY_SUFFIX}`;
      try {
        // Not synced: checksums reveal what a power failure lost.
        const handle = await open(fresh, 'wx', 0o600);
        try {
          for await (const frame of encodeFrames(parts, false)) await handle.writeFile(frame);
        } finally {
          await handle.close();
        }
        await rename(fresh, file);
      } catch (err) {
        await rm(fresh, { force: true });
        throw err;
      }
      return true;
    },
    remove: (name) => rm(fileOf(name), { force: true }),
    names: async () => {
      const all = await files();
      // A single process owns the folder, so temporary files at this moment are leftovers of a crash.
      for (const file of all.filter((f) => f.endsWith(TEMPORARY_SUFFIX))) await rm(join(folder, file), { force: true });
      return all.filter((f) => f.endsWith(SUFFIX)).map((f) => f.slice(0, -SUFFIX.length));
    },
  };
}

async function readBytes(file: FileHandle, bytes: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(buffer, filled, bytes - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function ifMissing<T>(value: T): (err: unknown) => T {
  return (err) => {
    if (systemCodeOf(err) === 'ENOENT') return value;
    throw err;
  };
}
