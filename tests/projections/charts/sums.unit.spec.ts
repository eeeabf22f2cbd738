// The charts as the read model gives them, from sums and from customers, against the brute-force calculator: events of random histories are
// recorded bit by bit, and asked about at once, at the end of a period, later, and of the past.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { intervals, type Interval } from '../../../src/domain/charts/calendar.js';
import { cohortMeasures } from '../../../src/domain/charts/catalogue/chart.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import { readOverview } from '../../../src/projections/charts/overview.js';
import { readChart } from '../../../src/projections/charts/query-chart.js';
import { randomHistory } from '../../charts-reference/random-history.js';
import { createReference } from '../../charts-reference/reference.js';
import { bucketStart, DAY, plus } from '../../charts-reference/time.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { queryOf, readableResult } from '../../domain/charts/run-query.js';
import { feedsOf, firstBuild, open, runAll } from '../support/builds.js';
import type { NormalEvent } from '../../domain/charts/normal-form.js';
import { chance, type Chance } from '../support/seeded-random.js';
import { PROJECT } from '../support/spec.js';
import { emptyLog, record, recordedAt, expressible } from './recorded-log.js';
import { openReading } from './reading.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 12);
const durations = ['P1M', 'P1W', 'P3D', 'P1Y', 'P3M'];
const iso = (t: number) => new Date(t).toISOString();

describe('the charts of the read model', function () {
  this.timeout(120_000);

  it('show nothing of a renewal of later the same day that was received before its time', async () => {
    const { log, sources, runner } = await openCharts();
    const paid = { customerId: 'ann', subscriptionId: 's', periodType: 'normal', periodDuration: 'P1M' } as const;
    const [start, renewed, due] = ['2026-01-06T03:00:00.000Z', '2026-02-06T01:28:00.000Z', '2026-02-06T03:00:00.000Z'];
    const terms = { ...paid, revenueUsd: 9.99, taxRate: 0.19, commissionRate: 0.3 };
    const events: NormalEvent[] = [
      { ...terms, type: 'SubscriptionStarted', transactionId: 't0', at: start, expiresAt: due, productDuration: 'P1M' },
      {
        ...terms,
        type: 'SubscriptionRenewed',
        transactionId: 't1',
        at: due,
        expiresAt: '2026-03-06T03:00:00.000Z',
        recordedAt: renewed,
      },
    ];
    await record(log, events, events);
    await runAll(
      runner,
      feedsOf(await eventsOf(log), () => 10),
    );
    for (const [asOf, tax] of [
      [renewed.replace('28:00', '29:00'), 0],
      [due.replace('00:00', '01:00'), 1.9],
    ] as const) {
      const o = { start: '2026-02-01', end: '2026-03-01', interval: 'month', asOf } as const;
      const read = await readChart(sources, PROJECT, queryOf('revenue', o), true);
      const { buckets } = 'result' in read && read.result.kind === 'series' ? read.result : { buckets: [] };
      expect(buckets.map((b) => b.values['tax'])).to.deep.equal([tax]);
    }
  });

  it(`equal the brute-force reference on ${HISTORIES} random histories, at any moment of them`, async () => {
    const random = chance();
    for (let n = 0; n < HISTORIES; n++) {
      const events = expressible(someEarly(randomHistory(random), random));
      const { log, sources, runner } = await openCharts();
      for (let done = 0; done < events.length;) {
        const next = done + 1 + random.below(events.length);
        await record(log, events.slice(done, next), events);
        await runAll(
          runner,
          feedsOf(await eventsOf(log), () => 1 + random.below(20)),
        );
        const known = events.slice(0, next);
        done = next;
        const last = Math.max(...known.map((e) => Date.parse(recordedAt(e))));
        const following = events[next] ? Date.parse(recordedAt(events[next])) : Infinity;
        const ends = known.flatMap((e) =>
          [e.expiresAt, e.gracePeriodExpiresAt, e.at].flatMap((t) => (t ? [Date.parse(t)] : [])),
        );
        const later = ends.filter((t) => t > last && t <= following);
        const some = later[random.below(later.length || 1)];
        const asked = [last + 1, ...(some === undefined ? [] : [some, some + 1 + random.below(5_000_000)])];
        for (const now of asked) await compare(known, now, `history ${n}, SEED=${random.seed}`);
      }
      const moments = events.map((e) => Date.parse(recordedAt(e)) + 1);
      for (const now of [0, 1, 2].flatMap(() => moments[random.below(moments.length)] ?? [])) {
        const interval = intervals[random.below(intervals.length)] ?? 'month';
        await compareCharts(events, { now, interval, isLive: false }, `history ${n}, SEED=${random.seed}`);
      }

      async function compare(known: typeof events, now: number, which: string) {
        for (const environment of ['production', 'sandbox'] as const) {
          const [summed, computed] = [true, false].map((isLive) =>
            readOverview(sources, PROJECT, { environment, asOf: now, isLive }),
          );
          const overview = `overview of ${environment} at ${iso(now)} (${which})`;
          expect(await summed, overview).to.deep.equal(await computed);
        }
        for (const interval of intervals) await compareCharts(known, { now, interval, isLive: true }, which);
      }

      type At = { readonly now: number; readonly interval: Interval; readonly isLive: boolean };
      async function compareCharts(known: typeof events, { now, interval, isLive }: At, which: string) {
        const start = bucketStart(plus(now, -random.below(4), interval), interval) + random.below(2) * DAY;
        const end = Math.max(start + DAY, plus(start, 1 + random.below(4), interval));
        const cohortMeasure = cohortMeasures[random.below(cohortMeasures.length)] ?? 'revenue';
        const productDuration = durations[random.below(durations.length)] ?? 'P1M';
        const selectors = { cohortMeasure, productDuration };
        for (const environment of ['production', 'sandbox'] as const) {
          const reference = createReference(known, now, environment);
          for (const { id } of charts) {
            const o = { start: iso(start), end: iso(end), interval, asOf: iso(now), environment };
            const read = await readChart(sources, PROJECT, queryOf(id, { ...o, selectors }), isLive);
            const result = 'result' in read ? readableResult(read.result) : read;
            const wanted = reference(id, { start, end, interval, now, ...selectors });
            const when = isLive ? 'at' : 'later, as of';
            const what = `${id} of ${environment} by ${interval} from ${iso(start)} ${when} ${iso(now)} (${which})`;
            if (!isDeepStrictEqual(result, wanted)) expect(result, what).to.deep.equal(wanted);
          }
        }
      }
    }
  });
});

async function openCharts() {
  const log = emptyLog();
  const docs = createMemoryDocuments();
  const { sources } = await openReading(docs);
  const runner = await open(log, docs, firstBuild(customerHistories));
  return { log, sources, runner };
}

/** Stores send some things before they take effect. */
function someEarly(events: readonly NormalEvent[], random: Chance): NormalEvent[] {
  const early = [
    'SubscriptionRenewed',
    'SubscriptionExtended',
    'SubscriptionExpired',
    'CustomerSeen',
    'CustomerCreated',
  ];
  return events.map((e) => {
    if (!early.includes(e.type) || random.below(10) > 0) return e;
    return { ...e, recordedAt: iso(Date.parse(e.at) - 1 - random.below(3 * DAY)) };
  });
}
