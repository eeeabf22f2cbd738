// Parser of the European Central Bank's reference rate files, daily (`eurofxref.csv`) and historical (`eurofxref-hist.csv`): a header of
// currency codes, a row per day, units of the currency per euro, `N/A` where there was none. Format: the bank's page "Euro foreign exchange
// reference rates".
import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import { decimalsOf } from '../../domain/values/iso-codes.js';
import type { PublishRates } from '../../domain/rates/rates.js';

export type EcbFile = {
  readonly days: readonly PublishRates[];
  /** Codes with rates that are not in the current ISO 4217 table: former currencies, retained for charges of their time. */
  readonly unknownCurrencies: readonly string[];
  /** Currencies of the table without a rate on any day of the file. */
  readonly unquoted: readonly string[];
};

/** Error of a file that is not in the bank's format; the message describes the fault. No part of such a file may be used. */
export class InvalidRatesFile extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotRates';
  }
}

const CODE = /^[A-Z]{3}$/;
const RATE = /^\d{1,12}(\.\d{1,12})?$/;
/** Value in the bank's file for a currency that was not quoted. */
const NOT_QUOTED = 'N/A';

export function readEcbFile(text: string): EcbFile {
  const [header = [], ...rows] = parseCsv(text);
  const [first, ...columns] = header.map((cell) => cell.trim());
  const codes = columns.filter((code) => code !== '');
  if (first !== 'Date' || !codes.every((code) => CODE.test(code)) || !codes.includes('USD')) {
    throw new InvalidRatesFile(
      'line 1: must begin with Date, followed by currency codes including USD; use eurofxref.csv or eurofxref-hist.csv',
    );
  }
  if (rows.length === 0) throw new InvalidRatesFile('line 2: the file has no rates');
  const quoted = new Set<string>();
  const days = rows.map(([date = '', ...cells], i): PublishRates => {
    const line = i + 2;
    const rates = codes.flatMap((code, c): [string, string][] => {
      const rate = (cells[c] ?? '').trim();
      if (rate === NOT_QUOTED || rate === '') return [];
      if (!RATE.test(rate) || Number(rate) === 0)
        throw new InvalidRatesFile(`line ${line}: ${code} is ${JSON.stringify(rate)}, which is not a valid rate`);
      quoted.add(code);
      return [[code, rate]];
    });
    return {
      day: parseDay(date, line),
      rates: Object.fromEntries(rates),
    };
  });
  if (new Set(days.map((d) => d.day)).size < days.length)
    throw new InvalidRatesFile('the file contains the same day twice');
  const isCurrency = (code: string) => decimalsOf(code) !== undefined;
  return {
    days,
    unknownCurrencies: [...quoted].filter((code) => !isCurrency(code)),
    unquoted: codes.filter((code) => isCurrency(code) && !quoted.has(code)),
  };
}

function parseCsv(text: string): string[][] {
  try {
    return parse(text, { bom: true, skip_empty_lines: true, relax_column_count: true });
  } catch (err) {
    throw new InvalidRatesFile(`the file is not valid CSV: ${err instanceof Error ? err.message : String(err)}`);
  }
}

/** Parses a date: `2026-04-13` in the historical file, `13 April 2026` in the daily one. */
function parseDay(text: string, line: number): string {
  const date = text.trim();
  const read = [
    DateTime.fromISO(date, { zone: 'utc' }),
    DateTime.fromFormat(date, 'd MMMM yyyy', { zone: 'utc', locale: 'en' }),
  ];
  const day = read.find((d) => d.isValid)?.toISODate();
  if (!day) throw new InvalidRatesFile(`line ${line}: ${JSON.stringify(date)} is not a valid date`);
  return day;
}
