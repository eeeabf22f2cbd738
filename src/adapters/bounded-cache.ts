// Caches of bounded size. When one is full, the entry goes that was set longest ago; who wants the least used one to go sets what it uses.
//
// Not by a `Map` alone, from which an entry is taken out to be put in again at the end: what it deletes stays in the chain of its hash until
// the map copies itself, and where few keys are used very often these chains grow to thousands.
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

/** `hold` is false for what is too heavy alone: it is not held, nor is what it should replace. */
function createLru<K extends Key, V extends Value>(most: number, onGone?: (value: V, key: K) => void) {
  // By weight throughout: by number the library takes all its memory at once. A whole number there, and zero would be without a bound.
  const maxSize = Math.max(Math.floor(most), 1);
  const entries = new LRUCache<K, V>({ maxSize, ...(onGone && { dispose: onGone }) });
  return {
    entries,
    hold: (key: K, value: V, size: number): boolean => {
      const isLightEnough = size <= most;
      if (isLightEnough) entries.set(key, value, { size });
      else entries.delete(key);
      return isLightEnough;
    },
  };
}

/** Holds `most` entries at most. */
export function createBoundedCache<K extends Key, V extends Value>(most: number): BoundedCache<K, V> {
  const { entries, hold } = createLru<K, V>(most);
  return {
    get: (key) => entries.peek(key),
    set: (key, value) => void hold(key, value, 1),
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
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
export function createExpiringCache<K extends Key, V>(
  most: number,
  { elapsed }: Pick<Runtime, 'elapsed'>,
): ExpiringCache<K, V> {
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

export type WeightedCache<K, V> = Omit<BoundedCache<K, V>, 'set'> & {
  /** False for what is too heavy alone: it is not held, nor is what it should replace. */
  set(key: K, value: V): boolean;
};

/**
 * Holds what weighs `most` together; when it is full, the entry goes that was used longest ago. `onGone`: told of each entry that went, also
 * of one that was replaced.
 */
export function createWeightedCache<K extends Key, V extends Value>(
  most: number,
  { weightOf, onGone }: { readonly weightOf: (value: V) => number; readonly onGone: (key: K, value: V) => void },
): WeightedCache<K, V> {
  const { entries, hold } = createLru<K, V>(most, (value, key) => onGone(key, value));
  return {
    get: (key) => entries.get(key),
    set: (key, value) => hold(key, value, weightOf(value)),
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
