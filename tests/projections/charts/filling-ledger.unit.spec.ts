// Readers of a ledger that is being filled: each lets it go on for a while, and is refused with the progress where that is not enough.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import type { LedgerColumns } from '../../../src/domain/charts/ledger/ledger.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { buildReplacement } from '../../../src/adapters/documents/records.js';
import { collectionOf } from '../../../src/projections/runtime/projection.js';
import { openProjectLedger } from '../../../src/projections/charts/ledger/project-ledger.js';
import { checkpointCollection } from '../../../src/projections/runtime/runner.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { feedsOf, open, runAll } from '../support/builds.js';
import { chance } from '../support/seeded-random.js';
import { PROJECT } from '../support/spec.js';
import { build, historyWithPurchase } from './ledger-fixture.js';
import { emptyLog, record } from './recorded-log.js';

const CUSTOMERS = 3000;
const all = { part: 0, parts: 1 };

describe('a ledger of more customers than a reader waits for', function () {
  this.timeout(120_000);

  it('is filled by some more at each reading, refuses with the progress, and answers when all are in', async () => {
    const docs = await customersOf(CUSTOMERS);
    const deps = { docs, snapshots: null, maxRows: 1_000_000, leastChanged: 1, maxAwaited: 1000, ...all };
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    const ledger = openProjectLedger({ ...deps, turn }, build, PROJECT, 'production');
    const refusals: Unavailable[] = [];
    const read = () => ledger.read(() => true).catch((err: unknown) => err);
    for (let found = await read(); found !== true; found = await read()) {
      if (!(found instanceof Unavailable)) throw found;
      refusals.push(found);
    }
    expect(refusals).to.have.length(2);
    for (const { message, retryAfterSeconds } of refusals) {
      expect(message).to.match(/is being prepared \(\d+ % done\); retry in 5 seconds/);
      expect(retryAfterSeconds).to.equal(5);
    }
    expect(ledger.progress()).to.equal(1);
  });
});

describe('a ledger that several read while customers change', () => {
  it('is read by one at a time, and does not change in between', async () => {
    const docs = await customersOf(20);
    const collection = collectionOf(build);
    let touched = 0;
    /** Another customer has changed whenever somebody looks. */
    const changing: DocStore = {
      ...docs,
      scan: async (c, scan) => {
        if (c === collection && scan.index === 'position' && touched < 100) {
          const { rows } = await docs.scan(collection, { index: 'id', eq: [], limit: 100 });
          const row = rows[touched++ % rows.length];
          const position = String(1000 + touched).padStart(20, '0');
          if (row) {
            const doc = { ...row.doc, position };
            await docs.write([[{ c: collection, id: row.id, expect: row.guard, guard: position, doc }]]);
          }
        }
        return docs.scan(c, scan);
      },
    };
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    const deps = {
      docs: changing,
      snapshots: null,
      maxRows: 1_000_000,
      leastChanged: 1,
      maxAwaited: 1000,
      turn,
      ...all,
    };
    const ledger = openProjectLedger(deps, build, PROJECT, 'production');
    await ledger.filled();
    let readers = 0;
    const sums = await Promise.all(
      Array.from({ length: 30 }, () =>
        ledger.read(async (columns) => {
          expect(readers++).to.equal(0);
          const before = rowsOfEach(columns);
          await turn();
          expect(rowsOfEach(columns)).to.deep.equal(before);
          readers--;
          return before.length;
        }),
      ),
    );
    expect(touched).to.be.above(20);
    expect(new Set(sums)).to.have.property('size', 1);
  });
});

/** Returns the times of the rows of each customer; each customer has at least one. */
function rowsOfEach({ customerIds, rows: { columns, starts, ends } }: LedgerColumns): readonly (readonly number[])[] {
  const found = customerIds.map((_, n) => [...columns.at.slice(starts[n], ends[n])]);
  for (const own of found) expect(own).not.to.deep.equal([]);
  return found;
}

/** Copies of one customer, as many as asked for. */
async function customersOf(count: number) {
  const events = historyWithPurchase(chance());
  const log = emptyLog();
  await record(log, events, events);
  const docs = createMemoryDocuments();
  await docs.ensure([checkpointCollection]);
  const runner = await open(log, docs, build);
  await runAll(
    runner,
    feedsOf(await eventsOf(log), () => 100),
  );
  const collection = collectionOf(build);
  const { rows } = await docs.scan(collection, { index: 'position', eq: [PROJECT], limit: 100 });
  const one = rows.find(({ doc }) => JSON.stringify(doc).includes('SubscriptionStarted'));
  if (!one) throw new Error('no customer of the history has subscribed');
  for (let n = 0; n < count; n++) {
    const customerId = `copy-${n}`;
    await docs.write([[buildReplacement(collection, { id: customerId, guard: null }, { ...one.doc, customerId })]]);
  }
  return docs;
}
