// Named copies of several processes: a record says what there is, and the bytes of the copy lie beside it in segments. Whoever reads one
// fetches its file once; a copy under an id never changes.
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../domain/errors.js';
import { replayFolder } from '../data-directory.js';
import type { DocStore } from '../documents/port.js';
import { allPages, readRecord, updateRecord } from '../documents/records.js';
import type { Runtime } from '../runtime.js';
import { documentSnapshots, type SnapshotCollections } from '../snapshots/documents.js';
import { DamagedSnapshot, type SnapshotStore } from '../snapshots/port.js';
import type { ReplayInfo } from './info.js';
import { openedCopies } from './opened.js';
import { isReplayKey, type Replay, type ReplayRequest, type Replays } from './port.js';

export const replayRecordCollection = { name: 'chart_replays', indexes: [] };
const bytesCollections: SnapshotCollections = {
  heads: { name: 'chart_replay_copies', indexes: [] },
  segments: { name: 'chart_replay_segments', indexes: [] },
};
export const sharedReplayCollections = [
  replayRecordCollection,
  bytesCollections.heads,
  bytesCollections.segments,
] as const;

/** `claim`: the id of the copy that a process makes at the moment. `copy`: the one that is ready. */
export type ReplayRecord = ReplayRequest & {
  readonly claim: string | null;
  readonly progress: number | null;
  readonly sizeBytes: number;
  readonly copy: { readonly id: string; readonly info: ReplayInfo } | null;
};

export type SharedReplaysDeps = {
  /** Must have {@link sharedReplayCollections}. */
  readonly docs: DocStore;
  readonly runtime: Pick<Runtime, 'newId' | 'now' | 'elapsed'>;
  /** For files of this process alone, or of several on one machine. */
  readonly dataDir: string;
};

export function copyBytes({ docs, runtime }: SharedReplaysDeps): SnapshotStore {
  return documentSnapshots(docs, runtime, bytesCollections);
}

/** Where this process keeps a copy that it has fetched or made. */
export function fetchedFile(dataDir: string, id: string): string {
  return join(fetchedFolder(dataDir), id + SUFFIX);
}

export function recordId({ projectId, name }: Pick<ReplayRequest, 'projectId' | 'name'>): string {
  return `${projectId}|${name}`;
}

/** Of one project, or of all. */
export async function replayRecords(docs: DocStore, projectId?: string): Promise<readonly ReplayRecord[]> {
  const found: ReplayRecord[] = [];
  const range = projectId === undefined ? {} : { from: `${projectId}|`, to: `${projectId}|~` };
  const scan = { index: 'id', eq: [], limit: PAGE, ...range };
  for await (const rows of allPages(scan, (page) => docs.scan(replayRecordCollection.name, page))) {
    found.push(...rows.map(({ doc }) => doc as unknown as ReplayRecord));
  }
  return found;
}

export function replaysInDocuments(deps: SharedReplaysDeps): Replays {
  const { docs, runtime, dataDir } = deps;
  const { name: c } = replayRecordCollection;
  const bytes = copyBytes(deps);
  const opened = openedCopies();
  /** By id: what two ask for at once is fetched once. */
  const fetching = new Map<string, Promise<void>>();

  const fetch = async (id: string, sizeBytes: number): Promise<void> => {
    const copy = await bytes.open(id);
    if (!copy) throw new DamagedSnapshot('not there');
    mkdirSync(fetchedFolder(dataDir), { recursive: true, mode: 0o700 });
    const fresh = join(fetchedFolder(dataDir), `${runtime.newId('fetch')}${UNDER_WAY}`);
    const file = openSync(fresh, 'wx', 0o600);
    try {
      for (let left = sizeBytes; left > 0;) {
        const part = await copy.read(Math.min(left, PART_BYTES));
        writeSync(file, part);
        left -= part.length;
      }
      await copy.end();
    } catch (err) {
      rmSync(fresh, { force: true });
      throw err;
    } finally {
      closeSync(file);
      await copy.close();
    }
    renameSync(fresh, fetchedFile(dataDir, id));
    await removeStale(deps);
  };
  const fileOf = async ({ copy, sizeBytes }: ReplayRecord): Promise<string | undefined> => {
    if (!copy) return undefined;
    const file = fetchedFile(dataDir, copy.id);
    if (statSync(file, { throwIfNoEntry: false })) return file;
    const underWay = fetching.get(copy.id) ?? fetch(copy.id, sizeBytes).finally(() => fetching.delete(copy.id));
    fetching.set(copy.id, underWay);
    await underWay.catch((err: unknown) => {
      if (err instanceof DamagedSnapshot) throw new Unavailable(`the bytes of this replay are ${err.message}`);
      throw err;
    });
    return file;
  };
  const remove = async (id: string): Promise<void> => {
    const { doc } = await readRecord(docs, c, id);
    const { copy, claim } = (doc ?? {}) as Partial<ReplayRecord>;
    const isSame = (now: Partial<ReplayRecord> | null) => now?.copy?.id === copy?.id;
    await updateRecord(docs, c, id, (now) => (isSame(now) ? null : undefined));
    for (const one of [copy?.id, claim]) if (one) await bytes.remove(one);
  };

  return {
    open: async (projectId, name) => {
      const key = { projectId, name };
      if (!isReplayKey(key)) return undefined;
      const id = recordId(key);
      const record = (await readRecord(docs, c, id)).doc as ReplayRecord | null;
      const file = record ? await fileOf(record) : undefined;
      const place = file === undefined || !record?.copy ? undefined : { file, version: record.copy.id };
      const found = await opened.at(id, place);
      return found && { ...found, key };
    },
    list: async (projectId) => {
      const records = await replayRecords(docs, projectId);
      const ready = records.flatMap(({ name, copy, sizeBytes }): readonly Replay[] =>
        copy ? [{ projectId, name, info: copy.info, sizeBytes }] : [],
      );
      return ready.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    remove: async ({ projectId, name }) => {
      if (projectId !== null) await remove(recordId({ projectId, name }));
    },
    removeAllOf: async (projectId) => {
      for (const record of await replayRecords(docs, projectId)) await remove(recordId(record));
    },
    close: opened.close,
  };
}

/** Files here, and bytes there if `bytes` is given, that belong to no copy: it was deleted, or never became one. */
export async function removeStale({ docs, runtime, dataDir }: SharedReplaysDeps, bytes?: SnapshotStore): Promise<void> {
  const folder = fetchedFolder(dataDir);
  // Looked at before the records: what becomes a copy in between is then among them.
  const files = statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];
  const stored = (await bytes?.names()) ?? [];
  const records = await replayRecords(docs);
  const known = new Set(records.flatMap(({ copy, claim }) => [copy?.id, claim]));
  for (const id of stored) if (!known.has(id)) await bytes?.remove(id);
  for (const file of files) {
    const path = join(folder, file);
    const isOld = () => runtime.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > ABANDONED_MS;
    const [id = ''] = file.split('.');
    const isStale = file.endsWith(UNDER_WAY) ? isOld() : !known.has(id);
    if (isStale) rmSync(path, { force: true });
  }
}

/** Written into a file at a time. */
export const PART_BYTES = 1 << 20;
const SUFFIX = '.sqlite';
const UNDER_WAY = '.new';
/** No fetch takes so long. */
const ABANDONED_MS = 3_600_000;
const PAGE = 100;

function fetchedFolder(dataDir: string): string {
  return join(replayFolder(dataDir, null), 'fetched');
}
