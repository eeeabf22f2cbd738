// Work for one process at a time: who holds the lease, who stands by, and when somebody else takes over.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { holdLease, leaseCollection } from '../../../src/workers/coordination/lease.js';
import { listener } from '../rig.js';
import { clocks } from './clocks.js';

/** Processes on the same documents. */
async function rig() {
  const docs = createMemoryDocuments();
  await docs.ensure([leaseCollection]);
  const { runtimeOf, pass } = clocks();
  const runtime = runtimeOf(0);
  const working = new Set<string>();
  const began: string[] = [];
  const { logger } = listener();
  const start = (owner: string, store = docs) => {
    const stopping = new AbortController();
    const work = async (signal: AbortSignal) => {
      began.push(owner);
      working.add(owner);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      working.delete(owner);
    };
    const ended = holdLease('projector', { docs: store, runtime, logger, owner, onStuck: fail }, stopping.signal, work);
    const stop = async () => {
      stopping.abort();
      await ended;
    };
    return { stop };
  };
  const lease = async () => (await docs.get(leaseCollection.name, ['projector'])).get('projector')?.doc;
  const until = async (condition: () => boolean) => {
    for (let passed = 0; !condition(); passed += 100) {
      if (passed > 300_000) throw new Error('the condition never came to hold');
      await pass(100);
    }
  };
  return { docs, start, working, began, lease, pass, until, runtime };
}

/** No work of these specs is stuck. */
function fail(name: string): never {
  throw new Error(`${name} is stuck`);
}

describe('a lease', () => {
  it('lets one of several work, however long it takes', async () => {
    const { start, working, began, pass, until } = await rig();
    const [first, second] = [start('first'), start('second')];
    await until(() => working.size > 0);
    await pass(120_000);
    expect([...working]).to.deep.equal(began);
    expect(began).to.have.length(1);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('goes to another as soon as it is given back, with the next epoch', async () => {
    const { start, working, lease, runtime, until } = await rig();
    const first = start('first');
    await until(() => working.has('first'));
    const second = start('second');
    const at = runtime.now();
    await first.stop();
    await until(() => working.has('second'));
    expect(runtime.now() - at).to.be.lessThan(12_000);
    expect(await lease()).to.include({ owner: 'second', epoch: 2 });
    await second.stop();
    expect(await lease()).to.include({ owner: '', epoch: 2 });
  });

  it('is taken over from a process that stopped renewing, within 10 s and not before that one has stopped', async () => {
    const { docs, start, working, began, runtime, until } = await rig();
    let isCut = false;
    const cut: typeof docs = {
      ...docs,
      write: async (stages) => {
        if (isCut) throw new Unavailable('cut off');
        return docs.write(stages);
      },
    };
    const first = start('first', cut);
    await until(() => working.has('first'));
    const second = start('second');
    isCut = true;
    const at = runtime.now();
    await until(() => began.includes('second'));
    expect(working.has('first')).to.equal(false);
    expect(runtime.now() - at).to.be.lessThan(10_000);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('is taken over within the lease also by one whose records fail now and then', async () => {
    const { docs, start, began, working, runtime, until } = await rig();
    let isGone = false;
    const ofFirst: typeof docs = {
      ...docs,
      write: async (stages) => {
        if (isGone) throw new Unavailable('gone');
        return docs.write(stages);
      },
    };
    let looks = 0;
    const shaky: typeof docs = {
      ...docs,
      get: async (c, ids) => {
        if (++looks % 4 === 0) throw new Unavailable('a connection broke');
        return docs.get(c, ids);
      },
    };
    const first = start('first', ofFirst);
    await until(() => working.has('first'));
    const second = start('second', shaky);
    isGone = true;
    const at = runtime.now();
    await until(() => began.includes('second'));
    expect(runtime.now() - at).to.be.lessThan(20_000);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('names the former holder when it expired, and none when it was released', async () => {
    const { docs, runtime, pass } = await rig();
    const gone: string[] = [];
    const take = async (owner: string) => {
      const taken = new AbortController();
      const { logger } = listener();
      const onTakeover = async (lost: string) => void gone.push(lost);
      const work = async () => taken.abort();
      const held = holdLease(
        'projector',
        { docs, runtime, logger, owner, onTakeover, onStuck: fail },
        taken.signal,
        work,
      );
      await pass(15_000);
      await held;
    };
    await take('first');
    await take('second');
    expect(gone).to.deep.equal([]);
    const stored = (await docs.get(leaseCollection.name, ['projector'])).get('projector');
    const doc = { ...stored?.doc, owner: 'killed' };
    await docs.write([[{ c: leaseCollection.name, id: 'projector', expect: stored?.guard ?? null, guard: '99', doc }]]);
    await take('third');
    expect(gone).to.deep.equal(['killed']);
  });

  it('is taken again at once by its holder, when the records were away for longer than it lasts', async () => {
    const { docs, start, working, began, pass, runtime, until } = await rig();
    let isAway = false;
    const cut: typeof docs = {
      ...docs,
      get: async (c, ids) => {
        if (isAway) throw new Unavailable('away');
        return docs.get(c, ids);
      },
      write: async (stages) => {
        if (isAway) throw new Unavailable('away');
        return docs.write(stages);
      },
    };
    const only = start('only', cut);
    await until(() => working.has('only'));
    isAway = true;
    await pass(60_000);
    expect(working.has('only')).to.equal(false);
    isAway = false;
    const at = runtime.now();
    await until(() => working.has('only'));
    expect(runtime.now() - at).to.be.lessThan(5000);
    expect(began).to.have.length(2);
    await only.stop();
  });

  it('stays with its holder when a renewal was stored but its response was lost', async () => {
    const { docs, start, working, began, pass, until } = await rig();
    let lost = 0;
    const flaky: typeof docs = {
      ...docs,
      write: async (stages) => {
        const outcome = await docs.write(stages);
        if (working.size > 0 && ++lost % 3 === 1) throw new Unavailable('the connection broke');
        return outcome;
      },
    };
    const only = start('only', flaky);
    const other = start('other');
    await until(() => working.size > 0);
    await pass(60_000);
    expect(began).to.deep.equal(['only']);
    expect(lost).to.be.greaterThan(10);
    await Promise.all([only.stop(), other.stop()]);
  });
});

describe('two holders of a lease', () => {
  /** Two processes whose stores can be cut off, slowed and frozen one by one; records who works when. */
  async function pair(aheadMs: readonly [number, number]) {
    const time = clocks();
    const docs = createMemoryDocuments();
    await docs.ensure([leaseCollection]);
    const working = new Set<string>();
    const began: { readonly owner: string; readonly at: number }[] = [];
    let overlaps = 0;
    const faults = { first: { delayMs: 0, isAway: false }, second: { delayMs: 0, isAway: false } };
    const start = (owner: 'first' | 'second', ahead: number) => {
      const fault = faults[owner];
      /** The store does what it was asked before its response is late. */
      const slow = async <T>(work: () => Promise<T>): Promise<T> => {
        if (fault.isAway) throw new Unavailable('away');
        const done = await work();
        if (fault.delayMs > 0) await time.sleep(fault.delayMs);
        return done;
      };
      const store: typeof docs = {
        ...docs,
        get: (c, ids) => slow(() => docs.get(c, ids)),
        write: (stages) => slow(() => docs.write(stages)),
      };
      const stopping = new AbortController();
      const work = async (signal: AbortSignal) => {
        if (working.size > 0) overlaps++;
        working.add(owner);
        began.push({ owner, at: time.now() });
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        working.delete(owner);
      };
      const deps = { docs: store, runtime: time.runtimeOf(ahead), logger: listener().logger, owner, onStuck: fail };
      const ended = holdLease('projector', deps, stopping.signal, work);
      return { stopping, ended };
    };
    const first = start('first', aheadMs[0]);
    await time.pass(100);
    const second = start('second', aheadMs[1]);
    await time.pass(20_000);
    const stop = async () => {
      for (const { stopping } of [first, second]) stopping.abort();
      await time.pass(10_000);
      await Promise.all([first.ended, second.ended]);
    };
    return { time, docs, working, began, faults, overlaps: () => overlaps, stop };
  }

  it('are never two, and the second begins within 10 s, wherever in the term the first loses its store', async () => {
    for (const ahead of [
      [0, 0],
      [0, 3_600_000],
      [86_400_000, -60_000],
    ] as const)
      for (let into = 0; into < 3000; into += 250) {
        const { time, began, faults, overlaps, stop } = await pair(ahead);
        await time.pass(into);
        faults.first.isAway = true;
        const from = time.now();
        await time.pass(10_000);
        expect(
          began.map(({ owner }) => owner),
          `${into}`,
        ).to.deep.equal(['first', 'second']);
        expect((began[1]?.at ?? 0) - from, `${into}`).to.be.within(5000, 10_000);
        expect(overlaps()).to.equal(0);
        await stop();
      }
  });

  it('are never two when the responses to the first come late before it loses its store', async () => {
    for (let delayMs = 500; delayMs <= 8000; delayMs += 500) {
      const { time, faults, overlaps, stop } = await pair([0, 0]);
      faults.first.delayMs = delayMs;
      await time.pass(7000);
      faults.first.isAway = true;
      await time.pass(20_000);
      expect(overlaps(), `${delayMs}`).to.equal(0);
      await stop();
    }
  });

  it('are one again within 3 s after the store of both was unavailable for half a minute', async () => {
    const { time, working, faults, overlaps, stop } = await pair([0, 0]);
    for (const fault of Object.values(faults)) fault.isAway = true;
    await time.pass(30_000);
    expect(working.size).to.equal(0);
    for (const fault of Object.values(faults)) fault.isAway = false;
    await time.pass(3000);
    expect(working.size).to.equal(1);
    expect(overlaps()).to.equal(0);
    await stop();
  });
});
