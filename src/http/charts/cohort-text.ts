// Serialization of cohort rows to JSON bytes. By day they contain a million values: no object or text is created per value, and what
// columns have in common is copied from one place.
import type { CohortRow } from '../../domain/charts/result/result.js';
import { startOfSeries, type Columns } from '../../domain/charts/result/columns.js';
import { isoFromMs } from '../../domain/time.js';

const PIECE_BYTES = 64 * 1024;
/** Upper bounds of the bytes of a number and of the fields of a row. */
const NUMBER_BYTES = 32;
const ROW_BYTES = 256;
const WORD_BYTES = 8;
const MAX_INT = 2 ** 31;
const [ZERO, POINT, MINUS] = [48, 46, 45];

/**
 * Generates the text of rows, `[{…},{…}]`, in pieces of about 64 kB. A piece is valid until the next is requested, which is written into
 * the same memory.
 */
export type SerializeRows = (rows: readonly CohortRow[]) => Generator<Buffer>;

/**
 * Creates the generator for the rows of one response, which have the same buckets in every segment. Rows for which `isClipped` returns true
 * are marked.
 */
export function createRowsSerializer(isClipped: (row: CohortRow) => boolean = () => false): SerializeRows {
  const heads = new Map<number, string>();
  const headOf = (row: CohortRow): string => {
    const cached = heads.get(row.start);
    if (cached !== undefined) return cached;
    const edges = { start: isoFromMs(row.start), end: isoFromMs(row.end), ...(isClipped(row) && { clipped: true }) };
    const head = `${JSON.stringify({ ...edges, incomplete: row.incomplete }).slice(0, -1)},"size":`;
    heads.set(row.start, head);
    return head;
  };
  return (rows) => rowsText(rows, headOf);
}

function* rowsText(rows: readonly CohortRow[], headOf: (row: CohortRow) => string): Generator<Buffer> {
  const columns = columnsText(rows);
  const longest = rows.reduce((most, row) => Math.max(most, maxBytes(row, columns)), 0);
  const piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, longest));
  let at = piece.write('[', 'latin1');
  for (const [i, row] of rows.entries()) {
    if (at + maxBytes(row, columns) > piece.length) {
      yield piece.subarray(0, at);
      at = 0;
    }
    at += piece.write(`${i > 0 ? ',' : ''}${headOf(row)}${row.size},"columns":[`, at, 'latin1');
    at = writeColumns(piece, at, row, columns);
    at += piece.write(']}', at, 'latin1');
  }
  at += piece.write(']', at, 'latin1');
  yield piece.subarray(0, at);
}

function maxBytes({ columns: { count, series } }: CohortRow, { starts }: ColumnsText): number {
  return ROW_BYTES + (starts[count] ?? 0) + count * series.length * NUMBER_BYTES;
}

/** Text of as many columns as the longest row has, all complete and with the value 0. */
type ColumnsText = {
  readonly zeros: Bytes;
  /** Start of each column, and the end of the last one. */
  readonly starts: readonly number[];
  /** Text before the second and each later value. */
  readonly labels: readonly Bytes[];
  readonly end: Bytes;
  readonly incompleteEnd: Bytes;
};

function columnsText(rows: readonly CohortRow[]): ColumnsText {
  const names = rows[0]?.columns.series.map(({ name }) => JSON.stringify(name)) ?? [];
  const longest = rows.reduce((most, { columns }) => Math.max(most, columns.count), 0);
  const series = names.map((name) => `,${name}:0`).join('');
  const texts = Array.from({ length: longest }, (_, k) => `{"index":${k}${series},"incomplete":false},`);
  const starts = [0];
  for (const [k, text] of texts.entries()) starts.push((starts[k] ?? 0) + text.length);
  const labels = names.slice(1).map((name) => bytesOf(`,${name}:`));
  const [end, incompleteEnd] = [bytesOf(',"incomplete":false},'), bytesOf(',"incomplete":true},')];
  return { zeros: bytesOf(texts.join('')), starts, labels, end, incompleteEnd };
}

/** Writes the columns of a row. Returns the position after them. */
function writeColumns(piece: Buffer, from: number, { columns }: CohortRow, text: ColumnsText): number {
  const { count, complete, series, values } = columns;
  const [first, ...others] = series;
  if (!first || count === 0) return from;
  const { zeros, starts, labels, end, incompleteEnd } = text;
  const target = new DataView(piece.buffer, piece.byteOffset, piece.length);
  /** From the first value on, all columns of zeros have the same text. */
  const afterLabel = 1 + end.length + labels.reduce((sum, label) => sum + label.length + 1, 0);
  const completeCount = Math.min(count, complete);
  let at = from;
  let k = 0;
  while (k < count) {
    const zerosEnd = k < completeCount ? findEndOfZeros(columns, k, completeCount) : k;
    if (zerosEnd > k) {
      at = copyBytes(zeros.view, starts[k] ?? 0, starts[zerosEnd] ?? 0, target, at);
      k = zerosEnd;
      continue;
    }
    at = copyBytes(zeros.view, starts[k] ?? 0, (starts[k + 1] ?? 0) - afterLabel, target, at);
    at = writeValue(piece, at, values[startOfSeries(columns, 0) + k] ?? NaN, first.parts);
    for (let i = 0; i < others.length; i++) {
      const [other, label] = [others[i], labels[i]];
      if (!other || !label) break;
      at = copyBytes(label.view, 0, label.length, target, at);
      at = writeValue(piece, at, values[startOfSeries(columns, i + 1) + k] ?? NaN, other.parts);
    }
    const last = k < complete ? end : incompleteEnd;
    at = copyBytes(last.view, 0, last.length, target, at);
    k++;
  }
  // The last comma is dropped.
  return at - 1;
}

/** Returns the first column in [`from`, `to`) that has a value other than 0. */
function findEndOfZeros(columns: Columns, from: number, to: number): number {
  const { series, values } = columns;
  let end = to;
  for (let i = 0; i < series.length; i++) {
    const begin = startOfSeries(columns, i);
    let k = from;
    while (k < end && values[begin + k] === 0) k++;
    end = k;
  }
  return end;
}

/** Text with eight more bytes at its end, which copying may read. */
type Bytes = { readonly view: DataView; readonly length: number };

function bytesOf(text: string): Bytes {
  const bytes = Buffer.alloc(text.length + WORD_BYTES);
  bytes.write(text, 'latin1');
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), length: text.length };
}

/**
 * Copies eight bytes at a time, and so up to seven too many, which the next write overwrites: `Buffer.copy` costs more for so few bytes. No
 * eight bytes of plain text are a NaN, whose bits might change.
 */
function copyBytes(source: DataView, from: number, to: number, target: DataView, at: number): number {
  let place = at;
  for (let i = from; i < to; i += WORD_BYTES, place += WORD_BYTES)
    target.setFloat64(place, source.getFloat64(i, true), true);
  return at + to - from;
}

/** Writes `value / parts` as `JSON.stringify` does. Returns the position after it. */
function writeValue(piece: Buffer, from: number, value: number, parts: 1 | 100): number {
  const size = Math.abs(value);
  if (!(size < MAX_INT)) return from + piece.write(JSON.stringify(value / parts), from, 'latin1');
  let at = from;
  if (value < 0) piece[at++] = MINUS;
  const whole = (size / parts) | 0;
  let digits = 1;
  for (let least = 10; whole >= least; least *= 10) digits++;
  let rest = whole;
  for (let place = at + digits - 1; place >= at; place--) {
    const next = (rest / 10) | 0;
    piece[place] = ZERO + rest - next * 10;
    rest = next;
  }
  at += digits;
  const hundredths = size - whole * parts;
  if (hundredths === 0) return at;
  const tenths = (hundredths / 10) | 0;
  piece[at++] = POINT;
  piece[at++] = ZERO + tenths;
  if (hundredths > tenths * 10) piece[at++] = ZERO + hundredths - tenths * 10;
  return at;
}
