// Moves one build of one projection along the feed. Exactly-once effect without transactions: every document carries the position
// it has reached, derived documents are written first, the checkpoint last. A run cut anywhere is simply repeated.
import type { DocStore, Write } from '../adapters/documents/port.js';
import type { Feed } from '../adapters/event-log/port.js';
import { START } from '../adapters/event-log/port.js';
import type { LogPosition, RecordedEvent } from '../domain/envelope.js';
import { familyOf } from '../domain/streams.js';
import { foldBatch, type Poison } from './fold-batch.js';
import { collectionOf, collectionsOf, type Build } from './projection.js';

export const checkpointCollection = { name: 'checkpoints', indexes: [] };
export const parkedCollection = { name: 'parked', indexes: [{ name: 'build', fields: ['build'] }] };

export type Checkpoint = { readonly position: LogPosition; readonly logIdentity: string };

/** A fold threw and the projection may not go on without that event. */
export class ProjectionHalted extends Error {
  constructor(
    readonly projection: string,
    readonly poison: Poison,
  ) {
    super(`${projection} stopped at ${poison.event.type} ${poison.event.id} (position ${poison.event.position})`, {
      cause: poison.error,
    });
    this.name = 'ProjectionHalted';
  }
}

export type Runner = {
  readonly build: Build;
  /** Exclusive; every event up to here has had its effect. */
  position(): LogPosition;
  /** Folds what is new. Repeats after a lost race with another runner until the batch is behind the checkpoint. */
  apply(feed: Feed): Promise<void>;
  /** Writes the position down although nothing had to be folded for a while. */
  save(): Promise<void>;
  parked(): number;
};

/** Opens the build's collections and checkpoint. Throws when the checkpoint belongs to another log. */
export async function openRunner(docs: DocStore, build: Build, logIdentity: string): Promise<Runner> {
  await docs.ensure([checkpointCollection, parkedCollection, ...collectionsOf(build)]);
  const { projection } = build;
  const families = new Set<string>(projection.families);
  const name = collectionOf(build);
  let saved = await readCheckpoint(docs, name);
  let { position } = saved;
  if (saved.logIdentity !== '' && saved.logIdentity !== logIdentity) {
    throw new Error(`read model ${name} was built from another event log; delete it or restore the log it belongs to`);
  }
  let parked = await readParked(docs, name);

  const checkpointWrite = (upTo: LogPosition): Write => ({
    c: checkpointCollection.name,
    id: name,
    expect: saved.guard,
    guard: String(Number(saved.guard ?? 0) + 1),
    doc: { position: upTo, logIdentity },
  });
  const commit = async (stages: readonly (readonly Write[])[], upTo: LogPosition): Promise<boolean> => {
    const checkpoint = checkpointWrite(upTo);
    if ((await docs.write([...stages, [checkpoint]])) === 'lost') {
      saved = await readCheckpoint(docs, name);
      position = saved.position;
      return false;
    }
    saved = { guard: checkpoint.guard, position: upTo, logIdentity };
    position = upTo;
    return true;
  };

  const apply = async (feed: Feed): Promise<void> => {
    while (feed.upTo > position) {
      const fresh = feed.events.filter((e) => e.position > position && families.has(familyOf(e.stream)));
      if (fresh.length === 0) {
        position = feed.upTo;
        return;
      }
      const { derived, sources, poison } = await foldBatch(docs, build, fresh, (id) => parked.has(id));
      const [first] = poison;
      if (first && projection.onPoison === 'halt') throw new ProjectionHalted(projection.name, first);
      await commit([derived, sources, poison.map((p) => parkedWrite(name, p))], feed.upTo);
      if (poison.length > 0) parked = await readParked(docs, name);
    }
  };

  return {
    build,
    position: () => position,
    apply,
    save: async () => {
      if (position > saved.position) await commit([], position);
    },
    parked: () => parked.size,
  };
}

async function readCheckpoint(docs: DocStore, name: string): Promise<Checkpoint & { guard: string | null }> {
  const found = (await docs.get(checkpointCollection.name, [name])).get(name);
  const doc = found?.doc as Checkpoint | null | undefined;
  return { guard: found?.guard ?? null, position: doc?.position ?? START, logIdentity: doc?.logIdentity ?? '' };
}

async function readParked(docs: DocStore, name: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let after: string | undefined;
  do {
    const page = await docs.scan(parkedCollection.name, {
      index: 'build',
      eq: [name],
      limit: 1000,
      ...(after !== undefined && { after }),
    });
    for (const row of page.rows) ids.add(String(row.doc['id']));
    after = page.next;
  } while (after !== undefined);
  return ids;
}

function parkedWrite(build: string, { id, event, error }: Poison): Write {
  const at: Pick<RecordedEvent, 'stream' | 'revision'> = { stream: event.stream, revision: event.revision };
  const text = error instanceof Error ? error.message : String(error);
  const doc = { build, id, eventId: event.id, position: event.position, ...at, error: text };
  return { c: parkedCollection.name, id: `${build}|${id}`, expect: null, guard: event.position, doc };
}
