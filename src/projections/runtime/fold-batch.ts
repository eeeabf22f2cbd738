// Folds a batch of events into documents in memory and returns the writes that store them. Pure except for the two reads. Derived documents
// are computed once per document if the store writes a batch atomically, else event by event, because a part may be stored already.
//
// There are two fold engines. This one processes new events, concurrently with readers and other writers: it loads the documents of a
// batch, guards every write and parks documents that it cannot fold. `rebuild/bulk-fold.ts` builds from the start of the log before the
// build is served, and is faster, because it loads and guards nothing. `rebuild/bulk-build.unit.spec.ts` checks that both produce equal
// documents.
import type { Doc, DocStore, StoredDocument, Write } from '../../adapters/documents/port.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import type { KeyedHash } from '../../domain/ids.js';
import { isKnown } from '../../domain/vocabulary.js';
import { isSameJson } from '../../domain/values/json.js';
import { collectionOf, type Build, type DerivedProjection, type Projection } from './projection.js';
import { applyAdditions, type PositionedAddition } from './sums.js';

type LoadedDocuments = {
  readonly guard: string | null;
  readonly stored: Doc | undefined;
  doc: Doc | null | undefined;
  position: string;
  isChanged: boolean;
};
type DerivedDocs = ReadonlyMap<string, Doc>;
type Change = { readonly before: Doc | undefined; readonly after: Doc | undefined; readonly position: string };
type Delta = {
  readonly id: string;
  readonly position: string;
  readonly before: Doc | undefined;
  readonly after: Doc | undefined;
};

export type Poison = { readonly id: string; readonly event: RecordedEvent; readonly error: unknown };
export type FoldResult = {
  /** Derived documents, which must be written before their sources: after a crash in between, the same differences are computed again. */
  readonly derived: readonly Write[];
  readonly sources: readonly Write[];
  readonly poison: readonly Poison[];
  /** Last skipped position of each document that is parked, from before or from this batch. */
  readonly skippedUpTo: ReadonlyMap<string, LogPosition>;
};

export type BatchDocuments = Pick<DocStore, 'get' | 'local'>;

/** Documents for which `isParked` returns true keep their last good state. */
export async function foldBatch(
  { docs, hash }: { readonly docs: BatchDocuments; readonly hash: KeyedHash },
  build: Build,
  events: readonly RecordedEvent[],
  isParked: (id: string) => boolean,
): Promise<FoldResult> {
  const keyed = events.filter(isOfKnownType).map((event) => ({ event, ids: build.projection.keys(event) }));
  const batch = { docs, hash, build, keyed, isParked };
  if (!docs.local) return foldKeyed(batch, 'event');
  try {
    return await foldKeyed(batch, 'document');
  } catch (err) {
    if (!(err instanceof DerivationError)) throw err;
    return foldKeyed(batch, 'event');
  }
}

/** A derived document could not be computed. Only a fold event by event can tell which event is the cause. */
class DerivationError extends Error {}

type Batch = {
  readonly docs: BatchDocuments;
  readonly hash: KeyedHash;
  readonly build: Build;
  readonly keyed: readonly { readonly event: RecordedEvent; readonly ids: readonly string[] }[];
  readonly isParked: (id: string) => boolean;
};

async function foldKeyed(
  { docs, hash, build, keyed, isParked }: Batch,
  per: 'event' | 'document',
): Promise<FoldResult> {
  const { projection } = build;
  const sources = await load(docs, collectionOf(build), new Set(keyed.flatMap((k) => k.ids)));
  const following = collectDerived(projection, hash);
  const peer = (id: string) => sources.get(id)?.doc ?? undefined;
  const poison: Poison[] = [];
  const skippedUpTo = new Map<string, LogPosition>();
  for (const { event, ids } of keyed) {
    const { position } = event;
    for (const id of ids) {
      const loaded = sources.get(id);
      if (!loaded || position <= loaded.position) continue;
      if (skippedUpTo.has(id) || isParked(id)) {
        skippedUpTo.set(id, position);
        continue;
      }
      try {
        if (!isKnown(event)) throw new Error(`${event.type} v${event.v} is newer than this code; deploy it first`);
        const before = loaded.doc ?? undefined;
        const after = projection.fold(before, event, id, peer);
        if (after === before) continue;
        if (per === 'event') following.add([{ before, after: after ?? undefined, position }]);
        Object.assign(loaded, { doc: after ?? null, position, isChanged: true });
      } catch (error) {
        skippedUpTo.set(id, position);
        poison.push({ id, event, error });
      }
    }
  }
  if (per === 'document') {
    try {
      following.add(changesOf(sources));
    } catch (cause) {
      throw new DerivationError('what follows from a document', { cause });
    }
  }
  const derived = await Promise.all(
    (projection.derived ?? []).map((d, i) => applyDeltas(docs, build, d, following.deltas[i] ?? [])),
  );
  const summed = await Promise.all(
    (projection.sums?.collections ?? []).map(({ name }) => {
      const own = following.additions.filter((a) => a.of === name);
      return applyAdditions(docs, collectionOf(build, name), own);
    }),
  );
  return {
    derived: [...derived.flat(), ...summed.flat()],
    sources: writesOf(collectionOf(build), sources),
    poison,
    skippedUpTo,
  };
}

/** Returns the change of each document from its stored state, in the order of the log. */
function changesOf(sources: ReadonlyMap<string, LoadedDocuments>): Change[] {
  return [...sources.values()]
    .filter((loaded) => loaded.isChanged)
    .map(({ stored, doc, position }) => ({ before: stored, after: doc ?? undefined, position }))
    .sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** Collects the changes of derived documents and sums. `add` accepts all of its changes, or throws and accepts none. */
function collectDerived({ derived = [], sums }: Projection, hash: KeyedHash) {
  const deltas = derived.map((): Delta[] => []);
  const followers = derived.map((d) => cacheDerived(d, hash));
  const additions: PositionedAddition[] = [];
  return {
    deltas: deltas as readonly (readonly Delta[])[],
    additions: additions as readonly PositionedAddition[],
    add(changes: readonly Change[]): void {
      const position = changes.at(-1)?.position;
      if (position === undefined) return;
      const accumulator = sums?.open();
      for (const { before, after } of changes) accumulator?.change(before, after);
      const added = [...(accumulator?.additions() ?? [])].map((a) => ({ ...a, position }));
      const found = followers.map((of) =>
        changes.flatMap((change) => diffDerived(of(change.before), of(change.after), change.position)),
      );
      for (const [i, some] of found.entries()) for (const delta of some) deltas[i]?.push(delta);
      for (const one of added) additions.push(one);
    },
  };
}

/** Types that only newer code defines are skipped. A newer version of a known type is not skipped, because it would be misread. */
export function isOfKnownType({ type }: RecordedEvent): boolean {
  return isKnown({ type, v: 1 });
}

async function load(docs: BatchDocuments, c: string, ids: ReadonlySet<string>): Promise<Map<string, LoadedDocuments>> {
  const stored = ids.size > 0 ? await docs.get(c, [...ids]) : new Map<string, StoredDocument>();
  const entry = (id: string): [string, LoadedDocuments] => {
    const found = stored.get(id);
    const { guard = null, doc } = found ?? {};
    return [id, { guard, stored: doc ?? undefined, doc, position: guard ?? '', isChanged: false }];
  };
  return new Map([...ids].map(entry));
}

/** Caches derived documents by source: the state after one event is the state before the next. */
function cacheDerived(d: DerivedProjection, hash: KeyedHash): (source: Doc | undefined) => DerivedDocs {
  const known = new WeakMap<Doc, DerivedDocs>();
  return (source) => {
    const found = (source && known.get(source)) ?? d.of(source, hash);
    if (source) known.set(source, found);
    return found;
  };
}

function diffDerived(old: DerivedDocs, fresh: DerivedDocs, position: string): Delta[] {
  const found: Delta[] = [];
  for (const [id, after] of fresh) {
    const before = old.get(id);
    if (!before || !isSameJson(before, after)) found.push({ id, position, before, after });
  }
  for (const [id, before] of old) if (!fresh.has(id)) found.push({ id, position, before, after: undefined });
  return found;
}

async function applyDeltas(
  docs: BatchDocuments,
  build: Build,
  d: DerivedProjection,
  deltas: readonly Delta[],
): Promise<Write[]> {
  const c = collectionOf(build, d.name);
  const targets = await load(docs, c, new Set(deltas.map((delta) => delta.id)));
  for (const { id, position, before, after } of deltas) {
    const loaded = targets.get(id);
    if (!loaded || position <= (loaded.guard ?? '')) continue;
    Object.assign(loaded, { doc: d.apply(loaded.doc ?? undefined, before, after), position, isChanged: true });
  }
  return writesOf(c, targets);
}

function writesOf(c: string, loaded: ReadonlyMap<string, LoadedDocuments>): Write[] {
  return [...loaded].flatMap(([id, h]) =>
    h.isChanged ? [{ c, id, expect: h.guard, guard: h.position, doc: h.doc ?? null }] : [],
  );
}
