// A project whose processes are killed, and in whose place older copies of it are put.
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore, Write } from '../../../src/adapters/documents/port.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { ledgerCollections } from '../../../src/adapters/snapshots/documents.js';
import { servingCollection } from '../../../src/projections/rebuild/serving.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import { collectionsOf, type Projection } from '../../../src/projections/runtime/projection.js';
import { checkpointCollection } from '../../../src/projections/runtime/runner.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { randomHistory } from '../../charts-reference/random-history.js';
import type { NormalEvent } from '../../domain/charts/normal-form.js';
import { feedsOf, firstBuild, open, runAll } from '../support/builds.js';
import type { Chance } from '../support/seeded-random.js';
import { emptyLog, expressible, record } from './recorded-log.js';

export const projection = customerHistories as unknown as Projection;
export const build = firstBuild(projection);

/** A log, what has been made of it, and what is yet to happen. */
export type LedgerFixture = {
  readonly log: EventLog;
  readonly docs: KillableDocuments;
  done: readonly NormalEvent[];
  readonly all: readonly NormalEvent[];
};
export type KillableDocuments = { readonly docs: DocStore; killsAt: (write: Write) => boolean };

export async function createFixture(
  all: readonly NormalEvent[],
  done: readonly NormalEvent[] = [],
): Promise<LedgerFixture> {
  const log = emptyLog();
  await record(log, done, all);
  return { log, docs: await killableDocuments(), done, all };
}

/** Generates a history with a production subscription, so that the ledger has rows. */
export function historyWithPurchase(random: Chance): NormalEvent[] {
  for (;;) {
    const history = expressible(randomHistory(random));
    if (history.some((e) => e.type === 'SubscriptionStarted' && e.environment === 'production')) return history;
  }
}

/** Generates a history of many customers, some of whom have no new events for long. */
export function manyHistories(random: Chance, count: number): NormalEvent[] {
  const all = Array.from({ length: count }, (_, n) =>
    randomHistory(random).map((event): NormalEvent => {
      const { customerId, mergedCustomerId, subscriptionId, transactionId } = event;
      return {
        ...event,
        customerId: `${n}.${customerId}`,
        ...(mergedCustomerId !== undefined && { mergedCustomerId: `${n}.${mergedCustomerId}` }),
        ...(subscriptionId !== undefined && { subscriptionId: `${n}.${subscriptionId}` }),
        ...(transactionId !== undefined && { transactionId: `${n}.${transactionId}` }),
      };
    }),
  );
  return expressible(all.flat());
}

export async function appendSome(fixture: LedgerFixture, random: Chance, most: number): Promise<void> {
  const { log, done, all } = fixture;
  const portion = all.slice(done.length, done.length + 1 + random.below(most));
  await record(log, portion, all);
  fixture.done = [...done, ...portion];
}

/** Runs a projector that is killed after a number of writes, or before it saves its position. */
export async function runProjector(
  { log, docs }: LedgerFixture,
  random: Chance,
  writes: number | 'no checkpoint' = Infinity,
): Promise<void> {
  const runner = await open(log, docs.docs, build);
  const feeds = feedsOf(await eventsOf(log), () => 1 + random.below(20));
  docs.killsAt = ({ c }) => (writes === 'no checkpoint' ? c === checkpointCollection.name : writes-- <= 0);
  await runAll(runner, feeds).catch((err: unknown) => {
    if (!String(err).includes('killed')) throw err;
  });
  docs.killsAt = never;
}

export async function copyOf({ done, all, docs }: LedgerFixture): Promise<LedgerFixture> {
  const copy = await createFixture(all, done);
  const specs = [servingCollection, checkpointCollection, ...collectionsOf(build)];
  await copy.docs.docs.ensure(specs);
  for (const { name: c } of specs) {
    const { rows } = await docs.docs.scan(c, { index: 'id', eq: [], limit: 100_000 });
    await copy.docs.docs.bulk?.put(rows.map((row) => ({ c, ...row })));
  }
  return copy;
}

/** Returns a copy whose future lacks some events: later ones take their positions in the log. */
export function divergedCopy(fixture: LedgerFixture, random: Chance): LedgerFixture {
  const { done, all } = fixture;
  const others = all.slice(done.length).filter(() => random.below(3) > 0);
  return { ...fixture, all: expressible([...done, ...others]) };
}

export const never = () => false;

export async function killableDocuments(): Promise<KillableDocuments> {
  const onWrite = (write: Write) => {
    if (killable.killsAt(write)) throw new Error('killed');
  };
  const killable: KillableDocuments = { docs: createMemoryDocuments({ onWrite }), killsAt: never };
  const specs = [servingCollection, checkpointCollection, ledgerCollections.heads, ledgerCollections.segments];
  await killable.docs.ensure(specs);
  return killable;
}
