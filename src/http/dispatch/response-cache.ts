// Responses that are requested again before anything in them changes. Each is made of one document, which its tag names by id, and of common
// documents such as the catalogue. One rule invalidates: a write to the tag, or to any common document, drops the response, and a read that
// began before a write is dropped, that is, what it renders is not cached.
//
// Where other processes write too, nobody notices their writes: a response is then valid only for the guard of its document, and for one second.
import { createWeightedCache } from '../../adapters/bounded-cache.js';
import type { DocStore } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { Sight } from '../../domain/values/field-groups.js';
import { isPublicKey, type Caller } from './caller.js';

/** `name` contains the project. `view`: see {@link viewOf}; a response is never returned for another view. */
export type CacheKey = { readonly name: string; readonly view: string };

export type CachedResponse<V> = {
  readonly value: V;
  /** When it was rendered, and the first instant at which time alone may change it; null: never. */
  readonly from: string;
  readonly until: string | null;
  /** Guard of the tagged document; null without one, and then never cached where other processes write too. */
  readonly guard: string | null;
};

export type ResponseCache<V> = {
  /** Other processes write the documents too. */
  readonly isShared: boolean;
  /** The response that is valid at `now`. `guard`: the current one, required where other processes write too. */
  find(key: CacheKey, now: string, guard?: string): V | undefined;
  /** Runs `render`, which reads documents and may pass its result to `store`. `tag`: id of a document; null for a response of common documents only. */
  render<T>(key: CacheKey, tag: string | null, render: (store: Store<V>) => Promise<T>): Promise<T>;
  /** Call it when these read models have processed a change. */
  forget(readModels: readonly { readonly name: string }[]): void;
};

type Store<V> = (response: CachedResponse<V>) => void;

type CacheOptions<V> = {
  /** The read models whose documents any response may be made of. */
  readonly common: readonly { readonly name: string }[];
  readonly maxBytes: number;
  /** In bytes; characters count as one. */
  readonly sizeOf: (value: V) => number;
};

/** Memory of an entry in addition to its value, measured. */
const ENTRY_BYTES = 600;
/** As long as any process may take to notice a change of the catalogue. */
const SHARED_MS = 1000;
/** Written when another generation of a read model is read. */
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
  /** By tag: those whose results may still be cached. */
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
    forget: (readModels) => {
      if (readModels.some(({ name }) => common.some((one) => one.name === name))) clear();
    },
  };
}

/** The same text each time: comparing it takes no time. */
const VIEWS = Array.from({ length: 16 }, (_, bits) => bits.toString(2).padStart(4, '0'));

/** Everything about a caller that a response may depend on, apart from the project. */
export function viewOf(caller: Caller, sight: Sight): string {
  const bits = 8 * +isPublicKey(caller) + 4 * +sight.money + 2 * +sight.personal + +sight.secret;
  return VIEWS[bits] ?? '';
}
