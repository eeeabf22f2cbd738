// Mutex per key in this process; work under other keys runs in parallel. It avoids conflicts; correctness does not depend on it.

import { textOf, type LockKey } from './lock-keys.js';

export type KeyedMutex<K = LockKey> = { run<T>(key: K, work: () => Promise<T>): Promise<T> };

export function createKeyedMutex(): KeyedMutex<LockKey | string> {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run: (lockKey, work) => {
      const key = textOf(lockKey);
      const before = tails.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      const tail = mine.catch(() => undefined);
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      return mine;
    },
  };
}
