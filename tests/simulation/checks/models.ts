// Checks that the served read models equal a rebuild from the log, and that no document or event is parked.
import { isDeepStrictEqual } from 'node:util';
import { memoryDocuments } from '../../../src/adapters/documents/memory.js';
import type { DocStore, Row } from '../../../src/adapters/documents/port.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { projections } from '../../../src/projections/rebuild/registry.js';
import { bulkBuild } from '../../../src/projections/rebuild/bulk-build.js';
import { servingCollection } from '../../../src/projections/rebuild/serving.js';
import { parkedCollection } from '../../../src/projections/runtime/parked.js';
import { collectionsOf } from '../../../src/projections/runtime/projection.js';
import { checkpointCollection } from '../../../src/projections/runtime/runner.js';
import { parkedEventCollection } from '../../../src/commands/handling/parked-events.js';
import type { Reader } from './reader.js';

const MAX_ROWS = 100_000;

export async function checkModels({ docs, log, hash }: Reader): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of [parkedCollection, parkedEventCollection]) {
    for (const { id, doc } of await rowsOf(docs, name))
      found.push(`${name} ${id}: ${String(doc['error']).slice(0, 600)}`);
  }
  const served = projections.map((projection) => ({ projection, generation: 1 }));
  for (const { id, doc } of await rowsOf(docs, servingCollection.name))
    if (doc['generation'] !== 1) found.push(`${id} serves another generation than 1`);
  const fresh = memoryDocuments();
  await fresh.ensure([checkpointCollection]);
  await bulkBuild({ log, docs: fresh, hash, runtime: systemRuntime() }, served, {
    signal: new AbortController().signal,
  });
  for (const build of served)
    for (const { name } of collectionsOf(build)) {
      const [ours, theirs] = [await rowsOf(docs, name), await rowsOf(fresh, name)];
      const rebuilt = new Map(theirs.map((row) => [row.id, row.doc]));
      for (const { id, doc } of ours) {
        if (!isDeepStrictEqual(doc, rebuilt.get(id)))
          found.push(`${name} ${id} differs from its rebuild: ${difference(doc, rebuilt.get(id))}`);
        rebuilt.delete(id);
      }
      for (const id of rebuilt.keys()) found.push(`${name} lacks ${id}, which the rebuild has`);
    }
  return found;
}

export async function rowsOf(docs: DocStore, c: string): Promise<readonly Row[]> {
  return (await docs.scan(c, { index: 'id', eq: [], limit: MAX_ROWS })).rows;
}

function difference(served: unknown, rebuilt: unknown): string {
  const [a, b] = [JSON.stringify(served) ?? 'nothing', JSON.stringify(rebuilt) ?? 'nothing'];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 60);
  return `…${a.slice(from, at + 120)}…, expected …${b.slice(from, at + 120)}…`;
}
