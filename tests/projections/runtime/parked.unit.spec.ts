// A fold that throws: a projection that may not go on without the event halts; else one document is parked, visibly, and folded later.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { customers, exactTerm } from '../../../src/projections/models/customers.js';
import { parkedCollection } from '../../../src/projections/runtime/parked.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';
import { ProjectionHalted } from '../../../src/projections/runtime/runner.js';
import { documentsOf, feedsOf, firstBuild, guardedOf, hash, open, runAll } from '../support/builds.js';
import { customer, DAY, DEC } from '../support/customer-events.js';
import { logOf, type Past } from '../support/spec.js';
import { eventsOf } from '../../commands/support/memory-deps.js';

const ann = customer('ann');
const ben = customer('ben');
/** The fourth is the poison; what follows for ann comes from two streams. */
const past: readonly Past[] = [
  ann.created(),
  ben.created(),
  ann.subscribed(),
  ann.attributes({ $email: 'ann@example.com' }),
  ben.attributes({ $email: 'ben@example.com' }),
  ann.seen(DAY(9)),
  ann.renewed(),
  ben.granted(DEC(3)),
  ann.seen(DEC(2)),
];
const isPoison = (e: RecordedEvent) => e.type === 'CustomerAttributesUpdated' && e.stream === ann.stream;
const isLater = (e: RecordedEvent) => e.type === 'SubscriptionRenewed';

/** The customers read model of code that cannot fold some events. */
function broken(fails: (event: RecordedEvent) => boolean, onPoison: Projection['onPoison'] = 'park'): Projection {
  const fold: Projection['fold'] = (doc, event, id) => {
    if (fails(event)) throw new Error('cannot fold this');
    return (customers as Projection).fold(doc, event, id, () => undefined);
  };
  return { ...(customers as Projection), onPoison, fold };
}

const sound = customers as Projection;

describe('poisoned projection', () => {
  let log: EventLog;
  let events: readonly RecordedEvent[];
  before(async () => {
    log = await logOf(past);
    events = await eventsOf(log);
  });
  const build = firstBuild(sound);
  const run = async (docs: DocStore, projection: Projection, size: number, from = events) => {
    const runner = await open(log, docs, firstBuild(projection));
    await runAll(
      runner,
      feedsOf(from, () => size),
    );
    return runner;
  };
  const expected = async () => {
    const docs = createMemoryDocuments();
    await run(docs, sound, 100);
    return guardedOf(docs, build);
  };
  const records = async (docs: DocStore) =>
    (await docs.scan(parkedCollection.name, { index: 'id', eq: [], limit: 100 })).rows.map((row) => row.doc);

  it('halts before the event if it must not skip it', async () => {
    const docs = createMemoryDocuments();
    const runner = await open(log, docs, firstBuild(broken(isPoison, 'halt')));
    const feeds = feedsOf(events, () => 3);
    const halted = await runAll(runner, feeds).catch((err: unknown) => err);
    expect(halted).to.be.instanceOf(ProjectionHalted);
    expect(String(halted)).to.include('customers stopped at CustomerAttributesUpdated');
    expect(runner.position()).to.equal(events[2]?.position);
  });

  for (const size of [1, 2, 4, 100]) {
    it(`parks one document and keeps the others going (batches of ${size})`, async () => {
      const docs = createMemoryDocuments();
      const runner = await run(docs, broken(isPoison), size);
      const found = await guardedOf(docs, build);
      expect(found['customers']?.['cus_ben']).to.deep.equal((await expected())['customers']?.['cus_ben']);
      expect([runner.parked(), runner.position()]).to.deep.equal([1, events.at(-1)?.position]);
    });

    it(`keeps the last good state, and the order, of the parked one (batches of ${size})`, async () => {
      const docs = createMemoryDocuments();
      await run(docs, broken(isPoison), size);
      const only = createMemoryDocuments();
      await run(only, sound, 100, events.slice(0, 3));
      const [found, good] = [await guardedOf(docs, build), await guardedOf(only, build)];
      expect(found['customers']?.['cus_ann']).to.deep.equal(good['customers']?.['cus_ann']);
      expect(found['deadlines']?.['cus_ann|sub_tx_1']).to.deep.equal(good['deadlines']?.['cus_ann|sub_tx_1']);
    });

    it(`stays parked over a restart with the same code (batches of ${size})`, async () => {
      const docs = createMemoryDocuments();
      await run(docs, broken(isPoison), size, events.slice(0, 6));
      const before = (await guardedOf(docs, build))['customers']?.['cus_ann'];
      const runner = await run(docs, broken(isPoison), size);
      expect((await guardedOf(docs, build))['customers']?.['cus_ann']).to.deep.equal(before);
      expect(runner.parked()).to.equal(1);
    });

    it(`folds what it missed from all its streams once the code is repaired (batches of ${size})`, async () => {
      const docs = createMemoryDocuments();
      await run(docs, broken(isPoison), size);
      const runner = await open(log, docs, build);
      expect(await guardedOf(docs, build)).to.deep.equal(await expected());
      expect([runner.parked(), await records(docs)]).to.deep.equal([0, []]);
    });
  }

  it('shows what is parked, since when and why', async () => {
    const docs = createMemoryDocuments();
    await run(docs, broken(isPoison), 2);
    const [event, last] = [events.find(isPoison), events.at(-1)];
    expect(await records(docs)).to.deep.equal([
      {
        build: `customers_v${customers.version}_g1`,
        id: 'cus_ann',
        eventId: event?.id,
        position: event?.position,
        stream: event?.stream,
        revision: event?.revision,
        error: 'cannot fold this',
        after: events[1]?.position,
        upTo: last?.position,
      },
    ]);
  });

  it('continues from where half-repaired code stopped', async () => {
    const docs = createMemoryDocuments();
    await run(docs, broken(isPoison), 3);
    const half = await open(log, docs, firstBuild(broken(isLater)));
    expect(half.parked()).to.equal(1);
    expect((await records(docs))[0]).to.include({ position: events.find(isLater)?.position });
    expect(documentsOf(await guardedOf(docs, build))['customer_terms']).to.include.keys(
      `cus_ann|exact|${exactTerm(hash, 'proj_1', 'ann@example.com')}`,
    );
    await open(log, docs, build);
    expect(await guardedOf(docs, build)).to.deep.equal(await expected());
  });

  it('parks a document again that was taken out before', async () => {
    const docs = createMemoryDocuments();
    await run(docs, broken(isPoison), 3, events.slice(0, 5));
    await open(log, docs, build);
    const runner = await run(docs, broken(isLater), 3);
    expect(runner.parked()).to.equal(1);
    await open(log, docs, build);
    expect(await guardedOf(docs, build)).to.deep.equal(await expected());
  });

  it('ends right when the retry is cut at every write', async () => {
    for (let cutAt = 1, isCut = true; isCut; cutAt++) {
      let left = Number.MAX_SAFE_INTEGER;
      const onWrite = () => {
        if (--left === 0) throw new Error('cut');
      };
      const docs = createMemoryDocuments({ onWrite });
      await run(docs, broken(isPoison), 2);
      left = cutAt;
      isCut = await open(log, docs, build).then(
        () => false,
        () => true,
      );
      left = Number.MAX_SAFE_INTEGER;
      const runner = await open(log, docs, build);
      expect(runner.parked(), `cut at write ${cutAt}`).to.equal(0);
      expect(await guardedOf(docs, build), `cut at write ${cutAt}`).to.deep.equal(await expected());
    }
  });

  it('loses nothing to a runner that still believes the document parked', async () => {
    const docs = createMemoryDocuments();
    const zombie = await run(docs, broken(isPoison), 2, events.slice(0, 6));
    await open(log, docs, build);
    await runAll(
      zombie,
      feedsOf(events, () => 100),
    );
    await open(log, docs, build);
    expect(await guardedOf(docs, build)).to.deep.equal(await expected());
  });

  it('parks a version of a known event that only newer code understands', async () => {
    const docs = createMemoryDocuments();
    const newer = events.map((e) => (isPoison(e) ? { ...e, v: 99 } : e));
    expect((await run(docs, sound, 3, newer)).parked()).to.equal(1);
    expect((await records(docs))[0]?.['error']).to.include('is newer than this code');
  });

  it('passes over a type of event that only newer code knows', async () => {
    const docs = createMemoryDocuments();
    const newer = events.map((e) => (isPoison(e) ? { ...e, type: 'CustomerPraised' } : e));
    expect((await run(docs, sound, 3, newer)).parked()).to.equal(0);
    expect((await guardedOf(docs, build))['customers']?.['cus_ann']?.guard).to.equal(events.at(-1)?.position);
  });
});
