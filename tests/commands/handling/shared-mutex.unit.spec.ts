// A keyed mutex that holds across processes: two that share documents only.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { lockKeys } from '../../../src/commands/handling/keyed-mutex.js';
import type { StreamName } from '../../../src/domain/envelope.js';
import { createSharedMutex, releaseLocksOf, lockCollection } from '../../../src/commands/handling/shared-mutex.js';
import { fakeRuntime } from '../support/memory-deps.js';

const LINE = lockKeys.purchaseLine('purchase-a' as StreamName);

async function twoProcesses() {
  const docs = createMemoryDocuments();
  await docs.ensure([lockCollection]);
  const { runtime } = fakeRuntime();
  const mutexOf = (owner: string) => createSharedMutex({ docs, runtime, owner });
  return { docs, runtime, first: mutexOf('first'), second: mutexOf('second') };
}

describe('the keyed mutex across processes', () => {
  it('runs work on one purchase line one after another', async () => {
    const { first, second } = await twoProcesses();
    const history: string[] = [];
    const work = (name: string) => async () => {
      history.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      history.push(`${name} ends`);
    };
    await Promise.all([first.run(LINE, work('first')), second.run(LINE, work('second'))]);
    expect(history.map((line) => line.split(' ')[1])).to.deep.equal(['begins', 'ends', 'begins', 'ends']);
  });

  it('releases the line after work that failed', async () => {
    const { first, second } = await twoProcesses();
    const failed = await first.run(LINE, () => Promise.reject(new Error('no'))).catch((err: Error) => err.message);
    expect(failed).to.equal('no');
    expect(await second.run(LINE, async () => 'done')).to.equal('done');
  });

  it('takes a line over from a process that is gone, and does not wait for one that is not', async () => {
    const { docs, runtime, second } = await twoProcesses();
    let guard = 0;
    const hold = async () => {
      const { rows } = await docs.scan(lockCollection.name, { index: 'id', eq: [], limit: 1 });
      const [row] = rows;
      const write = { c: lockCollection.name, id: row?.id ?? '', expect: row?.guard ?? null, guard: `h${++guard}` };
      await docs.write([[{ ...write, doc: { owner: 'first' } }]]);
    };
    await second.run(LINE, async () => undefined);
    await hold();
    const at = runtime.now();
    expect(await second.run(LINE, async () => runtime.now() - at)).to.be.within(10_000, 15_000);
    await hold();
    const alive = {
      ...runtime,
      sleep: async (ms: number) => {
        await runtime.sleep(ms);
        await hold();
      },
    };
    const waiting = createSharedMutex({ docs, runtime: alive, owner: 'third' });
    const err: unknown = await waiting.run(LINE, async () => undefined).catch((reason: unknown) => reason);
    expect(err).to.be.instanceOf(Unavailable);
  });

  it('keeps the queue when the clock is set in between', async () => {
    const { docs, runtime, first } = await twoProcesses();
    let setForwardMs = 0;
    const set = { ...runtime, now: () => runtime.now() + setForwardMs };
    const second = createSharedMutex({ docs, runtime: set, owner: 'second' });
    const order: string[] = [];
    const work = first.run(LINE, async () => {
      const waiting = second.run(LINE, async () => void order.push('second'));
      for (let turns = 0; turns < 20; turns++) await runtime.sleep(20);
      setForwardMs = 3_600_000;
      for (let turns = 0; turns < 20; turns++) await runtime.sleep(20);
      order.push('first');
      return { waiting };
    });
    await (
      await work
    ).waiting;
    expect(order).to.deep.equal(['first', 'second']);
  });

  it('is free at once when the process that held it is known to be gone', async () => {
    const { docs, runtime, first, second } = await twoProcesses();
    const never = new Promise<void>(() => undefined);
    const begun = new Promise<void>((resolve) => {
      void first.run(LINE, () => (resolve(), never));
    });
    await begun;
    await releaseLocksOf(docs, 'first');
    const at = runtime.now();
    await second.run(LINE, async () => undefined);
    expect(runtime.now() - at).to.be.lessThan(1000);
  });

  it('is free at once for the process that holds it when a release did not reach the store', async () => {
    const { docs, runtime } = await twoProcesses();
    let isAway = false;
    const shaky: typeof docs = {
      ...docs,
      write: async (stages) => {
        if (isAway) throw new Unavailable('away');
        return docs.write(stages);
      },
    };
    const first = createSharedMutex({ docs: shaky, runtime, owner: 'first' });
    await first.run(LINE, async () => void (isAway = true));
    isAway = false;
    const at = runtime.now();
    expect(await first.run(LINE, async () => runtime.now() - at)).to.equal(0);
    expect(await first.run(LINE, async () => 'released')).to.equal('released');
  });

  for (const [what, isLost, isHeld] of [
    ['its release did not reach the store', (writes: number) => writes === 2, true],
    ['its claim was stored without a response', (writes: number) => writes === 1, false],
  ] as const)
    it(`is free soon for other processes although ${what}`, async () => {
      const { docs, runtime, second } = await twoProcesses();
      let writes = 0;
      const shaky: typeof docs = {
        ...docs,
        write: async (stages) => {
          if (!isLost(++writes)) return docs.write(stages);
          if (!isHeld) await docs.write(stages);
          throw new Unavailable('away');
        },
      };
      const first = createSharedMutex({ docs: shaky, runtime, owner: 'first' });
      await first.run(LINE, async () => undefined).catch(() => undefined);
      const at = runtime.now();
      expect(await second.run(LINE, async () => runtime.now() - at)).to.be.lessThan(3000);
    });

  it('stays locked while later work of a process has it, whose earlier claim had no response', async () => {
    const { docs, runtime } = await twoProcesses();
    let writes = 0;
    const shaky: typeof docs = {
      ...docs,
      write: (stages) => (++writes === 1 ? Promise.reject(new Unavailable('away')) : docs.write(stages)),
    };
    const first = createSharedMutex({ docs: shaky, runtime, owner: 'first' });
    const refused = await first.run(LINE, async () => 'worked').catch((err: Error) => err.message);
    expect(refused).to.equal('away');
    const ownerAtEnd = await first.run(LINE, async () => {
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
      const { rows } = await docs.scan(lockCollection.name, { index: 'id', eq: [], limit: 1 });
      return rows[0]?.doc['owner'];
    });
    expect(ownerAtEnd).to.equal('first');
  });

  it('looks once in a while at a lock at which many claims had no response', async () => {
    const { docs, runtime } = await twoProcesses();
    let reads = 0;
    let isAway = true;
    const shaky: typeof docs = {
      ...docs,
      get: (c, ids) => (reads++, docs.get(c, ids)),
      write: (stages) => (isAway ? Promise.reject(new Unavailable('away')) : docs.write(stages)),
    };
    const first = createSharedMutex({ docs: shaky, runtime, owner: 'first' });
    const claims = Array.from({ length: 50 }, () => first.run(LINE, async () => undefined).catch(() => 'refused'));
    expect(new Set(await Promise.all(claims))).to.deep.equal(new Set(['refused']));
    isAway = false;
    const readsOfClaims = reads;
    for (let turns = 0; turns < 200; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(reads - readsOfClaims).to.be.lessThan(5);
  });

  it('leaves other keys to the mutex of the process', async () => {
    const { docs, first } = await twoProcesses();
    await first.run('subscriber-a' as StreamName, async () => undefined);
    expect((await docs.scan(lockCollection.name, { index: 'id', eq: [], limit: 1 })).rows).to.deep.equal([]);
  });
});
