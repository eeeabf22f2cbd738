// Port of the document store: guarded writes in stages, and scans over declared indexes. Read models (rebuildable) use the log position as
// guard, records (the source of truth) a counter.

export type Scalar = string | number | boolean;
export type Json = Scalar | null | readonly Json[] | { readonly [key: string]: Json | undefined };
export type Doc = { readonly [key: string]: Json | undefined };

/** Stored document. `doc: null` is a tombstone: deleted, but its guard still applies. */
export type StoredDocument = { readonly guard: string; readonly doc: Doc | null };
export type Row = { readonly id: string; readonly guard: string; readonly doc: Doc };

/**
 * Declaration of a collection. An index is an ordered list of top-level fields; every document of the collection has them as scalars of one
 * type each (`''` when empty). The document's id is always the last key. Every collection also has the index `id`, without fields.
 */
export type CollectionSpec = {
  readonly name: string;
  readonly indexes: readonly { readonly name: string; readonly fields: readonly string[] }[];
};

/** Guarded write, applied iff the stored guard equals `expect`; `null` means that nothing is stored, not even a tombstone. */
export type Write = {
  readonly c: string;
  readonly id: string;
  readonly expect: string | null;
  readonly guard: string;
  readonly doc: Doc | null;
};

/**
 * Range of rows of one index in its order: equality on the leading fields, then an optional range `from <= field < to` on the next key (a
 * field, or the id when all fields are given). `after` is the `next` of the previous page. Strings order by their UTF-8 bytes.
 */
export type Scan = {
  readonly index: string;
  readonly eq: readonly Scalar[];
  readonly from?: Scalar;
  readonly to?: Scalar;
  readonly after?: string;
  readonly limit: number;
  readonly reverse?: boolean;
};

export type Page = { readonly rows: Row[]; readonly next?: string };

/** Document written by a build: it replaces any stored document with its id. */
export type BulkRow = { readonly c: string; readonly id: string; readonly guard: string; readonly doc: Doc | null };

/**
 * Collection to fill. `isPutOnce`: it is not read before `finish`, and no id is put twice, except by an interrupted build that continues,
 * whose later document then wins. Its ids are indexed at the end, too.
 */
export type BulkSpec = CollectionSpec & { readonly isPutOnce?: boolean };

/** Bulk writes to collections that are not in use yet. Before `finish`, documents are found only by `get`. */
export interface BulkWrites {
  /** Creates the collections without their indexes; existing documents stay. */
  begin(specs: readonly BulkSpec[]): Promise<void>;
  /** Writes all rows or none, durable when it resolves. Guards are not checked. */
  put(rows: readonly BulkRow[]): Promise<void>;
  /** Creates the indexes; from then on the collections are like any others. */
  finish(specs: readonly CollectionSpec[]): Promise<void>;
  /** Copies the collections from another file of such a store, in steps between which other writes can run. */
  adopt(file: string, specs: readonly CollectionSpec[]): Promise<void>;
}

export type ChangeListener = (c: string, ids: readonly string[] | null) => void;

/** Methods of a store that only this process writes: all stages of one `write` apply or none does, even if the process dies. */
interface LocalDocuments {
  /** Calls the listener with the ids of documents that may have changed, before the write resolves; null for a whole collection. */
  onWritten(listener: ChangeListener): void;
  /** Throws `Unavailable` when the store is readable but not writable. */
  probe(): Promise<void>;
}

export interface DocStore {
  /** Creates missing collections and indexes; existing documents stay. */
  ensure(specs: readonly CollectionSpec[]): Promise<void>;
  /** Returns documents and tombstones by id; missing ones are not in the map. */
  get(c: string, ids: readonly string[]): Promise<Map<string, StoredDocument>>;
  /**
   * Applies stages in order, the writes of a stage in any order; each write is one atomic compare-and-set. `lost`: some guard did not
   * match; no later stage was started, an earlier one may be applied. Durable when it resolves.
   */
  write(stages: readonly (readonly Write[])[]): Promise<'ok' | 'lost'>;
  /** Returns a page of rows without tombstones. Throws `BadCursor` for an `after` of a different scan. */
  scan(c: string, scan: Scan): Promise<Page>;
  drop(c: string): Promise<void>;
  /** Null for a store that other processes may write. */
  readonly local: LocalDocuments | null;
  /** Null for a store that cannot write many collections in one transaction. */
  readonly bulk: BulkWrites | null;
}
