// Caches of bounded size. When one is full, the entry goes that was set longest ago; who wants the least used one to go sets what it uses.
import type { Runtime } from './runtime.js';

export type BoundedCache<K, V> = {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
};

/** Holds `most` entries at most. */
export function createBoundedCache<K, V>(most: number): BoundedCache<K, V> {
  const entries = new Map<K, V>();
  const oldest = oldestOf(entries);
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      oldest.wasSet();
      if (entries.size > most) oldest.remove((key) => entries.delete(key));
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}

/**
 * Of a map whose entries are only set anew at its end. To find its first key, a map passes over all that were deleted before it, which is
 * most of the cost of a large cache that is full: so the place is kept. Not for long, because a map copies itself after as many changes as it
 * has entries, and a place that is kept keeps all copies.
 */
function oldestOf<K>(entries: ReadonlyMap<K, unknown>) {
  let keys: Iterator<K> | undefined;
  let changes = 0;
  return {
    wasSet: () => {
      changes++;
      if (changes <= entries.size) return;
      changes = 0;
      keys = undefined;
    },
    /** `remove` must take the key out of the map. Nothing when the map is empty. */
    remove: (remove: (key: K) => void) => {
      keys ??= entries.keys();
      const { value, done } = keys.next();
      if (done !== true) remove(value);
    },
  };
}

/**
 * For long texts as keys, nearly always the same one: the key is compared with the latest before it is hashed. When it is full, the
 * entry goes that was used longest ago.
 */
export function createRecalledCache<V>(most: number): Omit<BoundedCache<string, V>, 'clear'> {
  const entries = createBoundedCache<string, { readonly key: string; readonly value: V }>(most);
  let latest: { readonly key: string; readonly value: V } | undefined;
  return {
    get: (key) => {
      if (latest?.key === key) return latest.value;
      const found = entries.get(key);
      if (found === undefined) return undefined;
      entries.set(found.key, found);
      return (latest = found).value;
    },
    set: (key, value) => {
      // A copy: a part of a text keeps the whole of it in memory.
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
  /** For `forMs` from now on; `Infinity` until it is set anew. */
  set(key: K, value: V, forMs: number): void;
};

/** Ages are measured by time that never jumps: setting the clock neither ends an entry nor keeps it. */
export function createExpiringCache<K, V>(most: number, { elapsed }: Pick<Runtime, 'elapsed'>): ExpiringCache<K, V> {
  const entries = createBoundedCache<K, { readonly value: V; readonly until: number }>(most);
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

export type WeightedCache<K, V> = BoundedCache<K, V>;

/** Holds what weighs `most` together; when it is full, the entry goes that was used longest ago. `onGone`: told of each entry that went. */
export function createWeightedCache<K, V>(
  most: number,
  { weightOf, onGone }: { readonly weightOf: (value: V) => number; readonly onGone: (key: K, value: V) => void },
): WeightedCache<K, V> {
  const entries = new Map<K, V>();
  const oldest = oldestOf(entries);
  let weight = 0;
  const remove = (key: K) => {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    weight -= weightOf(value);
    onGone(key, value);
  };
  return {
    get: (key) => {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      oldest.wasSet();
      return value;
    },
    set: (key, value) => {
      remove(key);
      entries.set(key, value);
      oldest.wasSet();
      weight += weightOf(value);
      while (weight > most && entries.size > 0) oldest.remove(remove);
    },
    delete: remove,
    clear: () => {
      for (const key of [...entries.keys()]) remove(key);
    },
  };
}
