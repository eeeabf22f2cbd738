// Typed reads of the served read models.
import type { Doc, DocStore, Scan } from '../../adapters/documents/port.js';
import type { Projection } from '../runtime/projection.js';
import type { Serving } from '../rebuild/serving.js';

export type ReadModelPage<D> = {
  readonly rows: readonly { readonly id: string; readonly doc: D }[];
  readonly next?: string;
};

type GuardedDocument<D> = { readonly guard: string; readonly doc: D };

export type ReadModels = {
  get<D extends Doc>(projection: Projection<D>, id: string): Promise<D | undefined>;
  /** Returns the document with its guard, which changes with every write. */
  getGuarded<D extends Doc>(projection: Projection<D>, id: string): Promise<GuardedDocument<D> | undefined>;
  getMany<D extends Doc>(projection: Projection<D>, ids: readonly string[]): Promise<Map<string, D>>;
  scan<D extends Doc>(projection: Projection<D>, scan: Scan): Promise<ReadModelPage<D>>;
  /** Returns a derived document. `name`: name of the derivation. */
  getDerived<T extends Doc>(projection: Projection, name: string, id: string): Promise<T | undefined>;
  getManyDerived<T extends Doc>(projection: Projection, name: string, ids: readonly string[]): Promise<Map<string, T>>;
  scanDerived<T extends Doc>(projection: Projection, name: string, scan: Scan): Promise<ReadModelPage<T>>;
};

export function createReadModels(docs: DocStore, serving: Serving): ReadModels {
  const getMany = async <D extends Doc>(c: string, ids: readonly string[]): Promise<Map<string, D>> => {
    const found = new Map<string, D>();
    if (ids.length === 0) return found;
    for (const [id, { doc }] of await docs.get(c, ids)) if (doc) found.set(id, typed<D>(doc));
    return found;
  };
  const scan = async <D extends Doc>(c: string, request: Scan): Promise<ReadModelPage<D>> => {
    const { rows, next } = await docs.scan(c, request);
    const page = rows.map(({ id, doc }) => ({ id, doc: typed<D>(doc) }));
    return { rows: page, ...(next !== undefined && { next }) };
  };
  return {
    get: async <D extends Doc>(p: Projection<D>, id: string) =>
      (await getMany<D>(await serving.collection(p), [id])).get(id),
    getGuarded: async <D extends Doc>(p: Projection<D>, id: string) => {
      const c = await serving.collection(p);
      const stored = (await docs.get(c, [id])).get(id);
      return stored?.doc ? { guard: stored.guard, doc: typed<D>(stored.doc) } : undefined;
    },
    getMany: async <D extends Doc>(p: Projection<D>, ids: readonly string[]) =>
      getMany<D>(await serving.collection(p), ids),
    scan: async <D extends Doc>(p: Projection<D>, request: Scan) => scan<D>(await serving.collection(p), request),
    getDerived: async <T extends Doc>(p: Projection, name: string, id: string) =>
      (await getMany<T>(await serving.collection(p, name), [id])).get(id),
    getManyDerived: async <T extends Doc>(p: Projection, name: string, ids: readonly string[]) =>
      getMany<T>(await serving.collection(p, name), ids),
    scanDerived: async <T extends Doc>(p: Projection, name: string, request: Scan) =>
      scan<T>(await serving.collection(p, name), request),
  };
}

/** Returns a stored document with the type of the projection that wrote it; this is the only place of the cast. */
function typed<D extends Doc>(doc: Doc): D {
  return doc as D;
}
