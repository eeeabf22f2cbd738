// Named copies of read models, each a file of its own that a replay put there whole. Read only.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../domain/errors.js';
import { replayFolder } from '../data-directory.js';
import { openEmbeddedDocumentsForReading, type EmbeddedDocuments } from './embedded/store.js';
import type { CollectionSpec, DocStore } from './port.js';
import { replayCollection, replayInfoId, type ReplayInfo } from './replay-info.js';

/** `projectId` null: of the installation. */
export type ReplayKey = { readonly projectId: string | null; readonly name: string };
export type Replay = ReplayKey & { readonly info: ReplayInfo; readonly sizeBytes: number };

export type Replays = {
  /**
   * A project's own copy of that name, else the installation's; undefined when there is neither. Throws `Unavailable` for a file that is no
   * copy. `specs` are the collections that are to be read of it.
   */
  open(
    projectId: string,
    name: string,
    specs: readonly CollectionSpec[],
  ): Promise<{ readonly docs: DocStore; readonly info: ReplayInfo; readonly key: ReplayKey } | undefined>;
  /** Those that a project may read, by name. Files that are no copies are left out. */
  list(projectId: string): Promise<readonly Replay[]>;
  /** Nothing happens when there is none. */
  remove(key: ReplayKey): void;
  /** With all that lies in its folder, also what no process of this version can read. */
  removeAllOf(projectId: string): void;
  close(): Promise<void>;
};

type Opened = { readonly docs: EmbeddedDocuments; readonly file: number };
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const PROJECT = /^[a-z0-9_]{1,64}$/;
const SUFFIX = '.sqlite';

/** What a copy may be called; the folder of a project is that of its id. */
export function isReplayKey({ projectId, name }: ReplayKey): boolean {
  return NAME.test(name) && (projectId === null || PROJECT.test(projectId));
}

export function replayFile(dataDir: string, { projectId, name }: ReplayKey): string {
  return join(replayFolder(dataDir, projectId), name + SUFFIX);
}

/** A copy is opened when it is asked for first, and again when another replay has taken its name. */
export function createReplays(dataDir: string): Replays {
  const opened = new Map<string, Opened>();
  /** Still open for who was reading it when it was replaced. */
  let replaced: EmbeddedDocuments | undefined;
  const current = async (key: ReplayKey): Promise<EmbeddedDocuments | undefined> => {
    const path = isReplayKey(key) ? replayFile(dataDir, key) : undefined;
    const file = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.ino;
    const id = `${key.projectId ?? ''}/${key.name}`;
    const open = opened.get(id);
    if (open?.file === file) return open?.docs;
    const before = replaced;
    replaced = open?.docs;
    opened.delete(id);
    const docs = file === undefined || path === undefined ? undefined : openEmbeddedDocumentsForReading({ file: path });
    if (docs && file !== undefined) opened.set(id, { docs, file });
    await before?.close();
    return docs;
  };
  const openOne = async (key: ReplayKey, specs: readonly CollectionSpec[]) => {
    const docs = await current(key);
    if (!docs) return undefined;
    await docs.ensure([replayCollection, ...specs]);
    const stored = (await docs.get(replayCollection.name, [replayInfoId])).get(replayInfoId)?.doc;
    return stored ? { docs, info: stored as ReplayInfo, key } : undefined;
  };
  const isOf = (projectId: string, info: ReplayInfo) => info.projectId === null || info.projectId === projectId;
  return {
    open: async (projectId, name, specs) => {
      const own = await openOne({ projectId, name }, specs);
      return own ?? openOne({ projectId: null, name }, specs);
    },
    list: async (projectId) => {
      const found = new Map<string, Replay>();
      for (const owner of [null, projectId]) {
        for (const name of namesIn(replayFolder(dataDir, owner))) {
          const key = { projectId: owner, name };
          const copy = await openOne(key, []).catch(ignoreUnavailable);
          const sizeBytes = statSync(replayFile(dataDir, key), { throwIfNoEntry: false })?.size ?? 0;
          if (copy && isOf(projectId, copy.info)) found.set(name, { ...key, info: copy.info, sizeBytes });
        }
      }
      return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    remove: (key) => {
      const file = replayFile(dataDir, key);
      if (isReplayKey(key)) for (const one of [file, `${file}-wal`, `${file}-shm`]) rmSync(one, { force: true });
    },
    removeAllOf: (projectId) => {
      if (isReplayKey({ projectId, name: 'any' }))
        rmSync(replayFolder(dataDir, projectId), { recursive: true, force: true });
    },
    close: async () => {
      for (const { docs } of opened.values()) await docs.close();
      opened.clear();
      await replaced?.close();
      replaced = undefined;
    },
  };
}

function namesIn(folder: string): readonly string[] {
  const entries = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  return entries.filter((e) => e.endsWith(SUFFIX)).map((e) => e.slice(0, -SUFFIX.length));
}

/** Whatever lies there under this name: no replay has put it there, or not all of it is left. */
function ignoreUnavailable(err: unknown): undefined {
  if (!(err instanceof Unavailable)) throw err;
}
