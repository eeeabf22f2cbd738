// Base fixture: both projects are set up once, and each run starts on a copy of the stored data.
import { memoryDocuments } from '../../../src/adapters/documents/memory.js';
import type { CollectionSpec, DocStore, Write } from '../../../src/adapters/documents/port.js';
import type { NewEvent } from '../../../src/domain/envelope.js';
import { families } from '../../../src/domain/streams.js';
import { createSharedLog, type SharedLog } from '../engine/log.js';
import { configOf, startProcess, type Installation, type Wrap } from '../engine/process.js';
import { createReceivers } from '../engine/receivers.js';
import { createShops, storesOfTenants } from '../engine/shops.js';
import { createTimeline } from '../engine/timeline.js';
import { createWeather, type Host } from '../engine/weather.js';
import { createClient } from './client.js';
import { setUpTenant, TENANTS, type Tenant, type TenantName } from './tenant.js';

const IDENTITY = 'simulated';
const START_MS = Date.parse('2026-01-05T09:00:00Z');

type Done =
  | { readonly ensured: readonly CollectionSpec[] }
  | { readonly written: readonly (readonly Write[])[] }
  | { readonly dropped: string };

export type Seedling = {
  readonly tenants: Readonly<Record<TenantName, Tenant>>;
  /** Returns a new copy for each call. `onCollection` gets the name of each collection, existing or created later. */
  copy(onCollection: (name: string) => void): Promise<{ readonly log: SharedLog; readonly docs: DocStore }>;
};

const same = <T>(x: T): T => x;
export const nothingPlanted: Wrap = { log: same, docs: same, charts: same, engine: same, stores: same, env: {} };

const grown = new Map<boolean, Promise<Seedling>>();

/** Creates the fixture once for embedded storage and once for shared servers. */
export function seedlingOf(isShared: boolean): Promise<Seedling> {
  const known = grown.get(isShared) ?? grow(isShared);
  grown.set(isShared, known);
  return known;
}

async function grow(isShared: boolean): Promise<Seedling> {
  const done: Done[] = [];
  const timeline = createTimeline('seedling', START_MS);
  const weather = createWeather(timeline);
  const shops = createShops(timeline, '');
  const receivers = createReceivers(timeline);
  const world: Installation = {
    timeline,
    weather,
    pace: 1,
    log: createSharedLog(IDENTITY),
    docs: noting(memoryDocuments(), done),
    isShared,
    operator: {
      pending: () => Promise.resolve([]),
      reply: () => Promise.resolve(),
      submit: () => Promise.resolve(),
      takeReply: () => Promise.resolve(undefined),
    },
    lines: [],
    storesOf: (host) => storesOfTenants({ shops }, { shops: { appIds: [] } }, host, weather),
    outboundOf: (host) => receivers.outboundOf(host, weather),
    wrap: nothingPlanted,
  };
  const host: Host = { name: 'fixture', isAlive: true, pausedUntil: 0, skewMs: 0 };
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const end = () => void (isOver = true);
    work.then(end, end);
    await timeline.until(() => isOver, 600_000, 'the base fixture');
    return work;
  };
  const process = await inTime(startProcess(world, configOf(world), host));
  await inTime(process.service.ready);
  const client = createClient(world, () => [process]);
  const tenants = {} as Record<TenantName, Tenant>;
  for (const name of TENANTS) tenants[name] = await inTime(setUpTenant(client, name));
  await timeline.pass(15_000);
  await inTime(process.service.stop());
  const { signal } = new AbortController();
  let events: readonly NewEvent[] = [];
  for await (const feed of world.log.raw.follow({ after: 'start', families, max: 10_000, signal })) {
    events = feed.events;
    break;
  }
  return {
    tenants,
    copy: async (onCollection) => {
      const log = createSharedLog(IDENTITY);
      for (const event of events) await log.raw.append((event as NewEvent & { stream: never }).stream, 'any', [event]);
      const docs = memoryDocuments();
      const ensure: DocStore['ensure'] = (specs) => {
        for (const { name } of specs) onCollection(name);
        return docs.ensure(specs);
      };
      const told = { ...docs, ensure };
      for (const one of done) await redo(told, one);
      return { log, docs: told };
    },
  };
}

function noting(docs: DocStore, done: Done[]): DocStore {
  return {
    ...docs,
    ensure: async (ensured) => {
      await docs.ensure(ensured);
      done.push({ ensured });
    },
    write: async (written) => {
      const outcome = await docs.write(written);
      done.push({ written });
      return outcome;
    },
    drop: async (dropped) => {
      await docs.drop(dropped);
      done.push({ dropped });
    },
  };
}

async function redo(docs: DocStore, one: Done): Promise<void> {
  if ('ensured' in one) await docs.ensure(one.ensured);
  else if ('written' in one) await docs.write(one.written);
  else await docs.drop(one.dropped);
}
