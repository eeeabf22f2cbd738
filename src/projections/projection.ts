// What a projection is: pure folds of single documents, plus documents that follow from them.
import type { CollectionSpec, Doc } from '../adapters/documents/port.js';
import type { RecordedEvent } from '../domain/envelope.js';
import type { Family } from '../domain/streams.js';

/**
 * Documents that follow from a source document. `of` names them with their content; when an event changes that content, `apply`
 * makes the target's next document from the part before and the part after (`undefined`: not there; null: tombstone).
 * With `park`, a target must follow from one source only.
 */
export type Derived<S extends Doc = Doc, T extends Doc = Doc> = {
  readonly name: string;
  readonly indexes: CollectionSpec['indexes'];
  of(source: S | undefined): ReadonlyMap<string, T>;
  apply(target: T | undefined, before: T | undefined, after: T | undefined): T | null;
};

export type Projection<D extends Doc = Doc> = {
  readonly name: string;
  /** Changes when the shape of the documents or the meaning of the folds does: another version is built from the start. */
  readonly version: number;
  readonly families: readonly Family[];
  readonly indexes: CollectionSpec['indexes'];
  /** A fold that throws stops one document (`park`) or the whole projection (`halt`). */
  readonly onPoison: 'park' | 'halt';
  /** Ids of the documents that an event may change. */
  keys(event: RecordedEvent): readonly string[];
  /** The next document from its own content and the event alone. The same reference means no change, null a tombstone. */
  fold(doc: D | undefined, event: RecordedEvent, id: string): D | null | undefined;
  readonly derived: readonly Derived<D>[];
};

/** One build of a projection: its documents live in collections of their own. */
export type Build = { readonly projection: Projection; readonly generation: number };

export function collectionOf({ projection, generation }: Build, name: string = projection.name): string {
  return `${name}_v${projection.version}_g${generation}`;
}

export function collectionsOf(build: Build): CollectionSpec[] {
  const { projection } = build;
  return [projection, ...projection.derived].map(({ name, indexes }) => ({ name: collectionOf(build, name), indexes }));
}

/** The `apply` of derived documents that belong to one source: whatever the source says now. */
export function replace<T extends Doc>(_target: T | undefined, _before: T | undefined, after: T | undefined): T | null {
  return after ?? null;
}
