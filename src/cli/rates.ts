// `subledger rates import`: imports a reference rate file of the European Central Bank, with or without a running service.
import { readFileSync } from 'node:fs';
import { readConfig } from '../adapters/configuration/config.js';
import { InvalidRatesFile, readEcbFile, type EcbFile } from '../adapters/rates/ecb-file.js';
import { systemRuntime } from '../adapters/runtime.js';
import { importRates, type ImportedRates } from '../commands/catalog/exchange-rates.js';
import { createKeyedMutex } from '../commands/handling/keyed-mutex.js';
import { Failure } from './support/failure.js';
import { onService } from './support/on-service.js';
import { expectReadableFile } from './support/path-arguments.js';
import { printResult } from './support/print-result.js';

export async function importRatesFile(file: string, o: { readonly json?: true }): Promise<void> {
  const runtime = systemRuntime();
  const config = readConfig(process.env);
  const { days, unknownCurrencies, unquoted } = readFile(file);
  const importId = runtime.newId('imp');
  const request = { kind: 'rates' as const, importId, days: [...days] };
  const imported = await onService<ImportedRates>(config, runtime, request, ({ log }) =>
    importRates({ log, runtime, mutex: createKeyedMutex() }, days, importId),
  );
  const result = { ...imported, unknownCurrencies, unquoted };
  printResult(o, result, describe(result));
}

const CURE = "give eurofxref.csv or eurofxref-hist.csv from the European Central Bank's website, unzipped";

function readFile(file: string): EcbFile {
  expectReadableFile({ name: 'FILE', path: file, cure: CURE });
  try {
    return readEcbFile(readFileSync(file, 'utf8'));
  } catch (err) {
    if (err instanceof InvalidRatesFile) throw new Failure(`FILE ${file}: ${err.message}; ${CURE}`);
    throw err;
  }
}

function describe(r: ImportedRates & Pick<EcbFile, 'unknownCurrencies' | 'unquoted'>): readonly string[] {
  const same = r.days - r.published - r.corrected;
  return [
    `${r.days} days from ${r.from} to ${r.to}: ${r.published} new, ${r.corrected} corrected, ${same} unchanged.`,
    ...(r.unknownCurrencies.length > 0
      ? [`Not in the current ISO 4217 table, imported anyway: ${r.unknownCurrencies.join(', ')}.`]
      : []),
    ...(r.unquoted.length > 0 ? [`Without a rate in this file: ${r.unquoted.join(', ')}.`] : []),
  ];
}
