// Receiving before working off: who waits for calm does so until a burst is over, and not for ever.
import { expect } from 'chai';
import { createBurstPriority, type BurstPriority } from '../../../src/commands/handling/burst-priority.js';
import { msFromIso } from '../../../src/domain/time.js';
import { BEGIN, fakeRuntime } from '../support/memory-deps.js';

const NOW = msFromIso(BEGIN);
const BURST = 8;

/** So many under way at once, until `end` is called. */
function underWay(burst: BurstPriority, count: number) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const all = Promise.all(Array.from({ length: count }, () => burst.runFirst(() => ended)));
  return {
    end: async () => {
      end();
      await all;
    },
  };
}

describe('the priority of a burst', () => {
  it('lets other work run at once without a burst', async () => {
    const { runtime, sleeps } = fakeRuntime();
    const burst = createBurstPriority(runtime);
    const few = underWay(burst, BURST - 1);
    await burst.waitForQuiet(NOW);
    expect(sleeps).to.deep.equal([]);
    await few.end();
  });

  it('holds other work back until no burst was seen for 20 ms', async () => {
    const { runtime, sleeps } = fakeRuntime();
    const burst = createBurstPriority(runtime);
    await underWay(burst, BURST).end();
    await burst.waitForQuiet(NOW);
    expect(sleeps).to.deep.equal([20]);
    await burst.waitForQuiet(NOW);
    expect(sleeps).to.deep.equal([20]);
  });

  it('notices a burst that began while it held back', async () => {
    const { runtime } = fakeRuntime();
    const begun: { end: () => Promise<void> }[] = [];
    let slept = 0;
    const sleep = async () => {
      slept++;
      if (slept < 4) begun.push(underWay(burst, BURST));
      for (const calls of begun.splice(0)) await calls.end();
    };
    const burst = createBurstPriority({ ...runtime, sleep });
    await underWay(burst, BURST).end();
    await burst.waitForQuiet(NOW);
    expect(slept).to.equal(4);
  });

  it('delays no request for longer than ten seconds', async () => {
    const { runtime, sleeps } = fakeRuntime();
    const burst = createBurstPriority(runtime);
    const many = underWay(burst, BURST);
    await burst.waitForQuiet(NOW - 9950);
    expect(sleeps).to.deep.equal([20, 20, 20]);
    await burst.waitForQuiet(NOW - 9950);
    expect(sleeps).to.have.length(3);
    await many.end();
  });

  it('hands on results and failures, and counts both as ended', async () => {
    const { runtime, sleeps } = fakeRuntime();
    const burst = createBurstPriority(runtime);
    expect(await burst.runFirst(async () => 'kept')).to.equal('kept');
    for (let i = 0; i < BURST; i++) {
      const refused = burst.runFirst(() => Promise.reject(new Error('refused')));
      expect(await refused.catch((err: unknown) => String(err))).to.equal('Error: refused');
    }
    await burst.waitForQuiet(NOW);
    expect(sleeps).to.deep.equal([]);
  });
});
