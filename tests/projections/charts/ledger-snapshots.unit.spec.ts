// Ledgers that are kept between starts, against the customers themselves: after any number of restarts, killed at any write, and with older
// copies of the data put back.
// HISTORIES=<number> draws more.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { createDocumentSnapshots, ledgerCollections } from '../../../src/adapters/snapshots/documents.js';
import type { SnapshotStore } from '../../../src/adapters/snapshots/port.js';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { openProjectLedger } from '../../../src/projections/charts/ledger/project-ledger.js';
import { type Ledgers } from '../../../src/projections/charts/ledger/ledgers.js';
import { matchesCheckpoint, readSnapshotState } from '../../../src/projections/charts/ledger/snapshots.js';
import { bulkBuild } from '../../../src/projections/rebuild/bulk-build.js';
import { collectionOf } from '../../../src/projections/runtime/projection.js';
import { checkpointCollection, readCheckpoint, type Checkpoint } from '../../../src/projections/runtime/runner.js';
import { randomQuery } from '../../charts-reference/random-query.js';
import { queryOf } from '../../domain/charts/run-query.js';
import { hash, open } from '../support/builds.js';
import { chance, type Chance } from '../support/seeded-random.js';
import { PROJECT } from '../support/spec.js';
import { shownSegmented } from './chart-view.js';
import {
  build,
  copyOf,
  divergedCopy,
  appendSome,
  killableDocuments,
  historyWithPurchase,
  manyHistories,
  never,
  createFixture,
  projection,
  runProjector,
  type LedgerFixture,
} from './ledger-fixture.js';
import { emptyLog, recordedAt } from './recorded-log.js';
import { limits, openReading, turn } from './reading.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 4);
const NAME = `${collectionOf(build)}.${PROJECT}.production`;
const place = { collection: collectionOf(build), projectId: PROJECT, environment: 'production', part: 0, parts: 1 };
const STEPS = 12;

describe('the ledgers that are kept', function () {
  this.timeout(120_000);

  it(`hold what the customers do over the restarts of ${HISTORIES} random histories, killed at any write`, async () => {
    const random = chance();
    let loaded = 0;
    for (let n = 0; n < HISTORIES; n++) {
      const kept = await killableDocuments();
      const fixture = await createFixture(historyWithPurchase(random));
      while (fixture.done.length < fixture.all.length) {
        await appendSome(fixture, random, fixture.all.length / 3);
        await runProjector(fixture, random);
        let left = random.below(3) === 0 ? random.below(8) : Infinity;
        kept.killsAt = () => left-- <= 0;
        const ledgers = await expectCustomers(fixture, inDocuments(kept.docs), random, charts.length, `history ${n}`);
        await ledgers.warm(PROJECT);
        kept.killsAt = never;
        if ((await takenAnew(fixture.docs.docs, inDocuments(kept.docs))) === 0) loaded++;
      }
    }
    expect(loaded).to.be.above(0);
  });

  it(`hold what the customers do in ${HISTORIES} random histories in which older copies of the data are put back`, async () => {
    const random = chance();
    let [believed, refused] = [0, 0];
    const isTried = () => believed > 0 && refused > 0;
    for (let n = 0; n < HISTORIES || (!isTried() && n < 20 * HISTORIES); n++) {
      const snapshots = inDocuments((await killableDocuments()).docs);
      const all = manyHistories(random, 6);
      let fixture = await createFixture(all, all.slice(0, random.below(all.length)));
      const copies: LedgerFixture[] = [];
      for (let step = 0; step < STEPS && fixture.done.length < fixture.all.length; step++) {
        await appendSome(fixture, random, 12);
        await runProjector(fixture, random, ([Infinity, random.below(30), 'no checkpoint'] as const)[random.below(3)]);
        if (random.below(2) === 0) copies.push(await copyOf(fixture));
        const [checkpoint, there] = [await checkpointIn(fixture), await readSnapshotState(snapshots, place)];
        const isTold = there !== null && checkpoint.position >= there.upTo;
        if (isTold && matchesCheckpoint(checkpoint, there)) believed++;
        else if (isTold) refused++;
        const ledgers = await expectCustomers(fixture, snapshots, random, 6, `step ${step} of history ${n}`);
        await ledgers.warm(PROJECT);
        const older = random.below(2) === 0 ? copies[random.below(copies.length)] : undefined;
        if (older) fixture = divergedCopy(await copyOf(older), random);
      }
    }
    expect(believed).to.be.above(0);
    expect(refused, 'copies that are as far as what was kept').to.be.above(0);
  });

  it('are taken in again when the bytes, the log, the customers or the position are not those they were made of', async () => {
    const random = chance();
    const { docs, snapshots } = await keptOnce(random);
    expect(await takenAnew(docs, snapshots)).to.equal(0);

    const elsewhere = await keptOnce(random);
    expect(await takenAnew(elsewhere.docs, snapshots), 'other customers').to.be.above(0);

    const checkpointId = collectionOf(build);
    const { guard, doc } = (await docs.get(checkpointCollection.name, [checkpointId])).get(checkpointId) ?? {};
    const put = (changed: object) =>
      docs.bulk?.put([
        { c: checkpointCollection.name, id: checkpointId, guard: guard ?? '1', doc: { ...doc, ...changed } },
      ]);
    await put({ logIdentity: 'another' });
    expect(await takenAnew(docs, snapshots), 'another log').to.be.above(0);
    await put({ position: '00000000000000000000' });
    expect(await takenAnew(docs, snapshots), 'put back').to.be.above(0);
    await put({});

    const bytes = await bytesOf(snapshots);
    const middle = bytes.length >> 1;
    for (const damaged of [
      bytes.subarray(0, middle),
      bytes.subarray(0, 3),
      Buffer.from('not a ledger'),
      Buffer.alloc(0),
    ]) {
      await snapshots.write(NAME, [damaged]);
      expect(await takenAnew(docs, snapshots), `${damaged.length} bytes`).to.be.above(0);
    }
    const ofOtherRules = Buffer.from(bytes.toString('latin1').replace(/"rows":\d+/, '"rows":0'), 'latin1');
    expect(ofOtherRules.equals(bytes)).to.equal(false);
    await snapshots.write(NAME, [ofOtherRules]);
    expect(await takenAnew(docs, snapshots), 'other rules').to.be.above(0);
    await snapshots.write(NAME, [bytes]);
    expect(await takenAnew(docs, snapshots)).to.equal(0);
  });

  it('are kept of a read model that was built all at once, and only of that one', async () => {
    const random = chance();
    const all = historyWithPurchase(random);
    const { log } = await createFixture(all, all);
    const snapshots = inDocuments((await killableDocuments()).docs);
    const builtAtOnce = async (): Promise<DocStore> => {
      const { docs } = await killableDocuments();
      await bulkBuild({ log, docs, hash, runtime: systemRuntime() }, [build], { signal: AbortSignal.timeout(120_000) });
      return docs;
    };
    const docs = await builtAtOnce();
    const { ledgers } = await openReading(docs, { snapshots });
    await ledgers.warm(PROJECT);
    expect(await takenAnew(docs, snapshots)).to.equal(0);
    expect(await takenAnew(await builtAtOnce(), snapshots), 'of another build').to.be.above(0);
  });

  it('are removed with their project and with their build', async () => {
    const { docs, snapshots } = await keptOnce(chance());
    const { ledgers, serving } = await start(docs, snapshots);
    await snapshots.write('customer_histories_v1_g1.proj_1.production', []);
    await ledgers.sweep(() => Promise.resolve(true));
    expect(await snapshots.names()).to.deep.equal([NAME]);
    await ledgers.sweep((projectId) => Promise.resolve(projectId !== PROJECT));
    expect(await snapshots.names()).to.deep.equal([]);

    await ledgers.warm(PROJECT);
    await (await start(docs, snapshots)).ledgers.warm(PROJECT);
    expect(await snapshots.names()).to.deep.equal([NAME]);
    await open(emptyLog(), docs, { projection, generation: 2 });
    await serving.move(projection, 1, 2);
    await (await start(docs, snapshots)).ledgers.sweep(() => Promise.resolve(true));
    expect(await snapshots.names()).to.deep.equal([]);
  });
});

/** Asks of a process that starts; returns its ledgers. */
async function expectCustomers(
  { docs, done }: LedgerFixture,
  snapshots: SnapshotStore,
  random: Chance,
  count: number,
  where: string,
): Promise<Ledgers> {
  const now = Math.max(...done.map((e) => Date.parse(recordedAt(e)))) + 1;
  const { ledgers, compute, expected } = await start(docs.docs, snapshots);
  const first = random.below(charts.length);
  for (let i = 0; i < count * 2; i++) {
    const { id } = charts[(first + i) % charts.length] ?? { id: 'mrr' };
    const drawn = randomQuery(now - random.below(100 * 86_400_000), random);
    const q = queryOf(id, { ...drawn, environment: 'production' });
    const [found, wanted] = [await compute(PROJECT, q), await expected(PROJECT, q)];
    if (isDeepStrictEqual(shownSegmented(found), shownSegmented(wanted))) continue;
    expect(shownSegmented(found), `${id} (${where}, SEED=${random.seed})`).to.deep.equal(shownSegmented(wanted));
  }
  return ledgers;
}

function checkpointIn({ docs }: LedgerFixture): Promise<Checkpoint> {
  return readCheckpoint(docs.docs, collectionOf(build));
}

const inDocuments = (docs: DocStore) => createDocumentSnapshots(docs, systemRuntime(), ledgerCollections);

function start(docs: DocStore, snapshots: SnapshotStore) {
  return openReading(docs, { snapshots });
}

/** A history that was taken in, and kept. */
async function keptOnce(random: Chance) {
  const all = historyWithPurchase(random);
  const fixture = await createFixture(all, all);
  await runProjector(fixture, random);
  const { docs } = fixture.docs;
  const snapshots = inDocuments((await killableDocuments()).docs);
  await (await start(docs, snapshots)).ledgers.warm(PROJECT);
  expect(await snapshots.names()).to.deep.equal([NAME]);
  return { docs, snapshots };
}

/** Returns the number of customers, apart from the newest in the log, whose rows a start builds again. */
async function takenAnew(docs: DocStore, snapshots: SnapshotStore): Promise<number> {
  const read = new Set<string>();
  const watched: DocStore = {
    ...docs,
    scan: async (c, scan) => {
      const page = await docs.scan(c, scan);
      if (scan.from === '') for (const { id } of page.rows) read.add(id);
      return page;
    },
  };
  const ledger = openProjectLedger(
    {
      docs: watched,
      snapshots: { ...snapshots, write: () => Promise.resolve(false) },
      turn,
      ...limits,
    },
    build,
    PROJECT,
    'production',
  );
  await ledger.filled();
  return read.size;
}

async function bytesOf(snapshots: SnapshotStore): Promise<Buffer> {
  const reader = await snapshots.open(NAME);
  const found: Uint8Array[] = [];
  for (;;) {
    const next = await reader?.read(1).catch(() => null);
    if (!next) return Buffer.concat(found);
    found.push(next);
  }
}
