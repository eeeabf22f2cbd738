// `subledger import FILE`: imports an exported log and its records into an empty installation. An interrupted run resumes.
import type { DocStore, Doc, Json } from '../../adapters/documents/port.js';
import type { Engine } from '../../adapters/engine/engine.js';
import { START, type AppendReceipt, type EventLog } from '../../adapters/event-log/port.js';
import { parkedEventCollection } from '../../commands/handling/parked-events.js';
import { deliveryCollection } from '../../commands/webhooks/deliveries.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import { Unavailable, WrongRevision } from '../../domain/errors.js';
import { reactionCheckpointCollection } from '../../workers/reactions/reaction.js';
import { endpointCollection } from '../../workers/webhooks/endpoints.js';
import { Failure } from '../support/outcome.js';
import { expectDump, identityOfDump, readDump, type Counts, type DumpedRecord } from './dump-file.js';
import { expectImportTarget, isSame, otherRecord } from './import-target.js';
import { counter, eventsOf, onEngine } from './moving.js';

/** Maximum of concurrent appends; the log applies them in the order in which they are sent. */
const IN_FLIGHT = 64;
const MAX_EVENTS = 200;
const MAX_CHARS = 400_000;

export function importFrom(file: string): Promise<void> {
  return onEngine(
    'write',
    () => expectDump(file),
    async (engine) => {
      const { events, records } = await importInto(engine, file);
      process.stdout.write(`${events} events and ${records} records imported\n`);
    },
  );
}

/** Throws {@link Failure} when the existing log has another history, the file is incomplete, or the log became unavailable. */
export async function importInto({ log, docs }: Pick<Engine, 'log' | 'docs'>, file: string): Promise<Counts> {
  // Nothing is written before the whole file and the installation are checked: a refused import leaves it as it was.
  await expectImportTarget({ log, docs }, file, hasPosition);
  const count = counter('events imported');
  const writer = createWriter(log);
  let records = 0;
  const present = eventsOf(log);
  let next = await present.next();
  for await (const line of readDump(file)) {
    if (line.kind === 'record') {
      records += 1;
      if (!hasPosition(line.record)) await storeRecord(docs, line.record);
      continue;
    }
    const { event } = line;
    count();
    if (!next.done && isSame(next.value, event)) {
      writer.passed(event.position, next.value.position);
      next = await present.next();
    } else {
      await writer.add(event);
    }
  }
  const placeOf = await writer.finish();
  // Last, so that reactions continue at their positions and nothing is processed or sent twice.
  const move = { from: await identityOfDump(file), to: await log.identity(), placeOf };
  for await (const line of readDump(file)) {
    if (line.kind !== 'record' || !hasPosition(line.record)) continue;
    await storeRecord(docs, { ...line.record, doc: moveRecord(line.record, move) });
  }
  return { events: writer.count(), records };
}

/** Stores the record unless an earlier run has stored it. */
async function storeRecord(docs: DocStore, record: DumpedRecord): Promise<void> {
  const { c, id, guard, doc } = record;
  if ((await docs.write([[{ c, id, expect: null, guard, doc }]])) === 'ok') return;
  const stored = (await docs.get(c, [id])).get(id);
  if (JSON.stringify(stored?.doc) !== JSON.stringify(doc)) throw otherRecord(record);
}

type Batch = { readonly first: RecordedEvent; readonly events: RecordedEvent[]; chars: number };

/** Appends runs of one stream's events at their old revisions, and records the new positions of the events. */
function createWriter(log: EventLog) {
  /** Old and new position of the last event of every append, in order. */
  const appends: (readonly [LogPosition, LogPosition])[] = [];
  const inFlight: Promise<void>[] = [];
  let batch: Batch | null = null;
  let count = 0;

  const send = async (): Promise<void> => {
    if (!batch) return;
    const { first, events } = batch;
    const last = events.at(-1) ?? first;
    batch = null;
    const done = append(log, first, events).then(({ position }) => void appends.push([last.position, position]));
    // An error is thrown where this is awaited; until then it must not count as an unhandled rejection.
    done.catch(() => undefined);
    inFlight.push(done);
    if (inFlight.length >= IN_FLIGHT) await inFlight.shift();
  };
  return {
    passed: (from: LogPosition, to: LogPosition) => {
      count += 1;
      appends.push([from, to]);
    },
    count: () => count,
    add: async (event: RecordedEvent): Promise<void> => {
      count += 1;
      const chars = JSON.stringify(event).length;
      const last = batch?.events.at(-1);
      const follows = last && last.stream === event.stream && last.revision + 1 === event.revision;
      if (!batch || !follows || batch.events.length >= MAX_EVENTS || batch.chars + chars > MAX_CHARS) {
        await send();
        batch = { first: event, events: [], chars: 0 };
      }
      batch.events.push(event);
      batch.chars += chars;
    },
    /** Maps an old position to the new position of the last event up to it. */
    finish: async (): Promise<(old: string) => LogPosition> => {
      await send();
      await Promise.all(inFlight);
      const inOrder = appends.sort(([a], [b]) => (a < b ? -1 : 1));
      return (old) => {
        let [low, high] = [0, inOrder.length];
        while (low < high) {
          const middle = (low + high) >> 1;
          if ((inOrder[middle]?.[0] ?? '') <= old) low = middle + 1;
          else high = middle;
        }
        return inOrder[low - 1]?.[1] ?? START;
      };
    },
  };
}

async function append(log: EventLog, first: RecordedEvent, events: readonly RecordedEvent[]): Promise<AppendReceipt> {
  const expected = first.revision === 0 ? 'none' : first.revision - 1;
  try {
    return await log.append(first.stream, expected, events);
  } catch (err) {
    if (err instanceof WrongRevision) throw new Failure(`${err.message}; import into an empty installation`);
    if (err instanceof Unavailable) throw new Failure(`${err.message}; run the import again to resume`);
    throw err;
  }
}

type Move = {
  /** Identities of the logs. */
  readonly from: string;
  readonly to: string;
  /** Returns the new position of the last event up to the old one. */
  readonly placeOf: (old: string) => LogPosition;
};

const movers: ReadonlyMap<string, (doc: Doc, move: Move) => Doc> = new Map([
  [reactionCheckpointCollection.name, moveCheckpoint],
  [parkedEventCollection.name, (doc: Doc, { placeOf }: Move) => ({ ...doc, position: placeOf(text(doc['position'])) })],
  [endpointCollection.name, moveEndpoint],
  [deliveryCollection.name, moveDelivery],
]);

function hasPosition({ c }: DumpedRecord): boolean {
  return movers.has(c);
}

function moveRecord({ c, doc }: DumpedRecord, move: Move): Doc {
  return movers.get(c)?.(doc, move) ?? doc;
}

/** Leaves a checkpoint of another log unchanged, which makes it invalid. */
function moveCheckpoint(doc: Doc, { from, to, placeOf }: Move): Doc {
  if (doc['log'] !== undefined && doc['log'] !== from) return doc;
  return { ...doc, position: placeOf(text(doc['position'])), log: to };
}

function moveEndpoint(doc: Doc, { placeOf }: Move): Doc {
  const versions = (doc['versions'] ?? []) as readonly { readonly [field: string]: Json | undefined }[];
  return { ...doc, versions: versions.map((version) => ({ ...version, from: placeOf(text(version['from'])) })) };
}

/** Places the delivery before all new ones, and keeps the old order among the moved ones, also for events of one append. */
function moveDelivery(doc: Doc, { placeOf }: Move): Doc {
  const place = text(doc['place']);
  const [position = ''] = place.split('|');
  return { ...doc, place: `${placeOf(position)}|~${place}` };
}

function text(value: Json | undefined): string {
  return String(value ?? '');
}
