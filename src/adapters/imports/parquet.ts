// Rows of a Parquet file, read by row group, as texts by column.
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, type FileMetaData } from 'hyparquet';
import { UnreadableFile, type OpenedFile } from './port.js';

/** Throws {@link UnreadableFile}. */
export async function openParquet(path: string, name: string, size: number): Promise<OpenedFile> {
  const file = await asyncBufferFromFile(path);
  let metadata: FileMetaData;
  try {
    metadata = await parquetMetadataAsync(file);
  } catch (err) {
    throw new UnreadableFile(`${name} is not a complete Parquet file: ${(err as Error).message}`);
  }
  const columns = metadata.schema.slice(1).map((element) => element.name);
  let done = 0;
  return {
    name,
    size,
    format: 'table',
    columns,
    bytesRead: () => Math.round((done / Math.max(1, Number(metadata.num_rows))) * size),
    rows: async function* () {
      for (const group of metadata.row_groups) {
        const [rowStart, rowEnd] = [done, done + Number(group.num_rows)];
        let rows: readonly Record<string, unknown>[];
        try {
          rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd });
        } catch (err) {
          throw new UnreadableFile(`${name}, row ${rowStart + 1}: ${(err as Error).message}`);
        }
        for (const row of rows) {
          done++;
          const values = Object.fromEntries(Object.entries(row).map(([column, value]) => [column, textOf(value)]));
          yield { from: { file: name, row: done }, values };
        }
      }
    },
  };
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
