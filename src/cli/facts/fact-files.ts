// Files of facts: Parquet in row groups of bounded size, under their names when they are complete.
import { rmSync } from 'node:fs';
import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { createPrivateFile } from '../../adapters/configuration/data-directory.js';
import type { Cell, Column, ColumnType, FactRow } from '../../domain/charts/facts/chart-facts.js';

type ParquetTable = {
  add(rows: readonly FactRow[]): Promise<void>;
  /** Completes the file and returns the number of its rows. */
  end(): Promise<number>;
};

/** Name of the writer at the end of every file. */
export const WRITER = 'subledger export-facts';
/** Number of rows in memory at once. */
const ROW_GROUP = 20_000;

const elements: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // Has no time zone: readers then cut days in UTC, whatever their own zone.
  instant: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
  usd: { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6 },
  flag: { type: 'BOOLEAN' },
  count: { type: 'INT32' },
};

/** Creates or overwrites `file`. */
export function createParquetTable(file: string, columns: readonly Column[]): ParquetTable {
  const fields = columns.map(({ name, type }) => ({ ...elements[type], name, repetition_type: 'OPTIONAL' as const }));
  const schema = [{ name: 'root', num_children: fields.length }, ...fields];
  const writer = new ParquetWriter({ writer: fileWriter(file), schema, createdBy: WRITER });
  let waiting: FactRow[] = [];
  let count = 0;
  const writeGroup = async (): Promise<void> => {
    const columnData = columns.map(({ name, type }, i) => ({
      name,
      data: waiting.map((row) => storedValue(row[i] ?? null, type)),
    }));
    count += waiting.length;
    waiting = [];
    await writer.write({ columnData, rowGroupSize: ROW_GROUP });
  };
  return {
    add: async (rows) => {
      for (const row of rows) waiting.push(row);
      if (waiting.length >= ROW_GROUP) await writeGroup();
    },
    end: async () => {
      if (waiting.length > 0) await writeGroup();
      await writer.finish();
      return count;
    },
  };
}

function storedValue(cell: Cell, type: ColumnType): Cell | bigint {
  return typeof cell === 'number' && type !== 'count' ? BigInt(cell) : cell;
}

export const partOf = (file: string): string => `${file}.part`;

/** Creates the empty file under its temporary name, which it returns. One left by an earlier run may have another mode: it is replaced. */
export function createPart(file: string): string {
  const part = partOf(file);
  rmSync(part, { force: true });
  createPrivateFile(part);
  return part;
}
