// The runner's promise: each event has its effect on each document once, wherever a run is cut and whoever runs beside it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbeddedDocuments, type EmbeddedDocuments } from '../../../src/adapters/documents/embedded/store.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { createCodec } from '../../../src/adapters/event-log/codec.js';
import { createMemoryLog } from '../../adapters/event-log/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import type { Projection, SumDoc } from '../../../src/projections/runtime/projection.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import { customers } from '../../../src/projections/models/customers.js';
import { apiKeys } from '../../../src/projections/models/projects.js';
import { transactions } from '../../../src/projections/models/transactions.js';
import { users } from '../../../src/projections/models/users.js';
import { runAll, checkpointOf, documentsOf, feedsOf, firstBuild, guardedOf, open } from '../support/builds.js';
import { charges, expectedSums } from '../support/day-sums.js';
import { history, type History } from '../support/history.js';
import { chance, withSeed } from '../support/seeded-random.js';
import { stepped } from '../support/stepped-documents.js';

describe('runner', function () {
  // Thousands of runs: as long as a busy machine takes.
  this.timeout(120_000);
  let past: History;
  before(async () => {
    past = await history();
  });

  const run = async (docs: DocStore, projection: Projection, size: () => number) =>
    runAll(await open(past.log, docs, firstBuild(projection)), feedsOf(past.events, size));
  const all = () => past.events.length;
  const stateOf = async (docs: DocStore, projection: Projection) => ({
    documents: await guardedOf(docs, firstBuild(projection)),
    checkpoint: await checkpointOf(docs, firstBuild(projection)),
  });
  const uncut = async (projection: Projection) => {
    const docs = createMemoryDocuments();
    await run(docs, projection, all);
    return stateOf(docs, projection);
  };

  it('works on a history in which a great deal happens', () => {
    const types = new Set(past.events.map((e) => e.type));
    expect(types).to.include.keys('CustomerMerged', 'PurchaseTransferred', 'TransactionRefunded', 'ApiKeyDeleted');
    expect(types).to.include.keys('CustomerSeen', 'EntitlementGrantExpired', 'SubscriptionExpired');
  });

  for (const projection of [customers, transactions, apiKeys, charges, customerHistories] as Projection[]) {
    describe(`of ${projection.name}`, () => {
      for (const [first, second] of [
        [100_000, 100_000],
        [100_000, 1],
        [7, 100_000],
        [4, 5],
      ] as const) {
        it(`ends the same, cut at every write (batches of ${first}, then of ${second})`, async () => {
          const expected = await uncut(projection);
          for (let cutAt = 1, isCut = true; isCut; cutAt++) {
            let writes = 0;
            const onWrite = () => {
              if (++writes === cutAt) throw new Error('cut');
            };
            const docs = createMemoryDocuments({ onWrite });
            isCut = await run(docs, projection, () => first).then(
              () => false,
              () => true,
            );
            await run(docs, projection, () => second);
            expect(await stateOf(docs, projection), `cut at write ${cutAt}`).to.deep.equal(expected);
          }
        });
      }

      it('gets to the end though every run is cut after one write', async () => {
        let left = 0;
        const onWrite = () => {
          if (left-- === 0) throw new Error('cut');
        };
        const docs = createMemoryDocuments({ onWrite });
        const random = chance();
        const attempt = () => {
          left = 1;
          return run(docs, projection, () => 1 + random.below(9)).then(
            () => true,
            () => false,
          );
        };
        await withSeed(random, async () => {
          for (let i = 0; !(await attempt()); i++) expect(i).to.be.lessThan(1000);
          expect(await stateOf(docs, projection)).to.deep.equal(await uncut(projection));
        });
      });

      it('ends the same with a second runner at once, write by write', async () => {
        const expected = await uncut(projection);
        for (let round = 0; round < 40; round++) {
          const random = chance();
          const docs = stepped(createMemoryDocuments(), random);
          const size = () => 1 + random.below(12);
          await withSeed(random, async () => {
            await Promise.all([run(docs, projection, size), run(docs, projection, size)]);
            expect(await stateOf(docs, projection)).to.deep.equal(expected);
          });
        }
      });

      it('ends the same when one of two runners is cut', async () => {
        const expected = await uncut(projection);
        for (let round = 0; round < 40; round++) {
          const random = chance();
          let left = random.below(60);
          const store = createMemoryDocuments();
          const docs = stepped(store, random);
          const dying: DocStore = {
            ...docs,
            write: async (stages) => {
              for (const stage of stages) {
                for (const write of stage) {
                  if (left-- <= 0) throw new Error('cut');
                  if ((await docs.write([[write]])) === 'lost') return 'lost';
                }
              }
              return 'ok';
            },
          };
          const size = () => 1 + random.below(12);
          await withSeed(random, async () => {
            const cut = run(dying, projection, size).catch((err: unknown) => expect(String(err)).to.include('cut'));
            await Promise.all([cut, run(docs, projection, size)]);
            expect(await stateOf(store, projection)).to.deep.equal(expected);
          });
        }
      });
    });
  }

  describe('where a batch is written as a whole', () => {
    let directory: string;
    let docs: EmbeddedDocuments;
    beforeEach(async () => {
      directory = mkdtempSync(join(tmpdir(), 'subledger-runner-'));
      docs = await openEmbeddedDocuments({ file: join(directory, 'documents.sqlite') });
    });
    afterEach(async () => {
      await docs.close();
      rmSync(directory, { recursive: true });
    });

    for (const projection of [customers, transactions, apiKeys, charges, customerHistories] as Projection[]) {
      it(`ends with the same ${projection.name}, cut anywhere and with a second runner at once`, async () => {
        const random = chance();
        const dying: DocStore = {
          ...docs,
          write: async (stages) => {
            const fate = random.below(4);
            if (fate === 0) throw new Error('cut before the write');
            const written = await docs.write(stages);
            if (fate === 1) throw new Error('cut after the write');
            return written;
          },
        };
        const size = () => 1 + random.below(40);
        await withSeed(random, async () => {
          const isCut = async () =>
            run(dying, projection, size).then(
              () => false,
              () => true,
            );
          const cutOften = async () => {
            for (let i = 0; await isCut(); i++) expect(i).to.be.lessThan(1000);
          };
          await Promise.all([cutOften(), run(docs, projection, size)]);
          const { documents, checkpoint } = await stateOf(docs, projection);
          const expected = await uncut(projection);
          expect(documentsOf(documents)).to.deep.equal(documentsOf(expected.documents));
          expect(checkpoint?.['position']).to.equal(expected.checkpoint?.['position']);
        });
      });
    }

    it('parks the one document from which something cannot follow', async () => {
      const [poison] = past.events.filter((e) => e.type === 'TransactionRefunded');
      const hidden: Projection = {
        ...(transactions as Projection),
        derived: [
          {
            name: 'unfollowable',
            indexes: [],
            of: (doc) => {
              if (doc?.['refundedAt'] === undefined || doc['refundedAt'] === null) return new Map();
              throw new Error('nothing follows');
            },
            apply: (_target, _before, after) => after ?? null,
          },
        ],
      };
      await run(docs, hidden, all);
      const found = await docs.scan('parked', { index: 'id', eq: [], limit: 100 });
      expect(found.rows.map(({ doc }) => doc['eventId'])).to.include(poison?.id);
      const { documents } = await stateOf(docs, hidden);
      const purchases = Object.values(documentsOf(documents)['transactions'] ?? {});
      expect(purchases.length).to.be.greaterThan(0);
      expect(purchases.filter((doc) => doc['refundedAt'] !== null)).to.deep.equal([]);
    });
  });

  it('keeps sums over several sources exact', async () => {
    const { documents } = await uncut(charges);
    const sums = Object.entries(documentsOf(documents)['day_sums'] ?? {}).map(([day, doc]) => [day, doc['micros']]);
    expect(Object.fromEntries(sums)).to.deep.equal(expectedSums(past.events));
    const byMonth = Object.values(documentsOf(documents)['month_sums'] ?? {}).map((doc) => (doc as SumDoc).cells);
    expect(Object.assign({}, ...byMonth)).to.deep.equal(expectedSums(past.events));
  });

  it('refuses a checkpoint of another log', async () => {
    const docs = createMemoryDocuments();
    await run(docs, transactions, all);
    const other = createMemoryLog({ codec: createCodec([]), identity: 'another' });
    const outcome = await open(other, docs, firstBuild(transactions)).catch((err: unknown) => String(err));
    expect(outcome).to.include('was built from another event log');
  });

  it('passes batches without anything for it at once, and writes its position when saved', async () => {
    let writes = 0;
    const docs = createMemoryDocuments({ onWrite: () => void writes++ });
    const runner = await open(past.log, docs, firstBuild(users));
    for (const feed of feedsOf(past.events, () => 5)) await runner.apply(feed);
    const end = past.events.at(-1)?.position;
    expect([runner.position(), writes]).to.deep.equal([end, 0]);
    await runner.save();
    await runner.save();
    expect(writes).to.equal(1);
    expect(await checkpointOf(docs, firstBuild(users))).to.deep.equal({ position: end, logIdentity: 'memory' });
    expect((await open(past.log, docs, firstBuild(users))).position()).to.equal(end);
  });

  it('continues after another runner that was faster', async () => {
    const docs = createMemoryDocuments();
    const slow = await open(past.log, docs, firstBuild(transactions));
    await run(docs, transactions, all);
    await runAll(
      slow,
      feedsOf(past.events, () => 3),
    );
    expect(slow.position()).to.equal(past.events.at(-1)?.position);
    expect(await stateOf(docs, transactions)).to.deep.equal(await uncut(transactions));
  });
});
