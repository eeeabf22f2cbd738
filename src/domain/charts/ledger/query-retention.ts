// Query of subscription retention.
import { DAY_MS, spanOf, spansUntil, startOfDay, type Span } from '../calendar.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { columnsDue, isSameSpan } from '../result/cohorts.js';
import { createRenewalResults, emptyRow, type ChartResult, type Row } from '../result/result.js';
import { NOT_SELECTED, placesOf, type RowSelection } from './row-selection.js';
import type { LedgerColumns } from './ledger.js';
import { addCount, sumRenewals, type PartialRenewals, type Renewals } from './partial.js';

export function queryRenewals(
  ledger: LedgerColumns,
  { range, selectors }: ChartQuery,
  selection: RowSelection,
): PartialRenewals {
  const { asOf } = range;
  const span = spanOf(selectors.productDuration) ?? { months: 0, days: 0 };
  const isWanted = ledger.renewalKinds.map((kind) => isSameSpan(kind.span, span));
  const places = placesOf(range);
  const spans = spansByDay(span, asOf - 1);
  const rows = Array.from({ length: Math.max(1, selection.segments) }, () =>
    range.buckets.map((): Renewals | null => null),
  );
  const { columns, kinds, starts, ends } = ledger.renewals;
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) {
      const kind = ledger.renewalKinds[kinds[i] ?? 0];
      if (!kind || !isWanted[kinds[i] ?? 0] || (columns.from[i] ?? 0) >= asOf || asOf > (columns.to[i] ?? 0)) continue;
      const segment = selection.purchases[columns.attributes[i] ?? 0] ?? NOT_SELECTED;
      const at = columns.at[i] ?? 0;
      const place = segment === NOT_SELECTED ? NOT_SELECTED : places.of(at);
      if (place < 1) continue;
      const { payments, calendarFrom, revoked } = kind;
      const lapsesAt = columns.lapsesAt[i] ?? 0;
      const due = columnsDue({ payments, calendarFrom, lapsesAt }, asOf, () => spans(at));
      const row = ((rows[segment] ??= [])[place - 1] ??= { size: 0, due: [], paid: [], revoked: [] });
      row.size++;
      addCount(row.due, due);
      addCount(row.paid, payments);
      for (const k of revoked) addCount(row.revoked, k);
    }
  }
  return { kind: 'renewals', rows };
}

/**
 * Returns the result by segment number; the whole has the next number, as the sum of all segments, because a subscription is in one
 * segment.
 */
export function renewalResults(q: ChartQuery, { rows }: PartialRenewals): (table: number) => ChartResult {
  const { range, selectors } = q;
  const renewalsOf = createRenewalResults(range, selectors.productDuration);
  return (table) => {
    const own = rows[table] ?? range.buckets.map((_, i) => sumRenewals(rows.map((segment) => segment[i] ?? null)));
    return renewalsOf(own.map(rowOf));
  };
}

function rowOf(renewals: Renewals | null): Row {
  if (!renewals) return emptyRow();
  const { size, due, paid, revoked } = renewals;
  let [eligible, retained] = [size, size];
  const row: Row = { size, earliest: Infinity, eligible: [], sums: [] };
  for (let k = 0; k < due.length - 1; k++) {
    eligible -= due[k] ?? 0;
    retained -= paid[k] ?? 0;
    row.eligible.push(eligible);
    row.sums.push(retained - (revoked[k] ?? 0));
  }
  return row;
}

/** Returns `spansUntil` of an instant, cached by day: what is due falls on the same time of a later day. */
export function spansByDay(span: Span, until: number): (at: number) => number {
  const cached = new Map<number, number>();
  const timeOfEnd = until - startOfDay(until);
  return (at) => {
    const day = startOfDay(at);
    const isLater = at - day > timeOfEnd;
    const key = (2 * day) / DAY_MS + Number(isLater);
    let spans = cached.get(key);
    if (spans === undefined) cached.set(key, (spans = spansUntil(at, span, until)));
    return spans;
  };
}
