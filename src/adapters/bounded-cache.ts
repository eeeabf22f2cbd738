// Caches of bounded size. A full cache evicts the entry that was set longest ago; callers that want least-recently-used eviction set an
// entry on each use. A plain `Map`, in which a used entry is deleted and inserted again, is not used: deleted entries stay in the hash
// chain until the map is rehashed, and with a few very hot keys these chains grow to thousands.
import { LRUCache } from 'lru-cache';
import type { Runtime } from './runtime.js';

export type BoundedCache<K, V> = {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
};

type Key = string | number;
type Value = NonNullable<unknown>;

/**
 * Creates the underlying cache. `put` returns false for a value above the limit: it is not cached, and the former value of the key is
 * removed.
 */
function createLru<K extends Key, V extends Value>(maxWeight: number, onEvict?: (value: V, key: K) => void) {
  // Always sized by weight: with a maximum count the library allocates all its memory at once. It must be a positive integer: zero means
  // unlimited.
  const maxSize = Math.max(Math.floor(maxWeight), 1);
  const entries = new LRUCache<K, V>({ maxSize, ...(onEvict && { dispose: onEvict }) });
  return {
    entries,
    put: (key: K, value: V, size: number): boolean => {
      const fits = size <= maxWeight;
      if (fits) entries.set(key, value, { size });
      else entries.delete(key);
      return fits;
    },
  };
}

/** Creates a cache of at most `maxEntries` entries. */
export function createBoundedCache<K extends Key, V extends Value>(maxEntries: number): BoundedCache<K, V> {
  const { entries, put } = createLru<K, V>(maxEntries);
  return {
    get: (key) => entries.peek(key),
    set: (key, value) => void put(key, value, 1),
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}

/**
 * Creates a cache for long keys of which nearly always the same one is used: a key is compared with the latest one before it is hashed. A
 * full cache evicts the least recently used entry.
 */
export function createLongKeyCache<V>(maxEntries: number): Omit<BoundedCache<string, V>, 'clear'> {
  const entries = createBoundedCache<string, { readonly key: string; readonly value: V }>(maxEntries);
  let latest: { readonly key: string; readonly value: V } | undefined;
  return {
    get: (key) => {
      if (latest?.key === key) return latest.value;
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.set(entry.key, entry);
      return (latest = entry).value;
    },
    set: (key, value) => {
      // A substring would keep the whole text in memory; this is a copy.
      const own = Buffer.from(key).toString();
      latest = { key: own, value };
      entries.set(own, latest);
    },
    delete: (key) => {
      if (latest?.key === key) latest = undefined;
      entries.delete(key);
    },
  };
}

export type ExpiringCache<K, V> = Omit<BoundedCache<K, V>, 'set'> & {
  /** Sets an entry that expires after `forMs`; `Infinity` for one that does not expire. */
  set(key: K, value: V, forMs: number): void;
};

/** Creates a cache with expiry by monotonic time: changing the system clock neither expires nor prolongs an entry. */
export function createExpiringCache<K extends Key, V>(
  maxEntries: number,
  { elapsed }: Pick<Runtime, 'elapsed'>,
): ExpiringCache<K, V> {
  const entries = createBoundedCache<K, { readonly value: V; readonly until: number }>(maxEntries);
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined || elapsed() < entry.until) return entry?.value;
      entries.delete(key);
      return undefined;
    },
    set: (key, value, forMs) => entries.set(key, { value, until: elapsed() + forMs }),
    delete: entries.delete,
    clear: entries.clear,
  };
}

export type WeightedCache<K, V> = Omit<BoundedCache<K, V>, 'set'> & {
  /** Returns false for a value above the limit: it is not cached, and the former value of the key is removed. */
  set(key: K, value: V): boolean;
};

/**
 * Creates a cache with a limit on the total weight; when full, it evicts the least recently used entry. `onEvict` is called for each entry
 * that is evicted, removed or replaced.
 */
export function createWeightedCache<K extends Key, V extends Value>(
  maxWeight: number,
  { weightOf, onEvict }: { readonly weightOf: (value: V) => number; readonly onEvict: (key: K, value: V) => void },
): WeightedCache<K, V> {
  const { entries, put } = createLru<K, V>(maxWeight, (value, key) => onEvict(key, value));
  return {
    get: (key) => entries.get(key),
    set: (key, value) => put(key, value, weightOf(value)),
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
