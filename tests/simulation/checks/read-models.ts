// Checks that the served read models equal a rebuild from the log, and that no document or event is parked.
import { isDeepStrictEqual } from 'node:util';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore, Row } from '../../../src/adapters/documents/port.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { projections } from '../../../src/projections/rebuild/registry.js';
import { bulkBuild } from '../../../src/projections/rebuild/bulk-build.js';
import { servingCollection } from '../../../src/projections/rebuild/serving.js';
import { parkedCollection } from '../../../src/projections/runtime/parked.js';
import { collectionsOf } from '../../../src/projections/runtime/projection.js';
import { checkpointCollection } from '../../../src/projections/runtime/runner.js';
import { parkedEventCollection } from '../../../src/commands/handling/parked-events.js';
import type { StoredData } from './stored-data.js';

const MAX_ROWS = 100_000;

export async function checkReadModels({ docs, log, hash }: StoredData): Promise<string[]> {
  const findings: string[] = [];
  for (const { name } of [parkedCollection, parkedEventCollection]) {
    for (const { id, doc } of await readRows(docs, name))
      findings.push(`${name} ${id}: ${String(doc['error']).slice(0, 600)}`);
  }
  const served = projections.map((projection) => ({ projection, generation: 1 }));
  for (const { id, doc } of await readRows(docs, servingCollection.name))
    if (doc['generation'] !== 1) findings.push(`${id} serves another generation than 1`);
  const fresh = createMemoryDocuments();
  await fresh.ensure([checkpointCollection]);
  await bulkBuild({ log, docs: fresh, hash, runtime: systemRuntime() }, served, {
    signal: new AbortController().signal,
  });
  for (const build of served)
    for (const { name } of collectionsOf(build)) {
      const [served, theirs] = [await readRows(docs, name), await readRows(fresh, name)];
      const rebuilt = new Map(theirs.map((row) => [row.id, row.doc]));
      for (const { id, doc } of served) {
        if (!isDeepStrictEqual(doc, rebuilt.get(id)))
          findings.push(`${name} ${id} differs from its rebuild: ${describeDifference(doc, rebuilt.get(id))}`);
        rebuilt.delete(id);
      }
      for (const id of rebuilt.keys()) findings.push(`${name} lacks ${id}, which the rebuild has`);
    }
  return findings;
}

export async function readRows(docs: DocStore, c: string): Promise<readonly Row[]> {
  return (await docs.scan(c, { index: 'id', eq: [], limit: MAX_ROWS })).rows;
}

function describeDifference(served: unknown, rebuilt: unknown): string {
  const [a, b] = [JSON.stringify(served) ?? 'nothing', JSON.stringify(rebuilt) ?? 'nothing'];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 60);
  return `…${a.slice(from, at + 120)}…, expected …${b.slice(from, at + 120)}…`;
}
