// One reader of a live feed on a connection that takes what it is told to take, and a clock that passes when it is told to.
import { expect } from 'chai';
import type { LogPosition } from '../../../src/domain/envelope.js';
import type { LiveLine } from '../../../src/http/live/lines.js';
import { FULL_VISIBILITY } from '../../../src/domain/values/field-groups.js';
import { createReader, LAST_MESSAGE, MAX_BUFFERED_LINES } from '../../../src/http/live/reader.js';
import { chance } from '../../projections/support/seeded-random.js';

const place = (n: number) => String(n).padStart(20, '0') as LogPosition;
const lineAt = (n: number): LiveLine => ({ position: place(n), projectId: 'proj_1', event: 'event', data: { n } });

/** A log of one project's lines, a connection and a clock; `settle` lets everything go on that can. */
function stage({ after = 0, isBlocked = false } = {}) {
  const log: LiveLine[] = [];
  const taken: number[] = [];
  const sleepers: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  const state = { offered: null as LogPosition | null, isBlocked, said: '', reads: 0 };
  const reader = createReader({
    after: place(after),
    visibility: FULL_VISIBILITY,
    sink: {
      write: (text) => {
        for (const [, n] of text.matchAll(/"n":(\d+)/g)) taken.push(Number(n));
        return state.isBlocked ? new Promise((resolve) => waiting.push(resolve)) : null;
      },
      end: (text) => {
        state.said = text;
      },
    },
    runtime: {
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          sleepers.push(resolve);
          signal?.addEventListener('abort', () => resolve());
        }),
    },
    readLog: (from) => {
      state.reads++;
      const lines = log.filter(({ position }) => position !== null && position > from).slice(0, 10);
      return Promise.resolve({ lines, upTo: lines.at(-1)?.position ?? from });
    },
    offeredUpTo: () => state.offered,
  });
  let isDone = false;
  const done = reader.run().then(() => (isDone = true));
  return {
    ...{ reader, log, taken, state, done },
    isDone: () => isDone,
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
    /** Everything that waits for time has waited long enough. */
    timePasses: () => sleepers.splice(0).forEach((wake) => wake()),
    unblock: () => {
      state.isBlocked = false;
      waiting.splice(0).forEach((go) => go());
    },
    /** The log grows by a line, which is offered. */
    grow: (n: number) => {
      log.push(lineAt(n));
      reader.offer(lineAt(n));
      state.offered = place(n);
      reader.wake();
    },
  };
}

describe('a reader of a live feed', () => {
  it('takes the past first and then what is offered, each line once', async () => {
    const { log, grow, taken, state, settle, reader, timePasses } = stage();
    log.push(...[1, 2, 3].map(lineAt));
    state.offered = place(2);
    await settle();
    timePasses();
    await settle();
    reader.offer(lineAt(3));
    grow(4);
    await settle();
    expect(taken).to.deep.equal([1, 2, 3, 4]);
  });

  it('reads the log again when more is offered than its ring holds, and misses nothing', async () => {
    const { grow, taken, state, settle, unblock } = stage();
    state.offered = place(0);
    await settle();
    state.isBlocked = true;
    const all = Array.from({ length: 3 * MAX_BUFFERED_LINES }, (_, i) => i + 1);
    for (const n of all) grow(n);
    await settle();
    expect(taken.length).to.be.at.most(MAX_BUFFERED_LINES);
    unblock();
    for (let i = 0; i < 200 && taken.length < all.length; i++) await settle();
    expect(taken).to.deep.equal(all);
    grow(all.length + 1);
    await settle();
    expect(taken.at(-1)).to.equal(all.length + 1);
  });

  it('is disconnected when it reads too slowly, with a time to retry', async () => {
    const { grow, state, settle, timePasses, done } = stage();
    state.offered = place(0);
    await settle();
    state.isBlocked = true;
    grow(1);
    await settle();
    timePasses();
    await done;
    expect(state.said).to.equal(LAST_MESSAGE);
  });

  it('is not cut for being slow within its time', async () => {
    const { grow, state, settle, unblock, timePasses, isDone, taken } = stage();
    state.offered = place(0);
    await settle();
    for (let n = 1; n <= 5; n++) {
      state.isBlocked = true;
      grow(n);
      await settle();
      unblock();
      await settle();
      timePasses();
    }
    expect([isDone(), taken]).to.deep.equal([false, [1, 2, 3, 4, 5]]);
  });

  it('ends at once while it is blocked', async () => {
    const { grow, state, settle, reader, done } = stage();
    state.offered = place(0);
    await settle();
    state.isBlocked = true;
    grow(1);
    await settle();
    reader.end();
    await done;
    expect(state.said).to.equal(LAST_MESSAGE);
  });

  const { seed, below } = chance();
  it(`has every line once and in order, however it stops and goes (seed ${seed})`, async () => {
    for (let life = 0; life < 50; life++) {
      const after = below(20);
      const { log, grow, taken, state, settle, unblock, isDone, timePasses } = stage({ after });
      for (let n = 1; n <= 20; n++) log.push(lineAt(n));
      state.offered = place(20);
      await settle();
      timePasses();
      let n = 20;
      for (let i = 0; i < 60; i++) {
        const step = below(10);
        if (step < 3) await settle();
        else if (step < 4) state.isBlocked = true;
        else if (step < 6) unblock();
        else for (let many = below(60); many > 0; many--) grow(++n);
      }
      unblock();
      for (let i = 0; i < 2000 && taken.at(-1) !== n; i++) await settle();
      expect(isDone()).to.equal(false);
      expect(taken, `life ${life}`).to.deep.equal(Array.from({ length: n - after }, (_, i) => after + 1 + i));
    }
  });
});
