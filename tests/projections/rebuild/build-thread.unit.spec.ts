// Read models that a thread of its own builds are those that this thread builds, and what the thread cannot do is reported here.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbeddedDocuments, type WritableDocuments } from '../../../src/adapters/documents/embedded/store.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { openEngine, type Engine, type EngineFiles } from '../../../src/adapters/engine/engine.js';
import { ensureNamingKey } from '../../../src/adapters/engine/hash-key.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { keyedHash, type KeyedHash } from '../../../src/domain/ids.js';
import { buildInThread } from '../../../src/main/builds/build-thread.js';
import { sealPersonalFields } from '../../../src/main/personal-fields.js';
import { bulkBuild } from '../../../src/projections/rebuild/bulk-build.js';
import { buildFromStart } from '../../../src/projections/rebuild/rebuild.js';
import { projections } from '../../../src/projections/rebuild/registry.js';
import { checkpointCollection } from '../../../src/projections/runtime/runner.js';
import type { CustomerDoc } from '../../../src/projections/models/customers.js';
import { collectionOf, collectionsOf, type Build } from '../../../src/projections/runtime/projection.js';
import { checkpointOf, guardedOf, never } from '../support/builds.js';
import { history } from '../support/history.js';

const builds = projections.map((projection): Build => ({ projection, generation: 2 }));

describe('read models built in a thread', () => {
  let folder: string;
  let engine: Engine;
  let files: EngineFiles;
  let hash: KeyedHash;
  let docs: WritableDocuments;
  let opened = 0;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'subledger-thread-'));
    const masters = [{ id: 'k1', key: Buffer.alloc(32, 1) }] as const;
    engine = await openEngine({ DATA_DIR: folder }, () => masters, systemRuntime());
    if (!engine.files) throw new Error('the engine is in files');
    files = engine.files;
    hash = keyedHash(await ensureNamingKey(engine));
    for (const { stream, id, type, data, meta } of (await history()).events) {
      await engine.log.append(stream, 'any', [{ id, type, data, meta }]);
    }
  });
  beforeEach(async () => {
    docs = await openEmbeddedDocuments({ file: join(folder, `built-${++opened}.sqlite`) });
  });
  afterEach(() => docs.close());
  after(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  const made = async (store: DocStore) => {
    await store.ensure([checkpointCollection, ...builds.flatMap(collectionsOf)]);
    const found = [];
    for (const build of builds) found.push(await guardedOf(store, build), await checkpointOf(store, build));
    return found;
  };

  it('are those that this thread builds, sealed fields and shared sums included', async () => {
    const expected = createMemoryDocuments();
    await bulkBuild({ log: engine.log, docs: expected, hash, runtime: systemRuntime() }, builds, { signal: never });
    const upTo = await engine.log.head();
    await buildInThread(files, docs).build(builds, { signal: never, upTo });
    expect(await made(sealPersonalFields(docs, engine.dataKeys, systemRuntime()))).to.deep.equal(await made(expected));
    const c = collectionOf(builds.find(({ projection }) => projection.name === 'customers') as Build);
    const { rows } = await docs.scan(c, { index: 'id', eq: [], limit: 100 });
    const stored = rows.map(({ doc }) => (doc as unknown as CustomerDoc).profile.attributes);
    expect(stored.filter((attributes) => '$sealed' in attributes)).not.to.have.length(0);
    expect(stored.filter((attributes) => attributes.length > 0)).to.deep.equal([]);
  });

  it('are built in parallel if the log is long enough', async () => {
    const expected = createMemoryDocuments();
    await bulkBuild({ log: engine.log, docs: expected, hash, runtime: systemRuntime() }, builds, { signal: never });
    const taken: string[] = [];
    const thread = buildInThread(files, docs);
    const elsewhere: typeof thread = {
      leastEvents: 10,
      build: (some, o) => {
        taken.push(...some.map(({ projection }) => projection.name));
        return thread.build(some, o);
      },
    };
    const reached: number[] = [];
    const onProgress = (done: number) => reached.push(done);
    await buildFromStart({ log: engine.log, docs, hash, runtime: systemRuntime(), elsewhere }, builds, {
      signal: never,
      onProgress,
    });
    expect(taken).to.have.members(['setup_status', 'app_notifications', 'notifications']);
    expect(await made(sealPersonalFields(docs, engine.dataKeys, systemRuntime()))).to.deep.equal(await made(expected));
    expect(reached.at(-1)).to.equal(Number(await engine.log.head()));
  });

  it('leave the others unbuilt when they cannot be built', async () => {
    const elsewhere = {
      leastEvents: 10,
      build: async () => {
        throw new Error('no thread');
      },
    };
    const deps = { log: engine.log, docs, hash, runtime: systemRuntime(), elsewhere };
    const failed = await buildFromStart(deps, builds, { signal: never }).catch((err: unknown) => err);
    expect(failed).to.have.property('message', 'no thread');
    const rest = builds.filter(({ projection }) => !projection.families.includes('inbox'));
    for (const build of rest) expect(await checkpointOf(docs, build), build.projection.name).to.equal(undefined);
  });

  it('are refused with the reason: an unknown read model, an aborted signal, a file that is not there', async () => {
    const upTo = await engine.log.head();
    const [first] = builds;
    if (!first) throw new Error('there are builds');
    const unknown = { projection: { ...first.projection, name: 'nobodys' }, generation: 1 };
    const why = (from: EngineFiles, some: readonly Build[], signal: AbortSignal) =>
      buildInThread(from, docs)
        .build(some, { signal, upTo })
        .then(
          () => 'built',
          (err: unknown) => String(err),
        );
    expect(await why(files, [unknown], never)).to.include('unknown read model nobodys');
    expect(await why(files, builds, AbortSignal.abort())).to.include('the build was stopped');
    expect(await why({ ...files, log: join(folder, 'nowhere.sqlite') }, builds, never)).to.include('unable to open');
  });
});
