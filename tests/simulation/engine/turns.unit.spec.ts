// Between two steps of a world everything has happened that waits for nothing.
import { expect } from 'chai';
import { settle } from './turns.js';

describe('a turn', () => {
  it('comes after all promises and ticks that follow one another', async () => {
    for (let n = 0; n < 600; n++) {
      let hasHappened = false;
      void Promise.resolve().then(() => process.nextTick(() => process.nextTick(() => void (hasHappened = true))));
      await settle();
      expect(hasHappened, `turn ${n}`).to.equal(true);
    }
  });

  it('comes after what others have put off until the next round of the event loop', async () => {
    for (let n = 0; n < 600; n++) {
      let hasHappened = false;
      process.nextTick(() => setImmediate(() => void Promise.resolve().then(() => (hasHappened = true))));
      await settle();
      expect(hasHappened, `turn ${n}`).to.equal(true);
    }
  });

  it('comes after the rejections that nobody catches are reported', async () => {
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    const reported: unknown[] = [];
    const report = (err: unknown) => void reported.push(err);
    process.on('unhandledRejection', report);
    await settle();
    void Promise.reject(new Error('nobody'));
    await settle();
    process.off('unhandledRejection', report);
    for (const other of others) process.on('unhandledRejection', other);
    expect(reported).to.have.length(1);
  });
});
