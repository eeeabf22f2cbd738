// Random and damaged files are read, or refused with what to do: nothing else is thrown, and nothing is read for long.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { openImportFile } from '../../../src/adapters/imports/files.js';
import { UnreadableFile } from '../../../src/adapters/imports/port.js';

const FILES = Number(process.env['FILES'] ?? 300);
const SEED = Number(process.env['SEED'] ?? 53);
const COLUMNS = 'rc_original_app_user_id,store,product_identifier,start_time,store_transaction_id';
const table = `${COLUMNS}\n${'ann,app_store,pro,2026-01-01 00:00:00,tx-1\n'.repeat(20)}`;
const lines = '{"type":"customer","appUserId":"ann","aliases":["bob"]}\n'.repeat(20);
const parquet = Buffer.from(
  parquetWriteBuffer({ columnData: COLUMNS.split(',').map((name) => ({ name, data: ['ann', 'pro', null] })) }),
);
const valid = [Buffer.from(table), Buffer.from(lines), gzipSync(table), gzipSync(lines), parquet] as const;
const SPECIAL = [0x00, 0x0a, 0x22, 0x2c, 0x5b, 0x7b, 0xc3, 0xff] as const;

describe('damaged files of an import', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-spec-'));
  after(() => rmSync(folder, { recursive: true }));

  it('are read or refused with their name and a message of this service, for any error of a library', async () => {
    const random = createRandom(SEED);
    const ends = { read: 0, refused: 0 };
    let causes = 0;
    for (let n = 0; n < FILES; n++) {
      const path = join(folder, `file-${n}`);
      writeFileSync(path, fileOf(random, n));
      try {
        await readAll(path);
        ends.read++;
      } catch (err) {
        if (!(err instanceof UnreadableFile)) throw new Error(`seed ${SEED}, file ${n}`, { cause: err });
        expect(err.message).to.include(`file-${n}`);
        if (err.cause instanceof Error) {
          expect(err.message, `seed ${SEED}, file ${n}`).not.to.include(err.cause.message);
          causes++;
        }
        ends.refused++;
      }
    }
    expect(ends.read, 'some files stay valid').to.be.greaterThan(10);
    expect(ends.refused, 'some files are damaged').to.be.greaterThan(10);
    expect(causes, 'some libraries refused one').to.be.greaterThan(10);
  });
});

type Random = (below: number) => number;

/** Returns random bytes behind the mark of a format, or a valid file with bytes changed, left out, repeated or cut off. */
function fileOf(random: Random, n: number): Buffer {
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => random(256)));
  if (n % 5 === 0) {
    const marks = ['', '{', '[', 'PAR1', '\u001f\u008b'] as const;
    return Buffer.concat([Buffer.from(marks[random(marks.length)] ?? '', 'latin1'), bytes(1 + random(2000))]);
  }
  let file = Buffer.from(valid[random(valid.length)] ?? valid[0]);
  for (let change = random(4); change > 0; change--) {
    const at = random(file.length);
    const kind = random(4);
    if (kind === 0) file[at] = SPECIAL[random(SPECIAL.length)] ?? 0;
    else if (kind === 1) file = Buffer.concat([file.subarray(0, at), file.subarray(at + 1 + random(30))]);
    else if (kind === 2) file = Buffer.concat([file.subarray(0, at), bytes(random(20)), file.subarray(at)]);
    else file = file.subarray(0, Math.max(1, at));
  }
  return file;
}

async function readAll(path: string): Promise<void> {
  const file = await openImportFile(path);
  const rows = file.format === 'table' ? file.rows() : file.lines();
  let count = 0;
  for await (const _ of rows) count++;
  expect(count).to.be.lessThan(1000);
}

function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
