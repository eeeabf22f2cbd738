// `subledger export-facts DIR`: exports customers, subscriptions and transactions as files for analysts' tools, read page by page from the
// served read models, with or without a running service. With --to it exports the facts of the charts.
import { scanPages } from '../../adapters/documents/records.js';
import { once } from 'node:events';
import { createWriteStream, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { csvRules } from '../../adapters/csv.js';
import { syncPath } from '../../adapters/sqlite/copy.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { customers } from '../../projections/models/customers.js';
import { projects } from '../../projections/models/projects.js';
import { transactions } from '../../projections/models/transactions.js';
import { WrongUse } from '../support/outcome.js';
import { exportChartFacts, type ChartFactsOptions } from './export-chart-facts.js';
import { createPart } from './fact-files.js';
import { describeColumns, factTables, type Cell, type FactTable } from './fact-tables.js';
import { withReading, openReadModels, requireProject } from '../support/open-for-reading.js';
import { expectFolder, writingTo } from '../support/arguments.js';

export type ExportOptions = {
  readonly format?: 'parquet' | 'csv';
  readonly project?: string;
} & Partial<Omit<ChartFactsOptions, 'project'>>;

type TableOptions = { readonly format: 'parquet' | 'csv'; readonly project?: string };

/** Number of rows per page of documents and per row group of a Parquet file, which bounds memory. */
const PAGE = 1000;

type Sink = { write(rows: readonly (readonly Cell[])[]): Promise<void>; end(): Promise<void> };

export async function exportFacts(directory: string | undefined, o: ExportOptions): Promise<void> {
  const { to, project, environment = 'production', asOf, format = 'parquet' } = o;
  if ((directory === undefined) === (to === undefined)) {
    throw new WrongUse('give either DIR, or --to FOLDER for the chart facts');
  }
  if (directory !== undefined) {
    if (o.environment !== undefined || asOf !== undefined) {
      throw new WrongUse('--environment and --as-of require --to FOLDER');
    }
    return exportTables(directory, { format, ...(project !== undefined && { project }) });
  }
  if (o.format === 'csv') throw new WrongUse('--format csv requires DIR; chart facts are Parquet only');
  if (project === undefined) throw new WrongUse('--to requires --project ID: chart facts are those of one project');
  await exportChartFacts({ to: to ?? '', project, environment, ...(asOf !== undefined && { asOf }) });
}

async function exportTables(directory: string, o: TableOptions): Promise<void> {
  const argument = { name: 'DIR', path: directory, cure: 'give a directory that this user may write to' } as const;
  await withReading(async ({ docs }) => {
    const readModels = await openReadModels(docs, [customers, projects, transactions]);
    if (o.project !== undefined) await requireProject(readModels, o.project);
    expectFolder(argument);
    await writingTo(argument, async () => {
      for (const table of factTables) {
        const rows = await exportTable(readModels, table, join(directory, `${table.name}.${o.format}`), o);
        process.stdout.write(`${table.name}: ${rows} rows\n`);
      }
      rmSync(join(directory, 'README.md'), { force: true });
      writeFileSync(join(directory, 'README.md'), describeColumns(), { mode: 0o600 });
    });
  });
}

async function exportTable(readModels: ReadModels, table: FactTable, file: string, o: TableOptions): Promise<number> {
  const part = createPart(file);
  const sink = o.format === 'csv' ? csvFile(part, table) : parquetFile(part, table);
  let rows = 0;
  const everything = { index: 'id', eq: [], limit: PAGE };
  for await (const tableRows of scanPages(everything, (scan) => table.scan(readModels, scan, o.project))) {
    if (tableRows.length > 0) await sink.write(tableRows);
    rows += tableRows.length;
  }
  await sink.end();
  syncPath(part);
  renameSync(part, file);
  return rows;
}

function csvFile(file: string, { columns }: FactTable): Sink {
  const csv = stringify({ header: true, columns: columns.map((c) => c.name), ...csvRules });
  const target = csv.pipe(createWriteStream(file));
  return {
    write: async (rows) => {
      for (const row of rows) if (!csv.write(row)) await once(csv, 'drain');
    },
    end: async () => {
      csv.end();
      await once(target, 'finish');
    },
  };
}

function parquetFile(file: string, { columns }: FactTable): Sink {
  const columnData = (rows: readonly (readonly Cell[])[]) =>
    columns.map(({ name, type }, i) => ({
      name,
      type,
      nullable: true,
      data: rows.map((r) => parquetValue(r[i] ?? null, type)),
    }));
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaFromColumnData({ columnData: columnData([]) }),
  });
  return {
    write: async (rows) => writer.write({ columnData: columnData(rows), rowGroupSize: PAGE }),
    end: async () => writer.finish(),
  };
}

function parquetValue(cell: Cell, type: string): Cell | bigint | Date {
  if (type === 'TIMESTAMP' && typeof cell === 'string') return new Date(cell);
  return type === 'INT64' && typeof cell === 'number' ? BigInt(cell) : cell;
}
