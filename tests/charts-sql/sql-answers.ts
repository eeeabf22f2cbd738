// Answers of charts from the exported files, by the statements that lie beside them, in the form in which the reference gives them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { SQL_FILE } from '../../src/cli/facts/export-chart-facts.js';
import type { ChartQuery } from '../../src/domain/charts/catalogue/chart-query.js';

type Row = Readonly<Record<string, string | number | boolean | null>>;

export type SqlCharts = {
  /** Returns the results by segment; `all` without one. */
  ask(q: ChartQuery): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
};

export async function openSqlCharts(folder: string): Promise<SqlCharts> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`SET VARIABLE folder = '${folder}'`);
  await connection.run(readFileSync(join(folder, SQL_FILE), 'utf8'));
  return {
    ask: async (q) => {
      await connection.run(questionOf(q));
      return shown(q, await rowsOf(connection, `FROM ${q.chart.id}`));
    },
    close: () => connection.closeSync(),
  };
}

function questionOf({ range, filters, segment, selectors }: ChartQuery): string {
  const text = (value: string | null) => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`);
  const instant = (ms: number) => `TIMESTAMP '${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}'`;
  const entries = [...filters].map(([name, values]) => `${text(name)}: [${[...values].map(text).join(', ')}]`);
  const variables = {
    period_start: instant(range.start),
    period_end: instant(range.end),
    interval: text(range.interval),
    filters: `MAP {${entries.join(', ')}}`,
    segment: text(segment),
    revenue_type: text(selectors.revenueType),
    conversion_timeframe: selectors.conversionTimeframe ?? 'NULL',
    customer_lifetime: selectors.customerLifetime ?? 'NULL',
    status_measure: text(selectors.statusMeasure),
    product_duration: text(selectors.productDuration),
    cohort: text(selectors.cohort),
    cohort_measure: text(selectors.cohortMeasure),
  };
  return Object.entries(variables)
    .map(([name, value]) => `SET VARIABLE ${name} = ${value};`)
    .join('\n');
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly Row[]> {
  const reader = await connection.runAndReadAll(sql);
  const types = reader.columnTypes().map((type) => type.toString());
  const names = reader.columnNames();
  return reader
    .getRowsJson()
    .map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i] ?? '', plain(cell, types[i] ?? '')])));
}

function plain(cell: unknown, type: string): string | number | boolean | null {
  if (cell === null || typeof cell === 'boolean') return cell;
  if (type.startsWith('TIMESTAMP')) return new Date(`${String(cell).replace(' ', 'T')}Z`).toISOString();
  return type === 'VARCHAR' ? String(cell) : Number(cell);
}

function shown({ chart, range }: ChartQuery, rows: readonly Row[]): Readonly<Record<string, unknown>> {
  const segments = groupBy(rows, (row) => String(row['segment']));
  return Object.fromEntries(
    [...segments].map(([segment, own]) => [segment, chart.kind === 'series' ? series(own) : cohorts(own, range.asOf)]),
  );
}

function series(rows: readonly Row[]): unknown {
  const buckets = rows.map(({ segment: _, bucket_start: start, bucket_end: end, incomplete, ...values }) => {
    return { start, end, incomplete, values };
  });
  return { kind: 'series', buckets };
}

/** A row without columns is one of nulls. */
function cohorts(rows: readonly Row[], asOf: number): unknown {
  const byStart = groupBy(rows, (row) => String(row['bucket_start']));
  return {
    kind: 'cohort',
    rows: [...byStart.values()].map((own) => {
      const columns = own.flatMap(({ segment: _, bucket_start, bucket_end, size, ...column }) =>
        column['index'] === null ? [] : [column],
      );
      const { bucket_start: start = null, bucket_end: end = null, size = null } = own[0] ?? {};
      // The statements say of columns whether they are incomplete; of a row it follows from its end.
      return { start, end, incomplete: String(end) > new Date(asOf).toISOString(), size, columns };
    }),
  };
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
