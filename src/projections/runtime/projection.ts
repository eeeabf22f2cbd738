// What a projection is: pure folds of single documents, plus documents that follow from them.
import type { CollectionSpec, Doc, Scalar } from '../../adapters/documents/port.js';
import type { ReplaceField } from '../../adapters/documents/sealed-fields.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { KeyedHash } from '../../domain/ids.js';
import type { Family } from '../../domain/streams.js';

/**
 * Documents that follow from a source document. `of` names them with their content; when an event changes that content, `apply`
 * makes the target's next document from the part before and the part after (`undefined`: not there; null: tombstone). Ids outlive what
 * they name, as tombstones: what is personal goes into them as a keyed hash.
 * With `park`, a target must follow from one source only.
 */
export type Derived<S extends Doc = Doc, T extends Doc = Doc> = {
  readonly name: string;
  readonly indexes: CollectionSpec['indexes'];
  of(source: S | undefined, hash: KeyedHash): ReadonlyMap<string, T>;
  apply(target: T | undefined, before: T | undefined, after: T | undefined): T | null;
};

/** Numbers to add to the cells of one sum; `fields` are those its indexes need and never change, `of` names the collection. */
export type Addition = {
  readonly of: string;
  readonly id: string;
  readonly fields: { readonly [field: string]: Scalar };
  readonly cells: Iterable<readonly [cell: string, value: number]>;
};

/** A sum over many source documents: integers by cell; a cell that is zero is not there. */
export type SumDoc = { readonly [field: string]: Scalar | SumCells; readonly cells: SumCells };
export type SumCells = { readonly [cell: string]: number };

/**
 * Documents that are sums over all source documents: what two changes in a row add is what the change from the first to the last document
 * adds, so that several events may be taken as one change. One pass over a document serves all its collections.
 */
export type Sums<S extends Doc = Doc> = {
  readonly collections: readonly CollectionSpec[];
  open(): SumAccumulator<S>;
};

/** Gathers changes of any number of documents; `additions` are what they add together, each sum once. */
export type SumAccumulator<S extends Doc = Doc> = {
  change(before: S | undefined, after: S | undefined): void;
  additions(): Iterable<Addition>;
};

export type Projection<D extends Doc = Doc> = {
  readonly name: string;
  /** Names under which earlier versions were built: their builds are dropped like those of any earlier version. */
  readonly formerNames?: readonly string[];
  /** Changes when the shape of the documents or the meaning of the folds does: another version is built from the start. */
  readonly version: number;
  readonly families: readonly Family[];
  readonly indexes: CollectionSpec['indexes'];
  /** A fold that throws stops one document (`park`) or the whole projection (`halt`). */
  readonly onPoison: 'park' | 'halt';
  /** There are about as many documents as customers or more: a long log is built in parts of them, to bound the memory it takes. */
  readonly isPartitioned?: true;
  /** What is made of its documents is kept outside of them between starts, and must be told whether it still belongs to them. */
  readonly hasSnapshots?: true;
  /** Ids of the documents that an event may change. */
  keys(event: RecordedEvent): readonly string[];
  /**
   * The next document from its own content and the event alone. The same reference means no change, null a tombstone. `peer` reads
   * another document that the event's keys name, for an event that ends it: what is read must be the same whenever it is read again.
   */
  fold(doc: D | undefined, event: RecordedEvent, id: string, peer: (id: string) => D | undefined): D | null | undefined;
  readonly derived: readonly Derived<D>[];
  /** Stored sealed with the data key of whom they are about. Whatever the log seals, and what follows from it, is named here or hashed. */
  personal?(doc: D, replace: ReplaceField): D;
  /** Only of projections that halt: what a parked document misses could not be added later. */
  readonly sums?: Sums<D>;
};

/** One build of a projection: its documents live in collections of their own. */
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

/** By the names without version and generation. */
export function plainCollectionsOf(projection: Projection): readonly Pick<CollectionSpec, 'name' | 'indexes'>[] {
  return [projection, ...projection.derived, ...(projection.sums?.collections ?? [])];
}

/** The `apply` of derived documents that belong to one source: a copy of the source as it is now. */
export function replace<T extends Doc>(_target: T | undefined, _before: T | undefined, after: T | undefined): T | null {
  return after ?? null;
}
