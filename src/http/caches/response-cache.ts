// Cache of responses that are requested again before anything in them changes. Each is rendered from one document, whose ID is its tag, and
// from common documents such as the catalogue. One rule invalidates: a write to the tag, or to any common document, drops the response, and
// a result whose rendering began before the write is not cached.
// Writes of other processes go unnoticed: a response is then valid only for the guard of its document, and for one second.
import { createWeightedCache } from '../../adapters/bounded-cache.js';
import type { DocStore } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { isPublicKey, type Caller } from '../dispatch/caller.js';

/** `name` contains the project. `view`: see {@link viewOf}; a response is never returned for another view. */
export type CacheKey = { readonly name: string; readonly view: string };

export type CachedResponse<V> = {
  readonly value: V;
  /** Time of rendering, and the first instant at which time alone may change the response; null: never. */
  readonly from: string;
  readonly until: string | null;
  /** Guard of the tagged document. A response without one is not cached if other processes write too. */
  readonly guard: string | null;
};

export type ResponseCache<V> = {
  /** True if other processes write the documents too. */
  readonly isShared: boolean;
  /** Returns the response that is valid at `now`. `guard` is the current guard, required if other processes write too. */
  find(key: CacheKey, now: string, guard?: string): V | undefined;
  /**
   * Runs `render`, which reads documents and may pass its result to `store`. `tag` is the ID of a document; null for a response of common
   * documents only.
   */
  render<T>(key: CacheKey, tag: string | null, render: (store: Store<V>) => Promise<T>): Promise<T>;
  /** Drops responses after these read models have processed a change. */
  invalidate(readModels: readonly { readonly name: string }[]): void;
};

type Store<V> = (response: CachedResponse<V>) => void;

type CacheOptions<V> = {
  /** Read models whose documents any response may depend on. */
  readonly common: readonly { readonly name: string }[];
  readonly maxBytes: number;
  /** Returns the size in bytes; a character counts as one. */
  readonly sizeOf: (value: V) => number;
};

/** Memory of an entry in addition to its value, measured. */
const ENTRY_BYTES = 600;
/** Upper bound of the time in which any process notices a change of the catalogue. */
const SHARED_MS = 1000;
/** Collection that is written when a read model switches to another generation. */
const SERVING = 'serving';

type Variant<V> = CachedResponse<V> & { readonly view: string; readonly freshUntil: number };
/** One entry for all views of a response, so that a write drops them together. */
type Entry<V> = { readonly tag: string | null; readonly variants: readonly Variant<V>[] };
/** Renderings in progress that began since the last write to their tag. */
type Renderings = { count: number };

export function createResponseCache<V>(
  docs: Pick<DocStore, 'local'>,
  { elapsed }: Pick<Runtime, 'elapsed'>,
  { common, maxBytes, sizeOf }: CacheOptions<V>,
): ResponseCache<V> {
  const isShared = docs.local === null;
  const names = new Map<string, string>();
  const entries = createWeightedCache<string, Entry<V>>(maxBytes, {
    weightOf: ({ variants }) => variants.reduce((sum, { value }) => sum + ENTRY_BYTES + sizeOf(value), 0),
    onEvict: (name, { tag }) => {
      if (tag !== null && names.get(tag) === name) names.delete(tag);
    },
  });
  /** Renderings whose results may still be cached, by tag. */
  const inProgress = new Map<string | null, Renderings>();

  const clear = () => {
    entries.clear();
    inProgress.clear();
  };
  const dropTagged = (ids: readonly string[]) => {
    for (const id of ids) {
      const name = names.get(id);
      if (name !== undefined) entries.delete(name);
      inProgress.delete(id);
    }
  };
  docs.local?.onWritten((c, ids) => {
    if (ids === null || c === SERVING || common.some(({ name }) => c.startsWith(`${name}_v`))) clear();
    else dropTagged(ids);
  });

  return {
    isShared,
    find: ({ name, view }, now, guard) => {
      const found = entries.get(name)?.variants.find((variant) => variant.view === view);
      if (!found || now < found.from || (found.until !== null && now >= found.until)) return undefined;
      if (isShared && (guard === undefined || guard !== found.guard || elapsed() >= found.freshUntil)) return undefined;
      return found.value;
    },
    render: async ({ name, view }, tag, render) => {
      const freshUntil = elapsed() + SHARED_MS;
      const renderings = inProgress.get(tag) ?? { count: 0 };
      renderings.count++;
      inProgress.set(tag, renderings);
      let isOver = false;
      try {
        return await render(({ value, from, until, guard }) => {
          if (isOver || inProgress.get(tag) !== renderings || (until !== null && until <= from)) return;
          if (isShared && guard === null) return;
          const others = entries.get(name)?.variants.filter((variant) => variant.view !== view) ?? [];
          const variants = [{ view, value, from, until, guard, freshUntil }, ...others];
          if (entries.set(name, { tag, variants }) && tag !== null) names.set(tag, name);
        });
      } finally {
        isOver = true;
        renderings.count--;
        if (renderings.count === 0 && inProgress.get(tag) === renderings) inProgress.delete(tag);
      }
    },
    invalidate: (readModels) => {
      if (readModels.some(({ name }) => common.some((one) => one.name === name))) clear();
    },
  };
}

/** Interned texts, which compare in no time. */
const VIEWS = Array.from({ length: 16 }, (_, bits) => bits.toString(2).padStart(4, '0'));

/** Returns everything about a caller that a response may depend on, except for the project. */
export function viewOf(caller: Caller, visibility: FieldVisibility): string {
  const bits = 8 * +isPublicKey(caller) + 4 * +visibility.money + 2 * +visibility.personal + +visibility.secret;
  return VIEWS[bits] ?? '';
}
