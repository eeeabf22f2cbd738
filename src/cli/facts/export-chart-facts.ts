// `subledger export-facts --to FOLDER`: exports the facts behind the charts of one project, with the charts as SQL over them, from the data
// of a running or stopped service.
import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scanPages } from '../../adapters/documents/records.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { syncPath } from '../../adapters/sqlite/copy.js';
import { soldProducts } from '../../domain/catalog/catalog.js';
import { addIntervals, DAY_MS, startOf, startOfDay } from '../../domain/charts/calendar.js';
import { charts } from '../../domain/charts/catalogue/catalogue.js';
import type { SoldProduct } from '../../domain/charts/catalogue/chart-query.js';
import {
  chartFactTableNames,
  chartFactTables,
  type ChartFactTable,
  factsOf,
} from '../../domain/charts/facts/chart-facts.js';
import type { CustomerHistory } from '../../domain/charts/history/history.js';
import { type Environment, knownHistoryOf } from '../../domain/charts/history/known-history.js';
import { viewOf } from '../../domain/charts/sql/charts-sql.js';
import { preambleOf } from '../../domain/charts/sql/preamble.js';
import { isoFromMs } from '../../domain/time.js';
import { customerHistories, type CustomerHistoryDoc } from '../../projections/charts/customer-histories.js';
import type { ProjectDoc } from '../../projections/models/projects.js';
import { readCatalogAsOf } from '../../projections/queries/as-of.js';
import { requireInstant, expectFolder, writingTo, type PathArgument } from '../support/arguments.js';
import { Failure, WrongUse } from '../support/outcome.js';
import { withReading, openChartReadModels, requireProject } from '../support/open-for-reading.js';
import { WRITER, createParquetTable, createPart, partOf } from './fact-files.js';

export type ChartFactsOptions = {
  readonly to: string;
  readonly project: string;
  readonly environment: Environment;
  readonly asOf?: string;
};

/** Number of customers per page. */
const PAGE = 500;
/** Number of bytes at the end of a Parquet file, or at the start of {@link SQL_FILE}, that identify the program that wrote it. */
const MARK_BYTES = 200;

export async function exportChartFacts(o: ChartFactsOptions): Promise<void> {
  const argument: PathArgument = { name: '--to', path: o.to, cure: 'give a new or empty folder' };
  const requested = o.asOf === undefined ? null : Date.parse(requireInstant('--as-of', o.asOf));
  await withReading(async ({ log, docs }) => {
    const now = systemRuntime().now();
    const readModels = await openChartReadModels(docs);
    const asOf = requested ?? now;
    expectKnown(await requireProject(readModels, o.project), asOf, now);
    expectFolder(argument);
    for (const name of factFiles) expectReplaceable(o.to, name);
    const sold = soldProducts(await readCatalogAsOf(log, o.project, isoFromMs(asOf - 1)));
    const facts = { projectId: o.project, environment: o.environment, asOf, sold };
    const scan = { index: 'project', eq: [o.project], limit: PAGE };
    const customers = docsOf(scanPages(scan, (page) => readModels.scan(customerHistories, page)));
    const counts = await writingTo(argument, () => writeChartFacts(o.to, customers, facts));
    for (const [table, rows] of counts) process.stdout.write(`${table}: ${rows} rows\n`);
    process.stdout.write(`As known at ${isoFromMs(asOf)}. Run in ${o.to}: duckdb -init ${SQL_FILE}\n`);
  });
}

/** Throws {@link WrongUse} for an instant without data. Times in UTC ms. */
function expectKnown({ createdAt }: ProjectDoc, asOf: number, now: number): void {
  if (asOf > now) throw new WrongUse(`--as-of ${isoFromMs(asOf)} is in the future; omit it for the current time`);
  if (asOf < Date.parse(createdAt)) {
    throw new WrongUse(`--as-of ${isoFromMs(asOf)} is before the project was created (${createdAt})`);
  }
}

/** Throws {@link Failure} for a file that no earlier export has written. */
function expectReplaceable(folder: string, name: string): void {
  const path = join(folder, name);
  if (!existsSync(path)) return;
  const isSql = name === SQL_FILE;
  if (markOf(path, isSql ? 'start' : 'end').includes(isSql ? SQL_TITLE : WRITER)) return;
  throw new Failure(`--to ${folder}: ${name} exists and was not written by this export; give a new or empty folder`);
}

function markOf(path: string, place: 'start' | 'end'): string {
  const file = openSync(path, 'r');
  try {
    const state = fstatSync(file);
    if (!state.isFile()) return '';
    const mark = Buffer.alloc(MARK_BYTES);
    const read = readSync(file, mark, 0, MARK_BYTES, place === 'start' ? 0 : Math.max(0, state.size - MARK_BYTES));
    return mark.toString('latin1', 0, read);
  } finally {
    closeSync(file);
  }
}

async function* docsOf(pages: AsyncIterable<readonly { readonly doc: CustomerHistoryDoc }[]>) {
  for await (const page of pages) yield page.map(({ doc }) => doc);
}

type Customers = AsyncIterable<readonly (CustomerHistory & { readonly customerId: string })[]>;

type ChartFacts = {
  readonly projectId: string;
  readonly environment: Environment;
  /** UTC ms; excludes everything that took effect or was recorded at or after it. */
  readonly asOf: number;
  readonly sold: readonly SoldProduct[];
};

export const SQL_FILE = 'charts.sql';
/** First line of {@link SQL_FILE}, which identifies an earlier export. */
const SQL_TITLE = '-- The charts of Subledger in SQL, for DuckDB 1.5.';
const factFiles: readonly string[] = [...chartFactTableNames.map((table) => `${table}.parquet`), SQL_FILE];

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
function chartsSql({ projectId, environment, asOf }: ChartFacts): string {
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
