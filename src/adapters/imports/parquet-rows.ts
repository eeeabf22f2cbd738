// Contents of a Parquet file as texts, column by column of one row group at a time.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import type { AsyncBuffer, ColumnData, Compressors, FileMetaData, SchemaElement } from 'hyparquet';

export type ParquetFile = { readonly file: AsyncBuffer; readonly metadata: FileMetaData };

/** A file that is not read. The message continues a sentence that begins with the name of the file. */
export class ParquetFault extends Error {}

/** Number of rows in a row group at most: writers put a million into one by default. */
const MAX_GROUP_ROWS = 4_000_000;
/** Number of rows in a batch. */
const BATCH = 500;
/** No export has a tenth of it. */
const MAX_COLUMNS = 1000;
const UNPACKED = { GZIP: gunzipSync, BROTLI: brotliDecompressSync } as const;
const compressors: Compressors = {
  GZIP: (bytes, size) => UNPACKED.GZIP(bytes, { maxOutputLength: Math.max(1, size) }),
  BROTLI: (bytes, size) => UNPACKED.BROTLI(bytes, { maxOutputLength: Math.max(1, size) }),
};
const CODECS: ReadonlySet<string> = new Set(['UNCOMPRESSED', 'SNAPPY', ...Object.keys(UNPACKED)]);

/** Throws {@link ParquetFault}. */
export async function openParquetFile(path: string): Promise<ParquetFile> {
  const file = await asyncBufferFromFile(path);
  let metadata: FileMetaData;
  try {
    metadata = await parquetMetadataAsync(file);
  } catch (err) {
    throw new ParquetFault(' is not a complete Parquet file; export the file again, or as CSV', { cause: err });
  }
  if (metadata.schema.length > MAX_COLUMNS)
    throw new ParquetFault(` has ${metadata.schema.length} columns; export it with at most ${MAX_COLUMNS}`);
  expectConsistent(metadata);
  return { file, metadata: { ...metadata, schema: metadata.schema.map(withConvertedType) } };
}

/** Rows that the footer counts and no row group has would be lost without a word. */
function expectConsistent({ num_rows: rows, row_groups: groups }: FileMetaData): void {
  const counts = groups.map((group) => Number(group.num_rows));
  if (counts.some((count) => count < 0) || counts.reduce((a, b) => a + b, 0) !== Number(rows))
    throw new ParquetFault(
      ` is damaged: its row groups do not have the ${rows} rows of its footer; export the file again`,
    );
  const largest = Math.max(0, ...counts);
  if (largest > MAX_GROUP_ROWS)
    throw new ParquetFault(
      ` has a row group of ${largest} rows; export it with at most ${MAX_GROUP_ROWS} rows in each, or as CSV`,
    );
  for (const { columns } of groups)
    for (const { meta_data: column } of columns)
      if (column && !CODECS.has(column.codec))
        throw new ParquetFault(` is compressed with ${column.codec}; export it with Snappy, gzip or Brotli, or as CSV`);
}

/** Newer writers state some types only as logical types, which the reader takes for plain numbers. */
function withConvertedType(element: SchemaElement): SchemaElement {
  const { logical_type: logical, converted_type: converted } = element;
  if (converted !== undefined || !logical) return element;
  if (logical.type === 'DECIMAL') return { ...element, converted_type: 'DECIMAL', scale: logical.scale };
  return logical.type === 'DATE' ? { ...element, converted_type: 'DATE' } : element;
}

/** Returns the names of the columns; one that contains lists or records is one column. */
export function columnNames({ metadata }: ParquetFile): readonly string[] {
  return parquetSchema(metadata).children.map(({ element }) => element.name);
}

/** Yields the rows as texts in the order of the columns. Throws {@link ParquetFault}, and the errors of the reader for a damaged file. */
export async function* rowBatches(opened: ParquetFile): AsyncIterable<readonly (readonly (string | null)[])[]> {
  const elements = parquetSchema(opened.metadata).children.map(({ element }) => element);
  let from = 0;
  for (const group of opened.metadata.row_groups) {
    const count = Number(group.num_rows);
    const columns: (readonly unknown[])[] = [];
    for (const { name } of elements) columns.push(await readColumn(opened, name, { from, count }));
    for (let start = 0; start < count; start += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - start) }, (_, i) =>
        elements.map((element, c) => textOf(columns[c]?.[start + i], element)),
      );
      yield rows;
    }
    from += count;
  }
}

async function readColumn(
  { file, metadata }: ParquetFile,
  name: string,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<readonly unknown[]> {
  if (count === 0) return [];
  const values: unknown[] = [];
  const onChunk = ({ columnData }: ColumnData) => {
    for (const value of columnData) values.push(value);
  };
  await parquetRead({ file, metadata, columns: [name], rowStart: from, rowEnd: from + count, compressors, onChunk });
  if (values.length === count) return values;
  throw new ParquetFault(
    `, row ${from + 1}: damaged: ${name} has ${values.length} values for ${count} rows; export the file again`,
  );
}

function textOf(value: unknown, { name, converted_type, scale = 0 }: SchemaElement): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (converted_type === 'DECIMAL' && typeof value === 'number') return decimalText(value, name, scale);
  if (typeof value === 'object') return JSON.stringify(value, (_, part: unknown) => numberOf(part));
  return String(value);
}

/** The reader multiplies decimals as binary fractions: the digits of the scale are the exact value again. */
function decimalText(value: number, name: string, scale: number): string {
  if (scale === 0 && !Number.isSafeInteger(value))
    throw new ParquetFault(`: ${name} has numbers of more than 15 digits; export the column as text`);
  return value.toFixed(scale);
}

function numberOf(part: unknown): unknown {
  return typeof part === 'bigint' ? Number(part) : part;
}
