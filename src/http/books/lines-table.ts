// The comparisons of a month as a table.
import { stringify } from 'csv-stringify/sync';
import { csvRules } from '../../adapters/csv.js';
import { NOTHING } from '../../domain/books/entries.js';
import { differenceOf } from '../../domain/books/month-table.js';
import type { EntryPlace } from '../../projections/books/month-view.js';
import { Csv } from '../bodies/send-json.js';

const AMOUNT_COLUMNS = ['charged', 'refunded', 'tax', 'fee', 'proceeds'] as const;
const SIDES = ['ours', 'store', 'difference'] as const;

/** Returns all selected comparisons of a month as CSV. */
export function tableOf(found: AsyncIterable<readonly EntryPlace[]>, month: string): Csv {
  const sides = SIDES.flatMap((side) => AMOUNT_COLUMNS.map((column) => `${side}_${column}`));
  const header = [
    ...['cause', 'kind', 'day', 'app_id', 'sku', 'country', 'count'],
    'order_id',
    'transaction_ids',
    'currency',
  ];
  const pieces = async function* () {
    yield Buffer.from(stringify([[...header, ...sides]], csvRules));
    for await (const piece of found) if (piece.length > 0) yield Buffer.from(stringify(piece.map(lineOf), csvRules));
  };
  return new Csv(pieces(), `books-${month}.csv`);
}

function lineOf({ entry }: EntryPlace): readonly (string | number | null)[] {
  const { cause, kind, day, appId, sku, country, count, orderId, transactionIds, currency } = entry;
  const bySide = { ours: entry.ours ?? NOTHING, store: entry.store ?? NOTHING, difference: differenceOf(entry) };
  // Numbers, because a text that begins with a minus would be taken for a formula.
  const amounts = SIDES.flatMap((side) => AMOUNT_COLUMNS.map((column) => bySide[side][column] / 1_000_000));
  return [cause, kind, day, appId, sku, country, count, orderId, transactionIds.join(' '), currency, ...amounts];
}
