// Base fixture: both projects are set up once, and each run starts on a copy of the stored data.
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { CollectionSpec, DocStore, Write } from '../../../src/adapters/documents/port.js';
import type { NewEvent } from '../../../src/domain/envelope.js';
import { families } from '../../../src/domain/streams.js';
import { createSharedLog, type SharedLog } from '../engine/log.js';
import { createConfig, startProcess, type Installation, type Interceptors } from '../engine/process.js';
import { createReceivers } from '../engine/receivers.js';
import { createSimulatedStores, connectStores } from '../engine/simulated-stores.js';
import { createTimeline } from '../engine/timeline.js';
import { createFaultInjector, type Host } from '../engine/fault-injector.js';
import { createClient } from './client.js';
import { setUpTenant, TENANTS, type Tenant, type TenantName } from './tenant.js';

const IDENTITY = 'simulated';
const START_MS = Date.parse('2026-01-05T09:00:00Z');

type StorageOperation =
  | { readonly ensured: readonly CollectionSpec[] }
  | { readonly written: readonly (readonly Write[])[] }
  | { readonly dropped: string };

export type BaseFixture = {
  readonly tenants: Readonly<Record<TenantName, Tenant>>;
  /** Returns a new copy for each call. `onCollection` gets the name of each collection, existing or created later. */
  copy(onCollection: (name: string) => void): Promise<{ readonly log: SharedLog; readonly docs: DocStore }>;
};

const identity = <T>(x: T): T => x;
export const noInterceptors: Interceptors = {
  log: identity,
  docs: identity,
  charts: identity,
  engine: identity,
  stores: identity,
  env: {},
};

const fixtures = new Map<boolean, Promise<BaseFixture>>();

/** Creates the fixture once for embedded storage and once for shared servers. */
export function getBaseFixture(isShared: boolean): Promise<BaseFixture> {
  const known = fixtures.get(isShared) ?? createBaseFixture(isShared);
  fixtures.set(isShared, known);
  return known;
}

async function createBaseFixture(isShared: boolean): Promise<BaseFixture> {
  const operations: StorageOperation[] = [];
  const timeline = createTimeline('seedling', START_MS);
  const faults = createFaultInjector(timeline);
  const stores = createSimulatedStores(timeline, '');
  const receivers = createReceivers(timeline);
  const installation: Installation = {
    timeline,
    faults,
    pace: 1,
    log: createSharedLog(IDENTITY),
    docs: recordOperations(createMemoryDocuments(), operations),
    isShared,
    operator: {
      pending: () => Promise.resolve([]),
      reply: () => Promise.resolve(),
      submit: () => Promise.resolve(),
      takeReply: () => Promise.resolve(undefined),
    },
    logLines: [],
    storesOf: (host) => connectStores({ none: stores }, { none: { appIds: [] } }, host, faults),
    outboundOf: (host) => receivers.connect(host, faults),
    interceptors: noInterceptors,
  };
  const host: Host = { name: 'fixture', isAlive: true, pausedUntil: 0, skewMs: 0 };
  const awaitInTime = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const end = () => void (isOver = true);
    work.then(end, end);
    await timeline.runUntil(() => isOver, 600_000, 'the base fixture');
    return work;
  };
  const process = await awaitInTime(startProcess(installation, createConfig(installation), host));
  await awaitInTime(process.service.ready);
  const client = createClient(installation, () => [process]);
  const tenants = {} as Record<TenantName, Tenant>;
  for (const name of TENANTS) tenants[name] = await awaitInTime(setUpTenant(client, name));
  await timeline.advance(15_000);
  await awaitInTime(process.service.stop());
  const { signal } = new AbortController();
  let events: readonly NewEvent[] = [];
  for await (const feed of installation.log.raw.follow({ after: 'start', families, max: 10_000, signal })) {
    events = feed.events;
    break;
  }
  return {
    tenants,
    copy: async (onCollection) => {
      const log = createSharedLog(IDENTITY);
      for (const event of events) await log.raw.append((event as NewEvent & { stream: never }).stream, 'any', [event]);
      const docs = createMemoryDocuments();
      const ensure: DocStore['ensure'] = (specs) => {
        for (const { name } of specs) onCollection(name);
        return docs.ensure(specs);
      };
      const observed = { ...docs, ensure };
      for (const one of operations) await applyOperation(observed, one);
      return { log, docs: observed };
    },
  };
}

function recordOperations(docs: DocStore, operations: StorageOperation[]): DocStore {
  return {
    ...docs,
    ensure: async (ensured) => {
      await docs.ensure(ensured);
      operations.push({ ensured });
    },
    write: async (written) => {
      const outcome = await docs.write(written);
      operations.push({ written });
      return outcome;
    },
    drop: async (dropped) => {
      await docs.drop(dropped);
      operations.push({ dropped });
    },
  };
}

async function applyOperation(docs: DocStore, one: StorageOperation): Promise<void> {
  if ('ensured' in one) await docs.ensure(one.ensured);
  else if ('written' in one) await docs.write(one.written);
  else await docs.drop(one.dropped);
}
