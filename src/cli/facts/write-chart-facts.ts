// Writer of the facts behind the charts of a project, and the charts as SQL over them. Every file gets its name when it is complete.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from '../../adapters/sqlite/copy.js';
import { addIntervals, DAY_MS, startOf, startOfDay } from '../../domain/charts/calendar.js';
import { charts } from '../../domain/charts/catalogue/catalogue.js';
import type { SoldProduct } from '../../domain/charts/catalogue/chart-query.js';
import { factsOf } from '../../domain/charts/facts/customer-facts.js';
import {
  chartFactTableNames,
  chartFactTables,
  type ChartFactTable,
} from '../../domain/charts/facts/chart-fact-tables.js';
import type { CustomerHistory } from '../../domain/charts/history/history.js';
import { knownHistoryOf, type Environment } from '../../domain/charts/history/known-history.js';
import { viewOf } from '../../domain/charts/sql/charts-sql.js';
import { preambleOf } from '../../domain/charts/sql/preamble.js';
import { isoFromMs } from '../../domain/time.js';
import { createParquetTable } from './parquet-table.js';
import { createPart, partOf } from './part-files.js';

export type Customers = AsyncIterable<readonly (CustomerHistory & { readonly customerId: string })[]>;

export type ChartFacts = {
  readonly projectId: string;
  readonly environment: Environment;
  /** UTC ms; excludes everything that took effect or was recorded at or after it. */
  readonly asOf: number;
  readonly sold: readonly SoldProduct[];
};

export const SQL_FILE = 'charts.sql';
/** First line of {@link SQL_FILE}, which identifies an earlier export. */
export const SQL_TITLE = '-- The charts of Subledger in SQL, for DuckDB 1.5.';
export const factFiles: readonly string[] = [...chartFactTableNames.map((table) => `${table}.parquet`), SQL_FILE];

/** Returns the number of rows by table. The folder exists; files of an earlier export are replaced. */
export async function writeChartFacts(
  folder: string,
  customers: Customers,
  o: ChartFacts,
): Promise<ReadonlyMap<ChartFactTable, number>> {
  const tables = chartFactTableNames.map((name) => {
    const part = createPart(join(folder, `${name}.parquet`));
    return { name, part, file: createParquetTable(part, chartFactTables[name].columns) };
  });
  for await (const page of customers) {
    for (const customer of page) {
      const history = knownHistoryOf(customer, o.environment, o.asOf);
      const facts = history && factsOf(customer.customerId, history, o.sold);
      if (facts) for (const { name, file } of tables) await file.add(facts[name]);
    }
  }
  const counts = new Map<ChartFactTable, number>();
  for (const { name, file } of tables) counts.set(name, await file.end());
  const sqlPart = createPart(join(folder, SQL_FILE));
  writeFileSync(sqlPart, chartsSql(o));
  for (const part of [...tables.map((table) => table.part), sqlPart]) syncPath(part);
  // Deleted first, so that a folder with a mixture of old and new files is not mistaken for an export.
  rmSync(join(folder, SQL_FILE), { force: true });
  for (const file of factFiles.map((name) => join(folder, name))) renameSync(partOf(file), file);
  return counts;
}

/** Returns the content of {@link SQL_FILE}: it queries the twelve months up to the day of the export. */
export function chartsSql({ projectId, environment, asOf }: ChartFacts): string {
  const today = startOfDay(asOf - 1);
  const sqlInstant = (ms: number) =>
    isoFromMs(ms)
      .replace('T', ' ')
      .replace(/(\.000)?Z$/, '');
  const start = addIntervals('month', startOf('month', today), -11);
  const question = { asOf: sqlInstant(asOf), start: sqlInstant(start), end: sqlInstant(today + DAY_MS) };
  const title = `${SQL_TITLE}
--
-- Facts of project ${projectId}, ${environment}, as known at ${isoFromMs(asOf)}; written by subledger export-facts.
-- Run it in the folder of the Parquet files, then read a chart, and change the question:
--
--   duckdb -init ${SQL_FILE}
--   FROM mrr;
--   SET VARIABLE interval = 'week'; SET VARIABLE segment = 'store';
--   FROM revenue;`;
  return `${[title, preambleOf(question), '-- 8. The charts', ...charts.map(viewOf)].join('\n\n')}\n`;
}
