// Waiting in a real process: many wait on one signal, and none of them leaves anything behind; background work leaves room for requests.
import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { systemRuntime } from '../../src/adapters/runtime.js';

const FOREVER_MS = 60_000;
const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('the sleep of a process', () => {
  it('ends early for all that wait on one signal, which has a single listener however many they are', async () => {
    const { sleep } = systemRuntime();
    const stopping = new AbortController();
    const sleeping = Promise.all(Array.from({ length: 128 }, () => sleep(FOREVER_MS, stopping.signal)));
    expect(listenersOf(stopping.signal)).to.equal(1);
    stopping.abort();
    await sleeping;
    expect(listenersOf(stopping.signal)).to.equal(0);
  });

  it('leaves no listener once the last of them has slept', async () => {
    const { sleep } = systemRuntime();
    const { signal } = new AbortController();
    await Promise.all([sleep(1, signal), sleep(2, signal)]);
    expect(listenersOf(signal)).to.equal(0);
    const again = sleep(1, signal);
    expect(listenersOf(signal)).to.equal(1);
    await again;
    expect(listenersOf(signal)).to.equal(0);
  });

  it('does not begin when the signal has aborted before', () => systemRuntime().sleep(FOREVER_MS, AbortSignal.abort()));
});

describe('the slices of background work', () => {
  it('continue one after another, and pending I/O is handled between them', async () => {
    const { slice } = systemRuntime();
    let turns = 0;
    const next = () => {
      turns++;
      pending = setImmediate(next);
    };
    let pending = setImmediate(next);
    const order: number[] = [];
    const work = async (caller: number) => {
      await slice();
      for (const begin = performance.now(); performance.now() - begin < 3;);
      order.push(caller);
    };
    const callers = Array.from({ length: 20 }, (_, n) => n);
    await Promise.all(callers.map(work));
    clearImmediate(pending);
    expect(order).to.deep.equal(callers);
    expect(turns).to.be.at.least(callers.length - 1);
  });
});
