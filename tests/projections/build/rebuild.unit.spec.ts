// A rebuild stands beside what is served, tells where the two differ, and is served in its place, once.
import { expect } from 'chai';
import { memoryDocuments } from '../../../src/adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { customers, type CustomerDoc, type TermDoc } from '../../../src/projections/models/customers.js';
import { collectionOf, type Projection } from '../../../src/projections/runtime/projection.js';
import {
  rebuild,
  type RebuildDeps,
  type RebuildOptions,
  type Rebuilt,
} from '../../../src/projections/build/rebuild.js';
import { createServing, servingCollection } from '../../../src/projections/build/serving.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { fakeRuntime } from '../../commands/support/memory-deps.js';
import { documentsOf, feedsOf, firstBuild, guardedOf, hash, never, open, runAll } from '../support/builds.js';
import { customer } from '../support/facts.js';
import { history, type History } from '../support/history.js';
import { logOf } from '../support/spec.js';
import { eventsOf } from '../../commands/support/memory-deps.js';

const projection = customers as Projection;
/** Code that counts a little more with every event. */
const generous: Projection = {
  ...projection,
  fold: (doc, event, id) => {
    const next = projection.fold(doc, event, id, () => undefined);
    return next && { ...next, spentMicros: Number(next['spentMicros']) + 1 };
  },
};

/** One projection alone. */
async function rebuildOne(deps: RebuildDeps, one: Projection, o: RebuildOptions): Promise<Rebuilt> {
  const [rebuilt] = await rebuild(deps, [one], o);
  if (!rebuilt) throw new Error('nothing was rebuilt');
  return rebuilt;
}

describe('rebuild', () => {
  let past: History;
  before(async () => {
    past = await history();
  });

  const served = async (docs: DocStore = memoryDocuments()) => {
    await docs.ensure([servingCollection]);
    const serving = createServing(docs, fakeRuntime().runtime);
    await runAll(
      await open(past.log, docs, firstBuild(projection)),
      feedsOf(past.events, () => 9),
    );
    return { docs, serving, deps: { log: past.log, docs, hash, serving } };
  };

  it('finds no difference when the code is the same', async () => {
    const { docs, deps } = await served();
    const { generation, differences } = await rebuildOne(deps, projection, { signal: never });
    expect([generation, differences]).to.deep.equal([2, { count: 0, ids: [] }]);
    const [first, second] = [firstBuild(projection), { projection, generation: 2 }];
    expect(documentsOf(await guardedOf(docs, second))).to.deep.equal(documentsOf(await guardedOf(docs, first)));
  });

  it('leaves the documents of the former build as they are', async () => {
    const { docs, deps } = await served();
    const before = await guardedOf(docs, firstBuild(projection));
    await rebuildOne(deps, generous, { signal: never });
    expect(await guardedOf(docs, firstBuild(projection))).to.deep.equal(before);
  });

  it('names the documents that other code makes otherwise', async () => {
    const { docs, deps } = await served();
    const ids = Object.keys((await guardedOf(docs, firstBuild(projection)))['customers'] ?? {});
    const { differences } = await rebuildOne(deps, generous, { signal: never });
    expect(differences).to.deep.equal({ count: ids.length, ids: ids.sort() });
  });

  it('names documents that only one of the builds has', async () => {
    const { docs, deps } = await served();
    const c = collectionOf(firstBuild(projection));
    const [lost] = Object.entries((await guardedOf(docs, firstBuild(projection)))['customers'] ?? {});
    const doc = { listedIn: '', firstSeenAt: '' };
    await docs.write([
      [
        { c, id: 'cus_extra', expect: null, guard: '1', doc },
        { c, id: lost?.[0] ?? '', expect: lost?.[1].guard ?? '', guard: '9', doc: null },
      ],
    ]);
    const { differences } = await rebuildOne(deps, projection, { signal: never });
    expect(differences.ids).to.have.members(['cus_extra', lost?.[0]]);
  });

  it('counts all differences but names a hundred', async () => {
    const people = Array.from({ length: 1205 }, (_, i) => customer(`p${i}`).created());
    const log = await logOf(people);
    const docs = memoryDocuments();
    await docs.ensure([servingCollection]);
    const serving = createServing(docs, fakeRuntime().runtime);
    const events = await eventsOf(log);
    await runAll(
      await open(log, docs, firstBuild(projection)),
      feedsOf(events.slice(0, 1000), () => 1000),
    );
    const { differences } = await rebuildOne({ log, docs, hash, serving }, projection, { signal: never });
    // A customer and its two terms each.
    expect([differences.count, differences.ids.length]).to.deep.equal([205 * 3, 100]);
  });

  for (const hasBulk of [true, false]) {
    it(`resumes after a cut, ${hasBulk ? 'all documents at once' : 'event by event'}`, async () => {
      let left = Number.MAX_SAFE_INTEGER;
      const onWrite = () => {
        if (--left === 0) throw new Error('cut');
      };
      const { docs, deps, serving } = await served(memoryDocuments({ onWrite, hasBulk }));
      let cuts = 0;
      for (let isCut = true; isCut; cuts += Number(isCut)) {
        expect(cuts).to.be.lessThan(100);
        left = 12 * (cuts + 1);
        isCut = await rebuildOne(deps, projection, { signal: never }).then(
          () => false,
          (err: unknown) => String(err).includes('cut'),
        );
      }
      expect(cuts).to.be.greaterThan(0);
      expect((await serving.build(projection)).generation).to.equal(2);
      expect(documentsOf(await guardedOf(docs, { projection, generation: 2 }))).to.deep.equal(
        documentsOf(await guardedOf(docs, firstBuild(projection))),
      );
    });
  }

  it('serves nothing when it was stopped', async () => {
    const { deps, serving } = await served();
    const stop = new AbortController();
    stop.abort();
    const outcome = await rebuildOne(deps, projection, { signal: stop.signal }).catch((err: unknown) => String(err));
    expect(outcome).to.include('was stopped');
    expect((await serving.build(projection)).generation).to.equal(1);
  });

  it('serves nothing that lacks an event, and does once the code is repaired', async () => {
    const { deps, serving } = await served();
    const poison = past.events.find((e) => e.type === 'CustomerMerged');
    const broken: Projection = {
      ...projection,
      fold: (doc, event, id) => {
        if (event.id === poison?.id) throw new Error('cannot fold this');
        return projection.fold(doc, event, id, () => undefined);
      },
    };
    const outcome = await rebuildOne(deps, broken, { signal: never }).catch((err: unknown) => String(err));
    expect(outcome).to.include(`customers cannot fold CustomerMerged ${poison?.id}`);
    expect((await serving.build(projection)).generation).to.equal(1);
    const { generation, differences } = await rebuildOne(deps, projection, { signal: never });
    expect([generation, differences.count]).to.deep.equal([2, 0]);
  });

  it('is served once when two run at once', async () => {
    const { docs, deps } = await served();
    const other = { ...deps, serving: createServing(docs, fakeRuntime().runtime) };
    const both = [deps, other].map((d) => rebuildOne(d, projection, { signal: never }));
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map((o) => o.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const failed = outcomes.find((o) => o.status === 'rejected');
    expect(String(failed?.reason)).to.include('another rebuild of customers was served meanwhile');
    const serving = createServing(docs, fakeRuntime().runtime);
    expect((await serving.build(projection)).generation).to.equal(2);
    expect(documentsOf(await guardedOf(docs, { projection, generation: 2 }))).to.deep.equal(
      documentsOf(await guardedOf(docs, firstBuild(projection))),
    );
  });

  it('reports its progress', async () => {
    const { deps } = await served();
    const reports: (readonly [number, number])[] = [];
    await rebuildOne(deps, projection, { signal: never, onProgress: (...now) => reports.push(now) });
    const head = Number(await past.log.head());
    expect(reports.at(-1)).to.deep.equal([head, head]);
  });
});

describe('views', () => {
  it('read the new build as soon as it is served, and elsewhere a second later', async () => {
    const past = await history();
    const docs = memoryDocuments();
    await docs.ensure([servingCollection]);
    const { runtime, clock } = fakeRuntime();
    const [here, there] = [createServing(docs, runtime), createServing(docs, runtime)];
    await runAll(
      await open(past.log, docs, firstBuild(projection)),
      feedsOf(past.events, () => 9),
    );
    const [mine, others] = [createReadModels(docs, here), createReadModels(docs, there)];
    const page = await mine.scanDerived<TermDoc>(projection, 'customer_terms', {
      index: 'term',
      eq: [past.projectId, 'appUserId', 'ann'],
      limit: 1,
    });
    const id = page.rows[0]?.doc.customerId ?? '';
    const spent = async (readModels: typeof mine) =>
      (await readModels.get<CustomerDoc>(customers, id))?.spentMicros ?? 0;
    const before = await spent(others);
    expect(before).to.be.greaterThan(0);
    await rebuildOne({ log: past.log, docs, hash, serving: here }, generous, { signal: never });
    expect([(await spent(mine)) > before, await spent(others)]).to.deep.equal([true, before]);
    clock.set('2026-11-20T10:00:01.000Z');
    expect(await spent(others)).to.equal(await spent(mine));
  });

  it('refuse documents that a projection does not have', async () => {
    const docs = memoryDocuments();
    await docs.ensure([servingCollection]);
    const serving = createServing(docs, fakeRuntime().runtime);
    const outcome = await serving.collection(projection, 'terms').catch((err: unknown) => String(err));
    expect(outcome).to.include('customers has no documents named terms');
  });
});
