// The files of imports on this machine: CSV with commas, semicolons or tabs, lines of JSON, both also compressed with gzip, or Parquet. The
// format follows from the content, not from the name.
import { errorCodeOf } from '../configuration/wrong-configuration.js';
import { accessSync, constants, createReadStream, openSync, readSync, closeSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import { withoutHandMadeQuotes } from './hand-made-quotes.js';
import { openParquet, PARQUET } from './parquet.js';
import { UnreadableFile, type ImportStaging, type OpenedFile, type ReadBudget } from './port.js';
import { openImportStaging } from './staging.js';
import { systemFault } from './system-faults.js';

export const importFilesOnDisk = {
  open: (path: string, budget?: ReadBudget): Promise<OpenedFile> => openImportFile(path, budget),
  isHere: (path: string): boolean => {
    try {
      accessSync(path, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  },
  openStaging: (): ImportStaging => openImportStaging(),
  isFileFault: (err: unknown): err is Error => err instanceof UnreadableFile,
};

/** A longer row is an unclosed quotation mark, not data. */
const MAX_ROW_LENGTH = 1_000_000;
const MAX_COLUMNS = 1000;
const GZIP = Buffer.from([0x1f, 0x8b]);
const ENCRYPTED_PARQUET = Buffer.from('PARE');
const ZIP = Buffer.from('PK');
const BYTE_ORDER_MARK = '\uFEFF';
const DELIMITERS = [',', ';', '\t'] as const;

const unlimited: ReadBudget = { take: () => undefined, takeRow: () => undefined };

/** Throws {@link UnreadableFile}, also while rows are read and their content exceeds the budget. */
export async function openImportFile(path: string, budget = unlimited): Promise<OpenedFile> {
  const name = basename(path);
  let head: Buffer;
  let size: number;
  try {
    if (statSync(path).isDirectory()) throw new UnreadableFile(`${path} is a directory; give the files in it`);
    head = readHead(path);
    ({ size } = statSync(path));
  } catch (err) {
    if (err instanceof UnreadableFile) throw err;
    throw systemFault(path, err);
  }
  if (head.length === 0) throw new UnreadableFile(`${name} is empty`);
  if (head.subarray(0, 4).equals(PARQUET)) return openParquet(path, name, size, budget);
  if (head.subarray(0, 4).equals(ENCRYPTED_PARQUET))
    throw new UnreadableFile(`${name} is an encrypted Parquet file; export it without encryption`);
  if (head.subarray(0, 2).equals(ZIP)) throw new UnreadableFile(`${name} is a ZIP archive; unpack it`);
  const isCompressed = head.subarray(0, 2).equals(GZIP);
  const source = { path, name, size, isCompressed, budget };
  const first = await firstLine(source);
  if (first.includes('\0')) throw notUtf8(name);
  if (first.startsWith('[')) throw new UnreadableFile(`${name} is a JSON array; write one object per line`);
  if (first.startsWith('{')) return openLines(source);
  return openTable(source, first);
}

function readHead(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(4);
    return buffer.subarray(0, readSync(file, buffer, 0, 4, 0));
  } finally {
    closeSync(file);
  }
}

type Source = {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly isCompressed: boolean;
  readonly budget: ReadBudget;
};
type TextSource = { readonly text: Readable; bytesRead(): number };

/** Decodes the file as UTF-8. Its errors are {@link UnreadableFile}. */
function textOf({ path, name, isCompressed, budget }: Source): TextSource {
  const file = createReadStream(path);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  const decode = (chunk: Buffer | undefined, done: (err: Error | null, text?: string) => void) => {
    try {
      budget.take(chunk?.length ?? 0);
      done(null, decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch (err) {
      done(errorCodeOf(err) === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? notUtf8(name) : (err as Error));
    }
  };
  const text = new Transform({
    readableObjectMode: false,
    encoding: 'utf8',
    transform: (chunk: Buffer, _encoding, done) => decode(chunk, done),
    flush: (done) => decode(undefined, done),
  });
  const fail = (err: Error) => text.destroy(unreadable(name, err));
  file.on('error', fail);
  if (isCompressed) {
    const unzip = createGunzip();
    unzip.on('error', (cause) => {
      text.destroy(new UnreadableFile(`${name} is damaged or incomplete; compress or export it again`, { cause }));
    });
    file.pipe(unzip).pipe(text);
  } else {
    file.pipe(text);
  }
  text.on('close', () => file.destroy());
  return { text, bytesRead: () => file.bytesRead };
}

async function firstLine(source: Source): Promise<string> {
  const { name } = source;
  const { text } = textOf({ ...source, budget: unlimited });
  let head = '';
  for await (const chunk of text) {
    head += String(chunk);
    const end = head.indexOf('\n');
    if (end >= 0) return head.slice(0, end).replace(BYTE_ORDER_MARK, '').trim();
    if (head.length > MAX_ROW_LENGTH)
      throw new UnreadableFile(`${name}: the first row has more than a million characters`);
  }
  return head.replace(BYTE_ORDER_MARK, '').trim();
}

function openTable(file: Source, header: string): OpenedFile {
  const { name, size } = file;
  const count = (character: string) => header.split(character).length - 1;
  const delimiter = DELIMITERS.reduce((most, one) => (count(one) > count(most) ? one : most));
  const columns = header.split(delimiter).map((column) => column.trim().replace(/^"|"$/g, ''));
  if (columns.length > MAX_COLUMNS)
    throw new UnreadableFile(`${name} has ${columns.length} columns; export it with at most ${MAX_COLUMNS}`);
  const names = new Set<string>();
  const repeated = columns.find((column) => column !== '' && names.size === names.add(column).size);
  if (repeated !== undefined)
    throw new UnreadableFile(
      `${name} has two columns ${repeated}; remove or rename one, so that its meaning is certain`,
    );
  let source: TextSource | undefined;
  return {
    name,
    size,
    format: 'table',
    columns,
    bytesRead: () => source?.bytesRead() ?? 0,
    rows: async function* () {
      source = textOf(file);
      const limits = { max_record_size: MAX_ROW_LENGTH, skip_empty_lines: true };
      const rows = parse({ delimiter, bom: true, columns, from_line: 2, ...limits });
      source.text
        .on('error', (err) => rows.destroy(err))
        .pipe(withoutHandMadeQuotes(delimiter))
        .pipe(rows);
      let row = 1;
      try {
        for await (const values of rows) {
          file.budget.takeRow();
          yield { from: { file: name, row: ++row }, values: values as Record<string, string> };
        }
      } catch (err) {
        throw err instanceof CsvError ? brokenRow(name, err) : unreadable(name, err as Error, row + 1);
      }
    },
  };
}

const ROW_FAULTS: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'the row has another number of columns than the header',
  CSV_MAX_RECORD_SIZE: 'the row has more than a million characters; a quotation mark may be missing',
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quotation mark within a value is not doubled',
};

/** The parser drops rows before a broken one that nobody has taken yet: it knows the row, the reader of its rows does not. */
function brokenRow(name: string, err: CsvError): UnreadableFile {
  const row = Number(err['records']) + 2;
  const fault = ROW_FAULTS[err.code] ?? 'the row is not valid CSV';
  return new UnreadableFile(`${name}, row ${row}: ${fault}; export the file again`, { cause: err });
}

function openLines(file: Source): OpenedFile {
  const { name, size } = file;
  let source: TextSource | undefined;
  return {
    name,
    size,
    format: 'lines',
    bytesRead: () => source?.bytesRead() ?? 0,
    lines: async function* () {
      source = textOf(file);
      let row = 0;
      for await (const line of linesOf(source.text, name)) {
        row++;
        if (line.trim() === '') continue;
        file.budget.takeRow();
        yield { from: { file: name, row }, line: jsonOf(line, name, row) };
      }
    },
  };
}

/** Splits text into lines. A line that is too long is refused before it is in memory. */
async function* linesOf(text: Readable, name: string): AsyncIterable<string> {
  let partialLine = '';
  let row = 1;
  for await (const chunk of text) {
    const lines = (partialLine + String(chunk)).split('\n');
    partialLine = lines.pop() ?? '';
    for (const line of lines) {
      expectLength(line, name, row++);
      yield line;
    }
    expectLength(partialLine, name, row);
  }
  if (partialLine !== '') yield partialLine;
}

function expectLength(line: string, name: string, row: number): void {
  if (line.length > MAX_ROW_LENGTH)
    throw new UnreadableFile(`${name}, row ${row}: the line has more than a million characters; export the file again`);
}

function jsonOf(line: string, name: string, row: number): unknown {
  try {
    return JSON.parse(line.replace(BYTE_ORDER_MARK, ''));
  } catch {
    throw new UnreadableFile(
      `${name}, row ${row}: the line is not complete JSON; export the file again, with one object per line`,
    );
  }
}

function notUtf8(name: string): UnreadableFile {
  return new UnreadableFile(`${name} is not UTF-8 text; convert it, for example with iconv -t UTF-8`);
}

function unreadable(name: string, err: Error, row?: number): UnreadableFile {
  if (err instanceof UnreadableFile) return err;
  return systemFault(row === undefined ? name : `${name}, row ${row}`, err);
}
