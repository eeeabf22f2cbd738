// Mutex per key in this process, and the keys; work under other keys runs in parallel. It avoids conflicts; correctness does not depend on
// it. A stream's name is the key of its appends; all other keys are defined here.
import type { StreamName } from '../../domain/envelope.js';

/** Key that is locked in this process only. */
type LocalKey = string & { readonly __brand: 'LocalKey' };
/**
 * Key that is locked across all processes. The text selects the lock document, so it must be the same in every version that runs at the
 * same time.
 */
export type SharedKey = { readonly shared: string };
export type LockKey = StreamName | LocalKey | SharedKey;

const local = (text: string): LocalKey => text as LocalKey;

export const lockKeys = {
  /** Ownership of a purchase line, across the streams of line and customer. */
  purchaseLine: (purchaseStream: StreamName): SharedKey => ({ shared: `line|${purchaseStream}` }),
  /** The number of projects that a user has created. */
  projects: (userId: string) => local(`projects|${userId}`),
  /** Checks of a user's codes. */
  secondFactor: (userId: string) => local(`second-factor|${userId}`),
  credentials: (appId: string) => local(`credentials|${appId}`),
  /** The number of webhooks of a project. */
  webhooks: (projectId: string) => local(`webhooks|${projectId}`),
  replay: (webhookId: string) => local(`${webhookId}|replay`),
  /** Answers to the question of a store about a refund of a customer's transaction. */
  refundAnswer: (customerStream: StreamName, transactionId: string) =>
    local(`refund-answer|${customerStream}|${transactionId}`),
  storeTasks: () => local('store-tasks'),
} as const;

/** Returns one text for both kinds of keys, for a mutex of one process. */
export function textOf(key: LockKey | string): string {
  return typeof key === 'string' ? key : key.shared;
}

export type KeyedMutex<K = LockKey> = { run<T>(key: K, work: () => Promise<T>): Promise<T> };

export function createKeyedMutex(): KeyedMutex<LockKey | string> {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run: (lockKey, work) => {
      const key = textOf(lockKey);
      const before = tails.get(key) ?? Promise.resolve();
      const result = before.then(work, work);
      const tail = result.catch(() => undefined);
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      return result;
    },
  };
}
