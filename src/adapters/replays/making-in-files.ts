// Copies of one process that are not there yet: what was asked for lies beside what is made of it, until the copy is whole.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replayFolder } from '../data-directory.js';
import { replayFile } from './files.js';
import { isReplayKey, requestOf, type ReplayKey, type ReplayMaking, type ReplayRequest } from './port.js';
import { discard, finish, unfinishedFolder, unfinishedSize } from './unfinished.js';

const request = z.strictObject({
  name: z.string(),
  projectId: z.string(),
  until: z.string().nullable(),
  whatIf: z.record(z.string(), z.union([z.string(), z.number()])),
  requestedAt: z.string(),
  begun: z.int(),
  problem: z.string().nullable(),
});

const REQUEST = 'request.json';

export function replayMakingInFiles(dataDir: string): ReplayMaking {
  const folderOf = (key: ReplayKey) => unfinishedFolder(dataDir, key);
  const progressOf = new Map<string, number>();
  const put = (asked: ReplayRequest) => {
    const file = join(folderOf(asked), REQUEST);
    writeFileSync(`${file}.new`, JSON.stringify(requestOf(asked)), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  };
  return {
    ask: async (asked) => {
      if (!isReplayKey(asked)) return false;
      mkdirSync(replayFolder(dataDir, asked.projectId), { recursive: true, mode: 0o700 });
      if (!isMade(folderOf(asked))) return false;
      put(asked);
      return true;
    },
    update: async (asked) => {
      if (statSync(folderOf(asked), { throwIfNoEntry: false })) put(asked);
    },
    asked: async () => {
      const root = replayFolder(dataDir, null);
      const found = foldersIn(root).flatMap((project) =>
        foldersIn(join(root, project)).flatMap((name) => readRequest(join(root, project, name, REQUEST)) ?? []),
      );
      const withState = found.map((asked) => {
        const folder = folderOf(asked);
        return { ...asked, progress: progressOf.get(folder) ?? null, sizeBytes: unfinishedSize(folder) };
      });
      return withState.sort((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1));
    },
    make: async (key, build) => {
      const folder = folderOf(key);
      // Who takes it back waits until this process has let go of it.
      const { signal } = new AbortController();
      const report = (progress: number) => void progressOf.set(folder, progress);
      const fill: Parameters<typeof finish>[1] = (docs) => {
        report(0);
        return build(docs, { signal, report });
      };
      try {
        const isMine = await finish(folder, fill, async (file) => renameSync(file, replayFile(dataDir, key)));
        return isMine ? 'made' : 'in use';
      } finally {
        progressOf.delete(folder);
      }
    },
    forget: async (key) => !isReplayKey(key) || discard(folderOf(key)),
  };
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
