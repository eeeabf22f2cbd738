// A build stands beside what is served, shows where the two differ, and changes nothing that is served.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { projections } from '../../../src/projections/rebuild/registry.js';
import { buildSeparately, type BuildResult } from '../../../src/projections/rebuild/rebuild.js';
import { createServing, servingCollection } from '../../../src/projections/rebuild/serving.js';
import { customers } from '../../../src/projections/models/customers.js';
import { collectionOf, type Projection } from '../../../src/projections/runtime/projection.js';
import { fakeRuntime } from '../../commands/support/memory-deps.js';
import { documentsOf, feedsOf, firstBuild, guardedOf, hash, never, open, runAll } from '../support/builds.js';
import { customer } from '../support/customer-events.js';
import { history, type History } from '../support/history.js';
import { logOf } from '../support/spec.js';
import { eventsOf } from '../../commands/support/memory-deps.js';

const projection = customers as Projection;
const second = { projection, generation: 2 };
/** Code that counts a little more with every event. */
const generous: Projection = {
  ...projection,
  fold: (doc, event, id) => {
    const next = projection.fold(doc, event, id, () => undefined);
    return next && { ...next, spentMicros: Number(next['spentMicros']) + 1 };
  },
};

function differencesOf({ compared: [one] }: BuildResult) {
  if (!one) throw new Error('nothing was built');
  return one.differences;
}

describe('a build in addition to the served one', () => {
  let past: History;
  before(async () => {
    past = await history();
  });

  const served = async (
    all: readonly Projection[] = [projection],
    { log, events }: Omit<History, 'projectId'> = past,
  ) => {
    const docs = createMemoryDocuments();
    await docs.ensure([servingCollection]);
    const { runtime } = fakeRuntime();
    const serving = createServing(docs, runtime);
    for (const one of all) {
      await runAll(
        await open(log, docs, firstBuild(one)),
        feedsOf(events, () => 9),
      );
    }
    return { docs, deps: { log, docs, hash, runtime, serving } };
  };

  it('does not differ when the code is the same', async () => {
    const { docs, deps } = await served(projections);
    const target = createMemoryDocuments();
    const { built, compared } = await buildSeparately(deps, target, projections, { signal: never });
    for (const one of compared) expect(one).to.deep.include({ generation: 2, differences: { count: 0, ids: [] } });
    const builds = projections.map(({ name, version }) => ({ name, version, generation: 2 }));
    expect(built).to.deep.equal({ builds, position: await past.log.head(), logIdentity: await past.log.identity() });
    for (const one of projections) {
      const [there, here] = [
        await guardedOf(target, { projection: one, generation: 2 }),
        await guardedOf(docs, firstBuild(one)),
      ];
      expect(documentsOf(there), one.name).to.deep.equal(documentsOf(here));
    }
  });

  it('leaves what is served as it is', async () => {
    const { docs, deps } = await served();
    const before = await guardedOf(docs, firstBuild(projection));
    await buildSeparately(deps, createMemoryDocuments(), [generous], { signal: never });
    expect(await guardedOf(docs, firstBuild(projection))).to.deep.equal(before);
    expect((await deps.serving.build(projection)).generation).to.equal(1);
  });

  it('names the documents that other code makes otherwise', async () => {
    const { docs, deps } = await served();
    const ids = Object.keys((await guardedOf(docs, firstBuild(projection)))['customers'] ?? {});
    const differences = differencesOf(
      await buildSeparately(deps, createMemoryDocuments(), [generous], { signal: never }),
    );
    expect(differences).to.deep.equal({ count: ids.length, ids: ids.sort() });
  });

  it('names documents that only one of the two has', async () => {
    const { docs, deps } = await served();
    const c = collectionOf(firstBuild(projection));
    const [lost] = Object.entries((await guardedOf(docs, firstBuild(projection)))['customers'] ?? {});
    const doc = { listedIn: '', firstSeenAt: '', lastSeenAt: '', spentMicros: 0 };
    const guard = past.events[0]?.position ?? '';
    await docs.write([
      [
        { c, id: 'cus_extra', expect: null, guard, doc },
        { c, id: lost?.[0] ?? '', expect: lost?.[1].guard ?? '', guard, doc: null },
      ],
    ]);
    const differences = differencesOf(
      await buildSeparately(deps, createMemoryDocuments(), [projection], { signal: never }),
    );
    expect(differences.ids).to.have.members(['cus_extra', lost?.[0]]);
  });

  it('does not differ by events that the served one has processed in the meantime', async () => {
    const [ann, ben] = [customer('ann'), customer('ben')];
    const earlier = [ann.created(), ann.subscribed()];
    const log = await logOf(earlier);
    const { docs, deps } = await served([projection], { log, events: await eventsOf(log) });
    const target = createMemoryDocuments();
    const first = await buildSeparately(deps, target, [projection], { signal: never });
    const longer = await logOf([...earlier, ann.renewed(), ben.created()]);
    const runner = await open(longer, docs, firstBuild(projection));
    await runAll(
      runner,
      feedsOf(await eventsOf(longer), () => 9),
    );
    const again = await buildSeparately({ ...deps, log: longer }, target, [projection], { signal: never });
    expect([differencesOf(again).count, again.built.position]).to.deep.equal([0, first.built.position]);
  });

  it('continues after an interruption', async () => {
    const { docs, deps } = await served();
    let left = 0;
    const target = createMemoryDocuments({
      onWrite: () => {
        if (--left === 0) throw new Error('cut');
      },
    });
    let cuts = 0;
    for (let isCut = true; isCut; cuts += Number(isCut)) {
      expect(cuts).to.be.lessThan(100);
      left = 12 * (cuts + 1);
      isCut = await buildSeparately(deps, target, [projection], { signal: never }).then(
        () => false,
        (err: unknown) => String(err).includes('cut'),
      );
    }
    expect(cuts).to.be.greaterThan(0);
    expect(documentsOf(await guardedOf(target, second))).to.deep.equal(
      documentsOf(await guardedOf(docs, firstBuild(projection))),
    );
  });

  it('continues after it was stopped', async () => {
    const { deps } = await served();
    const stop = new AbortController();
    stop.abort();
    const target = createMemoryDocuments();
    const build = (signal: AbortSignal) => buildSeparately(deps, target, [projection], { signal });
    expect(await build(stop.signal).catch(String)).to.include('was stopped');
    expect(differencesOf(await build(never)).count).to.equal(0);
  });

  it('ends at an event that cannot be folded, and is made once the code is repaired', async () => {
    const { deps } = await served();
    const poison = past.events.find((e) => e.type === 'CustomerMerged');
    const broken: Projection = {
      ...projection,
      fold: (doc, event, id) => {
        if (event.id === poison?.id) throw new Error('cannot fold this');
        return projection.fold(doc, event, id, () => undefined);
      },
    };
    const target: DocStore = createMemoryDocuments();
    const build = (one: Projection) => buildSeparately(deps, target, [one], { signal: never });
    expect(await build(broken).catch(String)).to.include(`customers cannot fold CustomerMerged ${poison?.id}`);
    expect(differencesOf(await build(projection)).count).to.equal(0);
  });

  it('reports its progress', async () => {
    const { deps } = await served();
    const reports: (readonly [number, number])[] = [];
    const onProgress = (...now: [number, number]) => void reports.push(now);
    await buildSeparately(deps, createMemoryDocuments(), [projection], { signal: never, onProgress });
    const head = Number(await past.log.head());
    expect(reports.at(-1)).to.deep.equal([head, head]);
  });
});
