// Reads report files within bounds: of the bytes as they are sent, of those unpacked, of a row, and of the time.
import { errorCodeOf } from '../configuration/wrong-configuration.js';
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { refused } from '../../domain/books/refusal.js';
import { UploadRefused } from '../../domain/errors.js';
import type { OnRow, ReportFiles } from './port.js';

const MIB = 1024 * 1024;
const MAX_FILE_MIB = 64;
const MAX_UNPACKED_MIB = 512;
/** A longer row is an unclosed quotation mark, not data. */
const MAX_ROW_LENGTH = 100_000;
const MAX_COLUMNS = 200;
const MAX_MEMBERS = 50;
const ROWS_PER_TURN = 500;
/** A million lines take about twenty seconds of one core. */
const MAX_READING_MS = 180_000;

type Bounds = { readonly maxFileMiB: number; readonly maxUnpackedMiB: number; readonly maxReadingMs: number };

/** Opens a file on this machine. */
export const openReportFile = (path: string): AsyncIterable<Uint8Array> => createReadStream(path);

export function createReportFiles(bounds: Partial<Bounds> = {}): ReportFiles {
  const { maxFileMiB = MAX_FILE_MIB, maxUnpackedMiB = MAX_UNPACKED_MIB, maxReadingMs = MAX_READING_MS } = bounds;
  return {
    read: async (content, onRow) => {
      const file = await collect(content, maxFileMiB);
      const endsAt = performance.now() + maxReadingMs;
      const unpacked = await unpack(file);
      const digest = createHash('sha256');
      const bounded = unpacked.pipe(limitBytes(maxUnpackedMiB, digest));
      unpacked.on('error', (err) => bounded.destroy(err));
      try {
        await readRows(bounded, onRow, endsAt);
      } catch (err) {
        throw asRefusal(err);
      } finally {
        unpacked.destroy();
      }
      const sha256 = createHash('sha256').update(file).digest('hex');
      return { sha256, contentSha256: digest.digest('hex'), bytes: file.length };
    },
  };
}

async function collect(content: AsyncIterable<Uint8Array>, maxMiB: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of content) {
    bytes += part.length;
    if (bytes > maxMiB * MIB) {
      const message = `the file is larger than ${maxMiB} MiB; compress it with gzip`;
      throw new UploadRefused('too-large', message);
    }
    parts.push(part);
  }
  if (bytes === 0) throw new UploadRefused('empty', 'send the content of the file as the body');
  return Buffer.concat(parts);
}

async function unpack(file: Buffer): Promise<Readable> {
  if (file.subarray(0, 2).equals(Buffer.from('PK'))) return unzip(file);
  if (file[0] === 0x1f && file[1] === 0x8b) return Readable.from(slices(file)).pipe(createGunzip());
  return Readable.from(slices(file));
}

/** Slices, so that no step of the reading takes long. */
function* slices(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
}

/** Returns the only table of an archive. The library refuses members that are not of the size that the archive states. */
function unzip(file: Buffer): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const damaged = () => reject(refused('the ZIP archive is damaged; download it again'));
    fromBuffer(file, { lazyEntries: true }, (err, zip) => {
      if (err) return damaged();
      const tables: Entry[] = [];
      let members = 0;
      zip.on('error', damaged);
      zip.on('entry', (entry: Entry) => {
        if (++members > MAX_MEMBERS) return reject(refused(`the ZIP archive has more than ${MAX_MEMBERS} files`));
        if (/\.(csv|tsv|txt)$/i.test(entry.fileName) && !entry.fileName.startsWith('__MACOSX/')) tables.push(entry);
        zip.readEntry();
      });
      zip.on('end', () => {
        const [table, another] = tables;
        if (!table) return reject(refused('the ZIP archive has no .csv, .tsv or .txt file'));
        if (another) return reject(refused('the ZIP archive has several tables; send each by itself'));
        openMember(zip, table).then(resolve, damaged);
      });
      zip.readEntry();
    });
  });
}

function openMember(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (err, stream) => (err ? reject(err) : resolve(stream)));
  });
}

/** `digest` is of all bytes that pass. */
function limitBytes(maxMiB: number, digest: Hash): Transform {
  let bytes = 0;
  return new Transform({
    transform: (part: Buffer, _encoding, done: TransformCallback) => {
      bytes += part.length;
      digest.update(part);
      if (bytes <= maxMiB * MIB) return done(null, part);
      done(new UploadRefused('too-large', `the file is larger than ${maxMiB} MiB when unpacked; split it by account`));
    },
  });
}

async function readRows(bytes: Readable, onRow: OnRow, endsAt: number): Promise<void> {
  const texts = decode(bytes);
  const first = await texts.next();
  if (first.done) throw refused('the file is empty');
  const head = first.value;
  const start = head.slice(0, 20_000);
  // A title may have a tab, or a comma, of its own.
  const isTabbed = start.split('\t').length > start.split(',').length;
  const rows = parse({
    delimiter: isTabbed ? '\t' : ',',
    // Tables with tabs are written without quotation marks: one in a title is a character.
    quote: isTabbed ? null : '"',
    relax_column_count: true,
    // The payments page writes its sum half outside of quotation marks.
    relax_quotes: start.includes('Payments and Financial Reports'),
    max_record_size: MAX_ROW_LENGTH,
    info: true,
  });
  const input = Readable.from(withFirst(head, texts));
  let count = 0;
  input.on('error', (err) => rows.destroy(err));
  for await (const { record, info } of input.pipe(rows) as AsyncIterable<Row>) {
    if (record.length > MAX_COLUMNS) throw refused(`line ${info.lines} has more than ${MAX_COLUMNS} columns`);
    onRow(info.lines, record);
    // Requests of others come between: a file in memory is read without a pause of its own.
    if (++count % ROWS_PER_TURN === 0) await setImmediate();
    if (performance.now() > endsAt) throw refused('reading the file took too long; split it by account');
  }
}

type Row = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

async function* withFirst(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/** Decodes UTF-8 or UTF-16, by the byte order mark or by the zero bytes of its first characters. */
async function* decode(bytes: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const part of bytes) {
    decoder ??= new TextDecoder(encodingOf(part), { fatal: true });
    const text = decodePart(decoder, part);
    if (text !== '') yield text;
  }
  const rest = decoder ? decodePart(decoder, null) : '';
  if (rest !== '') yield rest;
}

function decodePart(decoder: InstanceType<typeof TextDecoder>, part: Buffer | null): string {
  try {
    return part ? decoder.decode(part, { stream: true }) : decoder.decode();
  } catch {
    throw refused('the file is neither UTF-8 nor UTF-16 text; send it as the store wrote it');
  }
}

function encodingOf(head: Buffer): string {
  const [first = -1, second = -1] = head;
  if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0)) return 'utf-16be';
  return 'utf-8';
}

function asRefusal(err: unknown): unknown {
  if (err instanceof CsvError) {
    const { lines } = err as CsvError & { readonly lines?: number };
    return refused(`line ${lines ?? '?'}: a quotation mark is not closed, or the row is too long`);
  }
  const code = errorCodeOf(err);
  const isDamaged = code !== undefined && code.startsWith('Z_');
  const isOfArchive = err instanceof Error && err.constructor === Error;
  return isDamaged || isOfArchive ? refused('the compressed file is damaged; download it again') : err;
}
