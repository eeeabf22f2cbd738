// Document store on MongoDB, a standalone server or a replica set. A document's body is stored as its JSON text, so that reads return it
// unchanged; its index fields are stored separately, under `k`. A tombstone has no text and no fields.
import { MongoClient, type AnyBulkWriteOperation, type BulkWriteResult } from 'mongodb';
import type { MongoClientOptions } from 'mongodb';
import { createCircuitBreaker } from '../../engine/server-breaker.js';
import type { Runtime } from '../../runtime.js';
import { createFromUrl, MONGODB } from '../../configuration/servers.js';
import { describeCollection, fieldsOfScan, isStorable, keysOf, type Collection } from '../collections.js';
import { decodeCursor, encodeCursor } from '../index-keys.js';
import type { MongoConnection } from '../../rate-counters/mongodb.js';
import { classifyMongoError, isDuplicateOnly } from './errors.js';
import { ensureCollection, scanFilter, sortOf, type StoredDoc, type WithTable } from './indexes.js';
import type { DocStore, Page, Row, Scan, StoredDocument, Write } from '../port.js';

export type MongoDocuments = DocStore & {
  /** Checks that the server responds. Throws `Unavailable`. */
  ping(): Promise<void>;
  /** Database and circuit breaker, for collections that are not documents. */
  readonly connection: MongoConnection;
  close(): Promise<void>;
};

/** Database used when the URL contains none. */
const DEFAULT_DATABASE = 'subledger';
// The URL may contain several hosts, which the platform's own parser does not accept.
const HAS_DATABASE = /^mongodb(\+srv)?:\/\/[^/]+\/[^?]/;

/**
 * Driver settings. Never set `timeoutMS`: with it the driver has returned one caller's result to another. `socketTimeoutMS` ends requests
 * to an unresponsive server.
 */
const LIMITS = {
  serverSelectionTimeoutMS: 2000,
  connectTimeoutMS: 2000,
  socketTimeoutMS: 5000,
  waitQueueTimeoutMS: 3000,
  heartbeatFrequencyMS: 2000,
  // Minimum interval between checks of the server, after which a broken connection is replaced.
  minHeartbeatFrequencyMS: 100,
} as const;

const WRITE_ID_BYTES = 9;
const TEXT_ONLY = { k: 0, w: 0 } as const;

/** Timeout of a call. With a probe after it, 503 is sent in less than 2.5 s; then immediately, until the server responds again. */
const CALL_TIMEOUT_MS = 1500;
/**
 * Timeout of a call while the server responds to others: twice the timeout of a socket, because the driver repeats a call once. The driver
 * never settles a call whose socket was destroyed within the write.
 */
const SLOW_CALL_TIMEOUT_MS = 12_000;
/** The driver stops checking a server when the socket of its check is destroyed within the write, so a new client takes over. */
const FAILURES_PER_CLIENT = 4;
const CLOSE_TIMEOUT_MS = 2000;

export type MongoOptions = { readonly url: string; readonly runtime: Pick<Runtime, 'sleep' | 'randomBytes'> };

/** Opens the store, which connects on first use and again after a lost connection. Throws `WrongConfiguration` for an invalid URL. */
export function openMongoDocuments({ url, runtime }: MongoOptions): MongoDocuments {
  const clients = createClients(url, runtime);
  const breaker = createCircuitBreaker({
    name: MONGODB,
    runtime,
    limitMs: CALL_TIMEOUT_MS,
    slowLimitMs: SLOW_CALL_TIMEOUT_MS,
    probe: clients.ping,
    faultOf: classifyMongoError,
    trouble: clients.lastFailure,
    reset: clients.replace,
    failuresPerReset: FAILURES_PER_CLIENT,
  });
  // All work is repeatable: reads, index changes, and writes, which recognise their own earlier attempt.
  const withBreaker: WithBreaker = (work) => breaker.run(work, { isRepeatable: true });
  const collections = new Map<string, Collection>();
  const requireCollection = (name: string): Collection => {
    const collection = collections.get(name);
    if (!collection) throw new Error(`collection ${name} is not ensured`);
    return collection;
  };
  const withTable =
    (c: string): WithTable =>
    (work) =>
      withBreaker(() => work(clients.db().collection<StoredDoc>(c)));
  return {
    local: null,
    bulk: null,
    ensure: async (specs) => {
      for (const spec of specs) {
        const collection = describeCollection(spec, collections.get(spec.name));
        // Registered before the response: a write sent in the meantime must contain the field of a new index.
        const before = collections.get(spec.name);
        collections.set(spec.name, collection);
        try {
          const problem = await ensureCollection(withTable(spec.name), collection);
          if (problem !== null) throw new Error(problem);
        } catch (err) {
          if (before) collections.set(spec.name, before);
          else collections.delete(spec.name);
          throw err;
        }
      }
    },
    get: async (c, ids) => {
      const storableIds = [...new Set(ids)].filter(isStorable);
      const { name } = requireCollection(c);
      const found = new Map<string, StoredDocument>();
      if (storableIds.length === 0) return found;
      const rows = await withTable(name)((table) =>
        table.find({ _id: { $in: storableIds } }, { projection: TEXT_ONLY }).toArray(),
      );
      for (const { _id, g, d } of rows) found.set(_id, { guard: g, doc: d === null ? null : JSON.parse(d) });
      return found;
    },
    write: async (stages) => {
      const name = runtime.randomBytes(WRITE_ID_BYTES).toString('base64url');
      const prepared = stages.map((stage) => groupByCollection(stage, requireCollection, name));
      for (const stage of prepared) {
        const outcomes = await Promise.all([...stage].map(([c, writes]) => writeAll(withTable(c), writes)));
        if (outcomes.includes('lost')) return 'lost';
      }
      return 'ok';
    },
    scan: async (c, scan) => runScan(withTable(c), requireCollection(c), scan),
    drop: async (c) => {
      const { name } = describeCollection({ name: c, indexes: [] });
      collections.delete(name);
      await withTable(name)((table) => table.drop());
    },
    connection: { db: clients.db, run: (work) => breaker.run(work) },
    ping: async () => void (await withBreaker(clients.ping)),
    close: async () => {
      breaker.close();
      await clients.close();
    },
  };
}

/** Clients of the driver, one after another: a new one takes over when the driver no longer recovers. */
function createClients(url: string, runtime: Pick<Runtime, 'sleep'>) {
  const options: MongoClientOptions = {
    ...LIMITS,
    appName: 'subledger',
    ignoreUndefined: true,
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
  };
  let lastFailure: string | undefined;
  const open = (): MongoClient => {
    const opened = createFromUrl('MONGODB_URL', () => new MongoClient(url, options));
    const record = (failure: string | undefined) => {
      if (opened === client) lastFailure = failure;
    };
    opened.on('serverHeartbeatFailed', ({ failure }) => record(failure.message));
    opened.on('serverHeartbeatSucceeded', () => record(undefined));
    return opened;
  };
  const close = async (closed: MongoClient): Promise<void> => {
    const done = new AbortController();
    const late = runtime.sleep(CLOSE_TIMEOUT_MS, done.signal);
    await Promise.race([closed.close().catch(() => undefined), late]).finally(() => done.abort());
  };
  let client = open();
  const db = () => client.db(HAS_DATABASE.test(url) ? undefined : DEFAULT_DATABASE);
  return {
    /** Database of the current client: a collection must not be used after the call that it was opened for. */
    db,
    ping: () => db().command({ ping: 1 }),
    /** Returns the error of the driver's last check of the server, which a call itself sees only as a timeout. */
    lastFailure: () => lastFailure,
    replace: async (): Promise<void> => {
      const former = client;
      client = open();
      void close(former);
    },
    close: () => close(client),
  };
}

/** Runs work on the server. Throws `Unavailable`. */
type WithBreaker = <T>(work: () => Promise<T>) => Promise<T>;

type PreparedWrite = { readonly expect: string | null; readonly stored: StoredDoc };

/** Validates and serialises immediately, so that the caller may change the documents afterwards. */
function groupByCollection(
  stage: readonly Write[],
  requireCollection: (c: string) => Collection,
  name: string,
): Map<string, PreparedWrite[]> {
  const groups = new Map<string, PreparedWrite[]>();
  for (const { c, id, expect, guard, doc } of stage) {
    const collection = requireCollection(c);
    const values = keysOf(collection, id, doc);
    const keys = doc && Object.fromEntries(collection.fields.map((field, i) => [field, values[i] ?? '']));
    const stored = { _id: id, g: guard, w: name, d: doc && JSON.stringify(doc), ...(keys && { k: keys }) };
    const group = groups.get(c) ?? [];
    groups.set(c, group);
    group.push({ expect, stored });
  }
  return groups;
}

/** Writes without order: each write is its own compare-and-set, and the others continue after a lost one. */
async function writeAll(withTable: WithTable, writes: readonly PreparedWrite[]): Promise<'ok' | 'lost'> {
  const operations = writes.map(({ expect, stored }): AnyBulkWriteOperation<StoredDoc> => {
    if (expect === null) return { insertOne: { document: stored } };
    const { _id, ...replacement } = stored;
    return { replaceOne: { filter: { _id, g: expect }, replacement } };
  });
  let attempts = 0;
  const done = await withTable<BulkWriteResult | 'lost'>((table) => {
    attempts++;
    return table.bulkWrite(operations, { ordered: false }).catch(lostIfDuplicate);
  });
  if (done !== 'lost' && done.insertedCount + done.matchedCount === writes.length) return 'ok';
  if (attempts === 1) return 'lost';
  // An attempt whose connection was lost may have had its effect: its writes have the same write id.
  const ids = writes.map(({ stored }) => stored._id);
  const storedRows = await withTable((table) => table.find({ _id: { $in: ids } }, { projection: { w: 1 } }).toArray());
  return storedRows.filter(({ w }) => w === writes[0]?.stored.w).length === writes.length ? 'ok' : 'lost';
}

function lostIfDuplicate(err: unknown): 'lost' {
  if (isDuplicateOnly(err)) return 'lost';
  throw err;
}

async function runScan(withTable: WithTable, collection: Collection, scan: Scan): Promise<Page> {
  const fields = fieldsOfScan(collection, scan);
  const filter = scanFilter(fields, scan, decodeCursor(scan, fields));
  const found = await withTable((table) =>
    table
      .find(filter, { projection: TEXT_ONLY })
      .sort(sortOf(fields, scan.reverse))
      .limit(scan.limit + 1)
      .toArray(),
  );
  const rows: Row[] = found
    .slice(0, scan.limit)
    .map(({ _id, g, d }) => ({ id: _id, guard: g, doc: JSON.parse(d ?? '') }));
  const last = rows.at(-1);
  return found.length > rows.length && last ? { rows, next: encodeCursor(scan.index, fields, last) } : { rows };
}
