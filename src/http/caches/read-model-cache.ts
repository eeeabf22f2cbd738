// Cache of documents that almost every request needs and that seldom change (API keys, unlocked entitlements), for one second. Changes by
// this process drop the documents immediately, so a deleted key is refused with the next request. In a single process that is every change.
import { createExpiringCache, type ExpiringCache } from '../../adapters/bounded-cache.js';
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { Projection } from '../../projections/runtime/projection.js';
import type { ReadModels } from '../../projections/queries/read-models.js';

export type ReadModelCache = {
  getMany<D extends Doc>(projection: Projection<D>, ids: readonly string[]): Promise<Map<string, D>>;
  /** Returns the document if it is cached. */
  get<D extends Doc>(projection: Projection<D>, id: string): D | undefined;
  /** Drops the documents of read models that have processed a change. */
  invalidate(readModels: readonly { readonly name: string }[]): void;
};

const CACHED_MS = 1000;
const MAX_CACHED = 10_000;

export function createReadModelCache(
  readModels: ReadModels,
  runtime: Pick<Runtime, 'elapsed'>,
  docs: Pick<DocStore, 'local'>,
): ReadModelCache {
  const cached = new Map<string, ExpiringCache<string, never>>();
  // The name of a collection consists of its read model, version and generation.
  docs.local?.onWritten((c) => void cached.delete(c.slice(0, c.lastIndexOf('_v'))));
  /** Keyed by projection, so an entry has the type of its projection's documents. */
  const entriesOf = <D extends Doc>({ name }: Projection<D>): ExpiringCache<string, D> => {
    const entries = cached.get(name) ?? createExpiringCache<string, never>(MAX_CACHED, runtime);
    cached.set(name, entries);
    return entries;
  };
  return {
    get: (projection, id) => entriesOf(projection).get(id),
    getMany: async <D extends Doc>(projection: Projection<D>, ids: readonly string[]) => {
      const found = new Map<string, D>();
      if (ids.length === 0) return found;
      const entries = entriesOf(projection);
      const missing: string[] = [];
      for (const id of ids) {
        const doc = entries.get(id);
        if (doc) found.set(id, doc);
        else missing.push(id);
      }
      if (missing.length === 0) return found;
      for (const [id, doc] of await readModels.getMany(projection, missing)) {
        found.set(id, doc);
        // A change may have dropped the entries during this read: what was read before it must not be cached.
        if (cached.get(projection.name) === entries) entries.set(id, doc, CACHED_MS);
      }
      return found;
    },
    invalidate: (names) => {
      for (const { name } of names) cached.delete(name);
    },
  };
}
