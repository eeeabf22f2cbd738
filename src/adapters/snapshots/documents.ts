// Snapshots in documents, for processes that share a document store: segments below the maximum document size, and a head document that
// identifies the valid ones. A snapshot has two sets of segments: one is read while the other is written.
import type { CollectionSpec, DocStore } from '../documents/port.js';
import { collectRows, scanPages, readRecord, buildReplacement } from '../documents/records.js';
import type { Runtime } from '../runtime.js';
import { encodeFrames, readFrames } from './frames.js';
import { isSnapshotName, type SnapshotStore } from './port.js';

/** Collections of head documents and of segments. */
export type SnapshotCollections = { readonly heads: CollectionSpec; readonly segments: CollectionSpec };

export const ledgerCollections: SnapshotCollections = {
  heads: { name: 'chart_ledgers', indexes: [] },
  segments: { name: 'chart_ledger_segments', indexes: [] },
};

/** Head document. `writing` identifies the write that stored the segments of the set. */
type SnapshotHead = { readonly set: number; readonly segments: number; readonly writing: string };
const DIGITS = 6;
const PAGE_SIZE = 100;

/**
 * Creates the store; `docs` must have both collections. A concurrent write makes one of the two fail; a mixture of both is detected as
 * damaged.
 */
export function createDocumentSnapshots(
  docs: DocStore,
  runtime: Pick<Runtime, 'newId'>,
  { heads, segments: segmentSpec }: SnapshotCollections,
): SnapshotStore {
  const idOf = (name: string, set: number, n: number) => `${name}|${set}|${String(n).padStart(DIGITS, '0')}`;
  const readHead = async (name: string) => {
    if (!isSnapshotName(name)) throw new Error(`invalid snapshot name: ${name}`);
    const head = await readRecord(docs, heads.name, name);
    return { head, doc: head.doc as SnapshotHead | null };
  };
  const put = async (id: string, writing: string, frame: Uint8Array): Promise<boolean> => {
    const existing = await readRecord(docs, segmentSpec.name, id);
    const doc = { writing, data: Buffer.from(frame).toString('base64') };
    return (await docs.write([[buildReplacement(segmentSpec.name, existing, doc)]])) === 'ok';
  };
  /** Removes the segments from number `from` on. */
  const removeFrom = async (name: string, set: number, from: number): Promise<void> => {
    const scan = { index: 'id', eq: [], from: idOf(name, set, from), to: `${name}|${set}|~`, limit: 1 };
    for await (const rows of scanPages(scan, (page) => docs.scan(segmentSpec.name, page))) {
      for (const row of rows) await docs.write([[buildReplacement(segmentSpec.name, row, null)]]);
    }
  };
  return {
    open: async (name) => {
      const { doc } = await readHead(name);
      if (!doc) return null;
      let [n, segment, used]: [number, Buffer, number] = [0, Buffer.alloc(0), 0];
      const next = async (bytes: number): Promise<Uint8Array> => {
        const chunks: Uint8Array[] = [];
        for (let missing = bytes; missing > 0;) {
          if (used === segment.length) {
            if (n === doc.segments) break;
            const stored = await readRecord(docs, segmentSpec.name, idOf(name, doc.set, n++));
            if (stored.doc?.['writing'] !== doc.writing) break;
            [segment, used] = [Buffer.from(String(stored.doc['data']), 'base64'), 0];
          }
          const piece = segment.subarray(used, used + missing);
          chunks.push(piece);
          used += piece.length;
          missing -= piece.length;
        }
        return Buffer.concat(chunks);
      };
      return readFrames(next, true, () => Promise.resolve());
    },
    write: async (name, parts) => {
      const { head, doc } = await readHead(name);
      const set = doc ? 1 - doc.set : 0;
      const writing = runtime.newId('snap');
      let segments = 0;
      for await (const frame of encodeFrames(parts, true)) {
        if (!(await put(idOf(name, set, segments++), writing, frame))) return false;
      }
      const newHead: SnapshotHead = { set, segments, writing };
      const write = buildReplacement(heads.name, head, newHead);
      if ((await docs.write([[write]])) === 'lost') return false;
      await removeFrom(name, set, segments);
      await removeFrom(name, 1 - set, 0);
      return true;
    },
    remove: async (name) => {
      const { head, doc } = await readHead(name);
      if (doc) await docs.write([[buildReplacement(heads.name, head, null)]]);
      for (const set of [0, 1]) await removeFrom(name, set, 0);
    },
    names: async () => {
      const rows = await collectRows({ index: 'id', eq: [], limit: PAGE_SIZE }, (page) => docs.scan(heads.name, page));
      return rows.map((row) => row.id);
    },
  };
}
