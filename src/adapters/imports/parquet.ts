// Rows of a Parquet file. A damaged or forged file can claim more rows than any memory has, and no check in advance keeps that from ending
// the process that decodes it: imports read their files in a process of their own.
import { open } from 'node:fs/promises';
import { columnNames, openParquetFile, ParquetFault, rowBatches } from './parquet-rows.js';
import { UnreadableFile, type OpenedFile, type ReadBudget } from './port.js';

/** First bytes of a file. */
export const PARQUET = Buffer.from('PAR1');

/** Returns true if the rows of a file are read many at a time, which needs memory for a group of them. */
export async function anyHasRowGroups(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const file = await open(path).catch(() => null);
    const head = await file?.read(Buffer.alloc(4), 0, 4, 0).catch(() => null);
    await file?.close();
    if (head?.buffer.equals(PARQUET)) return true;
  }
  return false;
}

/** Throws {@link UnreadableFile}, also while rows are read. */
export async function openParquet(path: string, name: string, size: number, budget: ReadBudget): Promise<OpenedFile> {
  const opened = openParquetFile(path).then((one) => ({ file: one, columns: columnNames(one) }));
  const { file, columns } = await opened.catch((err: unknown) => Promise.reject(unreadable(name, err)));
  const rowCount = Number(file.metadata.num_rows);
  let done = 0;
  return {
    name,
    size,
    format: 'table',
    columns,
    bytesRead: () => Math.round((done / Math.max(1, rowCount)) * size),
    rows: async function* () {
      try {
        for await (const rows of rowBatches(file)) {
          for (const row of rows) {
            budget.takeRow();
            budget.take(row.reduce((bytes, value) => bytes + 1 + (value?.length ?? 0), 0));
            const values = Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null]));
            yield { from: { file: name, row: ++done }, values };
          }
        }
      } catch (err) {
        throw unreadable(name, err);
      }
    },
  };
}

function unreadable(name: string, err: unknown): UnreadableFile {
  if (err instanceof UnreadableFile) return err;
  if (err instanceof ParquetFault) return new UnreadableFile(`${name}${err.message}`, { cause: err.cause });
  return new UnreadableFile(`${name} is a damaged Parquet file; export the file again, or as CSV`, { cause: err });
}
