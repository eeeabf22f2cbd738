// Compares two builds of a projection document by document. Both are read in parallel, page by page in the order of ids, so that memory
// is independent of the number of documents.
import { scanPages } from '../../adapters/documents/records.js';
import { isDeepStrictEqual } from 'node:util';
import { compareScalars } from '../../adapters/documents/order.js';
import type { DocStore, Row } from '../../adapters/documents/port.js';
import type { LogPosition } from '../../domain/envelope.js';
import { collectionsOf, type Build } from '../runtime/projection.js';

/** `ids`: the first of the differing documents, own and derived. */
export type Differences = { readonly count: number; readonly ids: readonly string[] };

const MAX_REPORTED = 100;
const PAGE = 1000;

/** A build and the store of its documents. */
export type StoredBuild = { readonly docs: DocStore; readonly build: Build };

/** `left` may be in service: its changes after `upTo`, which `right` does not contain, are not differences. */
export async function compareBuilds(left: StoredBuild, right: StoredBuild, upTo?: LogPosition): Promise<Differences> {
  const ids: string[] = [];
  let count = 0;
  const others = collectionsOf(right.build);
  for (const [i, { name }] of collectionsOf(left.build).entries()) {
    for await (const id of differingIds(left.docs, name, right.docs, others[i]?.name ?? name)) {
      const guard = upTo && (await left.docs.get(name, [id])).get(id)?.guard;
      if (upTo && guard && guard > upTo) continue;
      count++;
      if (ids.length < MAX_REPORTED) ids.push(id);
    }
  }
  return { count, ids };
}

async function* differingIds(
  ourDocs: DocStore,
  left: string,
  theirDocs: DocStore,
  right: string,
): AsyncGenerator<string> {
  const [ours, theirs] = [rowsOf(ourDocs, left), rowsOf(theirDocs, right)];
  let [a, b] = [await nextRow(ours), await nextRow(theirs)];
  while (a || b) {
    const order = !a ? 1 : !b ? -1 : compareScalars(a.id, b.id);
    if (order !== 0 || !isDeepStrictEqual(a?.doc, b?.doc)) yield (order <= 0 ? a : b)?.id ?? '';
    [a, b] = [order <= 0 ? await nextRow(ours) : a, order >= 0 ? await nextRow(theirs) : b];
  }
}

async function nextRow(rows: AsyncGenerator<Row, undefined>): Promise<Row | undefined> {
  return (await rows.next()).value;
}

async function* rowsOf(docs: DocStore, c: string): AsyncGenerator<Row, undefined> {
  for await (const rows of scanPages({ index: 'id', eq: [], limit: PAGE }, (scan) => docs.scan(c, scan))) yield* rows;
  return undefined;
}
