// Waiting for read models to show what was just written.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { createProgress } from '../../../src/projections/runtime/progress.js';
import {
  applyHalted,
  createPublisher,
  progressCollection,
  readPublished,
  watchProgress,
} from '../../../src/projections/runtime/shared-progress.js';
import { logPosition } from '../../../src/domain/envelope.js';

const at = logPosition;
const never = new AbortController().signal;

/** Returns the state of a promise after all due tasks have run. */
async function now<T>(promise: Promise<T>): Promise<T | 'waiting'> {
  const later = new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')));
  return Promise.race([promise, later]);
}

describe('progress of read models', () => {
  it('is nothing before the first batch', () => expect(createProgress().at('customers')).to.equal(undefined));

  it('does not wait for what was reached before', async () => {
    const progress = createProgress();
    progress.reportPosition('customers', at(7));
    expect(await now(progress.wait(['customers'], at(7), never))).to.equal(true);
    expect(progress.at('customers')).to.equal(at(7));
  });

  it('waits until the position is reached', async () => {
    const progress = createProgress();
    const waited = progress.wait(['customers'], at(7), never);
    progress.reportPosition('customers', at(6));
    expect(await now(waited)).to.equal('waiting');
    progress.reportPosition('customers', at(8));
    expect(await now(waited)).to.equal(true);
  });

  it('notifies a listener of waiting requests, until it unsubscribes', async () => {
    const progress = createProgress();
    let calls = 0;
    const leave = progress.onAwaited(() => calls++);
    progress.reportPosition('customers', at(7));
    await progress.wait(['customers'], at(7), never);
    expect([calls, progress.isAwaited()]).to.deep.equal([0, false]);
    const waited = progress.wait(['customers'], at(8), never);
    expect([calls, progress.isAwaited()]).to.deep.equal([1, true]);
    progress.reportPosition('customers', at(8));
    await waited;
    leave();
    void progress.wait(['customers'], at(9), never);
    expect(calls).to.equal(1);
  });

  it('notifies no listener of a wait of background work, which ends all the same', async () => {
    const progress = createProgress();
    let calls = 0;
    progress.onAwaited(() => calls++);
    const waited = progress.wait(['customers'], at(7), never, true);
    expect([calls, progress.isAwaited()]).to.deep.equal([0, false]);
    progress.reportPosition('customers', at(7));
    expect(await now(waited)).to.equal(true);
  });

  it('waits for all read models that are named, and for no other', async () => {
    const progress = createProgress();
    const waited = progress.wait(['customers', 'users'], at(7), never);
    progress.reportPosition('customers', at(7));
    progress.reportPosition('products', at(7));
    expect(await now(waited)).to.equal('waiting');
    progress.reportPosition('users', at(7));
    expect(await now(waited)).to.equal(true);
  });

  it('waits for no read model that has halted, until it moves again', async () => {
    const progress = createProgress();
    const waited = progress.wait(['charts', 'users'], at(7), never);
    progress.reportHalted('charts', '2026-01-01T00:00:00.000Z');
    progress.reportPosition('users', at(7));
    expect(await now(waited)).to.equal(false);
    expect(await now(progress.wait(['charts'], at(7), never))).to.equal(false);
    progress.reportPosition('charts', at(6));
    const again = progress.wait(['charts'], at(7), never);
    expect(await now(again)).to.equal('waiting');
    progress.reportPosition('charts', at(7));
    expect(await now(again)).to.equal(true);
  });

  it('takes no halt back for what was published before it, and none over that was passed since', () => {
    const progress = createProgress();
    const since = '2026-01-01T00:00:00.000Z';
    progress.reportPosition('charts', at(5));
    progress.reportHalted('charts', since, at(8));
    progress.reportPosition('charts', at(4));
    progress.reportPosition('charts', at(7));
    expect(progress.haltedSince('charts')).to.equal(since);
    progress.reportPosition('charts', at(8));
    expect(progress.haltedSince('charts')).to.equal(undefined);
    const published = { positions: {}, halted: ['charts'] };
    applyHalted(progress, { ...published, since: { charts: since }, at: { charts: at(8) } });
    expect(progress.haltedReadModels()).to.deep.equal([]);
    // Published by an older version, without a position.
    applyHalted(progress, published);
    expect(progress.haltedReadModels()).to.deep.equal(['charts']);
  });

  it('waits for nothing when no read model is named', async () =>
    expect(await now(createProgress().wait([], at(7), never))).to.equal(true));

  it('gives up when the signal aborts, also when it did before', async () => {
    const progress = createProgress();
    const patience = new AbortController();
    const waited = progress.wait(['customers'], at(7), patience.signal);
    patience.abort();
    expect(await now(waited)).to.equal(false);
    expect(await now(progress.wait(['customers'], at(7), patience.signal))).to.equal(false);
  });

  it('wakes each of several waiters at its own position', async () => {
    const progress = createProgress();
    const [early, late] = [progress.wait(['a'], at(1), never), progress.wait(['a'], at(2), never)];
    progress.reportPosition('a', at(1));
    expect([await now(early), await now(late)]).to.deep.equal([true, 'waiting']);
    progress.reportPosition('a', at(2));
    expect(await now(late)).to.equal(true);
  });
});

describe('progress shared with other processes', () => {
  const published = (n: number) => ({ positions: { customers: at(n) }, halted: [] });

  it('is left as it is by a projector that was paused while another one took over', async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([progressCollection]);
    let active = 'first';
    const of = (owner: string) => createPublisher(docs, () => Promise.resolve(active === owner));
    const [first, second] = [of('first'), of('second')];
    await first(published(1));
    active = 'second';
    await second(published(5));
    for (let i = 0; i < 2; i++) {
      const late = await first(published(2)).catch((err: Error) => err.message);
      expect(late).to.equal('another process is the projector');
    }
    await second(published(6));
    expect(await readPublished(docs)).to.deep.equal(published(6));
  });

  it('continues after what another one wrote at the last moment before', async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([progressCollection]);
    const [first, second] = [
      createPublisher(docs, () => Promise.resolve(true)),
      createPublisher(docs, () => Promise.resolve(true)),
    ];
    await first(published(1));
    await second(published(5));
    await first(published(2));
    await second(published(6));
    expect(await readPublished(docs)).to.deep.equal(published(6));
  });
});

describe('watching the progress that another process publishes', () => {
  it('leaves a read model halted that has stopped in this process in the meantime', async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([progressCollection]);
    await createPublisher(docs, () => Promise.resolve(true))({ positions: { charts: at(4) }, halted: [] });
    const progress = createProgress();
    progress.reportPosition('charts', at(5));
    progress.reportHalted('charts', '2026-01-01T00:00:00.000Z', at(6));
    const stopping = new AbortController();
    await watchProgress({ docs, runtime: { sleep: () => Promise.resolve() }, progress }, stopping.signal, () =>
      stopping.abort(),
    );
    expect(progress.haltedSince('charts')).to.equal('2026-01-01T00:00:00.000Z');
  });

  it('polls rarely without waiting requests, soon for a new one, and ends with its signal', async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([progressCollection]);
    const publish = createPublisher(docs, () => Promise.resolve(true));
    await publish({ positions: { customers: at(1) }, halted: [] });
    const progress = createProgress();
    const stopping = new AbortController();
    const sleeps: { readonly ms: number; readonly end: () => void }[] = [];
    const sleep = (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        sleeps.push({ ms, end: resolve });
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    const watching = watchProgress({ docs, runtime: { sleep }, progress }, stopping.signal, () => undefined);
    await now(watching);
    expect(progress.at('customers')).to.equal(at(1));
    expect(sleeps.map(({ ms }) => ms)).to.deep.equal([250]);

    await publish({ positions: { customers: at(2) }, halted: [] });
    const seen = progress.wait(['customers'], at(2), never);
    expect(await now(seen)).to.equal('waiting');
    expect(sleeps.map(({ ms }) => ms)).to.deep.equal([250, 20]);
    sleeps.at(-1)?.end();
    expect(await now(seen)).to.equal(true);

    expect(await now(watching)).to.equal('waiting');
    stopping.abort();
    expect(await now(watching)).to.equal(undefined);
  });
});
