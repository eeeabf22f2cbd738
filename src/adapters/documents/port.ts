// The document store as the rest of the code sees it: guarded writes in stages, and scans over declared indexes.
// Read models (rebuildable) use the log position as guard, records (themselves the truth) a counter.

export type Scalar = string | number | boolean;
export type Json = Scalar | null | readonly Json[] | { readonly [key: string]: Json | undefined };
export type Doc = { readonly [key: string]: Json | undefined };

/** `doc: null` is a tombstone: deleted, but its guard still holds. */
export type Stored = { readonly guard: string; readonly doc: Doc | null };
export type Row = { readonly id: string; readonly guard: string; readonly doc: Doc };

/**
 * An index is an ordered list of top-level fields; every document of the collection has them as scalars of one type each
 * (empty is `''`). The document's id is always the last key. Every collection also has the index `id`, without fields.
 */
export type CollectionSpec = {
  readonly name: string;
  readonly indexes: readonly { readonly name: string; readonly fields: readonly string[] }[];
};

/** Applies iff the stored guard equals `expect`; `null` means that nothing is stored, not even a tombstone. */
export type Write = {
  readonly c: string;
  readonly id: string;
  readonly expect: string | null;
  readonly guard: string;
  readonly doc: Doc | null;
};

/**
 * Rows of one index in its order: equality on the leading fields, then an optional range `from <= field < to` on the next key
 * (a field, or the id when all fields are given). `after` is the `next` of the page before. Strings order by their UTF-8 bytes.
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

/** A document as a build writes it: whatever is stored under its id is replaced. */
export type BulkRow = { readonly c: string; readonly id: string; readonly guard: string; readonly doc: Doc | null };

/**
 * A collection as a build begins it. `isPutOnce`: nothing of it is read before `finish`, and no id is put twice but by a build that was cut
 * and goes on, whose later document then stands. Its ids are indexed at the end, too.
 */
export type BulkSpec = CollectionSpec & { readonly isPutOnce?: boolean };

/** Fills collections that nobody reads or writes yet. What is filled is found by `get` alone until `finish`. */
export interface BulkWrites {
  /** Makes the collections without their indexes; documents that are there stay. */
  begin(specs: readonly BulkSpec[]): Promise<void>;
  /** All or nothing, durable when it resolves. No guard is looked at. */
  put(rows: readonly BulkRow[]): Promise<void>;
  /** Makes the indexes; from then on the collections are like any others. */
  finish(specs: readonly CollectionSpec[]): Promise<void>;
  /** Copies begun collections from another file of such a store, in steps between which others write. */
  adopt(file: string, specs: readonly CollectionSpec[]): Promise<void>;
}

export type OnWritten = (c: string, ids: readonly string[] | null) => void;

/** A store that only this process writes: all stages of one `write` apply or none does, even if the process dies. */
export interface LocalDocuments {
  /** Calls the listener with the ids of documents that may have changed, before the write resolves; null for a whole collection. */
  onWritten(listener: OnWritten): void;
  /** Throws `Unavailable` when the store takes no writes although it can be read. */
  probe(): Promise<void>;
}

export interface DocStore {
  /** Makes collections and indexes that are missing; existing documents stay. */
  ensure(specs: readonly CollectionSpec[]): Promise<void>;
  /** Documents and tombstones by id; what is missing is not in the map. */
  get(c: string, ids: readonly string[]): Promise<Map<string, Stored>>;
  /**
   * Stages apply in order; inside a stage in any order; each write is one atomic compare-and-set. `lost`: some guard did not match;
   * no later stage was begun, an earlier one may be in place. Durable when it resolves.
   */
  write(stages: readonly (readonly Write[])[]): Promise<'ok' | 'lost'>;
  /** Tombstones are left out. Throws `BadCursor` for an `after` that was not made by the same scan. */
  scan(c: string, scan: Scan): Promise<Page>;
  drop(c: string): Promise<void>;
  /** Null for a store that other processes write too. */
  readonly local: LocalDocuments | null;
  /** Null for a store that cannot write many collections in one transaction. */
  readonly bulk: BulkWrites | null;
}
