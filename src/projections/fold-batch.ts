// Folds a batch of events into documents held in memory and says which writes make it so. Pure but for the two reads.
import type { Doc, DocStore, Stored, Write } from '../adapters/documents/port.js';
import type { LogPosition, RecordedEvent } from '../domain/envelope.js';
import { isKnown } from '../domain/vocabulary.js';
import { collectionOf, type Build, type Derived } from './projection.js';
import { applyAdditions, type Placed } from './sums.js';

type Held = { readonly guard: string | null; doc: Doc | null | undefined; position: string; isChanged: boolean };
type Named = ReadonlyMap<string, Doc>;
type Delta = {
  readonly id: string;
  readonly position: string;
  readonly before: Doc | undefined;
  readonly after: Doc | undefined;
};

export type Poison = { readonly id: string; readonly event: RecordedEvent; readonly error: unknown };
export type Folded = {
  /** Derived documents, which must be written before their sources: after a crash in between the same differences come again. */
  readonly derived: readonly Write[];
  readonly sources: readonly Write[];
  readonly poison: readonly Poison[];
  /** Documents that had to leave events out, parked before or poisoned now, with the last position left out. */
  readonly leftOut: ReadonlyMap<string, LogPosition>;
};

/** `isParked` documents keep their last good state. */
export async function foldBatch(
  docs: DocStore,
  build: Build,
  events: readonly RecordedEvent[],
  isParked: (id: string) => boolean,
): Promise<Folded> {
  const { projection } = build;
  const keyed = events.filter(isOfKnownType).map((event) => ({ event, ids: projection.keys(event) }));
  const sources = await hold(docs, collectionOf(build), new Set(keyed.flatMap((k) => k.ids)));
  const deltas = projection.derived.map((): Delta[] => []);
  const followers = projection.derived.map(remembering);
  const additions: Placed[] = [];
  const peer = (id: string) => sources.get(id)?.doc ?? undefined;
  const poison: Poison[] = [];
  const leftOut = new Map<string, LogPosition>();
  for (const { event, ids } of keyed) {
    for (const id of ids) {
      const held = sources.get(id);
      if (!held || event.position <= held.position) continue;
      if (leftOut.has(id) || isParked(id)) {
        leftOut.set(id, event.position);
        continue;
      }
      try {
        if (!isKnown(event)) throw new Error(`${event.type} v${event.v} is newer than this code; deploy it first`);
        const before = held.doc ?? undefined;
        const after = projection.fold(before, event, id, peer);
        if (after === before) continue;
        const pot = projection.sums?.open();
        pot?.change(before, after ?? undefined);
        const added = [...(pot?.additions() ?? [])];
        followers.forEach((of, i) => deltas[i]?.push(...differences(of(before), of(after ?? undefined), event)));
        additions.push(...added.map((a) => ({ ...a, position: event.position })));
        Object.assign(held, { doc: after ?? null, position: event.position, isChanged: true });
      } catch (error) {
        leftOut.set(id, event.position);
        poison.push({ id, event, error });
      }
    }
  }
  const derived = await Promise.all(projection.derived.map((d, i) => applyDeltas(docs, build, d, deltas[i] ?? [])));
  const summed = await Promise.all(
    (projection.sums?.collections ?? []).map(({ name }) => {
      const own = additions.filter((a) => a.of === name);
      return applyAdditions(docs, collectionOf(build, name), own);
    }),
  );
  return {
    derived: [...derived.flat(), ...summed.flat()],
    sources: writesOf(collectionOf(build), sources),
    poison,
    leftOut,
  };
}

/** Types that only newer code knows are passed over; a newer version of a known type is not, it would be misread. */
function isOfKnownType({ type }: RecordedEvent): boolean {
  return isKnown({ type, v: 1 });
}

async function hold(docs: DocStore, c: string, ids: ReadonlySet<string>): Promise<Map<string, Held>> {
  const stored = ids.size > 0 ? await docs.get(c, [...ids]) : new Map<string, Stored>();
  const entry = (id: string): [string, Held] => {
    const found = stored.get(id);
    return [id, { guard: found?.guard ?? null, doc: found?.doc, position: found?.guard ?? '', isChanged: false }];
  };
  return new Map([...ids].map(entry));
}

/** What follows from a document is asked for after one event and again before the next. */
function remembering(d: Derived): (source: Doc | undefined) => Named {
  const known = new WeakMap<Doc, Named>();
  return (source) => {
    const found = (source && known.get(source)) ?? d.of(source);
    if (source) known.set(source, found);
    return found;
  };
}

function differences(old: Named, fresh: Named, event: RecordedEvent): Delta[] {
  const { position } = event;
  const found: Delta[] = [];
  for (const [id, after] of fresh) {
    const before = old.get(id);
    if (!before || JSON.stringify(before) !== JSON.stringify(after)) found.push({ id, position, before, after });
  }
  for (const [id, before] of old) if (!fresh.has(id)) found.push({ id, position, before, after: undefined });
  return found;
}

async function applyDeltas(docs: DocStore, build: Build, d: Derived, deltas: readonly Delta[]): Promise<Write[]> {
  const c = collectionOf(build, d.name);
  const targets = await hold(docs, c, new Set(deltas.map((delta) => delta.id)));
  for (const { id, position, before, after } of deltas) {
    const held = targets.get(id);
    if (!held || position <= (held.guard ?? '')) continue;
    Object.assign(held, { doc: d.apply(held.doc ?? undefined, before, after), position, isChanged: true });
  }
  return writesOf(c, targets);
}

function writesOf(c: string, held: ReadonlyMap<string, Held>): Write[] {
  return [...held].flatMap(([id, h]) =>
    h.isChanged ? [{ c, id, expect: h.guard, guard: h.position, doc: h.doc ?? null }] : [],
  );
}
