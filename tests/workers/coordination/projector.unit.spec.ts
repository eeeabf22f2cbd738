// The projector feeds all read models, and one that must stop stops no other.
import { expect } from 'chai';
import type { Runtime } from '../../../src/adapters/runtime.js';
import { createServing } from '../../../src/projections/rebuild/serving.js';
import { customers } from '../../../src/projections/models/customers.js';
import { buildFromStart } from '../../../src/projections/rebuild/rebuild.js';
import { projections } from '../../../src/projections/rebuild/registry.js';
import { transactions } from '../../../src/projections/models/transactions.js';
import { createHandover } from '../../../src/projections/rebuild/adopt-build.js';
import { collectionsOf, type Projection } from '../../../src/projections/runtime/projection.js';
import { requestRetry, progressCollection } from '../../../src/projections/runtime/shared-progress.js';
import { watchRetryRequests } from '../../../src/workers/coordination/singleton.js';
import { runProjector } from '../../../src/workers/coordination/projector.js';
import { fakeRuntime } from '../../commands/support/memory-deps.js';
import { checkpointOf, firstBuild, guardedOf, hash, never } from '../../projections/support/builds.js';
import { history, type History } from '../../projections/support/history.js';
import { reactionRig, until } from '../rig.js';

describe('projector', () => {
  let past: History;
  before(async () => {
    past = await history();
  });

  const rigged = async () => {
    const { runtime, clock } = fakeRuntime();
    const rig = await reactionRig(past.log, runtime);
    const serving = createServing(rig.docs, runtime);
    const handover = createHandover();
    const start = (all: readonly Projection[], isSingleProcess = false, given = runtime) => {
      const stopping = new AbortController();
      const caughtUp: boolean[] = [];
      const deps = {
        ...rig.deps,
        hash,
        runtime: given,
        serving,
        projections: all,
        handover: handover.projector,
        isSingleProcess,
      };
      const ended = runProjector(deps, stopping.signal, () => void caughtUp.push(true));
      const stop = async () => {
        stopping.abort();
        await ended;
      };
      return { caughtUp, stop };
    };
    return { ...rig, serving, start, clock, handover, runtime };
  };
  const end = () => past.events.at(-1)?.position;

  it('brings all read models to the head, reports it once, and writes their positions', async () => {
    const { start, progress, docs } = await rigged();
    const { caughtUp, stop } = start(projections);
    await until(() => caughtUp.length > 0);
    await stop();
    for (const projection of projections) {
      expect(progress.at(projection.name), projection.name).to.equal(end());
      const checkpoint = await checkpointOf(docs, firstBuild(projection));
      expect(checkpoint?.['position'], projection.name).to.equal(end());
    }
    expect(caughtUp).to.have.length(1);
  });

  it('keeps the others going when one halts, and shows which and where', async () => {
    const poison = past.events.find((e) => e.type === 'TransactionRefunded');
    const halting: Projection = {
      ...(transactions as Projection),
      name: 'halting',
      onPoison: 'halt',
      fold: (doc, event, id) => {
        if (event.id === poison?.id) throw new Error('cannot fold this');
        return (transactions as Projection).fold(doc, event, id, () => undefined);
      },
    };
    const { start, progress, lines } = await rigged();
    const { caughtUp, stop } = start([halting, ...projections]);
    await until(() => caughtUp.length > 0);
    await stop();
    for (const { name } of projections) expect(progress.at(name), name).to.equal(end());
    expect(progress.at('halting')).to.equal(undefined);
    expect(lines.map((l) => [l['msg'], l['projection'], l['eventId']])).to.deep.equal([
      ['projection halted', 'halting', poison?.id],
    ]);
  });

  it('restarts halted read models on request, on any process', async () => {
    const poison = past.events.find((e) => e.type === 'TransactionRefunded');
    let isRepaired = false;
    const halting: Projection = {
      ...(transactions as Projection),
      name: 'halting',
      onPoison: 'halt',
      fold: (doc, event, id) => {
        if (event.id === poison?.id && !isRepaired) throw new Error('cannot fold this');
        return (transactions as Projection).fold(doc, event, id, () => undefined);
      },
    };
    const { start, progress, docs, deps, handover } = await rigged();
    await docs.ensure([progressCollection]);
    const { caughtUp, stop } = start([halting]);
    const stopping = new AbortController();
    let looks = 0;
    const looking = {
      ...deps,
      docs: { ...docs, get: (c: string, ids: readonly string[]) => (looks++, docs.get(c, ids)) },
    };
    const watching = watchRetryRequests(looking, stopping.signal, handover.again);
    await until(() => caughtUp.length > 0 && looks > 0);
    expect(progress.haltedReadModels()).to.deep.equal(['halting']);
    isRepaired = true;
    await requestRetry(docs);
    await until(() => progress.at('halting') === end());
    expect(progress.haltedReadModels()).to.deep.equal([]);
    stopping.abort();
    await Promise.all([stop(), watching]);
  });

  it('goes over to a rebuilt generation when that is served', async () => {
    const { start, docs, serving, progress, deps, clock } = await rigged();
    const { caughtUp, stop } = start(projections);
    await until(() => caughtUp.length > 0);
    const build = { projection: transactions as Projection, generation: 2 };
    await buildFromStart({ ...deps, hash }, [build], { signal: never });
    expect(await serving.move(build.projection, 1, 2)).to.equal(true);
    clock.set('2027-06-01T10:00:00.000Z');
    const again = await history();
    const [event] = again.events.filter((e) => e.type === 'CustomerCreated');
    const { stream, id, type, data, meta } = event as NonNullable<typeof event>;
    await past.log.append(stream, 'any', [{ id, type, data, meta }]);
    const head = await past.log.head();
    await until(() => progress.at('transactions') === head);
    await stop();
    expect((await checkpointOf(docs, build))?.['position']).to.equal(head);
    expect(Object.keys((await guardedOf(docs, build))['transactions'] ?? {})).to.not.have.length(0);
  });

  for (const [who, isSingleProcess, starts, name] of [
    ['alone', true, 1, customers.name],
    ['one of several', false, 2, customers.name],
    ['alone, under a former name', true, 1, 'people'],
  ] as const) {
    it(`drops what an earlier version of the code left, ${who}, at start ${starts}`, async () => {
      const { start, docs } = await rigged();
      const version = customers.version - 1;
      const current = { ...customers, formerNames: ['people'] } as Projection;
      const before = firstBuild({ ...customers, name, version });
      const countStored = async () => {
        await docs.ensure(collectionsOf(before));
        return Object.values(await guardedOf(docs, before)).reduce((sum, found) => sum + Object.keys(found).length, 0);
      };
      const run = async (projection: Projection) => {
        const { caughtUp, stop } = start([projection], isSingleProcess);
        await until(() => caughtUp.length > 0);
        await stop();
      };
      await run(before.projection);
      expect(await countStored()).to.be.greaterThan(0);
      for (let n = 1; n < starts; n++) await run(current);
      expect(await countStored()).to.be.greaterThan(0);
      await run(current);
      expect([await countStored(), await checkpointOf(docs, before)]).to.deep.equal([0, null]);
    });
  }

  it('batches live events only while no request waits for them', async () => {
    const { start, progress, runtime } = await rigged();
    let pauses = 0;
    // A pause that only being awaited, or the end, cuts short.
    const patient: Runtime = {
      ...runtime,
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          pauses++;
          signal?.addEventListener('abort', () => resolve(), { once: true });
        }),
    };
    const { caughtUp, stop } = start(projections, true, patient);
    await until(() => caughtUp.length > 0);
    const again = await history();
    const [event] = again.events.filter((e) => e.type === 'CustomerCreated');
    const { stream, type, data, meta } = event as NonNullable<typeof event>;
    const many = (prefix: string) => Array.from({ length: 40 }, (_, i) => ({ id: prefix + i, type, data, meta }));
    await past.log.append(stream, 'any', many('a'));
    await until(() => pauses > 0);
    await past.log.append(stream, 'any', many('b'));
    const head = await past.log.head();
    const names = projections.map((p) => p.name);
    expect(await progress.wait(names, head, never)).to.equal(true);
    await stop();
  });

  it('gathers live events that come a few at a time as well, while the clock is set on by days', async () => {
    const { start, progress, runtime } = await rigged();
    const pauses: number[] = [];
    let nowMs = runtime.now();
    const patient: Runtime = {
      ...runtime,
      now: () => (nowMs += 86_400_000),
      elapsed: () => 0,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          pauses.push(ms);
          signal?.addEventListener('abort', () => resolve(), { once: true });
        }),
    };
    const { caughtUp, stop } = start(projections, true, patient);
    await until(() => caughtUp.length > 0);
    const [event] = past.events.filter((e) => e.type === 'CustomerCreated');
    const { stream, type, data, meta } = event as NonNullable<typeof event>;
    const few = (prefix: string) => Array.from({ length: 8 }, (_, i) => ({ id: prefix + i, type, data, meta }));
    for (const lot of ['c', 'd', 'e', 'f']) {
      expect(pauses).to.deep.equal([]);
      const { position } = await past.log.append(stream, 'any', few(lot));
      await until(() => projections.every(({ name }) => (progress.at(name) ?? '') >= position));
    }
    await until(() => pauses.length > 0);
    expect(pauses).to.deep.equal([250]);
    await stop();
  });
});
