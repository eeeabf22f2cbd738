// Benchmark of building all read models from EventStoreDB into MongoDB, compared with the minimum that the two drivers need: a bare
// subscription to the same events, and bare bulk writes of the same documents into collections with the same indexes.
import { randomBytes } from 'node:crypto';
import { BACKWARDS, END, streamNameFilter, type EventStoreDBClient, type Position } from '@eventstore/db-client';
import type { AnyBulkWriteOperation, MongoClient } from 'mongodb';
import { pino } from 'pino';
import { describeCollection, keysOf, type Collection } from '../src/adapters/documents/collections.js';
import { ensureCollection, type StoredDoc } from '../src/adapters/documents/mongodb/indexes.js';
import type { DocStore, Write } from '../src/adapters/documents/port.js';
import type { Engine } from '../src/adapters/engine/engine.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { keyedHash } from '../src/domain/ids.js';
import { createHandover } from '../src/projections/rebuild/adopt-build.js';
import { createProgress } from '../src/projections/runtime/progress.js';
import { projections } from '../src/projections/rebuild/registry.js';
import { createServing } from '../src/projections/rebuild/serving.js';
import { runProjector } from '../src/workers/coordination/projector.js';
import { atLeast, rate, type BenchRow } from './bench.js';
import { appendYearOfEvents } from './generated-log.js';

/** Writes of the read models in the form of the MongoDB driver. */
type RawWrites = readonly (readonly [string, AnyBulkWriteOperation<StoredDoc>[]])[];

export type Servers = {
  readonly client: EventStoreDBClient;
  readonly mongo: MongoClient;
  readonly engine: Engine;
  readonly namespace: string;
  /** Position before the first event of the log. */
  readonly from: Position | typeof END;
};

export async function benchProjection(
  { client, mongo, engine, namespace, from }: Servers,
  size: number,
): Promise<BenchRow[]> {
  const events = await appendYearOfEvents(engine.log, keyedHash(randomBytes(32)), size);
  const [{ docs, writes }, projected] = await project(engine);
  const prefixes = ['inbox', 'subscriber', 'activity'].map((family) => `${namespace}${family}-`);
  let eventCount = 0;
  const subscribed = await rate(async () => {
    eventCount = await subscribe(client, prefixes, from, events);
    return eventCount;
  });
  const raw = writes.map((stage) => rawWritesOf(stage, docs));
  for (const collection of docs.values()) {
    await ensureCollection((work) => work(mongo.db().collection(`raw_${collection.name}`)), collection);
  }
  const count = raw.flatMap((stage) => stage.map(([, ops]) => ops.length)).reduce((a, b) => a + b, 0);
  const writeRate = await rate(async () => {
    for (const stage of raw) {
      await Promise.all(
        stage.map(([c, ops]) => mongo.db().collection<StoredDoc>(c).bulkWrite(ops, { ordered: false })),
      );
    }
    return count;
  });
  const perEvent = count / projected.events;
  const least = 1 / (1 / subscribed + perEvent / writeRate);
  return [
    row('raw subscription, events', subscribed),
    row('raw bulkWrite of the same documents, with their indexes', writeRate),
    row('documents written per event', perEvent, 'docs'),
    row('all read models, events', projected.perSecond),
    atLeast('all read models : raw subscription and bulkWrite', projected.perSecond / least, 0.9, 'ratio'),
  ];
}

/** Builds all read models from the start of the log, and records the writes. */
async function project({ log, docs }: Engine) {
  const runtime = systemRuntime();
  const collections = new Map<string, Collection>();
  const writes: Write[][] = [];
  const recordingStore: DocStore = {
    ...docs,
    ensure: async (specs) => {
      for (const spec of specs) collections.set(spec.name, describeCollection(spec, collections.get(spec.name)));
      return docs.ensure(specs);
    },
    write: async (stages) => {
      const outcome = await docs.write(stages);
      if (outcome === 'ok') writes.push(...stages.map((stage) => [...stage]));
      return outcome;
    },
  };
  const stopping = new AbortController();
  let events = 0;
  const counted: typeof log = {
    ...log,
    follow: async function* (options) {
      for await (const feed of log.follow(options)) {
        events += feed.events.length;
        yield feed;
      }
    },
  };
  const perSecond = await rate(async () => {
    const deps = {
      log: counted,
      docs: recordingStore,
      hash: keyedHash(Buffer.alloc(32)),
      runtime,
      logger: pino({ level: 'silent' }),
      serving: createServing(recordingStore, runtime),
      progress: createProgress(),
      projections,
      handover: createHandover().projector,
      isSingleProcess: false,
    };
    let ended = Promise.resolve();
    await new Promise<void>((resolve) => {
      ended = runProjector(deps, stopping.signal, resolve);
    });
    const finalEvents = events;
    stopping.abort();
    await ended;
    return finalEvents;
  });
  return [
    { docs: collections, writes },
    { events, perSecond },
  ] as const;
}

function rawWritesOf(stage: readonly Write[], collections: ReadonlyMap<string, Collection>): RawWrites {
  const groups = new Map<string, AnyBulkWriteOperation<StoredDoc>[]>();
  for (const { c, id, expect, guard, doc } of stage) {
    const collection = collections.get(c) ?? describeCollection({ name: c, indexes: [] });
    const values = keysOf(collection, id, doc);
    const k = Object.fromEntries(collection.fields.map((field, i) => [field, values[i] ?? '']));
    const stored = { g: guard, d: doc && JSON.stringify(doc), ...(doc && { k }) };
    const ops = groups.get(`raw_${c}`) ?? [];
    groups.set(`raw_${c}`, ops);
    if (expect === null) ops.push({ insertOne: { document: { _id: id, ...stored } } });
    else ops.push({ replaceOne: { filter: { _id: id, g: expect }, replacement: stored } });
  }
  return [...groups];
}

async function subscribe(client: EventStoreDBClient, prefixes: string[], from: Position | typeof END, count: number) {
  const filter = streamNameFilter({ prefixes });
  const subscription = client.subscribeToAll({ fromPosition: from, filter });
  let eventCount = 0;
  for await (const { event } of subscription) if (event && ++eventCount === count) break;
  await subscription.unsubscribe();
  return eventCount;
}

export async function headPosition(client: EventStoreDBClient): Promise<Position | typeof END> {
  const options = { direction: BACKWARDS, fromPosition: END, maxCount: 1 } as const;
  for await (const { event } of client.readAll(options)) if (event) return event.position;
  return END;
}

function row(name: string, value: number, unit = 'per s'): BenchRow {
  return { name, value, unit };
}
