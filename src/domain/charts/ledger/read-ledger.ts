// The result of a query from the ledger. The tests compare it with what the customers' histories give, one by one.
import type { ChartQuery } from '../catalogue/chart-query.js';
import { startOfDay } from '../calendar.js';
import { unconvertedOf } from '../currency.js';
import type { SegmentedResult, Unconverted } from '../result/result.js';
import { readAdditive } from './additive.js';
import { askedOf, NOT, type Asked, type Segmented } from './asked.js';
import { LINE, measureNumber, UNCONVERTED } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import { readCohorts } from './of-cohorts.js';
import { readActivity, readCustomers } from './of-customers.js';
import { readRenewals } from './of-renewals.js';
import { cellsWith, isKnown, pick } from './picked.js';

/** The ledger has the currency of the query; ranges of cohorts begin and end with days. `also`: segments to show though nobody may be in them. */
export function readLedger(ledger: LedgerColumns, q: ChartQuery, also: readonly string[] = []): SegmentedResult {
  const asked = askedOf(q, ledger.attributes, also);
  const { whole, segment } = read(ledger, q, asked);
  const converted = q.conversion && { unconverted: unconvertedIn(ledger, q.range.asOf, q.conversion.terms.end) };
  if (q.segment === null) return { result: whole, ...converted };
  const isThere = segmentsThere(ledger, q, asked);
  for (const value of also) isThere[asked.segments.indexOf(value)] = 1;
  const found = asked.segments.flatMap((value, number) => (isThere[number] ? [[value, number] as const] : []));
  const inOrder = found.sort(([a], [b]) => (a < b ? -1 : 1));
  const segments = new Map(inOrder.map(([value, number]) => [value, segment(number)]));
  return { result: whole, segments, ...converted };
}

function read(ledger: LedgerColumns, q: ChartQuery, asked: Asked): Segmented {
  const { chart } = q;
  if (chart.kind === 'cohort')
    return chart.of === 'customers' ? readCohorts(ledger, q, asked) : readRenewals(ledger, q, asked);
  if (chart.needs === 'customers') return readCustomers(ledger, { ...q, chart }, asked);
  return chart.needs === 'activity'
    ? readActivity(ledger, { ...q, chart }, asked)
    : readAdditive(ledger, { ...q, chart }, asked);
}

/** Of all customers, whichever are asked about. `end` and `asOf` in UTC ms. */
function unconvertedIn({ rows, cells, customerIds }: LedgerColumns, asOf: number, end: number): Unconverted {
  const picked = pick(cells, new Map([[UNCONVERTED, 0]]));
  const days = new Set<number>();
  let transactions = 0;
  const { columns, kinds, starts, ends } = rows;
  for (let customer = 0; customer < customerIds.length && picked.values.length > 0; customer++) {
    const last = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < last; i++) {
      const entry = picked.ends[kinds[i] ?? 0] ?? 0;
      const at = columns.at[i] ?? 0;
      if (entry === picked.ends[(kinds[i] ?? 0) + 1] || at >= end || !isKnown(columns, i, asOf)) continue;
      transactions += picked.values[entry] ?? 0;
      days.add(startOfDay(at));
    }
  }
  return unconvertedOf(transactions, days);
}

/** Those of somebody, or of a purchase, that is asked about, whether or not it counts in the range. */
function segmentsThere(ledger: LedgerColumns, { range }: ChartQuery, asked: Asked): Uint8Array {
  const isThere = new Uint8Array(asked.segments.length);
  let missing = asked.segments.length;
  const isAbout = cellsWith(pick(ledger.cells, new Map([LINE, measureNumber('customers.new')].map((e) => [e, 0]))), 0);
  const numbers = asked.by === 'customer' ? asked.whos : asked.lines;
  const { columns, kinds, starts, ends } = ledger.rows;
  for (let customer = 0; customer < ledger.customerIds.length && missing > 0; customer++) {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) {
      const number = numbers[columns.attributes[i] ?? 0] ?? NOT;
      if (number === NOT || isThere[number] || !isAbout[kinds[i] ?? 0] || !isKnown(columns, i, range.asOf)) continue;
      isThere[number] = 1;
      missing--;
    }
  }
  return isThere;
}
