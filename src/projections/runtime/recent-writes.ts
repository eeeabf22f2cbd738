// Caches the documents that a runner wrote last, which the next batch often changes again: sums and counters nearly always. Only for stores
// that write a batch atomically: if a write fails or is lost, the cache is emptied; the guards keep writes correct.
import { createBoundedCache, type BoundedCache } from '../../adapters/bounded-cache.js';
import type { StoredDocument, Write } from '../../adapters/documents/port.js';
import type { BatchDocuments } from './fold-batch.js';

export type RecentWrites = BatchDocuments & {
  wrote(stages: readonly (readonly Write[])[]): void;
  forget(): void;
};

/** Maximum of cached documents per collection of one runner. */
const MAX_DOCUMENTS = 1000;

/** Reads like `docs`. No other writer may change these collections there. */
export function cacheRecentWrites(docs: BatchDocuments): RecentWrites {
  const { local } = docs;
  if (!local) {
    return { local, get: (c, ids) => docs.get(c, ids), wrote: () => undefined, forget: () => undefined };
  }
  const cached = new Map<string, BoundedCache<string, StoredDocument>>();
  const cacheOf = (c: string) => {
    const known = cached.get(c) ?? createBoundedCache<string, StoredDocument>(MAX_DOCUMENTS);
    cached.set(c, known);
    return known;
  };
  return {
    local,
    get: async (c, ids) => {
      const cache = cacheOf(c);
      const found = new Map<string, StoredDocument>();
      const missing: string[] = [];
      for (const id of ids) {
        const stored = cache.get(id);
        if (stored) found.set(id, stored);
        else missing.push(id);
      }
      if (missing.length === 0) return found;
      for (const [id, stored] of await docs.get(c, missing)) found.set(id, stored);
      return found;
    },
    wrote: (stages) => {
      for (const { c, id, guard, doc } of stages.flat()) cacheOf(c).set(id, { guard, doc });
    },
    forget: () => cached.clear(),
  };
}
