// `subledger export-facts --to FOLDER`: exports the facts behind the charts of one project, with the charts as SQL over them, from the data
// of a running or stopped service.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { scanPages } from '../../adapters/documents/records.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { soldProducts } from '../../domain/catalog/catalog.js';
import type { Environment } from '../../domain/charts/history/known-history.js';
import { isoFromMs } from '../../domain/time.js';
import { customerHistories, type CustomerHistoryDoc } from '../../projections/charts/customer-histories.js';
import type { ProjectDoc } from '../../projections/models/projects.js';
import { readCatalogAsOf } from '../../projections/queries/as-of.js';
import { Failure, WrongUse } from '../support/failure.js';
import { requireInstant } from '../support/instant.js';
import { withReading } from '../support/open-for-reading.js';
import { openChartReadModels, requireProject } from '../support/open-read-models.js';
import { expectFolder, writingTo, type PathArgument } from '../support/path-arguments.js';
import { WRITER } from './parquet-table.js';
import { factFiles, SQL_FILE, SQL_TITLE, writeChartFacts } from './write-chart-facts.js';

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
