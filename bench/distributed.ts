// Benchmark of the overhead of the service on EventStoreDB and MongoDB, on the configured servers, in a separate namespace and database:
// appends through the command path compared with the driver's own by as many callers, and the read models (see distributed-projection.ts).
import { randomBytes, randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, NO_STREAM, StreamNotFoundError, type EventData } from '@eventstore/db-client';
import { MongoClient } from 'mongodb';
import { readConfig, type Config } from '../src/adapters/configuration/config.js';
import { openEngine, type Engine } from '../src/adapters/engine/engine.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { createCredentialVerdicts } from '../src/commands/projects/credential-checks.js';
import { receiveNotification } from '../src/commands/stores/inbox/inbox.js';
import type { ReadNotification } from '../src/commands/stores/store-integration.js';
import { streams } from '../src/domain/streams.js';
import { openDeps } from '../src/main/open-deps.js';
import { openStores } from '../src/main/open-stores.js';
import { atLeast, rate, sideBySide, type BenchRow } from './bench.js';
import { benchProjection, headPosition } from './distributed-projection.js';

const CALLERS = 64;
const DISPOSE_MS = 1000;
const APP = 'app_00000000000000000000000000';
const PROJECT = 'proj_00000000000000000000000000';
/** Placeholder for a signed payload of the store, which has about 5 kB; this one is short. */
const RAW_BODY = JSON.stringify({ signedPayload: 'e'.repeat(1500) });
const APP_EVENT_FIELDS = { appId: APP, store: 'ios-store' as const };
const RAW = { projectId: PROJECT, app: APP_EVENT_FIELDS, rawBody: RAW_BODY };

/** Throws if `EVENTSTORE_URL` or `MONGODB_URL` is not set. */
export async function benchDistributed(short: boolean): Promise<BenchRow[]> {
  const { EVENTSTORE_URL: logUrl, MONGODB_URL: docsUrl } = process.env;
  if (!logUrl || !docsUrl) throw new Error('set EVENTSTORE_URL and MONGODB_URL to the servers to measure on');
  const [server = docsUrl, options = ''] = docsUrl.split(/(?=\?)/);
  const ownDocsUrl = `${server.replace(/^(mongodb(?:\+srv)?:\/\/[^/]+).*$/, '$1')}/bench_${randomUUID().slice(0, 8)}${options}`;
  const namespace = `bench${randomUUID().slice(0, 8)}.`;
  const config = readConfig({
    EVENTSTORE_URL: logUrl,
    EVENTSTORE_NAMESPACE: namespace,
    MONGODB_URL: ownDocsUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    JWT_SECRET: randomBytes(32).toString('hex'),
  });
  const client = EventStoreDBClient.connectionString(logUrl);
  const mongo = new MongoClient(ownDocsUrl, { writeConcern: { w: 'majority', journal: true } });
  const runtime = systemRuntime();
  const from = await headPosition(client);
  const engine = await openEngine(config, () => [{ id: 'k1', key: runtime.randomBytes(32) }], runtime);
  try {
    return [
      ...(await benchAppends(client, engine, config, short)),
      ...(await benchProjection({ client, mongo, engine, namespace, from }, short ? 4000 : 20_000)),
    ];
  } finally {
    await engine.close();
    // The promise may never resolve.
    await Promise.race([client.dispose(), runtime.sleep(DISPOSE_MS)]);
    await mongo.db().dropDatabase();
    await mongo.close();
  }
}

async function benchAppends(client: EventStoreDBClient, engine: Engine, config: Config, short: boolean) {
  const count = short ? 1500 : 6000;
  const runtime = systemRuntime();
  const verdicts = createCredentialVerdicts({ docs: engine.docs, runtime });
  const { stores, close } = openStores({ config, runtime, verdicts });
  const deps = await openDeps(engine, stores, runtime, 'proc_bench');
  const byCallers = async (one: (id: string) => Promise<unknown>) => {
    let next = 0;
    const caller = async () => {
      while (next++ < count) await one(randomUUID());
    };
    return rate(() => Promise.all(Array.from({ length: CALLERS }, caller)).then(() => count));
  };
  const append = (stream: string, id: string) =>
    client.appendToStream(stream, rawEventOf(id), { expectedRevision: NO_STREAM });
  try {
    const found = await sideBySide(short ? 3 : 5, {
      raw: () => byCallers((id) => append(`${config.EVENTSTORE_NAMESPACE}raw-${id}`, id)),
      rawRead: () =>
        byCallers(async (id) => {
          const stream = `${config.EVENTSTORE_NAMESPACE}raw-${id}`;
          await readMissing(client, stream);
          await append(stream, id);
        }),
      log: () => byCallers((id) => engine.log.append(streams.inbox(APP, id), 'none', [ownEventOf(id)])),
      command: () => byCallers((id) => receiveNotification(deps, RAW, readOf(id))),
    });
    return [
      row(`raw client: append, ${CALLERS} callers`, found.raw),
      row(`raw client: read the stream, append, ${CALLERS} callers`, found.rawRead),
      row(`event log: append, ${CALLERS} callers`, found.log),
      row(`command path: a notification received, ${CALLERS} callers`, found.command),
      atLeast('event log : raw append', found.log / found.raw, 0.9, 'ratio'),
      atLeast('command path : raw append', found.command / found.raw, 0.9, 'ratio'),
      row('command path : raw read and append', found.command / found.rawRead, 'ratio'),
    ];
  } finally {
    await close();
  }
}

async function readMissing(client: EventStoreDBClient, stream: string): Promise<void> {
  try {
    for await (const found of client.readStream(stream, { maxCount: 500 })) void found;
  } catch (err) {
    if (!(err instanceof StreamNotFoundError)) throw err;
  }
}

function readOf(id: string): ReadNotification {
  const decoded = { transaction: { transactionId: id, price: 9990, currency: 'USD', storefront: 'USA' } };
  const signedAt = '2026-11-20T10:00:00.000Z';
  return { key: id, notificationType: 'SUBSCRIBED', subtype: null, decoded, signedAt };
}

function ownEventOf(id: string) {
  const at = '2026-11-20T10:00:00.000Z';
  const actor = { kind: 'store' as const, id: 'ios-store' };
  const meta = { at, recordedAt: at, actor, commandId: id, causationId: id, correlationId: id, projectId: PROJECT };
  return {
    id,
    type: 'StoreNotificationReceived',
    data: { inboxId: id, ...APP_EVENT_FIELDS, rawBody: RAW_BODY, ...readOf(id) },
    meta,
  };
}

function rawEventOf(id: string): EventData {
  const { type, data, meta } = ownEventOf(id);
  return jsonEvent({ id, type, data, metadata: { v: 1, meta } });
}

function row(name: string, value: number, unit = 'per s'): BenchRow {
  return { name, value, unit };
}
