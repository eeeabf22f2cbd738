// Cells of a report's rows. One that cannot be read refuses the file, with its line and column.
import type { Rejection } from '../errors.js';
import { columnName, type ColumnOf, type Places } from './columns.js';
import type { ReportKind } from './lines.js';
import { refused } from './refusal.js';
import { readAmount, readDay } from './report-values.js';

/** Length of a text in a cell. */
const MAX_TEXT = 500;

/** Reads the cells of one row. All but `text` throw {@link Rejection} for a cell without such a value. */
export type CellReader<K extends ReportKind> = {
  text(column: ColumnOf<K>): string;
  required(column: ColumnOf<K>): string;
  amount(column: ColumnOf<K>): number;
  whole(column: ColumnOf<K>): number;
  day(column: ColumnOf<K>): string;
  currency(column: ColumnOf<K>): string;
  /** Returns the refusal of a cell. */
  unreadable(column: ColumnOf<K>, expected: string): Rejection;
};

export function readCells<K extends ReportKind>(
  kind: K,
  places: Places<K>,
  row: number,
  cells: readonly string[],
): CellReader<K> {
  const text = (column: ColumnOf<K>): string => {
    const place = places[column];
    return place === undefined ? '' : (cells[place] ?? '').trim().slice(0, MAX_TEXT);
  };
  const unreadable = (column: ColumnOf<K>, expected: string): Rejection => {
    const found = text(column);
    const quoted = found === '' ? 'nothing' : `"${found.slice(0, 60)}"`;
    const name = columnName(kind, column);
    return refused(`line ${row}, column "${name}": ${quoted} where ${expected} is expected; no line was added`);
  };
  const amount = (column: ColumnOf<K>): number => {
    const micros = readAmount(text(column));
    if (micros === null) throw unreadable(column, 'an amount such as 1,234.50');
    return micros;
  };
  return {
    text,
    unreadable,
    amount,
    required: (column) => {
      const found = text(column);
      if (found === '') throw unreadable(column, 'a text');
      return found;
    },
    whole: (column) => {
      const number = amount(column) / 1_000_000;
      if (!Number.isInteger(number)) throw unreadable(column, 'a whole number');
      return number;
    },
    day: (column) => {
      const day = readDay(text(column));
      if (day === null) throw unreadable(column, 'a day such as Nov 1, 2025 or 11/01/2025');
      return day;
    },
    currency: (column) => {
      const currency = text(column).toUpperCase();
      if (!/^[A-Z]{3}$/.test(currency)) throw unreadable(column, 'a currency such as EUR');
      return currency;
    },
  };
}
