// Cache of token validity for one second: the process that revoked a token refuses it at once, every other process within two seconds, as
// with a deleted API key.
import { createExpiringCache } from '../../adapters/bounded-cache.js';
import type { Runtime } from '../../adapters/runtime.js';

export type RevocationCache<V> = {
  get(id: string): Promise<V>;
  /** Removes the cached value; called by the process that revokes. */
  forget(id: string): void;
};

const CACHED_MS = 1000;
const MAX_CACHED = 10_000;

export function createRevocationCache<V>(
  read: (id: string) => Promise<V>,
  runtime: Pick<Runtime, 'elapsed'>,
): RevocationCache<V> {
  const cache = createExpiringCache<string, V>(MAX_CACHED, runtime);
  let revocations = 0;
  return {
    get: async (id) => {
      const cached = cache.get(id);
      if (cached !== undefined) return cached;
      const before = revocations;
      const value = await read(id);
      // A read that began before a revocation may have missed it.
      if (revocations === before) cache.set(id, value, CACHED_MS);
      return value;
    },
    forget: (id) => {
      revocations++;
      cache.delete(id);
    },
  };
}
