// Snapshots as documents, for processes that share a document store: segments below the size that a document may have, and one document
// that says which of them count. A snapshot has two sets of segments: one is read while the other is written.
import type { CollectionSpec, DocStore } from '../documents/port.js';
import { allPages, readRecord, replacement } from '../documents/records.js';
import type { Runtime } from '../runtime.js';
import { framesOf, readFrames } from './frames.js';
import { isSnapshotName, type SnapshotStore } from './port.js';

/** `heads` says which segments count. */
export type SnapshotCollections = { readonly heads: CollectionSpec; readonly segments: CollectionSpec };

export const ledgerCollections: SnapshotCollections = {
  heads: { name: 'chart_ledgers', indexes: [] },
  segments: { name: 'chart_ledger_segments', indexes: [] },
};

/** `writing` is that of all segments which were written together. */
type Head = { readonly set: number; readonly segments: number; readonly writing: string };
const DIGITS = 6;
const PAGE = 100;

/** `docs` must have both collections. Whoever loses a race gives up; what two wrote at once is damaged. */
export function documentSnapshots(
  docs: DocStore,
  runtime: Pick<Runtime, 'newId'>,
  { heads, segments: kept }: SnapshotCollections,
): SnapshotStore {
  const idOf = (name: string, set: number, n: number) => `${name}|${set}|${String(n).padStart(DIGITS, '0')}`;
  const readHead = async (name: string) => {
    if (!isSnapshotName(name)) throw new Error(`no snapshot can be called ${name}`);
    const head = await readRecord(docs, heads.name, name);
    return { head, doc: head.doc as Head | null };
  };
  const put = async (id: string, writing: string, frame: Uint8Array): Promise<boolean> => {
    const there = await readRecord(docs, kept.name, id);
    const doc = { writing, data: Buffer.from(frame).toString('base64') };
    return (await docs.write([[replacement(kept.name, there, doc)]])) === 'ok';
  };
  /** Those behind the last. */
  const removeFrom = async (name: string, set: number, from: number): Promise<void> => {
    const scan = { index: 'id', eq: [], from: idOf(name, set, from), to: `${name}|${set}|~`, limit: 1 };
    for await (const rows of allPages(scan, (page) => docs.scan(kept.name, page))) {
      for (const row of rows) await docs.write([[replacement(kept.name, row, null)]]);
    }
  };
  return {
    open: async (name) => {
      const { doc } = await readHead(name);
      if (!doc) return null;
      let [n, segment, used]: [number, Buffer, number] = [0, Buffer.alloc(0), 0];
      const next = async (bytes: number): Promise<Uint8Array> => {
        const found: Uint8Array[] = [];
        for (let missing = bytes; missing > 0;) {
          if (used === segment.length) {
            if (n === doc.segments) break;
            const stored = await readRecord(docs, kept.name, idOf(name, doc.set, n++));
            if (stored.doc?.['writing'] !== doc.writing) break;
            [segment, used] = [Buffer.from(String(stored.doc['data']), 'base64'), 0];
          }
          const taken = segment.subarray(used, used + missing);
          found.push(taken);
          used += taken.length;
          missing -= taken.length;
        }
        return Buffer.concat(found);
      };
      return readFrames(next, true, () => Promise.resolve());
    },
    write: async (name, parts) => {
      const { head, doc } = await readHead(name);
      const set = doc ? 1 - doc.set : 0;
      const writing = runtime.newId('snap');
      let segments = 0;
      for await (const frame of framesOf(parts, true)) {
        if (!(await put(idOf(name, set, segments++), writing, frame))) return false;
      }
      const written: Head = { set, segments, writing };
      const write = replacement(heads.name, head, written);
      if ((await docs.write([[write]])) === 'lost') return false;
      await removeFrom(name, set, segments);
      await removeFrom(name, 1 - set, 0);
      return true;
    },
    remove: async (name) => {
      const { head, doc } = await readHead(name);
      if (doc) await docs.write([[replacement(heads.name, head, null)]]);
      for (const set of [0, 1]) await removeFrom(name, set, 0);
    },
    names: async () => {
      const found: string[] = [];
      const scan = { index: 'id', eq: [], limit: PAGE };
      for await (const rows of allPages(scan, (page) => docs.scan(heads.name, page))) {
        found.push(...rows.map((row) => row.id));
      }
      return found;
    },
  };
}
