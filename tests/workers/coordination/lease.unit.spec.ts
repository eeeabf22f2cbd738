// Work for one process at a time: who holds the lease, who stands by, and when somebody else takes over.
import { expect } from 'chai';
import { memoryDocuments } from '../../../src/adapters/documents/memory.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { holdLease, leaseCollection } from '../../../src/workers/coordination/lease.js';
import { fakeRuntime } from '../../commands/support/memory-deps.js';
import { listener, until } from '../rig.js';

/** Processes on the same documents; time passes by their sleeping. */
async function rig() {
  const docs = memoryDocuments();
  await docs.ensure([leaseCollection]);
  const { runtime } = fakeRuntime();
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
    const ended = holdLease('projector', { docs: store, runtime, logger, owner }, stopping.signal, work);
    const stop = async () => {
      stopping.abort();
      await ended;
    };
    return { stop };
  };
  const lease = async () => (await docs.get(leaseCollection.name, ['projector'])).get('projector')?.doc;
  const pass = async (ms: number) => {
    const end = runtime.now() + ms;
    await until(() => runtime.now() >= end, 'the time');
  };
  return { docs, start, working, began, lease, pass, runtime };
}

describe('a lease', () => {
  it('lets one of several work, however long it takes', async () => {
    const { start, working, began, pass } = await rig();
    const [first, second] = [start('first'), start('second')];
    await until(() => working.size > 0);
    await pass(120_000);
    expect([...working]).to.deep.equal(began);
    expect(began).to.have.length(1);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('goes to another as soon as it is given back, with the next epoch', async () => {
    const { start, working, lease, runtime } = await rig();
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

  it('is taken over from a process that stopped renewing, within 20 s and not before that one has stopped', async () => {
    const { docs, start, working, began, runtime } = await rig();
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
    expect(runtime.now() - at).to.be.lessThan(20_000);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('is taken over within the lease also by one whose records fail now and then', async () => {
    const { docs, start, began, working, runtime } = await rig();
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

  it('names the former holder when it lapsed, and nobody when it was given back', async () => {
    const { docs, runtime } = await rig();
    const gone: string[] = [];
    const take = async (owner: string) => {
      const taken = new AbortController();
      const { logger } = listener();
      const onGone = async (lost: string) => void gone.push(lost);
      await holdLease('projector', { docs, runtime, logger, owner, onGone }, taken.signal, async () => taken.abort());
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
    const { docs, start, working, began, pass, runtime } = await rig();
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
});
