// The ledgers beside the projector, in an order that chance decides, against the customers themselves. HISTORIES=<number> draws more.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import type { SegmentedResult } from '../../../src/domain/charts/result/result.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';
import { randomHistory } from '../../charts-reference/random-history.js';
import { randomQuery } from '../../charts-reference/random-query.js';
import { correctedRates, patchyRates } from '../../charts-reference/random-rates.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { queryOf } from '../../domain/charts/run-query.js';
import { feedsOf, firstBuild, open, runAll } from '../support/builds.js';
import { chance, type Chance } from '../support/seeded-random.js';
import { PROJECT } from '../support/spec.js';
import { stepped } from '../support/stepped-documents.js';
import { historyWithPurchase } from './ledger-fixture.js';
import { shownSegmented } from './chart-view.js';
import { emptyLog, expressible, record, recordedAt } from './recorded-log.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { openReading } from './reading.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 12);
const projection = customerHistories as unknown as Projection;

describe('the ledgers of the charts', function () {
  this.timeout(120_000);

  it(`hold what the customers do after each of the steps of ${HISTORIES} random histories, also if read in the middle of them`, async () => {
    const random = chance();
    for (let n = 0; n < HISTORIES; n++) {
      const events = expressible(randomHistory(random));
      const docs = createMemoryDocuments();
      const { compute, expected } = await openReading(stepped(docs, random));
      const log = emptyLog();
      const runner = await open(log, stepped(docs, random), firstBuild(projection));
      for (const portion of portionsOf(events, random)) {
        await record(log, portion, events);
        const now = Math.max(...portion.map((e) => Date.parse(recordedAt(e)))) + 1;
        const feeds = feedsOf(await eventsOf(log), () => 1 + random.below(20));
        let isDone = false;
        const run = runAll(runner, feeds).finally(() => (isDone = true));
        // Most of a batch are sums, which are written first: only who reads all the time sees half of the customers.
        const asked = queryOf('customers_new', { ...randomQuery(now, random), environment: 'production' });
        while (!isDone) await compute(PROJECT, asked);
        await run;
        for (const { id } of charts) {
          const q = queryOf(id, randomQuery(now - random.below(2) * random.below(100 * 86_400_000), random));
          const [found, wanted] = [await compute(PROJECT, q), await expected(PROJECT, q)];
          if (isDeepStrictEqual(shownSegmented(found), shownSegmented(wanted))) continue;
          expect(shownSegmented(found), `${id} (history ${n}, SEED=${random.seed})`).to.deep.equal(
            shownSegmented(wanted),
          );
        }
      }
    }
  });

  it(`hold money in another currency by the rates as they are after each of the steps of ${HISTORIES} random histories`, async () => {
    const random = chance();
    for (let n = 0; n < HISTORIES; n++) {
      const events = expressible(randomHistory(random));
      const docs = createMemoryDocuments();
      const { compute, expected } = await openReading(stepped(docs, random));
      const log = emptyLog();
      const runner = await open(log, docs, firstBuild(projection));
      let rates = patchyRates(random);
      for (const portion of portionsOf(events, random)) {
        await record(log, portion, events);
        await runAll(
          runner,
          feedsOf(await eventsOf(log), () => 10),
        );
        const now = Math.max(...portion.map((e) => Date.parse(recordedAt(e)))) + 1;
        const earlier = rates;
        if (random.below(3) > 0) rates = correctedRates(rates, random);
        for (const { id } of charts) {
          const isLatest = random.below(4) > 0;
          const asOf = isLatest ? now : now - random.below(200) * 86_400_000;
          const drawn = queryOf(id, randomQuery(asOf, random));
          const terms = { currency: 'XTS', rates: isLatest ? rates : earlier, isLatest };
          const q = { ...drawn, conversion: terms };
          const [found, wanted] = [await compute(PROJECT, q), await expected(PROJECT, q)];
          const [ours, theirs] = [found, wanted].map((one) => [shownSegmented(one), one.unconverted]);
          if (isDeepStrictEqual(ours, theirs)) continue;
          expect(ours, `${id} (history ${n}, SEED=${random.seed})`).to.deep.equal(theirs);
        }
      }
    }
  });

  it('are built again when another build is served, and name the setting if a project is too large', async () => {
    const random = chance();
    const events = historyWithPurchase(random);
    const log = emptyLog();
    await record(log, events, events);
    const docs = createMemoryDocuments();
    const runner = await open(log, docs, firstBuild(projection));
    await runAll(
      runner,
      feedsOf(await eventsOf(log), () => 10),
    );
    const { compute, serving } = await openReading(docs);
    const q = queryOf('customers_new', {
      start: '2025-01-01',
      end: '2026-01-01',
      interval: 'year',
      asOf: '2027-01-01',
    });
    expect(newCustomers(await compute(PROJECT, q))).to.be.above(0);
    // The second build has taken in nothing yet.
    await open(log, docs, { projection, generation: 2 });
    await serving.move(projection, 1, 2);
    expect(newCustomers(await compute(PROJECT, q))).to.equal(0);
    await serving.move(projection, 2, 1);
    const small = await openReading(docs, { maxRows: 1 });
    for (const time of ['first', 'second']) {
      const error = await small.compute(PROJECT, q).catch((err: unknown) => err);
      expect(error, time).to.be.instanceOf(Unavailable);
      expect(String(error), time).to.match(/needs about \d+ MB of memory.+set CHART_MEMORY_MB to \d+ or more/);
    }
  });
});

/** Splits events into portions of random sizes, in order. */
function* portionsOf<T>(events: readonly T[], random: Chance): Generator<readonly T[]> {
  for (let done = 0, next = 0; done < events.length; done = next) {
    next = done + 1 + random.below(events.length);
    yield events.slice(done, next);
  }
}

function newCustomers(read: SegmentedResult | null): number | null | undefined {
  return read?.result.kind === 'series' ? read.result.totals['new_customers'] : undefined;
}
