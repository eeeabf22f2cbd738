// Definition of a projection: pure folds of single documents, plus derived documents.
import type { CollectionSpec, Doc, Scalar } from '../../adapters/documents/port.js';
import type { ReplaceField } from '../../adapters/documents/sealed-fields.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { KeyedHash } from '../../domain/ids.js';
import { type Family } from '../../domain/streams.js';

/**
 * Documents derived from a source document. `of` returns them by id; when an event changes one, `apply` computes the target's next document
 * from the part before and the part after (`undefined`: absent; null: tombstone). Ids remain as tombstones after a deletion, so they may
 * contain personal data only as a keyed hash. With `park`, a target must be derived from a single source.
 */
export type DerivedProjection<S extends Doc = Doc, T extends Doc = Doc> = {
  readonly name: string;
  readonly indexes: CollectionSpec['indexes'];
  of(source: S | undefined, hash: KeyedHash): ReadonlyMap<string, T>;
  apply(target: T | undefined, before: T | undefined, after: T | undefined): T | null;
};

/** Numbers to add to the cells of one sum. `fields`: those of its indexes, which never change. `of`: name of the collection. */
export type Addition = {
  readonly of: string;
  readonly id: string;
  readonly fields: { readonly [field: string]: Scalar };
  readonly cells: Iterable<readonly [cell: string, value: number]>;
};

/** A sum over many source documents: integers by cell; cells that are zero are absent. */
export type SumDoc = { readonly [field: string]: Scalar | SumCells; readonly cells: SumCells };
export type SumCells = { readonly [cell: string]: number };

/**
 * Documents that are sums over all source documents: two consecutive changes add the same as one change from the first to the last
 * document, so that several events may be applied as one change. One pass over a document serves all its collections.
 */
export type Sums<S extends Doc = Doc> = {
  readonly collections: readonly CollectionSpec[];
  open(): SumAccumulator<S>;
};

/** Accumulates changes of any number of documents. `additions`: their total, each sum once. */
export type SumAccumulator<S extends Doc = Doc> = {
  change(before: S | undefined, after: S | undefined): void;
  additions(): Iterable<Addition>;
};

export type Projection<D extends Doc = Doc> = {
  readonly name: string;
  /** Names of earlier versions, whose builds are dropped like those of any earlier version. */
  readonly formerNames?: readonly string[];
  /** Increases when the shape of the documents or the meaning of the folds changes: a new version is built from the start. */
  readonly version: number;
  readonly families: readonly Family[];
  readonly indexes: CollectionSpec['indexes'];
  /** A fold that throws stops one document (`park`, the default) or the whole projection (`halt`). */
  readonly onPoison?: 'park' | 'halt';
  /** True if there are about as many documents as customers or more: a long log is built in parts, to bound memory. */
  readonly isPartitioned?: true;
  /** True if data computed from its documents is stored separately between starts and must be checked against the documents. */
  readonly hasSnapshots?: true;
  /** Returns the ids of the documents that an event may change. */
  keys(event: RecordedEvent): readonly string[];
  /**
   * Computes the next document from its own content and the event alone. The same reference means no change, null a tombstone. `peer` reads
   * another document among the event's keys, for an event that ends it: the read must give the same result at any later time.
   */
  fold(doc: D | undefined, event: RecordedEvent, id: string, peer: (id: string) => D | undefined): D | null | undefined;
  readonly derived?: readonly DerivedProjection<D>[];
  /** Replaces the personal fields, which are stored sealed with the subject's data key. Data sealed in the log is listed here or hashed. */
  personal?(doc: D, replace: ReplaceField): D;
  /** Allowed only for projections that halt: the events skipped by a parked document could not be added later. */
  readonly sums?: Sums<D>;
};

type Definition<D extends Doc, E> = Omit<Projection<D>, 'keys' | 'fold'> & {
  /** Narrows an event to those that concern the projection; null for all others, which change nothing. */
  readonly select: (stored: RecordedEvent) => E | null;
  keys(event: E): readonly string[];
  fold(doc: D | undefined, event: E, id: string): D | null | undefined;
};

/** Returns a projection whose `keys` and `fold` get only the selected events. `select` comes before them, because it has their type. */
export function defineProjection<D extends Doc, E>(definition: Definition<NoInfer<D>, E>): Projection<D> {
  const { select, keys, fold, ...rest } = definition;
  return {
    ...rest,
    keys: (stored) => {
      const event = select(stored);
      return event ? keys(event) : [];
    },
    fold: (doc, stored, id) => {
      const event = select(stored);
      return event ? fold(doc, event, id) : doc;
    },
  };
}

/** One build of a projection, with documents in collections of its own. */
export type Build = { readonly projection: Projection; readonly generation: number };

export function collectionOf({ projection, generation }: Build, name: string = projection.name): string {
  return `${name}_v${projection.version}_g${generation}`;
}

export function collectionsOf(build: Build): CollectionSpec[] {
  return plainCollectionsOf(build.projection).map(({ name, indexes }) => ({
    name: collectionOf(build, name),
    indexes,
  }));
}

/** Returns the collections with names without version and generation. */
export function plainCollectionsOf(projection: Projection): readonly Pick<CollectionSpec, 'name' | 'indexes'>[] {
  return [projection, ...(projection.derived ?? []), ...(projection.sums?.collections ?? [])];
}

/** `apply` of derived documents with a single source: replaces the target with the derived content. */
export function replace<T extends Doc>(_target: T | undefined, _before: T | undefined, after: T | undefined): T | null {
  return after ?? null;
}
