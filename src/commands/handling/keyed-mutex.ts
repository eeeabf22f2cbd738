// Work with the same key runs one after another in this process, other keys beside it. Saves conflicts; correctness does not need it.

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
