// Formats of the journal: a table of lines, the import of Xero, and plain-text accounting.
import { stringify } from 'csv-stringify/sync';
import { csvRules } from '../../adapters/csv.js';
import type { Accounts } from '../../domain/books/accounts.js';
import type { JournalEntry } from '../../domain/books/journal.js';
import { printAmount } from '../../domain/books/report-values.js';

export const journalFormats = ['csv', 'xero', 'beancount'] as const;
export type JournalFormat = (typeof journalFormats)[number];

/** Returns the journal as the text of a file. */
export function writeJournal(format: JournalFormat, entries: readonly JournalEntry[], accounts: Accounts): string {
  if (format === 'beancount') return writeBeancount(entries, accounts);
  return format === 'xero' ? writeXero(entries, accounts) : writeCsv(entries, accounts);
}

const CSV_COLUMNS = ['entry_id', 'date', 'account', 'debit', 'credit', 'currency', 'memo', 'month', 'app'];

function writeCsv(entries: readonly JournalEntry[], accounts: Accounts): string {
  const lines = entries.flatMap(({ id, day, memo, month, appId, currency, lines: all }) =>
    all.map(({ account, micros }) => {
      const amount = printAmount(Math.abs(micros), currency);
      const sides = micros > 0 ? [amount, ''] : ['', amount];
      return [id, day, accounts[account].code, ...sides, currency, memo, month, appId ?? ''];
    }),
  );
  return stringify([CSV_COLUMNS, ...lines], csvRules);
}

const XERO_COLUMNS = [
  ...['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
  ...['TrackingName1', 'TrackingOption1', 'TrackingName2', 'TrackingOption2'],
];

/** Rows of one narration and date are one journal. Credits are negative. */
function writeXero(entries: readonly JournalEntry[], accounts: Accounts): string {
  const lines = entries.flatMap(({ id, day, memo, appId, currency, lines: all }) =>
    all.map(({ account, micros }) => {
      const [year = '', month = '', date = ''] = day.split('-');
      // A number, because a text that begins with a minus would be taken for a formula.
      const amount = micros / 1_000_000;
      const head = [id, `${date}/${month}/${year}`, memo, accounts[account].code, 'Tax Exempt', amount];
      return [...head, 'App', appId ?? '', 'Currency', currency];
    }),
  );
  return stringify([XERO_COLUMNS, ...lines], csvRules);
}

function writeBeancount(entries: readonly JournalEntry[], accounts: Accounts): string {
  const texts = entries.map(({ id, day, memo, appId, currency, lines }) =>
    [
      `${day} * ${quoteText(memo)}`,
      `  entry_id: ${quoteText(id)}`,
      ...(appId === null ? [] : [`  app: ${quoteText(appId)}`]),
      ...lines.map(
        ({ account, micros }) => `  ${accounts[account].name}  ${printAmount(micros, currency)} ${currency}`,
      ),
    ].join('\n'),
  );
  return texts.map((text) => `${text}\n`).join('\n');
}

function quoteText(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
