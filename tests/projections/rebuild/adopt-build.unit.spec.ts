// A build from a file of its own is copied in, brought up to the newest event and served in the place of the former one. Until then nothing
// changes, wherever it ends.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbeddedDocuments, type EmbeddedDocuments } from '../../../src/adapters/documents/embedded/store.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import {
  adoptBuild,
  type AdoptDeps,
  type BuiltFile,
  createHandover,
} from '../../../src/projections/rebuild/adopt-build.js';
import { buildSeparately } from '../../../src/projections/rebuild/rebuild.js';
import { createServing, servingCollection } from '../../../src/projections/rebuild/serving.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import { customers } from '../../../src/projections/models/customers.js';
import { parkedCollection } from '../../../src/projections/runtime/parked.js';
import { collectionsOf, type Build, type Projection } from '../../../src/projections/runtime/projection.js';
import { checkpointCollection } from '../../../src/projections/runtime/runner.js';
import { eventsOf, fakeRuntime } from '../../commands/support/memory-deps.js';
import {
  checkpointOf,
  documentsOf,
  feedsOf,
  guardedOf,
  hash,
  never,
  open,
  runAll,
  type Documents,
} from '../support/builds.js';
import { customer, DAY } from '../support/customer-events.js';
import { logOf } from '../support/spec.js';

const all = [customers, customerHistories] as unknown as readonly Projection[];
const [ann, ben, cleo] = [customer('ann'), customer('ben'), customer('cleo')];
const earlier = [ann.created(), ann.subscribed(), ben.created(), ben.subscribed({ tx: 'tx_b' }), ben.expired()];
/** Recorded while the build was made and compared. */
const later = [ann.renewed(), cleo.created(DAY(9)), cleo.granted(null), ben.mergedInto('ann'), ann.merged('ben')];

const buildsOf = (generation: number) => all.map((projection): Build => ({ projection, generation }));

/** Throws at the one event. */
function failingAt(type: string, { fold, ...projection }: Projection): Projection {
  return {
    ...projection,
    fold: (doc, event, id, peer) => {
      if (event.type === type) throw new Error('cannot fold this');
      return fold(doc, event, id, peer);
    },
  };
}

/** Fails at the `count`th change. */
function cutAt(docs: EmbeddedDocuments, count: number): DocStore {
  const { bulk } = docs;
  if (!bulk?.adopt) throw new Error('the embedded store takes over files');
  const { begin, put, finish, adopt } = bulk;
  let left = count;
  const cutting =
    <A extends unknown[], R>(change: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (--left === 0) throw new Error('cut');
      return change(...given);
    };
  return {
    ...docs,
    write: cutting(docs.write),
    drop: cutting(docs.drop),
    bulk: { begin: cutting(begin), put: cutting(put), finish: cutting(finish), adopt: cutting(adopt) },
  };
}

describe('a build taken over from its file', () => {
  let folder: string;
  let log: EventLog;
  let docs: EmbeddedDocuments;
  let built: BuiltFile;
  let former: Documents[];
  const expected: Documents[] = [];
  const fileOf = (name: string) => join(folder, `${name}.sqlite`);

  const documentsIn = async (store: DocStore, builds: readonly Build[]) => {
    const found: Documents[] = [];
    for (const build of builds) found.push(documentsOf(await guardedOf(store, build)));
    return found;
  };
  const beside = async (from: EventLog, served: DocStore, file: string): Promise<BuiltFile> => {
    const target = await openEmbeddedDocuments({ file: fileOf(file) });
    const { runtime } = fakeRuntime();
    const serving = createServing(served, runtime);
    const made = await buildSeparately({ log: from, docs: served, hash, runtime, serving }, target, all, {
      signal: never,
    });
    await target.close();
    return { folder: file, ...made.built };
  };
  const runFirst = async (from: EventLog, store: DocStore) => {
    const events = await eventsOf(from);
    for (const build of buildsOf(1)) {
      await runAll(
        await open(from, store, build),
        feedsOf(events, () => 2),
      );
    }
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'subledger-adopt-'));
    const early = await logOf(earlier);
    const served = await openEmbeddedDocuments({ file: fileOf('served') });
    await served.ensure([servingCollection]);
    await runFirst(early, served);
    former = await documentsIn(served, buildsOf(1));
    built = await beside(early, served, 'all');
    await served.close();
    docs = await openEmbeddedDocuments({ file: fileOf('documents') });
    log = await logOf([...earlier, ...later]);
    const live = createMemoryDocuments();
    await runFirst(log, live);
    expected.push(...(await documentsIn(live, buildsOf(1))));
  });
  after(async () => {
    await docs.close();
    rmSync(folder, { recursive: true });
  });

  /** Only what is served, as it was when the build was made. */
  beforeEach(async () => {
    const specs = buildsOf(1).flatMap(collectionsOf);
    const left = [1, 2, 3].flatMap((generation) => buildsOf(generation).flatMap(collectionsOf));
    for (const { name } of [...left, servingCollection, checkpointCollection, parkedCollection]) await docs.drop(name);
    await docs.bulk?.begin([...specs, servingCollection]);
    await docs.bulk?.adopt?.(fileOf('served'), specs);
    await docs.bulk?.finish([...specs, servingCollection]);
  });

  const adopt = (given: BuiltFile = built, o: Partial<AdoptDeps> = {}, signal = never) => {
    const { runtime } = fakeRuntime();
    const store = o.docs ?? docs;
    const serving = createServing(store, runtime);
    const deps = { log, docs: store, hash, runtime, serving, projections: all, fileOf, handover: null };
    return adoptBuild({ ...deps, ...o }, given, signal);
  };
  const generations = async () => {
    await docs.ensure([servingCollection]);
    const serving = createServing(docs, fakeRuntime().runtime);
    return Promise.all(all.map(async (projection) => (await serving.build(projection)).generation));
  };
  const expectUnchanged = async () => {
    expect(await generations()).to.deep.equal([1, 1]);
    expect(await documentsIn(docs, buildsOf(1))).to.deep.equal(former);
  };
  const expectServed = async () => {
    expect(await generations()).to.deep.equal([2, 2]);
    expect(await documentsIn(docs, buildsOf(2))).to.deep.equal(expected);
  };

  it('is served with what was recorded after it was made, and the former one is dropped', async () => {
    await adopt();
    await expectServed();
    for (const build of buildsOf(2)) expect((await checkpointOf(docs, build))?.['position']).to.equal(await log.head());
    await docs.ensure(buildsOf(1).flatMap(collectionsOf));
    for (const [i, documents] of (await documentsIn(docs, buildsOf(1))).entries()) {
      expect(Object.values(former[i] ?? {}).some((found) => Object.keys(found).length > 0)).to.equal(true);
      for (const found of Object.values(documents)) expect(found).to.deep.equal({});
    }
  });

  it('is served once', async () => {
    await adopt();
    expect(await adopt().catch(String)).to.include(
      'another rebuild of customers was put into service in the meantime; nothing was',
    );
    await expectServed();
  });

  it('is refused when it is of another log', async () => {
    const other = { ...built, logIdentity: 'another' };
    expect(await adopt(other).catch(String)).to.include('it was built from another event log; nothing was changed');
    await expectUnchanged();
  });

  it('is refused by code that has another version of the read model', async () => {
    const builds = built.builds.map((b) => ({ ...b, version: b.version + 1 }));
    const outcome = await adopt({ ...built, builds }).catch(String);
    expect(outcome).to.include(`the service has no version ${customers.version + 1} of customers`);
    await expectUnchanged();
  });

  it('is refused by an engine that keeps documents elsewhere', async () => {
    const elsewhere = createMemoryDocuments({ hasBulk: false });
    expect(await adopt(built, { docs: elsewhere }).catch(String)).to.include(
      'this storage engine cannot adopt builds from files',
    );
  });

  for (const [kind, at, reason] of [
    ['that parks', 0, '1 documents of customers cannot be folded'],
    ['that halts', 1, 'stopped at SubscriptionRenewed'],
  ] as const) {
    it(`is not served while an event cannot be folded, and is once the code is repaired, of a read model ${kind}`, async () => {
      const broken = all.map((projection, i) => (i === at ? failingAt('SubscriptionRenewed', projection) : projection));
      expect(await adopt(built, { projections: broken }).catch(String)).to.include(reason);
      await expectUnchanged();
      await adopt();
      await expectServed();
    });
  }

  it('is not served when that is stopped', async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await adopt(built, {}, stop.signal).catch(String)).to.include('was stopped; run it again to continue');
    await expectUnchanged();
  });

  it('ends in the same documents when it is interrupted at any change and repeated', async () => {
    const one = { ...built, builds: built.builds.slice(0, 1) };
    let cuts = 0;
    const isCut = async () => {
      const outcome = await adopt(one, { docs: cutAt(docs, cuts + 1) }).catch(String);
      return outcome === 'Error: cut' && (await generations())[0] === 1;
    };
    for (; await isCut(); cuts++) expect(await documentsIn(docs, buildsOf(1))).to.deep.equal(former);
    expect(cuts).to.be.greaterThan(5);
    expect(await generations()).to.deep.equal([2, 1]);
    expect(documentsOf(await guardedOf(docs, { projection: customers, generation: 2 }))).to.deep.equal(expected[0]);
  });

  it('lacks nothing when only some of it came to be served, and the rest is built with what is newer', async () => {
    const serving = createServing(docs, fakeRuntime().runtime);
    copyFileSync(fileOf('all'), fileOf('again'));
    await adopt({ ...built, builds: built.builds.slice(0, 1) });
    const again = await beside(log, docs, 'again');
    expect(again.builds.map((b) => b.generation)).to.deep.equal([3, 2]);
    expect(again.position).to.equal(built.position);
    await adopt(again);
    const builds = await Promise.all(all.map((projection) => serving.build(projection)));
    expect(builds.map((b) => b.generation)).to.deep.equal([3, 2]);
    expect(await documentsIn(docs, builds)).to.deep.equal(expected);
  });

  describe('concurrently with a projector', () => {
    const begin = () => {
      const handover = createHandover();
      const { projector } = handover;
      const asked = new Promise((resolve) => projector.change().addEventListener('abort', resolve, { once: true }));
      const outcome = adopt(built, { handover }).catch(String);
      return { projector, outcome, asked };
    };

    it('is served only after the projector keeps it as well, which leaves it then', async () => {
      const { projector, outcome, asked } = begin();
      await asked;
      expect([projector.pending().length, await generations()]).to.deep.equal([2, [1, 1]]);
      projector.joined();
      await outcome;
      expect(projector.pending()).to.deep.equal([]);
      await expectServed();
    });

    it('is not served when the projector cannot keep it', async () => {
      const { projector, outcome, asked } = begin();
      await asked;
      projector.failed(new Error('cannot fold this'));
      expect(await outcome).to.include('cannot fold this');
      expect(projector.pending()).to.deep.equal([]);
      await expectUnchanged();
    });
  });
});
