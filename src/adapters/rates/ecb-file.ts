// The European Central Bank's reference rate files, daily (`eurofxref.csv`) and historical (`eurofxref-hist.csv`): a header of currency
// codes, a row per day, units of the currency for one euro, `N/A` where there was none. Format: the bank's page "Euro foreign exchange
// reference rates".
import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import { decimalsOf } from '../../domain/values/currencies.js';
import type { PublishRates } from '../../domain/rates/rates.js';

export type EcbFile = {
  readonly days: readonly PublishRates[];
  /** Codes with rates that are not in today's ISO 4217 table: currencies of the past, kept for charges of that time. */
  readonly unknownCurrencies: readonly string[];
  /** Currencies of the table without a rate on any day of the file. */
  readonly unquoted: readonly string[];
};

/** The file is not as the bank writes it; the message names the fault. Nothing of such a file may be used. */
export class NotRates extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotRates';
  }
}

const CODE = /^[A-Z]{3}$/;
const RATE = /^\d{1,12}(\.\d{1,12})?$/;
/** Besides digits the bank writes this where a currency was not quoted. */
const NONE = 'N/A';

export function readEcbFile(text: string): EcbFile {
  const [header = [], ...rows] = recordsOf(text);
  const [first, ...columns] = header.map((cell) => cell.trim());
  const codes = columns.filter((code) => code !== '');
  if (first !== 'Date' || !codes.every((code) => CODE.test(code)) || !codes.includes('USD')) {
    throw new NotRates(
      'line 1: must begin with Date and name currencies, USD among them; give eurofxref.csv or eurofxref-hist.csv',
    );
  }
  if (rows.length === 0) throw new NotRates('line 2: there is no day in the file');
  const quoted = new Set<string>();
  const days = rows.map(([date = '', ...cells], i): PublishRates => {
    const line = i + 2;
    const rates = codes.flatMap((code, c): [string, string][] => {
      const rate = (cells[c] ?? '').trim();
      if (rate === NONE || rate === '') return [];
      if (!RATE.test(rate) || Number(rate) === 0)
        throw new NotRates(`line ${line}: ${code} is ${JSON.stringify(rate)}, which is no rate`);
      quoted.add(code);
      return [[code, rate]];
    });
    return {
      day: dayOf(date, line),
      rates: Object.fromEntries(rates),
    };
  });
  if (new Set(days.map((d) => d.day)).size < days.length) throw new NotRates('a day is there twice');
  const isCurrency = (code: string) => decimalsOf(code) !== undefined;
  return {
    days,
    unknownCurrencies: [...quoted].filter((code) => !isCurrency(code)),
    unquoted: codes.filter((code) => isCurrency(code) && !quoted.has(code)),
  };
}

function recordsOf(text: string): string[][] {
  try {
    return parse(text, { bom: true, skip_empty_lines: true, relax_column_count: true });
  } catch (err) {
    throw new NotRates(`it cannot be read as CSV: ${err instanceof Error ? err.message : String(err)}`);
  }
}

/** `2026-04-13` in the historical file, `13 April 2026` in the daily one. */
function dayOf(text: string, line: number): string {
  const date = text.trim();
  const read = [
    DateTime.fromISO(date, { zone: 'utc' }),
    DateTime.fromFormat(date, 'd MMMM yyyy', { zone: 'utc', locale: 'en' }),
  ];
  const day = read.find((d) => d.isValid)?.toISODate();
  if (!day) throw new NotRates(`line ${line}: ${JSON.stringify(date)} is no date`);
  return day;
}
