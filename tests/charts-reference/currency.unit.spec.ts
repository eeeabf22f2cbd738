// Charts in another currency against the brute-force calculator, which gets every amount in that currency to begin with.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { createCalculator } from '../domain/charts/one-by-one/calculator.js';
import { charts } from '../../src/domain/charts/catalogue/catalogue.js';
import type { Rates } from '../../src/domain/rates/rates.js';
import { runQuery, queryOf } from '../domain/charts/run-query.js';
import { historiesOf, type NormalEvent } from '../domain/charts/normal-form.js';
import { chance, type Chance } from '../projections/support/seeded-random.js';
import { randomHistory } from './random-history.js';
import { createReference } from './reference.js';
import { DAY } from './time.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 200);
const BEGIN = Date.UTC(2025, 0, 1);
const DAYS = 1100;
/** Units for one dollar: what they make of prices with two decimals is exact in micros. */
const PER_DOLLAR = ['0.8', '1.25', '150', '2', '0.5'];
const iso = (t: number) => new Date(t).toISOString();
const dayOf = (at: string) => at.slice(0, 10);

function randomRates(random: Chance): Map<string, string> {
  const days = Array.from({ length: DAYS }, (_, n) => iso(BEGIN + n * DAY).slice(0, 10));
  return new Map(days.map((day) => [day, PER_DOLLAR[random.below(PER_DOLLAR.length)] ?? '1']));
}

function published(perDollar: ReadonlyMap<string, string>): Rates {
  const years: Record<string, Record<string, { USD: string; XTS: string }>> = {};
  for (const [day, rate] of perDollar) (years[day.slice(0, 4)] ??= {})[day] = { USD: '1', XTS: rate };
  return years;
}

/** All events of a transaction at the rate of the day it was made on. */
function inOwnCurrency(events: readonly NormalEvent[], perDollar: ReadonlyMap<string, string>): NormalEvent[] {
  const madeOn = new Map<string | undefined, string>();
  for (const { transactionId, periodType, type, at } of events) {
    if (periodType !== undefined || type === 'OneTimePurchaseCompleted') madeOn.set(transactionId, dayOf(at));
  }
  return events.map((event) => {
    const { revenueUsd, refundUsd, transactionId } = event;
    const rate = Number(perDollar.get(madeOn.get(transactionId) ?? '') ?? 1);
    const own = (usd: number) => Math.round(usd * rate * 1_000_000) / 1_000_000;
    return {
      ...event,
      ...(typeof revenueUsd === 'number' && { revenueUsd: own(revenueUsd) }),
      ...(refundUsd !== undefined && { refundUsd: own(refundUsd) }),
    };
  });
}

function valuesOf(result: unknown): unknown {
  const { buckets, rows } = result as { readonly buckets?: unknown; readonly rows?: unknown };
  return buckets ?? rows;
}

describe('charts in another currency', function () {
  this.timeout(120_000);

  it(`agree with the reference on ${HISTORIES} random histories`, () => {
    const random = chance();
    const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;
    for (let n = 0; n < HISTORIES; n++) {
      const perDollar = randomRates(random);
      const rates = published(perDollar);
      const events = randomHistory(random);
      const customers = [...historiesOf(events).values()];
      const [start, end] = [BEGIN, BEGIN + 300 * DAY];
      const asOf = BEGIN + random.below(400) * DAY;
      const reference = createReference(inOwnCurrency(events, perDollar), asOf);
      const interval = pick(['week', 'month', 'quarter'] as const);
      const selectors = {
        revenueType: pick(['revenue', 'revenue_net_of_taxes', 'proceeds'] as const),
        statusMeasure: pick(['mrr', 'arr'] as const),
        customerLifetime: pick([null, 30]),
        cohortMeasure: pick(['revenue', 'realized_ltv', 'realized_ltv_per_customer'] as const),
      };
      for (const { id } of charts) {
        const conversion = { currency: 'XTS', rates, isLatest: true };
        const o = { start: iso(start), end: iso(end), interval, asOf: iso(asOf), selectors, conversion };
        const result = valuesOf(runQuery(customers, id, o));
        const wanted = valuesOf(reference(id, { start, end, interval, now: asOf, ...selectors }));
        if (!isDeepStrictEqual(result, wanted))
          expect(result, `${id} by ${interval} as of ${iso(asOf)} (history ${n}, SEED=${random.seed})`).to.deep.equal(
            wanted,
          );
        const calculator = createCalculator(queryOf(id, o));
        for (const customer of customers) calculator.add(customer);
        expect(calculator.unconverted()).to.deep.equal({ transactions: 0, days: [] });
      }
    }
  });

  it('add nothing for a transaction without a rate, and name its day', () => {
    const bought = (transactionId: string, at: string): NormalEvent => ({
      ...{ type: 'OneTimePurchaseCompleted', customerId: 'ann', transactionId, at, revenueUsd: 10 },
    });
    const events = [bought('1', '2025-03-01T10:00:00Z'), bought('2', '2025-05-01T10:00:00Z')];
    const rates: Rates = { '2025': { '2025-03-01': { USD: '1.25', XTS: '2.5' } } };
    const o = { start: '2025-01-01', end: '2026-01-01', interval: 'year', asOf: '2025-12-01T00:00:00Z' } as const;
    const conversion = { currency: 'XTS', rates, isLatest: true };
    const calculator = createCalculator({ ...queryOf('revenue', o), conversion });
    for (const customer of historiesOf(events).values()) calculator.add(customer);
    expect(calculator.result()).to.have.nested.include({
      'buckets[0].values.revenue': 20,
      'buckets[0].values.transactions': 2,
      'buckets[0].values.unconverted_transactions': 1,
    });
    expect(calculator.unconverted()).to.deep.equal({ transactions: 1, days: ['2025-05-01'] });
  });
});
