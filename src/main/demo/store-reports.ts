// Financial reports of the simulated ios-store for the last months of a demo: it paid what the project recorded, except where it did not.
import { movesOf, ourShare, type EntryKind, type OurCharge } from '../../domain/books/entries.js';
import {
  addMonths,
  daysOfMonth,
  pacificDay,
  printAmount,
  readAmount,
  type DayRange,
} from '../../domain/books/report-values.js';
import { writeFinanceDetail, type FinanceRow } from '#simulator/store-reports.js';

/** `fileName` has the store's own form, which names the account. */
export type SimulatedReport = { readonly fileName: string; readonly text: string };

const MONTHS = 3;
const VENDOR = '81234567';
/** The store takes its lower fee, as after a subscriber’s first year, for one of so many charges, and reports one of so many in no month. */
const [CHARGES_PER_LOWER_FEE, CHARGES_PER_LACKING] = [25, 40];
const LOWER_FEE = 0.15;

/** Returns the months that the reports are of, the oldest first: the last complete ones. */
export function reportedMonths(nowMs: number): readonly DayRange[] {
  const current = pacificDay(nowMs).slice(0, 7);
  return Array.from({ length: MONTHS }, (_, i) => daysOfMonth(addMonths(current, i - MONTHS)));
}

/** `charges`: those of the ios-store with money on one of the days. Returns null without any. */
export function writeSimulatedReport(charges: readonly OurCharge[], period: DayRange): SimulatedReport | null {
  const rows = new Map<string, FinanceRow>();
  const add = (row: FinanceRow): void => {
    const name = JSON.stringify({ ...row, quantity: 0, extendedShare: '' });
    const quantity = (rows.get(name)?.quantity ?? 0) + row.quantity;
    rows.set(name, { ...row, quantity });
  };
  const inOrder = charges.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1));
  for (const [n, charge] of inOrder.entries()) {
    if (n % CHARGES_PER_LACKING === CHARGES_PER_LACKING - 1) continue;
    // With a tax, which is an estimate, another fee would look like another tax.
    const hasLowerFee = n % CHARGES_PER_LOWER_FEE === CHARGES_PER_LOWER_FEE - 1 && charge.taxRate === 0;
    const commissionRate = hasLowerFee ? Math.min(LOWER_FEE, charge.commissionRate) : charge.commissionRate;
    for (const kind of ['charge', 'refund'] as const)
      for (const row of rowsOf(kind, { ...charge, commissionRate }, period)) add(row);
  }
  const [first, ...others] = rows.values();
  if (!first) return null;
  // A sale of which no notification arrived.
  const all = [{ ...first, quantity: first.quantity + 1 }, ...others];
  const text = writeFinanceDetail(all.map(withExtendedShare), period);
  const [year = '', month = ''] = period.startDate.split('-');
  return { fileName: `${VENDOR}_${month}${year.slice(2)}_Z1.txt`, text };
}

/** Returns the rows of one charge or of its refunds in the period. */
function rowsOf(kind: EntryKind, charge: OurCharge, { startDate, endDate }: DayRange): FinanceRow[] {
  const { sku, country, currency, quantity } = charge;
  const moves = movesOf(kind, charge).filter(({ day }) => day >= startDate && day <= endDate);
  return moves.flatMap(({ day, share }) => {
    const ours = ourShare(kind, charge, share);
    if (!ours || currency === null || country === null) return [];
    const [gross, paid] = [Math.abs(ours.charged + ours.refunded), Math.abs(ours.proceeds)];
    if (gross === 0 || quantity !== 1) return [];
    const amounts = { price: printAmount(gross, currency), share: printAmount(paid, currency), extendedShare: '' };
    const about = { day, settledOn: day, sku, country, quantity, currency, shareCurrency: currency };
    return [{ ...about, ...amounts, isReturn: kind === 'refund' }];
  });
}

function withExtendedShare(row: FinanceRow): FinanceRow {
  const micros = readAmount(row.share) ?? 0;
  return { ...row, extendedShare: printAmount(micros * row.quantity, row.shareCurrency) };
}
