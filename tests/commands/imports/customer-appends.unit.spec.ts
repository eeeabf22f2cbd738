// The log of one customer of an import gets few appends, and is read in proportion to the facts and not to their square.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { setAttributes } from '../../../src/commands/subscribers/subscribers.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { customerId } from '../../../src/domain/ids.js';
import { streams } from '../../../src/domain/streams.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { eventsOf } from '../support/memory-deps.js';
import { createProjectFixture, type ProjectFixture } from '../support/project-fixture.js';
import { MONTHLY } from '../support/store-data.js';
import { importRows } from './import-rows.js';

const by = { actor: { kind: 'user' as const, id: 'user_1' }, requestId: 'req_live', isTrusted: true };

describe('recording a customer of an import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'appends-spec-'));
  after(() => rmSync(folder, { recursive: true }));

  const purchase = (n: number) => ({
    ...{ type: 'purchase', appUserId: 'ann', store: 'ios-store', storeProductId: MONTHLY, transactionId: `tx-${n}` },
    ...{ kind: 'normal', purchasedAt: '2026-10-01T10:00:00Z', expiresAt: '2026-10-31T10:00:00Z' },
    ...{ currency: 'USD', amountMicros: 9_990_000 },
  });
  const names = (count: number) => ({
    ...{ type: 'customer', appUserId: 'ann' },
    aliases: Array.from({ length: count }, (_, n) => `$RCAnonymousID:${String(n).padStart(32, '0')}`),
  });
  const lines = (count: number) => Array.from({ length: count }, (_, n) => purchase(n));
  const run = ({ deps, projectId }: ProjectFixture, rows: readonly object[]) =>
    importRows({ deps, projectId, folder }, rows);
  const factsOf = async (fixture: ProjectFixture) =>
    (await eventsOf(fixture.deps.log)).map(({ id, type }) => `${type} ${id}`).toSorted();

  /** Events that an import of the rows reads. */
  const readsOf = async (rows: readonly object[]) => {
    let reads = 0;
    const count = (log: EventLog): EventLog => ({
      ...log,
      read: async function* (stream, after) {
        for await (const event of log.read(stream, after)) {
          reads++;
          yield event;
        }
      },
    });
    await run(await createProjectFixture({ wrapLog: count }), rows);
    return reads;
  };

  for (const { title, rows } of [
    { title: 'aliases', rows: (n: number) => [names(n)] },
    { title: 'purchase lines', rows: (n: number) => lines(n) },
  ]) {
    it(`reads twice as many events for twice as many ${title}`, async () => {
      const [some, twice] = [await readsOf(rows(60)), await readsOf(rows(120))];
      expect(twice / some).to.be.within(1.5, 2.5);
    });
  }

  const crashing = async () => {
    let log: CrashingLog | undefined;
    const fixture = await createProjectFixture({ wrapLog: (inner) => (log = crashingLog(inner)) });
    if (!log) throw new Error('no log');
    return { fixture, log };
  };

  it('takes two appends for a new customer with one purchase line: the claim of the line, and everything else', async () => {
    const { fixture, log } = await crashing();
    log.failAt(0, 'before');
    await run(fixture, [purchase(1)]);
    expect(log.appends()).to.equal(2);
  });

  it('takes one append of the customer for many new names', async () => {
    const { fixture, log } = await crashing();
    log.failAt(0, 'before');
    await run(fixture, [names(50)]);
    expect(log.appends(), 'the customer, each name as a pointer, all merges').to.equal(52);
  });

  it('loses and doubles nothing, cut off at any append', async () => {
    const rows = [names(3), ...lines(2)];
    const { fixture: whole, log } = await crashing();
    log.failAt(0, 'before');
    await run(whole, rows);
    const appends = log.appends();
    const facts = await factsOf(whole);
    await run(whole, rows);
    expect(await factsOf(whole), 'imported again').to.deep.equal(facts);
    for (let n = 1; n <= appends; n++) {
      for (const when of ['before', 'after'] as const) {
        const { fixture, log: cut } = await crashing();
        cut.failAt(n, when);
        const err: unknown = await run(fixture, rows).catch((thrown: unknown) => thrown);
        expect(err, `${when} ${n}`).to.be.instanceOf(Unavailable);
        await run(fixture, rows);
        expect(await factsOf(fixture), `${when} append ${n}`).to.deep.equal(facts);
      }
    }
  });

  it('is decided again after a live command about the customer, which stays', async () => {
    let live: (() => Promise<unknown>) | undefined;
    const before = (log: EventLog): EventLog => ({
      ...log,
      append: async (stream, expected, events) => {
        const isImported = events.some(({ type }) => type === 'SubscriptionStarted');
        const first = isImported ? live : undefined;
        if (first) live = undefined;
        await first?.();
        return log.append(stream, expected, events);
      },
    });
    const fixture = await createProjectFixture({ wrapLog: before });
    const { deps, projectId } = fixture;
    // A process of its own: it does not wait for the lock that the import holds.
    const other = { ...deps, mutex: (await createProjectFixture()).deps.mutex };
    const changes = [
      { key: 'team', value: 'blue', updatedAt: '2026-11-20T10:00:00.000Z', receivedAt: '2026-11-20T10:00:00.000Z' },
    ];
    live = () => setAttributes(other, by, projectId, 'ann', { source: 'api', changes });
    await run(fixture, [purchase(1)]);
    const stream = streams.subscriber(projectId, customerId(deps.hash, projectId, 'ann'));
    const types = (await eventsOf(fixture.deps.log)).filter((e) => e.stream === stream).map(({ type }) => type);
    expect(types.slice(0, 3)).to.deep.equal(['CustomerCreated', 'CustomerAttributesUpdated', 'SubscriptionStarted']);
  });
});
