// Counts the frequent uses of a large limit in this process, and reports them to the shared counter in batches: a request usually waits for
// no server. All processes together may exceed the limit by less than one batch each.
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateCounter } from './port.js';

/**
 * Consumes from `local`, and from `shared` whenever another batch is full. The local count is then raised to the shared one, so that it also
 * contains what the other processes have reported.
 */
export function consumeInBatches(local: RateCounter, shared: RateCounter, batch: number): Pick<RateCounter, 'consume'> {
  const consume = async (name: string, points: number): Promise<RateLimiterRes> => {
    const used = await local.consume(name, points);
    const full = Math.floor(used.consumedPoints / batch) - Math.floor((used.consumedPoints - points) / batch);
    if (full === 0) return used;
    try {
      const total = await shared.consume(name, full * batch);
      const consumed = Math.max(used.consumedPoints, total.consumedPoints + (used.consumedPoints % batch));
      await local.set(name, consumed, secondsLeft(total));
      return total;
    } catch (err) {
      if (err instanceof RateLimiterRes) await local.block(name, secondsLeft(err));
      throw err;
    }
  };
  const inTurn = createTurns();
  return { consume: (key, points = 1) => inTurn(String(key), () => consume(String(key), points)) };
}

/** A count without a duration would never end. */
function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, msBeforeNext) / 1000;
}

/** Runs the work of one key in the order of the calls: uses that come while a batch is reported wait for the result. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const own = (last.get(key) ?? Promise.resolve()).then(work, work);
    const end = () => {
      if (last.get(key) === own) last.delete(key);
    };
    last.set(key, own);
    own.then(end, end);
    return own;
  };
}
