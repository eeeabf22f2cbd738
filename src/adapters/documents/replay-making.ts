// Copies that are not there yet: what was asked for, and what is made of it so far, in a folder of its own until the copy is whole.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replayFolder } from '../data-directory.js';
import { DirectoryInUse, lockDirectory } from '../sqlite/lock.js';
import { openEmbeddedDocuments } from './embedded/store.js';
import type { DocStore } from './port.js';
import { isReplayKey, replayFile, type ReplayKey } from './replays.js';

const request = z.strictObject({
  name: z.string(),
  projectId: z.string(),
  /** An instant; null for all that is known. */
  until: z.string().nullable(),
  whatIf: z.record(z.string(), z.union([z.string(), z.number()])),
  requestedAt: z.string(),
  /** How often it was begun. */
  begun: z.int(),
  /** Why it is given up. */
  problem: z.string().nullable(),
});
export type ReplayRequest = z.output<typeof request>;

export type ReplayMaking = {
  /** False when a copy of this name is being made, or was left unfinished. Durable when it returns. */
  ask(request: ReplayRequest): boolean;
  /** Takes the place of what was asked under the same name. */
  update(request: ReplayRequest): void;
  /** Oldest first. */
  asked(): readonly ReplayRequest[];
  sizeOf(key: ReplayKey): number;
  /**
   * Lets `build` fill the copy, where another run may have left off, and puts it under its name once it is whole. Throws what `build` throws;
   * then a next run goes on. False while another process makes it.
   */
  make(key: ReplayKey, build: (docs: DocStore) => Promise<void>): Promise<boolean>;
  /** Takes back what was asked for, with all that was made of it. False while another process makes it. */
  forget(key: ReplayKey): boolean;
};

const SUFFIX = '.making';
const [REQUEST, COPY] = ['request.json', 'copy.sqlite'];

export function createReplayMaking(dataDir: string): ReplayMaking {
  const folderOf = ({ projectId, name }: ReplayKey) => join(replayFolder(dataDir, projectId), name + SUFFIX);
  const put = (asked: ReplayRequest) => {
    const file = join(folderOf(asked), REQUEST);
    writeFileSync(`${file}.new`, JSON.stringify(asked), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  };
  return {
    ask: (asked) => {
      if (!isReplayKey(asked)) return false;
      mkdirSync(replayFolder(dataDir, asked.projectId), { recursive: true, mode: 0o700 });
      if (!isMade(folderOf(asked))) return false;
      put(asked);
      return true;
    },
    update: put,
    asked: () => {
      const root = replayFolder(dataDir, null);
      const found = foldersIn(root).flatMap((project) =>
        foldersIn(join(root, project)).flatMap((name) => readRequest(join(root, project, name, REQUEST)) ?? []),
      );
      return found.sort((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1));
    },
    sizeOf: (key) => statSync(join(folderOf(key), COPY), { throwIfNoEntry: false })?.size ?? 0,
    make: async (key, build) => {
      const folder = folderOf(key);
      const release = lockUnlessHeld(folder);
      if (!release) return false;
      try {
        const file = join(folder, COPY);
        const docs = await openEmbeddedDocuments({ file });
        try {
          await build(docs);
        } finally {
          await docs.close();
        }
        publish(file, replayFile(dataDir, key));
      } finally {
        release();
      }
      rmSync(folder, { recursive: true, force: true });
      return true;
    },
    forget: (key) => {
      const folder = folderOf(key);
      if (!isReplayKey(key) || !statSync(folder, { throwIfNoEntry: false })) return true;
      const release = lockUnlessHeld(folder);
      if (!release) return false;
      release();
      rmSync(folder, { recursive: true, force: true });
      return true;
    },
  };
}

/** All is in the file by now: what lies beside it is empty, and of no use to anybody under the old name. */
function publish(unfinished: string, file: string): void {
  const wal = `${unfinished}-wal`;
  if ((statSync(wal, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Error(`${wal} still holds writes; run the replay again`);
  }
  renameSync(unfinished, file);
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

function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'EEXIST') return false;
    throw err;
  }
}

function foldersIn(folder: string): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? [e.name] : []));
}

/** Null for a folder without one, as the command line makes it, and for what no request is. */
function readRequest(file: string): ReplayRequest | null {
  try {
    return request.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
