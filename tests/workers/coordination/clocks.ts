// Time of several processes that passes only by hand.
import type { Runtime } from '../../../src/adapters/runtime.js';
import { fakeRuntime } from '../../commands/support/memory-deps.js';

/** Time that passes only by `pass`, to which each process has its own clock. */
export function clocks() {
  let now = 0;
  const sleeping = new Set<{ readonly at: number; readonly wake: () => void }>();
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const one = { at: now + ms, wake: () => end() };
      const end = () => {
        sleeping.delete(one);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      if (signal?.aborted) return resolve();
      sleeping.add(one);
      signal?.addEventListener('abort', end);
    });
  const turns = async () => {
    for (let i = 0; i < 30; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number, stepMs = 50) => {
    for (const end = now + ms; now < end;) {
      now += stepMs;
      for (const one of sleeping) if (one.at <= now) one.wake();
      await turns();
    }
  };
  /** Wall clock and elapsed time of one machine: neither begins where another's does. */
  const runtimeOf = (aheadMs: number): Runtime => ({
    ...fakeRuntime().runtime,
    now: () => now + aheadMs,
    elapsed: () => now + aheadMs / 7,
    sleep,
    pause: (_loop, ms, signal) => sleep(ms, signal),
  });
  return { now: () => now, sleep, pass, turns, runtimeOf };
}
