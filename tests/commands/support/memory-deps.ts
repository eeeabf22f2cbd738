// Dependencies of commands in memory: a manual clock, sequential IDs, seeded random numbers.
import { createCodec } from '../../../src/adapters/event-log/codec.js';
import { createMemoryLog } from '../../adapters/event-log/memory.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { Runtime } from '../../../src/adapters/runtime.js';
import { createDataKeys, dataKeyCollection } from '../../../src/adapters/keys/vault.js';
import { importCollection } from '../../../src/commands/imports/import-records.js';
import { verificationCollection } from '../../../src/commands/imports/verification-records.js';
import { chartReplayCollection } from '../../../src/commands/projects/chart-replays.js';
import { credentialCollection } from '../../../src/commands/projects/credentials.js';
import { reportSourceCollection } from '../../../src/commands/books/report-sources.js';
import { createKeyedMutex } from '../../../src/commands/handling/keyed-mutex.js';
import { createBacklog } from '../../../src/commands/stores/inbox/backlog.js';
import { createCertificateStore } from '../../../src/commands/stores/inbox/certificates.js';
import { createBurstPriority } from '../../../src/commands/handling/burst-priority.js';
import type { StoreDeps } from '../../../src/commands/stores/store-integration.js';
import { createStateCache } from '../../../src/commands/handling/state-cache.js';
import { endpointHealthCollection } from '../../../src/commands/webhooks/endpoint-health.js';
import { storeTaskCollection } from '../../../src/commands/stores/tasks.js';
import { sdkCallCollection } from '../../../src/commands/projects/sdk-calls.js';
import { storeTokenCollection } from '../../../src/commands/projects/store-tokens.js';
import { webhookSecretCollection } from '../../../src/commands/webhooks/secrets.js';
import { catalogDecider } from '../../../src/domain/catalog/catalog.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { keyedHash } from '../../../src/domain/ids.js';
import { projectDecider } from '../../../src/domain/project/decide.js';
import { ratesDecider } from '../../../src/domain/rates/rates.js';
import { activityDecider } from '../../../src/domain/subscriber/state/activity.js';
import { families } from '../../../src/domain/streams.js';
import { isoFromMs, msFromIso } from '../../../src/domain/time.js';
import { vocabulary } from '../../../src/domain/vocabulary.js';
import { storesAway } from './unavailable-stores.js';

export const BEGIN = '2026-11-20T10:00:00.000Z';

export type Clock = { iso(): string; set(iso: string): void };
export type MemoryDeps = { readonly deps: StoreDeps; readonly clock: Clock; readonly sleeps: readonly number[] };

/** `wrapLog` puts something between the commands and the log. No account token is found. */
export async function memoryDeps(wrapLog: (log: EventLog) => EventLog = (log) => log): Promise<MemoryDeps> {
  const { runtime, clock, sleeps } = fakeRuntime();
  const docs = createMemoryDocuments();
  await docs.ensure([sdkCallCollection]);
  await docs.ensure([
    dataKeyCollection,
    storeTokenCollection,
    credentialCollection,
    reportSourceCollection,
    chartReplayCollection,
    importCollection,
    verificationCollection,
  ]);
  await docs.ensure([webhookSecretCollection, endpointHealthCollection, storeTaskCollection]);
  const dataKeys = createDataKeys(docs, [{ id: 'k1', key: Buffer.alloc(32, 7) }], runtime);
  const codec = createCodec(vocabulary, { keys: dataKeys, randomBytes: runtime.randomBytes });
  const log = wrapLog(createMemoryLog({ codec }));
  const deps: StoreDeps = {
    log,
    docs,
    runtime,
    hash: keyedHash(Buffer.from('naming')),
    dataKeys,
    projects: createStateCache(log, projectDecider),
    catalogs: createStateCache(log, catalogDecider),
    activities: createStateCache(log, activityDecider),
    rates: createStateCache(log, ratesDecider),
    mutex: createKeyedMutex(),
    burst: createBurstPriority(runtime),
    backlog: createBacklog(),
    certificates: createCertificateStore(),
    findByAccountToken: async () => ({ attributeOf: [], receiptsOf: [], lines: [] }),
    findRecentCharges: async () => ({ transactionIds: [] }),
    findTokensOfOrder: async () => [],
    stores: storesAway,
  };
  return { deps, clock, sleeps };
}

/** Sleeping passes the time at once and lets what else is waiting go on. */
export function fakeRuntime(): { runtime: Runtime; clock: Clock; sleeps: number[] } {
  let now = msFromIso(BEGIN);
  let count = 0;
  const sleeps: number[] = [];
  const sleep = async (ms: number) => {
    sleeps.push(ms);
    now += ms;
    await new Promise((resolve) => setImmediate(resolve));
  };
  const runtime: Runtime = {
    now: () => now,
    elapsed: () => now,
    sleep,
    pause: (_loop, ms) => sleep(ms),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    slice: () => Promise.resolve(),
    randomBytes: (size) => Buffer.from(String(++count).padStart(size, '0').slice(-size)),
    newId: (prefix) => `${prefix}_${String(++count).padStart(6, '0')}`,
  };
  return { runtime, clock: { iso: () => isoFromMs(now), set: (iso) => void (now = msFromIso(iso)) }, sleeps };
}

/** All events of the log in its order. */
export async function eventsOf(log: EventLog): Promise<RecordedEvent[]> {
  const { signal } = new AbortController();
  for await (const feed of log.follow({ after: 'start', families, max: 1_000_000, signal })) return feed.events;
  return [];
}
