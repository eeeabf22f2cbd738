// Erasing a customer leaves what it adds to every chart; and what is kept of a ledger names nobody, neither before nor after.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { createFileSnapshots } from '../../../src/adapters/snapshots/files.js';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { subscriberEvents } from '../../../src/domain/subscriber/events/events.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { queryOf } from '../../domain/charts/run-query.js';
import { feedsOf, open, runAll } from '../support/builds.js';
import { customer, DAY } from '../support/customer-events.js';
import { logOf, past, PROJECT } from '../support/spec.js';
import { build, killableDocuments } from './ledger-fixture.js';
import { shownSegmented } from './chart-view.js';
import { openReading } from './reading.js';

const CANARY = 'carol.canary@example.com';

describe('the ledger of an erased customer', () => {
  let folder = '';
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'subledger-erased-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has its sums, and what is kept of it nothing that was its own', async () => {
    const [ann, ben, anonymous] = [customer('1'), customer('2'), customer('3')];
    const named = (source: 'sdk' | 'api') => {
      return subscriberEvents.CustomerCreated.of({
        ...{ appUserId: CANARY, source, country: 'DE', platform: 'ios', appVersion: null },
      });
    };
    const lived = [
      past(anonymous.stream, named('api'), DAY(1)),
      past(ann.stream, named('sdk'), DAY(2)),
      ben.created(DAY(2)),
      ann.attributes({ $email: CANARY, note: CANARY }, DAY(3)),
      ann.subscribed({ at: DAY(3) }),
      ben.subscribed({ at: DAY(4), tx: 'tx_9' }),
      anonymous.mergedInto('1', DAY(6)),
      ann.merged('3', DAY(6)),
      ann.seen(DAY(7)),
      ann.renewed(),
    ];
    const before = await keptOf(lived);
    const after = await keptOf([...lived, ann.erased(['cus_3'], '2026-12-02T10:00:00.000Z')]);
    expect(after.shown).to.deep.equal(before.shown);
    expect(JSON.stringify(before.shown)).to.include('"DE"').and.to.include('9.99');
    for (const { bytes } of [before, after]) {
      expect(bytes).to.include('cus_1');
      expect(bytes).not.to.include(CANARY);
    }
  });

  /** After a start that had nothing but what was kept. */
  async function keptOf(all: Parameters<typeof logOf>[0]) {
    const { docs } = await killableDocuments();
    const log = await logOf(all);
    const events = await eventsOf(log);
    await runAll(
      await open(log, docs, build),
      feedsOf(events, () => events.length),
    );
    const own = mkdtempSync(join(folder, 'kept-'));
    const started = () => {
      return openReading(docs, { snapshots: createFileSnapshots(own, systemRuntime()) });
    };
    await (await started()).ledgers.warm(PROJECT);
    const { compute } = await started();
    const shown: unknown[] = [];
    for (const { id } of charts) {
      for (const segment of ['country', 'productId', 'platform'] as const) {
        const asked = {
          start: '2026-11-01',
          end: '2026-12-31',
          interval: 'day',
          asOf: '2026-12-20T00:00:00Z',
        } as const;
        shown.push([id, shownSegmented(await compute(PROJECT, queryOf(id, { ...asked, segment })))]);
      }
    }
    const bytes = readdirSync(own).map((file) => readFileSync(join(own, file), 'latin1'));
    return { shown, bytes: bytes.join() };
  }
});
