// A service that was killed while it built its read models for the first time asks for all of them when it starts again, before it goes on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbeddedDocuments, type EmbeddedDocuments } from '../../../src/adapters/documents/embedded/store.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { buildFromStart } from '../../../src/projections/rebuild/rebuild.js';
import { projections } from '../../../src/projections/rebuild/registry.js';
import { createServing, servingCollection } from '../../../src/projections/rebuild/serving.js';
import { documentsOf, firstBuild, guardedOf, hash, never, open, feedsOf, runAll } from '../support/builds.js';
import { history, type History } from '../support/history.js';

const builds = projections.map(firstBuild);

/** Fails at the `count`th time that rows are put. */
function cutAt(docs: EmbeddedDocuments, count: number): DocStore {
  const { bulk } = docs;
  if (!bulk) throw new Error('the embedded store builds from the start');
  let left = count;
  const put: typeof bulk.put = async (rows) => {
    if (--left === 0) throw new Error('killed');
    await bulk.put(rows);
  };
  return { ...docs, bulk: { ...bulk, put } };
}

describe('a first build that was cut', () => {
  let past: History;
  let folder: string;
  const opened: EmbeddedDocuments[] = [];
  const openDocuments = async (file: string) => {
    const docs = await openEmbeddedDocuments({ file });
    opened.push(docs);
    return docs;
  };
  before(async () => {
    past = await history();
    folder = mkdtempSync(join(tmpdir(), 'subledger-cut-'));
  });
  afterEach(() => Promise.all(opened.splice(0).map((docs) => docs.close())));
  after(() => rmSync(folder, { recursive: true }));

  for (const count of [1, 2, 3, 4]) {
    it(`is continued by the service that starts next, after ${count - 1} times that rows were put`, async () => {
      const { log, events } = past;
      const file = join(folder, `documents-${count}.sqlite`);
      const first = await openDocuments(file);
      const outcome = await buildFromStart({ log, docs: cutAt(first, count), hash, runtime: systemRuntime() }, builds, {
        signal: never,
      }).catch((err: unknown) => String(err));
      expect(outcome).to.include('killed');
      await Promise.all(opened.splice(0).map((docs) => docs.close()));

      const docs = await openDocuments(file);
      await docs.ensure([servingCollection]);
      const serving = createServing(docs, systemRuntime());
      const served = await Promise.all(projections.map((p) => serving.build(p)));
      await buildFromStart({ log, docs, hash, runtime: systemRuntime() }, served, { signal: never });
      const plain = createMemoryDocuments();
      for (const build of builds) {
        await runAll(await open(log, docs, build), []);
        await runAll(
          await open(log, plain, build),
          feedsOf(events, () => 7),
        );
        const { name } = build.projection;
        expect(documentsOf(await guardedOf(docs, build)), name).to.deep.equal(
          documentsOf(await guardedOf(plain, build)),
        );
      }
    });
  }
});
