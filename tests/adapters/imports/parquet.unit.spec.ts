// Parquet files of an import, written by another implementation than the one that reads them: the same texts as in CSV, and for a damaged or
// forged file a message instead of missing rows.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { expect } from 'chai';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { openImportFile } from '../../../src/adapters/imports/files.js';
import { UnreadableFile } from '../../../src/adapters/imports/port.js';

const ROW = `
  'user-' || i AS id, TIMESTAMP '2026-11-01 10:00:00.123' AS start_time, NULL::TIMESTAMP AS end_time, true AS is_sandbox,
  0.1597::DECIMAL(18,6) AS tax, 9.99::DECIMAL(38,18) AS price, 4.99::DOUBLE AS usd, i::BIGINT AS renewal, ['pro', 'plus'] AS names`;
const VALUES = {
  ...{ start_time: '2026-11-01T10:00:00.123Z', end_time: null, is_sandbox: 'true', tax: '0.159700', usd: '4.99' },
  names: '["pro","plus"]',
};
const GROUP = 2048;

describe('a Parquet file of an import', function () {
  this.timeout(120_000);
  let folder: string;
  let db: DuckDBConnection;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parquet-'));
    db = await (await DuckDBInstance.create(':memory:')).connect();
  });
  after(() => {
    db.closeSync();
    rmSync(folder, { recursive: true, force: true });
  });

  const pathOf = (content?: Buffer): string => {
    const path = join(folder, 'export.parquet');
    if (content) writeFileSync(path, content);
    return path;
  };
  const written = async (options: string, count = 3000): Promise<string> => {
    await db.run(`COPY (SELECT ${ROW} FROM range(${count}) t(i)) TO '${pathOf()}' (FORMAT parquet, ${options})`);
    return pathOf();
  };
  const rowsOf = async (path: string) => {
    const file = await openImportFile(path);
    if (file.format !== 'table') throw new Error('not a table');
    const rows: Readonly<Record<string, string | null>>[] = [];
    for await (const { values } of file.rows()) rows.push(values);
    return { columns: file.columns, rows };
  };
  const faultOf = async (path: string): Promise<string> => {
    const fault = await rowsOf(path).catch((err: unknown) => err);
    expect(fault).to.be.instanceOf(UnreadableFile);
    return (fault as Error).message;
  };
  /** Writes a good file, changes its bytes, and returns its path. */
  const changed = async (change: (file: Buffer) => Buffer) =>
    pathOf(change(readFileSync(await written(`COMPRESSION snappy, ROW_GROUP_SIZE ${GROUP}`))));

  it('has the texts of a CSV file, in several row groups and by every supported compression', async () => {
    for (const codec of ['snappy', 'gzip', 'brotli', 'uncompressed']) {
      const { columns, rows } = await rowsOf(await written(`COMPRESSION ${codec}, ROW_GROUP_SIZE ${GROUP}`));
      expect(columns).to.deep.equal(['id', ...Object.keys(VALUES).slice(0, 4), 'price', 'usd', 'renewal', 'names']);
      expect(rows.map(({ id }) => id)).to.deep.equal(Array.from({ length: 3000 }, (_, i) => `user-${i}`));
      const { price, ...last } = rows.at(-1) ?? {};
      expect(last, codec).to.deep.equal({ ...VALUES, id: 'user-2999', renewal: '2999' });
      expect(Number(price)).to.equal(9.99);
    }
  });

  it('has decimals and days whose type is only stated in the newer form', async () => {
    const optional = { repetition_type: 'OPTIONAL' as const };
    const schema = [
      { name: 'root', num_children: 2 },
      {
        ...optional,
        ...{
          name: 'price',
          type: 'INT64' as const,
          logical_type: { type: 'DECIMAL' as const, scale: 2, precision: 9 },
        },
      },
      { ...optional, name: 'day', type: 'INT32' as const, logical_type: { type: 'DATE' as const } },
    ];
    const columnData = [
      { name: 'price', data: [999n, null, -50n] },
      { name: 'day', data: [20_000, null, 0] },
    ];
    const { rows } = await rowsOf(pathOf(Buffer.from(parquetWriteBuffer({ schema, columnData }))));
    expect(rows).to.deep.equal([
      { price: '9.99', day: '2024-10-04T00:00:00.000Z' },
      { price: null, day: null },
      { price: '-0.50', day: '1970-01-01T00:00:00.000Z' },
    ]);
  });

  it('is refused with other numbers of rows than its footer states: rows would be missing without a word', async () => {
    for (const rows of [50, -952, 5000, 100_000_000, 4_000_000_000]) {
      const path = await changed((file) => withRows(file, rows));
      expect(await faultOf(path), `${rows}`).to.match(
        /^export\.parquet is damaged: its row groups do not have the 3000 rows of its footer; export the file again$/,
      );
    }
  });

  it('is refused with a row group that no memory holds', async () => {
    const path = await changed((file) => withRows(withRows(file, 4_000_000_000 - GROUP), 4_000_000_000, 3000));
    expect(await faultOf(path)).to.match(/^export\.parquet has a row group of \d+ rows; export it with at most/);
  });

  it('is refused if it is cut off, encrypted, overwritten, or compressed in another way', async () => {
    expect(await faultOf(await changed((file) => file.subarray(0, -200)))).to.equal(
      'export.parquet is not a complete Parquet file; export the file again, or as CSV',
    );
    const encrypted = await changed((file) =>
      Buffer.concat([Buffer.from('PARE'), file.subarray(4, -4), Buffer.from('PARE')]),
    );
    expect(await faultOf(encrypted)).to.equal(
      'export.parquet is an encrypted Parquet file; export it without encryption',
    );
    expect(await faultOf(await changed((file) => file.fill(0x5a, 40, 400)))).to.match(
      /^export\.parquet is a damaged Parquet file; export the file again, or as CSV$/,
    );
    expect(await faultOf(await written('COMPRESSION zstd'))).to.equal(
      'export.parquet is compressed with ZSTD; export it with Snappy, gzip or Brotli, or as CSV',
    );
  });
});

/** Writes another number of rows into the footer: by default for the last row group, which has 952. */
function withRows(file: Buffer, rows: number, instead = 3000 - GROUP): Buffer {
  const length = file.readUInt32LE(file.length - 8);
  const footer = file.subarray(file.length - 8 - length, -8);
  const former = varintOf(instead);
  const at = instead === 3000 ? footer.indexOf(former) : footer.lastIndexOf(former);
  const other = Buffer.concat([footer.subarray(0, at), varintOf(rows), footer.subarray(at + former.length)]);
  const end = Buffer.alloc(4);
  end.writeUInt32LE(other.length);
  return Buffer.concat([file.subarray(0, file.length - 8 - length), other, end, Buffer.from('PAR1')]);
}

/** Integer as Parquet's footer stores it. */
function varintOf(value: number): Buffer {
  let rest = value < 0 ? BigInt(-value) * 2n - 1n : BigInt(value) * 2n;
  const bytes: number[] = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
