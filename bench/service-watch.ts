// A running service, seen from outside: its processor time and memory as the system reports them (Linux), and from its files how far the
// inbox and the read models are behind the log.
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

const CATCH_UP_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 10;
/** The system counts processor time in these. */
const TICK_MS = 10;

/** Milliseconds of processor time that a process has used so far, of all its threads. */
export function cpuMsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const CALM_WITHIN_MS = 120_000;
const CALM_SHARE = 0.05;

/** Resolves when the process has used next to no processor for a second: what a start leaves to do in the background is done. */
export async function untilCalm(pid: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < CALM_WITHIN_MS; waitedMs += 1000) {
    const before = cpuMsOf(pid);
    await sleep(1000);
    if (cpuMsOf(pid) - before <= CALM_SHARE * 1000) return;
  }
  throw new Error(`the service is still busy after ${CALM_WITHIN_MS / 1000} s without requests`);
}

/** MiB: the process's own memory, without the pages of files that it looks at. */
export function ownMemoryOf(pid: number): number {
  const [, kibibytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** The read models that every purchase moves, by the family of events that moves them; the charts come from the customers. */
const moved = [
  { family: 'subscriber', projection: customers as Projection },
  { family: 'subscriber', projection: transactions as Projection },
  { family: 'subscriber', projection: customerHistories as Projection },
  { family: 'inbox', projection: appNotifications as Projection },
] as const;

export type Looker = {
  /** When the inbox was done with so many notifications, and when all their facts were in the read models; ms since the epoch. */
  catchUp(notifications: number): Promise<{ readonly inboxAt: number; readonly readModelsAt: number }>;
  /** Watches until `work` is done and seen: how long what was in the log took to be in the read models, in ms at the 99th percentile. */
  lagDuring<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly p99Ms: number }>;
  close(): void;
};

/** Positions by read model: of the last event that moves it, and of the last that it shows. */
type Look = { readonly at: number; readonly heads: readonly number[]; readonly shown: readonly number[] };

export function lookAt(dataDir: string): Looker {
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
  const headsNow = () => moved.map(({ family }) => headOf(family));
  const shownNow = () =>
    moved.map(({ projection }) => {
      const build: Build = { projection, generation: 1 };
      return Number(checkpoint.get(collectionOf(build))?.position ?? 0);
    });
  // What was counted once is not counted again: the log is long by then.
  let counted = { upTo: 0, events: 0 };
  const inboxEvents = () => {
    const upTo = headOf('inbox');
    counted = { upTo, events: counted.events + Number(between.get(counted.upTo, upTo).count) };
    return counted.events;
  };
  const until = async (isReached: () => boolean): Promise<number> => {
    const start = performance.now();
    while (!isReached()) {
      if (performance.now() - start > CATCH_UP_LIMIT_MS) throw new Error('the service does not catch up');
      await sleep(LOOK_EVERY_MS);
    }
    return Date.now();
  };
  return {
    catchUp: async (notifications) => {
      // A notification is two events of its inbox stream: received, and what became of it.
      const inboxAt = await until(() => inboxEvents() >= 2 * notifications);
      const end = headsNow();
      return { inboxAt, readModelsAt: await until(() => shows(shownNow(), end)) };
    },
    lagDuring: async (work) => {
      const looks: Look[] = [];
      const look = () => looks.push({ at: performance.now(), heads: headsNow(), shown: shownNow() });
      let isDone = false;
      const working = work().finally(() => (isDone = true));
      for (; !isDone; await sleep(LOOK_EVERY_MS)) look();
      const result = await working;
      const end = headsNow();
      await until(() => {
        look();
        return shows(looks.at(-1)?.shown ?? [], end);
      });
      return { result, p99Ms: quantile(lagsOf(looks), 0.99) };
    },
    close: () => {
      log.close();
      documents.close();
    },
  };
}

function shows(shown: readonly number[], heads: readonly number[]): boolean {
  return heads.every((head, i) => (shown[i] ?? 0) >= head);
}

/** For each look, how long it took until what was in the log then was shown. */
function lagsOf(looks: readonly Look[]): number[] {
  let seen = 0;
  return looks.flatMap(({ at, heads }) => {
    while (seen < looks.length && !shows(looks[seen]?.shown ?? [], heads)) seen++;
    const shown = looks[seen];
    return shown ? [Math.max(0, shown.at - at)] : [];
  });
}
