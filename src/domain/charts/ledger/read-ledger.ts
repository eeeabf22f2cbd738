// The result of a query from the ledger. The tests compare it with what the customers' histories give, one by one.
import type { ChartQuery } from '../catalogue/chart-query.js';
import { startOfDay } from '../calendar.js';
import { unconvertedOf } from '../currency.js';
import type { SegmentedResult, Unconverted } from '../result/result.js';
import { readAdditive } from './additive.js';
import { askedOf, type Asked, type Segmented } from './asked.js';
import { UNCONVERTED } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import { readCohorts } from './of-cohorts.js';
import { readActivity, readCustomers } from './of-customers.js';
import { readRenewals } from './of-renewals.js';
import { isKnown, pick } from './picked.js';

/** The ledger has the currency of the query; ranges of cohorts begin and end with days. */
export function readLedger(ledger: LedgerColumns, q: ChartQuery): SegmentedResult {
  const { whole, segment } = read(ledger, q, askedOf(q, ledger.attributes));
  const converted = q.conversion && { unconverted: unconvertedIn(ledger, q.range.asOf, q.conversion.terms.end) };
  if (q.segment === null) return { result: whole, ...converted };
  const segments = new Map((q.segments ?? []).map((value, number) => [value, segment(number)]));
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
