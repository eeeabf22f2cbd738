// A copy that is not whole yet: a file in a folder of its own, which one process at a time fills.
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replayFolder } from '../data-directory.js';
import { openEmbeddedDocuments } from '../documents/embedded/store.js';
import type { DocStore } from '../documents/port.js';
import { DirectoryInUse, lockDirectory } from '../sqlite/lock.js';
import type { ReplayKey } from './port.js';

const SUFFIX = '.making';
const COPY = 'copy.sqlite';

export function unfinishedFolder(dataDir: string, { projectId, name }: ReplayKey): string {
  return join(replayFolder(dataDir, projectId), name + SUFFIX);
}

/** Bytes of what there is of it so far. */
export function unfinishedSize(folder: string): number {
  return statSync(join(folder, COPY), { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Lets `fill` go on with the copy, then `publish` take its file away, and removes the folder. False while another process has the folder;
 * throws what the two throw, and then leaves what is there to the next run.
 */
export async function finish(
  folder: string,
  fill: (docs: DocStore) => Promise<void>,
  publish: (file: string) => Promise<void>,
): Promise<boolean> {
  const release = lockUnlessHeld(folder);
  if (!release) return false;
  try {
    const file = join(folder, COPY);
    const docs = await openEmbeddedDocuments({ file });
    try {
      await fill(docs);
    } finally {
      await docs.close();
    }
    // All is in the file by now: what lies beside it is empty, and of no use to anybody under another name.
    const wal = `${file}-wal`;
    if ((statSync(wal, { throwIfNoEntry: false })?.size ?? 0) > 0) {
      throw new Error(`${wal} still holds writes; run the replay again`);
    }
    await publish(file);
  } finally {
    release();
  }
  rmSync(folder, { recursive: true, force: true });
  return true;
}

/** False while another process has it. */
export function discard(folder: string): boolean {
  if (!existsSync(folder)) return true;
  const release = lockUnlessHeld(folder);
  if (!release) return false;
  release();
  rmSync(folder, { recursive: true, force: true });
  return true;
}

/** Null while another process has it. */
function lockUnlessHeld(folder: string): (() => void) | null {
  try {
    return lockDirectory(folder);
  } catch (err) {
    if (err instanceof DirectoryInUse) return null;
    throw err;
  }
}
