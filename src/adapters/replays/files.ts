// Named copies of one process, each a file of its own that a replay put there whole.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../domain/errors.js';
import { replayFolder } from '../data-directory.js';
import type { ReplayInfo } from './info.js';
import { openedCopies } from './opened.js';
import { isReplayKey, type Replay, type ReplayKey, type Replays } from './port.js';

const SUFFIX = '.sqlite';

export function replayFile(dataDir: string, { projectId, name }: ReplayKey): string {
  return join(replayFolder(dataDir, projectId), name + SUFFIX);
}

export function replaysInFiles(dataDir: string): Replays {
  const opened = openedCopies();
  const openOne = async (key: ReplayKey) => {
    const file = isReplayKey(key) ? replayFile(dataDir, key) : undefined;
    const version = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.ino;
    const place = file === undefined || version === undefined ? undefined : { file, version };
    const found = await opened.at(`${key.projectId ?? ''}/${key.name}`, place);
    return found && { ...found, key };
  };
  const isOf = (projectId: string, info: ReplayInfo) => info.projectId === null || info.projectId === projectId;
  return {
    open: async (projectId, name) => (await openOne({ projectId, name })) ?? openOne({ projectId: null, name }),
    list: async (projectId) => {
      const found = new Map<string, Replay>();
      for (const owner of [null, projectId]) {
        for (const name of namesIn(replayFolder(dataDir, owner))) {
          const key = { projectId: owner, name };
          const copy = await openOne(key).catch(ignoreUnavailable);
          const sizeBytes = statSync(replayFile(dataDir, key), { throwIfNoEntry: false })?.size ?? 0;
          if (copy && isOf(projectId, copy.info)) found.set(name, { ...key, info: copy.info, sizeBytes });
        }
      }
      return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    remove: async (key) => {
      const file = replayFile(dataDir, key);
      if (isReplayKey(key)) for (const one of [file, `${file}-wal`, `${file}-shm`]) rmSync(one, { force: true });
    },
    removeAllOf: async (projectId) => {
      if (isReplayKey({ projectId, name: 'any' }))
        rmSync(replayFolder(dataDir, projectId), { recursive: true, force: true });
    },
    close: opened.close,
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
