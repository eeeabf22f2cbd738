// A build made all at once, in however many parts, holds what a runner makes event by event. `HISTORIES` sets over how many random
// histories, `SEED` which.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { bulkBuild } from '../../../src/projections/rebuild/bulk-build.js';
import type { Build, Projection } from '../../../src/projections/runtime/projection.js';
import { projections } from '../../../src/projections/rebuild/registry.js';
import { randomHistory } from '../../charts-reference/random-history.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { emptyLog, record, expressible } from '../charts/recorded-log.js';
import {
  documentsOf,
  feedsOf,
  firstBuild,
  guardedOf,
  never,
  open,
  runAll,
  type Documents,
  hash,
} from '../support/builds.js';
import { charges } from '../support/day-sums.js';
import { history, type History } from '../support/history.js';
import { chance, withSeed } from '../support/seeded-random.js';

/** Sums over customers are shared between parts. */
const summed: Projection = { ...(charges as Projection), isPartitioned: true };
/** Each customer names the one before it when it is merged in, and takes over what that one was worth. */
const heirs: Projection = {
  ...summed,
  name: 'heirs',
  derived: [],
  keys: (event) => {
    const merged =
      event.type === 'CustomerMerged' ? (event.data as { mergedCustomerId: string }).mergedCustomerId : null;
    return merged === null ? summed.keys(event) : [...summed.keys(event), merged];
  },
  fold: (doc, event, id, peer) => {
    const merged =
      event.type === 'CustomerMerged' ? (event.data as { mergedCustomerId: string }).mergedCustomerId : null;
    if (merged === id) return doc;
    const worth = Number(doc?.['worth'] ?? 0) + 1;
    return { worth: merged === null ? worth : worth + Number(peer(merged)?.['worth'] ?? 0) };
  },
  sums: {
    collections: [{ name: 'worths', indexes: [] }],
    open: () => {
      let worth = 0;
      return {
        change: (before, after) => {
          worth += Number(after?.['worth'] ?? 0) - Number(before?.['worth'] ?? 0);
        },
        additions: () => [{ of: 'worths', id: 'all', fields: {}, cells: [['worth', worth]] }],
      };
    },
  },
};
const all = [...projections, summed, heirs];
const HISTORIES = Number(process.env['HISTORIES'] ?? 12);

/** Builds read models with runners, in batches of `size`. */
async function runnersMake({ log, events }: Omit<History, 'projectId'>, size: () => number) {
  const made = new Map<string, Documents>();
  for (const projection of all) {
    const docs = createMemoryDocuments();
    await runAll(await open(log, docs, firstBuild(projection)), feedsOf(events, size));
    made.set(projection.name, documentsOf(await guardedOf(docs, firstBuild(projection))));
  }
  return made;
}

describe('a build made all at once', () => {
  let past: History;
  let expected: Map<string, Documents>;
  before(async () => {
    past = await history();
    expected = await runnersMake(past, () => 7);
  });

  const builds: readonly Build[] = all.map((projection) => ({ projection, generation: 2 }));

  for (const partSize of [1000, 40, 9]) {
    it(`equals what runners make, with ${partSize} events to a part`, async () => {
      const docs = createMemoryDocuments();
      await bulkBuild({ log: past.log, docs, hash, runtime: systemRuntime() }, builds, { signal: never, partSize });
      for (const build of builds) {
        const { name } = build.projection;
        expect(documentsOf(await guardedOf(docs, build)), name).to.deep.equal(expected.get(name));
      }
    });
  }

  it('continues where it was interrupted, in any part', async () => {
    const random = chance();
    await withSeed(random, async () => {
      let left = Number.MAX_SAFE_INTEGER;
      const docs = createMemoryDocuments({
        onWrite: () => {
          if (--left === 0) throw new Error('cut');
        },
      });
      for (let tries = 1, isCut = true; isCut; tries++) {
        left = 20 * tries + random.below(60);
        isCut = await bulkBuild({ log: past.log, docs, hash, runtime: systemRuntime() }, builds, {
          signal: never,
          partSize: 20,
        }).then(
          () => false,
          (err: unknown) => String(err).includes('cut'),
        );
      }
      for (const build of builds) {
        const { name } = build.projection;
        expect(documentsOf(await guardedOf(docs, build)), name).to.deep.equal(expected.get(name));
      }
    });
  });

  it(`equals what runners make of ${HISTORIES} random histories, also when they go on from where it ended`, async () => {
    const random = chance();
    await withSeed(random, async () => {
      for (let n = 0; n < HISTORIES; n++) {
        const log = emptyLog();
        const recorded = expressible(randomHistory(random));
        await record(log, recorded, recorded);
        const events = await eventsOf(log);
        const made = await runnersMake({ log, events }, () => 1 + random.below(20));
        const docs = createMemoryDocuments();
        const last = events[random.below(2 * events.length)];
        const partSize = 1 + random.below(events.length);
        await bulkBuild({ log, docs, hash, runtime: systemRuntime() }, builds, {
          signal: never,
          partSize,
          ...(last && { upTo: last.position }),
        });
        for (const build of builds) {
          const runner = await open(log, docs, build);
          expect(runner.position()).to.equal(last?.position ?? (await log.head()));
          await runAll(
            runner,
            feedsOf(events, () => 1 + random.below(20)),
          );
          const { name } = build.projection;
          expect(documentsOf(await guardedOf(docs, build)), `${name} of history ${n}`).to.deep.equal(made.get(name));
        }
      }
    });
  });

  it('leaves runners that continue anywhere in a history of all kinds of streams', async () => {
    const random = chance();
    await withSeed(random, async () => {
      const last = past.events[random.below(past.events.length)];
      const docs = createMemoryDocuments();
      await bulkBuild({ log: past.log, docs, hash, runtime: systemRuntime() }, builds, {
        signal: never,
        partSize: 30,
        ...(last && { upTo: last.position }),
      });
      for (const build of builds) {
        await runAll(
          await open(past.log, docs, build),
          feedsOf(past.events, () => 11),
        );
        const { name } = build.projection;
        expect(documentsOf(await guardedOf(docs, build)), name).to.deep.equal(expected.get(name));
      }
    });
  });
});
