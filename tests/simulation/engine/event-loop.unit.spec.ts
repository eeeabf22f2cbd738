// Between two steps of a simulation, everything that waits for no time has run.
import { expect } from 'chai';
import { drainEventLoop } from './event-loop.js';

describe('draining the event loop', () => {
  it('waits for chains of promises and ticks', async () => {
    for (let n = 0; n < 600; n++) {
      let hasHappened = false;
      void Promise.resolve().then(() => process.nextTick(() => process.nextTick(() => void (hasHappened = true))));
      await drainEventLoop();
      expect(hasHappened, `turn ${n}`).to.equal(true);
    }
  });

  it('waits for immediates of other code in the next iteration', async () => {
    for (let n = 0; n < 600; n++) {
      let hasHappened = false;
      process.nextTick(() => setImmediate(() => void Promise.resolve().then(() => (hasHappened = true))));
      await drainEventLoop();
      expect(hasHappened, `turn ${n}`).to.equal(true);
    }
  });

  it('waits until unhandled rejections are reported', async () => {
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    const reported: unknown[] = [];
    const report = (err: unknown) => void reported.push(err);
    process.on('unhandledRejection', report);
    await drainEventLoop();
    void Promise.reject(new Error('nobody'));
    await drainEventLoop();
    process.off('unhandledRejection', report);
    for (const other of others) process.on('unhandledRejection', other);
    expect(reported).to.have.length(1);
  });
});
