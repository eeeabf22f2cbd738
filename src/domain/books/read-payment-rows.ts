// Rows of the ios-store's payments page: what is owed for each region and currency of a fiscal month, and what is paid to the bank.
import type { Places } from './columns.js';
import type { PaymentLine, ReadRow } from './lines.js';
import { readCells } from './read-cells.js';
import { refused } from './refusal.js';
import { printAmount, readAmount, readMonthName, smallestUnit } from './report-values.js';

/** `46.42 EUR`: what the rows above it sum to. */
const TOTAL = /^"?\s*(-?[\d.,]+)"?\s+([A-Z]{3})$/;

/** `isPaid`: false for what the store holds back until it is more. */
export function readPaymentRow(
  places: Places<'payments'>,
  row: number,
  cells: readonly string[],
  isPaid: boolean,
): ReadRow {
  const cell = readCells('payments', places, row, cells);
  const { region, currency } = readRegion(cell.text('region'));
  if (region === '' || currency === undefined)
    throw cell.unreadable('region', 'a region with its currency, such as Americas (USD)');
  const line: PaymentLine = {
    ...{ kind: 'payments', row, region, currency, isPaid },
    units: cell.whole('units'),
    earnedMicros: cell.amount('earned'),
    inputTaxMicros: cell.amount('inputTax'),
    adjustmentsMicros: cell.amount('adjustments'),
    withholdingMicros: cell.amount('withholding'),
    owedMicros: cell.amount('owed'),
    paidCurrency: cell.currency('bankCurrency'),
    paidMicros: cell.amount('proceeds'),
  };
  return { line, first: '', last: '' };
}

/** Reads `Americas (USD)` and `Latin America and the Caribbean (USD - LatAm)`: the currency begins the last parentheses. */
function readRegion(text: string): { readonly region: string; readonly currency: string | undefined } {
  const at = text.lastIndexOf('(');
  const currency = text.endsWith(')') ? /^[A-Z]{3}\b/.exec(text.slice(at + 1))?.[0] : undefined;
  return { region: text.slice(0, Math.max(0, at)).trim(), currency };
}

/** Returns the month of the title `iTunes Connect - Payments and Financial Reports (July, 2026)`; null for another row. */
export function monthOfTitle([title = '']: readonly string[]): string | null {
  const found = /\(([^()]+)\)\s*$/.exec(title.trim());
  return found?.[1] === undefined ? null : readMonthName(found[1]);
}

/** Compares the sums that stand below the rows with those of the rows. The store rounds each row. */
export function createTotalCheck() {
  const sums = new Map<string, { micros: number; rows: number }>();
  return {
    add: ({ line }: ReadRow): void => {
      if (line.kind !== 'payments' || !line.isPaid) return;
      const { micros, rows } = sums.get(line.paidCurrency) ?? { micros: 0, rows: 0 };
      sums.set(line.paidCurrency, { micros: micros + line.paidMicros, rows: rows + 1 });
    },
    /** Returns true for a row that states a sum. Throws {@link Rejection} for another sum than that of the rows. */
    check: (cells: readonly string[]): boolean => {
      const text = cells.map((cell) => cell.trim()).find((cell) => cell !== '') ?? '';
      const [, amount, currency = ''] = TOTAL.exec(text) ?? [];
      const stated = amount === undefined ? null : readAmount(amount);
      if (stated === null) return false;
      const { micros, rows } = sums.get(currency) ?? { micros: 0, rows: 0 };
      if (Math.abs(micros - stated) <= smallestUnit(currency) * rows) return true;
      const [found, expected] = [printAmount(micros, currency), printAmount(stated, currency)];
      throw refused(`the lines add up to ${found} ${currency}, and the file states ${expected}; download it again`);
    },
  };
}
