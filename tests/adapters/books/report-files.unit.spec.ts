// Files of reports: their forms, and the bound of each thing that a sender chooses.
import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { createReportFiles } from '../../../src/adapters/books/report-files.js';
import { zipOf } from '../../http/support/zip.js';

const files = createReportFiles({ maxFileMiB: 1, maxUnpackedMiB: 1 });
const MIB = 1024 * 1024;

async function* parts(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 1000) yield content.subarray(at, at + 1000);
}

async function rowsOf(content: Buffer | string, reader = files) {
  const rows: [number, readonly string[]][] = [];
  await reader.read(parts(Buffer.from(content)), (line, cells) => rows.push([line, cells]));
  return rows;
}

async function refusalOf(content: Buffer | string, reader = files): Promise<string> {
  try {
    await rowsOf(content, reader);
    return 'read';
  } catch (err) {
    return (err as Error).message;
  }
}

describe('a file of a report', () => {
  const text = 'name,größe\n"a, ""b""",1\n';
  const rows = [
    [1, ['name', 'größe']],
    [2, ['a, "b"', '1']],
  ];
  const big = Buffer.from(text, 'utf16le').swap16();
  const forms: readonly [form: string, content: Buffer][] = [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(text, 'utf16le')],
    ['big-endian UTF-16', Buffer.concat([Buffer.from([0xfe, 0xff]), big])],
    ['gzip', gzipSync(text)],
    ['a ZIP archive', zipOf('table.csv', text)],
    ['lines that end as in Windows', Buffer.from(text.replaceAll('\n', '\r\n'))],
  ];
  for (const [form, content] of forms)
    it(`is read from ${form}`, async () => {
      expect(await rowsOf(content)).to.deep.equal(rows);
    });

  it('has quotation marks as characters between tabs', async () => {
    expect(await rowsOf('a\t"b" c\n')).to.deep.equal([[1, ['a', '"b" c']]]);
  });

  const many = 'a,b\n'.repeat(MIB / 2);
  const refusals: readonly [what: string, content: Buffer | string, message: RegExp][] = [
    ['is larger than it may be', Buffer.alloc(2 * MIB, 'a'), /larger than 1 MiB; compress it/],
    ['unpacks to more from gzip', gzipSync(many), /larger than 1 MiB when unpacked/],
    ['has an archive of no table', zipOf('image.png', text), /has no \.csv, \.tsv or \.txt file/],
    ['has an archive that lies about a size', lyingZip(), /archive is damaged|compressed file is damaged/],
    ['has more columns than it may', `${'a,'.repeat(300)}\n`, /more than 200 columns/],
    ['has a row without an end', `"${'a'.repeat(200_000)}`, /quotation mark is not closed/],
    ['is cut off', gzipSync(many).subarray(0, 100), /compressed file is damaged/],
    ['is a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0xfd]), /neither UTF-8 nor UTF-16/],
  ];
  for (const [what, content, message] of refusals)
    it(`is refused when it ${what}`, async () => {
      expect(await refusalOf(content)).to.match(message);
    });

  it('is refused when reading it takes too long', async () => {
    const hurried = createReportFiles({ maxReadingMs: 0 });
    expect(await refusalOf('a,b\n'.repeat(20_000), hurried)).to.match(/took too long/);
  });

  function lyingZip(): Buffer {
    const zip = zipOf('table.csv', text.repeat(10));
    // The size of the unpacked file, in both places.
    for (const at of [22, zip.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24]) zip.writeUInt32LE(3, at);
    return zip;
  }
});
