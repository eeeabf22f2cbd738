// Observes a running service from outside: processor time and memory from the operating system (Linux), and the lag of the inbox and the
// read models from its files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openForReading } from '../src/adapters/sqlite/database.js';
import { appNotifications } from '../src/projections/models/app-notifications.js';
import { customerHistories } from '../src/projections/charts/customer-histories.js';
import { customers } from '../src/projections/models/customers.js';
import { collectionOf, type Build, type Projection } from '../src/projections/runtime/projection.js';
import { checkpointCollection } from '../src/projections/runtime/runner.js';
import { transactions } from '../src/projections/models/transactions.js';
import { quantile } from './bench.js';

const CATCH_UP_TIMEOUT_MS = 120_000;
const SAMPLE_INTERVAL_MS = 10;
/** Unit in which the operating system counts processor time. */
const TICK_MS = 10;

/** Returns the processor time that all threads of a process have used so far, in milliseconds. */
export function cpuMsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const IDLE_TIMEOUT_MS = 120_000;
const MAX_IDLE_SHARE = 0.05;

/** Resolves when the process has been idle for a second, so that the background work of its start is finished. */
export async function waitUntilIdle(pid: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < IDLE_TIMEOUT_MS; waitedMs += 1000) {
    const before = cpuMsOf(pid);
    await sleep(1000);
    if (cpuMsOf(pid) - before <= MAX_IDLE_SHARE * 1000) return;
  }
  throw new Error(`the service is still busy after ${IDLE_TIMEOUT_MS / 1000} s without requests`);
}

/** Returns the anonymous memory of the process in MiB, without mapped files. */
export function ownMemoryOf(pid: number): number {
  const [, kibibytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** Read models that every purchase changes, with the family of the events. Charts follow from the customers. */
const changedReadModels = [
  { family: 'subscriber', projection: customers as Projection },
  { family: 'subscriber', projection: transactions as Projection },
  { family: 'subscriber', projection: customerHistories as Projection },
  { family: 'inbox', projection: appNotifications as Projection },
] as const;

export type ServiceObserver = {
  /** Returns when the inbox had processed so many notifications, and when all their events were in the read models; ms since the epoch. */
  catchUp(notifications: number): Promise<{ readonly inboxAt: number; readonly readModelsAt: number }>;
  /** Measures the lag of the read models until `work` is finished and visible: p99 in ms. */
  lagDuring<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly p99Ms: number }>;
  close(): void;
};

/** Positions by read model: of the last event that changes it, and of the last event that it contains. */
type LagSample = { readonly at: number; readonly heads: readonly number[]; readonly shown: readonly number[] };

export function observeService(dataDir: string): ServiceObserver {
  const log = openForReading(join(dataDir, 'log.sqlite'));
  const documents = openForReading(join(dataDir, 'documents.sqlite'));
  const newest = log.prepare('SELECT position FROM events WHERE family = ? ORDER BY position DESC LIMIT 1');
  const between = log.prepare(
    `SELECT count(*) AS count FROM events WHERE family = 'inbox' AND position > ? AND position <= ?`,
  );
  const checkpoint = documents.prepare(
    `SELECT json_extract(doc, '$.position') AS position FROM "${checkpointCollection.name}" WHERE id = ?`,
  );
  const headOf = (family: string) => Number(newest.get(family)?.position ?? 0);
  const headsNow = () => changedReadModels.map(({ family }) => headOf(family));
  const shownNow = () =>
    changedReadModels.map(({ projection }) => {
      const build: Build = { projection, generation: 1 };
      return Number(checkpoint.get(collectionOf(build))?.position ?? 0);
    });
  // Continues from the last count, because the log is long.
  let counted = { upTo: 0, events: 0 };
  const inboxEvents = () => {
    const upTo = headOf('inbox');
    counted = { upTo, events: counted.events + Number(between.get(counted.upTo, upTo).count) };
    return counted.events;
  };
  const until = async (isReached: () => boolean): Promise<number> => {
    const start = performance.now();
    while (!isReached()) {
      if (performance.now() - start > CATCH_UP_TIMEOUT_MS) throw new Error('the service does not catch up');
      await sleep(SAMPLE_INTERVAL_MS);
    }
    return Date.now();
  };
  return {
    catchUp: async (notifications) => {
      // A notification is two events of its inbox stream: its receipt and its result.
      const inboxAt = await until(() => inboxEvents() >= 2 * notifications);
      const end = headsNow();
      return { inboxAt, readModelsAt: await until(() => hasReached(shownNow(), end)) };
    },
    lagDuring: async (work) => {
      const looks: LagSample[] = [];
      const look = () => looks.push({ at: performance.now(), heads: headsNow(), shown: shownNow() });
      let isDone = false;
      const working = work().finally(() => (isDone = true));
      for (; !isDone; await sleep(SAMPLE_INTERVAL_MS)) look();
      const result = await working;
      const end = headsNow();
      await until(() => {
        look();
        return hasReached(looks.at(-1)?.shown ?? [], end);
      });
      return { result, p99Ms: quantile(lagsOf(looks), 0.99) };
    },
    close: () => {
      log.close();
      documents.close();
    },
  };
}

function hasReached(positions: readonly number[], heads: readonly number[]): boolean {
  return heads.every((head, i) => (positions[i] ?? 0) >= head);
}

/** Returns for each sample the time until the read models contained everything that was in the log then. */
function lagsOf(looks: readonly LagSample[]): number[] {
  let index = 0;
  return looks.flatMap(({ at, heads }) => {
    while (index < looks.length && !hasReached(looks[index]?.shown ?? [], heads)) index++;
    const look = looks[index];
    return look ? [Math.max(0, look.at - at)] : [];
  });
}
