// The product against the brute-force calculator, on random histories. HISTORIES=<number> draws another number of them.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { charts } from '../../src/domain/charts/catalogue/catalogue.js';
import { intervals } from '../../src/domain/charts/calendar.js';
import { dimensions } from '../../src/domain/charts/catalogue/chart-query.js';
import { runQuery } from '../domain/charts/run-query.js';
import { historiesOf, type NormalEvent } from '../domain/charts/normal-form.js';
import { chance, type Chance } from '../projections/support/seeded-random.js';
import { randomHistory, shuffled } from './random-history.js';
import { createReference } from './reference.js';
import { bucketStart, DAY, plus } from './time.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 1000);
const iso = (t: number) => new Date(t).toISOString();

describe('the charts and the brute-force reference', function () {
  this.timeout(300_000);

  it(`agree on ${HISTORIES} random histories, each at two instants, with events in any order and doubled`, () => {
    const random = chance();
    for (let n = 0; n < HISTORIES; n++) {
      const events = randomHistory(random);
      const customers = [...historiesOf(shuffled([...events, ...events.filter((e) => e.id)], random)).values()];
      for (const asOf of instantsOf(events, random)) {
        const reference = createReference(events, asOf);
        const interval = pick(intervals, random);
        const period = periodOf(interval, asOf, random);
        for (const { id } of charts) {
          const o = { start: iso(period.start), end: iso(period.end), interval, asOf: iso(asOf) };
          const result = commonFields(runQuery(customers, id, o));
          const wanted = reference(id, { ...period, interval, now: asOf });
          if (!isDeepStrictEqual(result, wanted))
            expect(result, `${id} by ${interval} as of ${iso(asOf)} (history ${n}, SEED=${random.seed})`).to.deep.equal(
              wanted,
            );
        }
      }
    }
  });

  it('agree on selectors, filters and the sandbox', () => {
    const random = chance();
    for (let n = 0; n < HISTORIES / 4; n++) {
      const events = randomHistory(random);
      const customers = [...historiesOf(events).values()];
      const [asOf = 0] = instantsOf(events, random);
      const environment = pick(['production', 'sandbox'] as const, random);
      const reference = createReference(events, asOf, environment);
      const interval = pick(intervals, random);
      const period = periodOf(interval, asOf, random);
      const selectors = {
        revenueType: pick(['revenue', 'revenue_net_of_taxes', 'proceeds'] as const, random),
        conversionTimeframe: pick([null, 7, 30], random),
        customerLifetime: pick([null, 7, 90], random),
        statusMeasure: pick(['actives', 'active_trials', 'mrr', 'arr'] as const, random),
        productDuration: pick(['P1M', 'P1W', 'P1Y', 'P3D'], random),
        cohort: pick(['new_customers', 'initial_conversions', 'new_paying_customers'] as const, random),
        cohortMeasure: pick(
          ['revenue', 'realized_ltv', 'realized_ltv_per_customer', 'retained_subscriptions'] as const,
          random,
        ),
      };
      const filter = pick(
        [
          undefined,
          [pick(dimensions, random), pick(['US', 'ios', 'null', 'ios-store', 'prod_1', 'P1M'], random)] as const,
        ],
        random,
      );
      for (const { id } of charts) {
        const o = { start: iso(period.start), end: iso(period.end), interval, asOf: iso(asOf), environment, selectors };
        const filters = new Map(filter ? [[filter[0], new Set([filter[1]])]] : []);
        const result = commonFields(runQuery(customers, id, { ...o, filters }));
        const wanted = reference(id, { ...period, interval, now: asOf, ...selectors, ...(filter && { filter }) });
        const what = JSON.stringify({ interval, environment, filter, ...selectors });
        if (!isDeepStrictEqual(result, wanted))
          expect(result, `${id} of ${what} as of ${iso(asOf)} (history ${n}, SEED=${random.seed})`).to.deep.equal(
            wanted,
          );
      }
    }
  });
});

function pick<T>(all: readonly T[], random: Chance): T {
  return all[random.below(all.length)] as T;
}

/** Drops the fields that only one of the two results has. */
function commonFields(result: unknown): unknown {
  const { kind, buckets, rows } = result as Record<string, unknown>;
  return kind === 'series' ? { kind, buckets } : { kind, rows };
}

/** Returns two instants: a random one or the start of its day, and the exact instant of an event or 1 ms later. */
function instantsOf(events: readonly NormalEvent[], random: Chance): number[] {
  const some = Date.UTC(2025, 1, 1) + random.below(300 * DAY);
  const event = events[random.below(Math.max(1, events.length))];
  const times = [event?.at, event?.expiresAt, event?.recordedAt].flatMap((t) =>
    t === undefined ? [] : [Date.parse(t)],
  );
  const exact = (times[random.below(times.length)] ?? some) + random.below(2);
  return random.below(2) === 0 ? [some, exact] : [Math.floor(some / DAY) * DAY, exact];
}

/** A few buckets, clipped or not, that lie around the instant or end well before it. */
function periodOf(interval: 'day' | 'week' | 'month' | 'quarter' | 'year', asOf: number, random: Chance) {
  const buckets = 1 + random.below({ day: 7, week: 7, month: 6, quarter: 4, year: 2 }[interval]);
  const first = bucketStart(plus(asOf, -random.below(buckets + 2), interval), interval);
  const start = first + random.below(2) * random.below(4) * DAY;
  return { start, end: plus(start, buckets, interval) - random.below(2) * DAY || start + DAY };
}
