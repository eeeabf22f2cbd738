// Customers dealt out to several ledgers against one ledger of all of them. HISTORIES=<number> draws another number of them.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { charts } from '../../../../src/domain/charts/catalogue/catalogue.js';
import type { ChartQuery } from '../../../../src/domain/charts/catalogue/chart-query.js';
import { MAX_LISTED, mergeReasons, type PackedReasons } from '../../../../src/domain/charts/compare/packed-reasons.js';
import { createConverter } from '../../../../src/domain/charts/currency.js';
import type { CustomerHistory } from '../../../../src/domain/charts/history/history.js';
import { customersToRecompute, compareLedgers } from '../../../../src/domain/charts/ledger/compare/compare-ledgers.js';
import { countSegments } from '../../../../src/domain/charts/ledger/count-segments.js';
import { ledgerRowsOf } from '../../../../src/domain/charts/ledger/customer/rows.js';
import { partOfCustomer } from '../../../../src/domain/charts/ledger/ledger.js';
import { createLedger, type LedgerColumns } from '../../../../src/domain/charts/ledger/ledger.js';
import { mergePartials, type PartialResult } from '../../../../src/domain/charts/ledger/partial.js';
import { queryLedgerPart, resultOf } from '../../../../src/domain/charts/ledger/query-ledger.js';
import { addCounts, listSegments, type SegmentCounts } from '../../../../src/domain/charts/result/segment-counts.js';
import { buffersIn } from '../../../../src/projections/charts/requests/chart-messages.js';
import { reasonsFrom } from '../reasons-of.js';
import { randomHistory } from '../../../charts-reference/random-history.js';
import { randomQuery } from '../../../charts-reference/random-query.js';
import { patchyRates } from '../../../charts-reference/random-rates.js';
import { DAY } from '../../../charts-reference/time.js';
import { chance, type Chance } from '../../../projections/support/seeded-random.js';
import { queryOf } from '../run-query.js';
import { historiesOf } from '../normal-form.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 30);
type Customers = ReadonlyMap<string, CustomerHistory>;
type Ask<R> = (ledger: LedgerColumns, customers: Customers) => R;

describe('parts of the customers', function () {
  this.timeout(300_000);

  it(`give the same answers as all customers at once, on ${HISTORIES} random histories in 1, 2, 3 and 7 parts`, () => {
    const random = chance();
    for (let n = 0; n < HISTORIES; n++) {
      const customers = several(random);
      const rates = n % 3 === 0 ? patchyRates(random) : null;
      const convert = rates && createConverter(termsOf(rates));
      const ledgerWith = (own: Customers) => {
        const ledger = createLedger();
        for (const [id, customer] of own) ledger.put(id, ledgerRowsOf(customer, 'production', convert ?? undefined));
        return ledger.read();
      };
      const whole = ledgerWith(customers);
      for (const count of [1, 2, 3, 7]) {
        const parts = Array.from({ length: count }, (_, part) => {
          const own = new Map([...customers].filter(([id]) => partOfCustomer(id, count) === part));
          return { own, ledger: ledgerWith(own) };
        });
        const inParts = <R>(ask: Ask<R>) => parts.map(({ ledger, own }) => ask(ledger, own)) as [R, ...R[]];
        for (const { id } of charts) {
          const what = `${id} in ${count} parts (history ${n}, SEED=${random.seed})`;
          const [then, now] = sidesOf(id, rates, random);
          const counts: Ask<SegmentCounts> = (ledger) => {
            const { segment } = now;
            return segment === null ? new Map() : countSegments(ledger, { ...now, segment });
          };
          const counted = addCounts(inParts(counts));
          expect(counted, what).to.deep.equal(counts(whole, customers));
          const segments = listSegments(counted, 1 + random.below(3));
          const [a, b] = [then, now].map((q) => ({ ...q, segments })) as [ChartQuery, ChartQuery];

          const read: Ask<PartialResult> = (ledger) => crossed(queryLedgerPart(ledger, b));
          const [mine, wanted] = [resultOf(b, mergePartials(inParts(read))), resultOf(b, read(whole, customers))];
          if (!isDeepStrictEqual(mine, wanted)) expect(mine, what).to.deep.equal(wanted);

          const compare: Ask<PackedReasons> = (ledger, own) => {
            const sides = { then: { q: a, ledger }, now: { q: b, ledger } };
            const ids = customersToRecompute(sides.then, sides.now);
            const pairs = new Map(ids.map((one) => [one, { then: own.get(one), now: own.get(one) }]));
            return compareLedgers({ ...sides, inEarlier: null, pairs }, MAX_LISTED);
          };
          const merged = mergeReasons(inParts(compare), MAX_LISTED);
          const [reasons, all] = [shown(merged), shown(compare(whole, customers))];
          if (!isDeepStrictEqual(reasons, all)) expect(reasons, `reasons of ${what}`).to.deep.equal(all);
        }
      }
    }
  });

  it('have about as many customers each', () => {
    const counts = new Array<number>(7).fill(0);
    for (let n = 0; n < 70_000; n++) {
      const part = partOfCustomer(`cus_${n}`, 7);
      counts[part] = (counts[part] ?? 0) + 1;
    }
    for (const count of counts) expect(count).to.be.within(9_500, 10_500);
  });
});

/** Combines several histories, so that few parts are without customers. */
function several(random: Chance): Customers {
  const all = Array.from({ length: 4 }, () => [...historiesOf(randomHistory(random))]);
  return new Map(all.flatMap((some, i) => some.map(([id, customer]) => [`${id}_${i}`, customer])));
}

function termsOf(rates: ReturnType<typeof patchyRates>) {
  return { currency: 'XTS', rates, isLatest: true };
}

function sidesOf(id: string, rates: ReturnType<typeof patchyRates> | null, random: Chance): [ChartQuery, ChartQuery] {
  const instants = [0, 1].map(() => Date.UTC(2025, 1, 1) + random.below(300 * DAY)).sort((x, y) => x - y);
  const asked = { ...randomQuery(instants[1] ?? 0, random), environment: 'production' as const };
  return instants.map((asOf) => {
    const q = queryOf(id, { ...asked, asOf: new Date(asOf).toISOString() });
    return rates ? { ...q, conversion: termsOf(rates) } : q;
  }) as [ChartQuery, ChartQuery];
}

/** Transfers the result as between threads. */
function crossed(partial: PartialResult): PartialResult {
  return structuredClone(partial, { transfer: buffersIn(partial) });
}

/** All reasons by place. Which customers a full list names depends on their order. */
function shown(reasons: PackedReasons): unknown {
  const reasonsOf = reasonsFrom(reasons);
  const found = new Map<string, unknown>();
  for (const { part, measure, track, counts } of reasons.groups) {
    const segment = part === 0 ? null : (reasons.segments[part - 1] ?? null);
    for (let i = 0; i < counts.length; i++) {
      const all = reasonsOf(segment, measure, track, i).map(({ customers, ...rest }) => {
        return { ...rest, customers: rest.count > MAX_LISTED ? customers.length : [...customers].sort() };
      });
      if (all.length > 0) found.set(JSON.stringify([segment, measure, track, i]), all);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
