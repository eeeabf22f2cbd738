// Folds one build in memory from scratch. Each document and its derived documents become rows once, from the final state.
//
// There are two fold engines. This one is for builds from the start of the log that are not served yet: it loads no document, guards no
// write, and an event that cannot be folded aborts the build. `runtime/fold-batch.ts` processes new events, concurrently with readers and
// other writers, and parks documents. `rebuild/bulk-build.unit.spec.ts` checks that both produce equal documents.
import type { BulkRow, Doc, DocStore } from '../../adapters/documents/port.js';
import { CannotFold } from '../../domain/errors.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { KeyedHash } from '../../domain/ids.js';
import { families, familyOf } from '../../domain/streams.js';
import { isKnown } from '../../domain/vocabulary.js';
import {
  collectionOf,
  replace,
  type Addition,
  type Build,
  type DerivedProjection,
  type SumAccumulator,
} from '../runtime/projection.js';
import { applyAdditions } from '../runtime/sums.js';

export type BulkFold = {
  readonly build: Build;
  /** `ids`: documents to fold. Throws {@link CannotFold}, because an incomplete build is useless. */
  fold(event: RecordedEvent, ids: readonly string[]): void;
  /** Yields own documents and those derived from one of them. Must be consumed to the end: it releases everything that was folded. */
  rows(): Iterable<BulkRow>;
  /** Returns the shared documents: their stored state plus the additions of this fold. To be called after `rows`. */
  totals(docs: DocStore): Promise<BulkRow[]>;
};

/** Sums that are read and written together. */
const SUMS_PER_READ = 500;

type FoldedDoc = { doc: Doc | null; position: string };

export function createBulkFold(build: Build, hash: KeyedHash): BulkFold {
  const { projection } = build;
  const { derived = [] } = projection;
  const folded = new Map<string, FoldedDoc>();
  const peer = (id: string) => folded.get(id)?.doc ?? undefined;
  const name = collectionOf(build);
  const own = derived
    .filter((d) => d.apply === replace)
    .map((d) => ({ name: collectionOf(build, d.name), of: (doc: Doc) => d.of(doc, hash) }));
  const shared = derived.filter((d) => d.apply !== replace);
  const accumulator = projection.sums?.open();
  /** Sources of shared derived documents; empty if the projection has none. */
  const sources: FoldedDoc[] = [];
  let latest = '';
  return {
    build,
    fold(event, ids) {
      for (const id of ids) {
        const known = folded.get(id);
        const before = known?.doc ?? undefined;
        try {
          if (!isKnown(event)) throw new Error(`version ${event.v} is newer than this code`);
          const after = projection.fold(before, event, id, peer);
          if (after === before) continue;
          if (known) [known.doc, known.position] = [after ?? null, event.position];
          else folded.set(id, { doc: after ?? null, position: event.position });
        } catch (err) {
          throw CannotFold.at(projection.name, event, err);
        }
      }
    },
    *rows() {
      const ids = [...folded.keys()].sort();
      for (const id of ids) {
        const source = folded.get(id);
        if (!source) continue;
        const { doc, position: guard } = source;
        if (guard > latest) latest = guard;
        if (shared.length > 0) sources.push(source);
        if (!doc) continue;
        accumulator?.change(undefined, doc);
        yield { c: name, id, guard, doc };
        for (const d of own) {
          for (const [target, content] of d.of(doc)) yield { c: d.name, id: target, guard, doc: content };
        }
      }
      folded.clear();
    },
    async totals(docs) {
      sources.sort((a, b) => (a.position < b.position ? -1 : 1));
      const applied = shared.map((d) => applyShared(docs, collectionOf(build, d.name), d, sources, hash));
      const added = accumulator ? await addSums(docs, build, accumulator, latest) : [];
      return [...(await Promise.all(applied)).flat(), ...added];
    },
  };
}

async function applyShared(
  docs: DocStore,
  c: string,
  d: DerivedProjection,
  sources: readonly FoldedDoc[],
  hash: KeyedHash,
): Promise<BulkRow[]> {
  const brought = sources.flatMap(({ doc, position }) =>
    [...d.of(doc ?? undefined, hash)].map(([id, after]) => ({ id, after, position })),
  );
  const stored = await docs.get(c, [...new Set(brought.map((b) => b.id))]);
  const targets = new Map<string, { doc: Doc | null; guard: string }>();
  for (const { id, after, position } of brought) {
    const { doc, guard } = targets.get(id) ?? stored.get(id) ?? { doc: null, guard: '' };
    targets.set(id, { doc: d.apply(doc ?? undefined, undefined, after), guard: guard > position ? guard : position });
  }
  return [...targets].map(([id, target]) => ({ c, id, ...target }));
}

/** All sums get the position of the last document, because later events have higher positions. */
async function addSums(
  docs: DocStore,
  build: Build,
  accumulator: SumAccumulator,
  position: string,
): Promise<BulkRow[]> {
  const rows: BulkRow[] = [];
  let some: Addition[] = [];
  const add = async () => {
    for (const of of new Set(some.map((a) => a.of))) {
      const own = some.filter((a) => a.of === of).map((a) => ({ ...a, position }));
      const sums = await applyAdditions(docs, collectionOf(build, of), own, 'all');
      rows.push(
        ...sums.map(({ expect, ...sum }) => ({ ...sum, guard: expect && expect > position ? expect : position })),
      );
    }
    some = [];
  };
  for (const addition of accumulator.additions()) if (some.push(addition) === SUMS_PER_READ) await add();
  await add();
  return rows;
}

/** Returns a function that passes each event to the folds of its family. */
export function createEventFold(folds: readonly BulkFold[]): (event: RecordedEvent) => void {
  const byFamily = new Map(families.map((f) => [f, folds.filter((b) => b.build.projection.families.includes(f))]));
  return (event) => {
    for (const fold of byFamily.get(familyOf(event.stream)) ?? []) {
      const ids = fold.build.projection.keys(event);
      if (ids.length > 0) fold.fold(event, ids);
    }
  };
}

const NONE: readonly string[] = [];

/** Returns a function that lists the documents of all builds that an event may change. */
export function createIdLookup(builds: readonly Build[]): (event: RecordedEvent) => readonly string[] {
  const byFamily = new Map(families.map((f) => [f, builds.filter((b) => b.projection.families.includes(f))]));
  return (event) => {
    let ids = NONE;
    for (const { projection } of byFamily.get(familyOf(event.stream)) ?? []) {
      const own = projection.keys(event);
      if (own.length > 0) ids = ids.length === 0 ? own : [...ids, ...own];
    }
    return ids;
  };
}
