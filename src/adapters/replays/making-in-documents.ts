// Copies of several processes that are not there yet: asked for in any process, made by one in a file of its own, and put beside the record
// when they are whole.
import { closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Unavailable } from '../../domain/errors.js';
import { createRecord, updateRecord } from '../documents/records.js';
import type { Doc, DocStore } from '../documents/port.js';
import {
  copyBytes,
  fetchedFile,
  PART_BYTES,
  recordId,
  removeStale,
  replayRecordCollection,
  replayRecords,
  type ReplayRecord,
  type SharedReplaysDeps,
} from './documents.js';
import { replayCollection, replayInfoId, type ReplayInfo } from './info.js';
import { isReplayKey, requestOf, type ReplayKey, type ReplayMaking } from './port.js';
import { discard, finish, unfinishedFolder, unfinishedSize } from './unfinished.js';

const { name: RECORDS } = replayRecordCollection;
const REPORT_EVERY_MS = 1000;

export function replayMakingInDocuments(deps: SharedReplaysDeps): ReplayMaking {
  const { docs, runtime, dataDir } = deps;
  const bytes = copyBytes(deps);
  const change = (key: ReplayKey, to: (record: ReplayRecord) => ReplayRecord | null | undefined) =>
    updateRecord(docs, RECORDS, idOf(key), (doc) =>
      doc ? (to(doc as unknown as ReplayRecord) as Doc | null | undefined) : undefined,
    );

  /** The run that made the claim last may write the record: one whose lease has gone to another finds out by its next write. */
  const claimed = async (key: ReplayKey) => {
    const claim = runtime.newId('copy');
    let before: string | null = null;
    const { isChanged } = await change(key, (record) => {
      before = record.claim;
      return record.copy ? undefined : { ...record, claim, progress: 0 };
    });
    if (!isChanged) return null;
    // Of a run that ended in the middle of its upload.
    if (before !== null) await bytes.remove(before);
    const write = async (fields: Partial<ReplayRecord>): Promise<boolean> => {
      const written = await change(key, (record) => (record.claim === claim ? { ...record, ...fields } : undefined));
      return written.isChanged;
    };
    return { claim, write };
  };

  return {
    ask: async (asked) => {
      if (!isReplayKey(asked)) return false;
      const fresh: ReplayRecord = { ...requestOf(asked), claim: null, progress: null, sizeBytes: 0, copy: null };
      return createRecord(docs, RECORDS, idOf(asked), fresh);
    },
    update: async (asked) => {
      await change(asked, (record) =>
        record.copy || record.requestedAt !== asked.requestedAt
          ? undefined
          : { ...record, ...requestOf(asked), progress: null },
      );
    },
    asked: async () => {
      const left = (await replayRecords(docs)).filter((record) => record.copy === null);
      const asked = left.map(({ progress, sizeBytes, ...record }) => ({ ...requestOf(record), progress, sizeBytes }));
      return asked.toSorted((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1));
    },
    make: async (key, build) => {
      const mine = await claimed(key);
      if (!mine) return 'taken back';
      await removeStale(deps, bytes);
      const folder = unfinishedFolder(dataDir, key);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const taken = new AbortController();
      let reporting = Promise.resolve();
      let reportedAt = runtime.elapsed();
      const report = (progress: number) => {
        if (runtime.elapsed() - reportedAt < REPORT_EVERY_MS) return;
        reportedAt = runtime.elapsed();
        const write = () => mine.write({ progress, sizeBytes: unfinishedSize(folder) });
        // A store that is away for a moment is no reason to end what is made from the log.
        const isStillMine = () => write().catch(() => true);
        reporting = reporting.then(isStillMine).then((isMine) => (isMine ? undefined : taken.abort()));
      };
      let info: ReplayInfo | undefined;
      const fill = async (copy: DocStore) => {
        try {
          await build(copy, { signal: taken.signal, report });
        } finally {
          await reporting;
        }
        info = (await copy.get(replayCollection.name, [replayInfoId])).get(replayInfoId)?.doc as ReplayInfo | undefined;
      };
      const publish = async (file: string) => {
        if (!info) throw new Error(`the copy ${key.name} does not say what it is`);
        const sizeBytes = statSync(file).size;
        const isKept = await bytes.write(mine.claim, partsOf(file));
        if (!isKept) throw new Unavailable('another process writes the bytes of this replay', 5);
        const ready = { sizeBytes, progress: null, claim: null, copy: { id: mine.claim, info } };
        if (!(await mine.write(ready))) {
          await bytes.remove(mine.claim);
          return taken.abort();
        }
        const kept = fetchedFile(dataDir, mine.claim);
        mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
        renameSync(file, kept);
      };
      try {
        const isMine = await finish(folder, fill, publish);
        if (!isMine) return 'in use';
      } catch (err) {
        if (!taken.signal.aborted) throw err;
        discard(folder);
      }
      return taken.signal.aborted ? 'taken back' : 'made';
    },
    // Whoever makes it finds out by the next write.
    forget: async (key) => {
      let claim: string | null = null;
      await change(key, (record) => {
        claim = record.copy ? null : record.claim;
        return record.copy ? undefined : null;
      });
      if (claim !== null) await bytes.remove(claim);
      return true;
    },
  };
}

function idOf({ projectId, name }: ReplayKey): string {
  return recordId({ projectId: projectId ?? '', name });
}

function* partsOf(file: string): Generator<Uint8Array, undefined> {
  const opened = openSync(file, 'r');
  try {
    const part = Buffer.allocUnsafe(PART_BYTES);
    for (let read = readSync(opened, part); read > 0; read = readSync(opened, part)) yield part.subarray(0, read);
  } finally {
    closeSync(opened);
  }
}
