// The ledger against the calculator, which takes the same histories one after the other. HISTORIES=<number> draws another number of them.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { charts } from '../../../../src/domain/charts/catalogue/catalogue.js';
import { bucketedRangeOf } from '../../../../src/domain/charts/result/buckets.js';
import { OTHER, type ChartQuery, type Dimension } from '../../../../src/domain/charts/catalogue/chart-query.js';
import { createConverter } from '../../../../src/domain/charts/currency.js';
import { countSegments } from '../../../../src/domain/charts/ledger/count-segments.js';
import { createLedger, type LedgerColumns } from '../../../../src/domain/charts/ledger/ledger.js';
import { queryLedger } from '../../../../src/domain/charts/ledger/query-ledger.js';
import { ledgerRowsOf } from '../../../../src/domain/charts/ledger/customer/rows.js';
import { createCalculator } from '../one-by-one/calculator.js';
import { withSegments } from '../one-by-one/segment-counts.js';
import { listSegments } from '../../../../src/domain/charts/result/segment-counts.js';
import type { ChartResult, UnconvertedCharges } from '../../../../src/domain/charts/result/result.js';
import { queryOf, readableResult } from '../run-query.js';
import { historiesOf, type NormalEvent } from '../normal-form.js';
import { chance, type Chance } from '../../../projections/support/seeded-random.js';
import { randomHistory, shuffled } from '../../../charts-reference/random-history.js';
import { randomQuery } from '../../../charts-reference/random-query.js';
import { patchyRates } from '../../../charts-reference/random-rates.js';
import { DAY } from '../../../charts-reference/time.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 400);

describe('the ledger and the customers themselves', function () {
  this.timeout(300_000);

  it(`agree on ${HISTORIES} random histories, as of any instant, with any filters, segments and selectors`, () => {
    const random = chance();
    for (let n = 0; n < HISTORIES; n++) {
      const events = randomHistory(random).map((event) => early(event, random));
      const customers = historiesOf(shuffled(events, random));
      const environments = ['production', 'sandbox'] as const;
      const ledgers = new Map(environments.map((environment) => [environment, createLedger()]));
      // Every third in another currency, of which rates are missing.
      const rates = n % 3 === 0 ? patchyRates(random) : null;
      const conversion = rates ? { currency: 'XTS', rates, isLatest: true } : undefined;
      const convert = conversion && createConverter(conversion);
      for (const [environment, ledger] of ledgers) {
        for (const [id, customer] of customers) ledger.put(id, ledgerRowsOf(customer, environment, convert));
      }
      for (const asOf of [0, 1, 2].map(() => instantOf(events, random))) {
        for (const { id } of charts) {
          const asked = randomQuery(asOf, random);
          const plain = withinDays(queryOf(id, asked), random);
          const unlisted = { ...plain, ...(conversion && { conversion }) };
          const limit = 1 + random.below(3);
          const [q] = withSegments([unlisted] as const, () => customers.values(), limit);
          const calculator = createCalculator(q);
          for (const customer of customers.values()) calculator.add(customer);
          const segments = q.segment === null ? undefined : calculator.segments();
          const wanted = shown(calculator.result(), segments, calculator.unconverted());
          const ledger = (ledgers.get(q.environment) ?? createLedger()).read();
          const { segment } = q;
          if (segment !== null) {
            const what = `segments of ${id} (history ${n}, SEED=${random.seed})`;
            const counts = countSegments(ledger, { ...q, segment });
            expect(listSegments(counts, limit), what).to.deep.equal(q.segments);
            expectAsFiltered(ledger, q, segment, [...counts.keys()], what);
          }
          const { result, segments: found, unconverted } = queryLedger(ledger, q);
          if (!isDeepStrictEqual(shown(result, found, unconverted), wanted)) {
            const { filters, ...rest } = asked;
            const what = JSON.stringify({ ...rest, filters: [...(filters ?? [])].map(([d, v]) => [d, ...v]) });
            expect(
              shown(result, found, unconverted),
              `${id} of ${what} (history ${n}, SEED=${random.seed})`,
            ).to.deep.equal(wanted);
          }
        }
      }
    }
  });
});

/** Each segment is what the filter for its values gives: as it is in a table. */
function expectAsFiltered(
  ledger: LedgerColumns,
  q: ChartQuery,
  segment: Dimension,
  values: readonly string[],
  what: string,
): void {
  const { segments = [], ...rest } = q;
  for (const [value, result] of queryLedger(ledger, q).segments ?? []) {
    const own = value === OTHER ? values.filter((one) => !segments.includes(one)) : [value];
    const filters = new Map(q.filters).set(segment, new Set(own));
    const found = queryLedger(ledger, { ...rest, segment: null, filters });
    if (!isDeepStrictEqual(found.result, result)) expect(found.result, `${value} of ${what}`).to.deep.equal(result);
  }
}

function shown(
  result: ChartResult,
  segments: ReadonlyMap<string, ChartResult> | undefined,
  unconverted: UnconvertedCharges | undefined,
): unknown {
  const totals = result.kind === 'series' ? result.totals : null;
  return {
    unconverted,
    totals,
    result: readableResult(result),
    segments: [...(segments ?? [])].map(([value, of]) => [value, readableResult(of)]),
  };
}

/** Windows of the front page end at an instant, not with a day. */
function withinDays(q: ChartQuery, random: Chance): ChartQuery {
  if (q.chart.kind !== 'series' || random.below(4) > 0) return q;
  const by = random.below(DAY);
  return { ...q, range: bucketedRangeOf({ ...q.range, start: q.range.start + by, end: q.range.end + by }) };
}

/** Some things are learned before they take effect. */
function early(event: NormalEvent, random: Chance): NormalEvent {
  if (random.below(12) > 0) return event;
  return { ...event, recordedAt: new Date(Date.parse(event.at) - 1 - random.below(20 * DAY)).toISOString() };
}

/** Some instant, or the very one of an event or right behind it. */
function instantOf(events: readonly NormalEvent[], random: Chance): number {
  const some = Date.UTC(2025, 1, 1) + random.below(300 * DAY);
  const event = events[random.below(Math.max(1, events.length))];
  const times = [event?.at, event?.expiresAt, event?.recordedAt].flatMap((t) =>
    t === undefined ? [] : [Date.parse(t)],
  );
  return random.below(3) === 0 ? some : (times[random.below(times.length)] ?? some) + random.below(2);
}
