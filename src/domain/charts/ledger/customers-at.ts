// Customers with rows on given days, whose money changes with the rates of those days.
import { startOfDay } from '../calendar.js';
import type { LedgerColumns } from './ledger.js';

/** Returns the customer IDs. `days` are day starts, UTC ms. */
export function customersAt({ rows, customerIds }: LedgerColumns, days: ReadonlySet<number>): readonly string[] {
  const { columns, starts, ends } = rows;
  return customerIds.filter((_, customer) => {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) if (days.has(startOfDay(columns.at[i] ?? 0))) return true;
    return false;
  });
}
