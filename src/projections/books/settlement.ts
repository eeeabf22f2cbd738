// Finds what a store's report says about one charge of ours, or its refund.
import type { BookEntry, EntryKind } from '../../domain/books/entries.js';
import { addMonths, pacificDay } from '../../domain/books/report-values.js';
import { msFromIso } from '../../domain/time.js';
import type { TransactionDoc } from '../models/transactions.js';
import type { Books } from './books.js';

/** `settled`: the report agrees. `differs`: it has the charge with a difference. `estimated`: no report of what is settled has it. */
export const settlementStatuses = ['estimated', 'settled', 'differs'] as const;

export type Settlement = {
  readonly status: (typeof settlementStatuses)[number];
  readonly month: string;
  readonly entry: BookEntry;
};

/** Returns null while the project has no report near the charge, for the sandbox, and for a free period. */
export async function findSettlement(
  books: Books,
  { projectId, transactionId, environment, purchasedAt }: TransactionDoc,
  { kind, at }: { readonly kind: EntryKind; readonly at: string } = { kind: 'charge', at: purchasedAt },
): Promise<Settlement | null> {
  if (environment !== 'production') return null;
  const reported = new Set((await books.listReports(projectId)).map(({ month }) => month));
  const own = pacificDay(msFromIso(at)).slice(0, 7);
  let estimated: Settlement | null = null;
  // A fiscal month may begin a few days before the calendar month, and a store may date a charge two days later.
  for (const month of [own, addMonths(own, 1), addMonths(own, -1)].filter((one) => reported.has(one))) {
    const entries = await (await books.lastView(projectId, month)).entriesOf(transactionId);
    for (const entry of entries) {
      if (entry.kind !== kind) continue;
      const isSettled = entry.store !== null && !entry.labels.includes('fee_not_stated');
      if (isSettled) return { status: entry.cause === 'matched' ? 'settled' : 'differs', month, entry };
      estimated = { status: 'estimated', month, entry };
    }
  }
  return estimated;
}
