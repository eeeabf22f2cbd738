// The rows of a cohort chart as the bytes of their JSON. By day they hold a million figures: of these no object and no text is made one
// by one, and what many columns have in common is copied from one place.
import type { RowAnswer } from '../../domain/charts/answer.js';
import type { ColumnFigures } from '../../domain/charts/columns.js';
import { isoFromMs } from '../../domain/time.js';

const PIECE_BYTES = 256 * 1024;
/** More than any number takes, or a row's own facts. */
const NUMBER_BYTES = 32;
const ROW_BYTES = 256;
const MOST_INT = 2 ** 31;
const [ZERO, POINT, MINUS] = [48, 46, 45];

/** `[{…},{…}]`, in pieces of some 256 kB. */
export function* rowsText(rows: readonly RowAnswer[]): Generator<Buffer> {
  const columns = columnsText(rows);
  let piece = Buffer.allocUnsafe(PIECE_BYTES);
  let at = piece.write('[', 0, 'latin1');
  for (const [i, row] of rows.entries()) {
    const { count, figures } = row.columns;
    const most = ROW_BYTES + columns.length(count) + count * figures.length * NUMBER_BYTES;
    if (at + most > piece.length) {
      yield piece.subarray(0, at);
      piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, most));
      at = 0;
    }
    const facts = { start: isoFromMs(row.start), end: isoFromMs(row.end), incomplete: row.incomplete, size: row.size };
    at += piece.write(`${i > 0 ? ',' : ''}${JSON.stringify(facts).slice(0, -1)},"columns":[`, at, 'latin1');
    at = writeColumns(piece, at, row, columns);
    at += piece.write(']}', at, 'latin1');
  }
  at += piece.write(']', at, 'latin1');
  yield piece.subarray(0, at);
}

/** The text of as many columns as the longest row has, all of them complete and with the figure 0. */
type ColumnsText = {
  readonly bytes: Buffer;
  /** Where each column begins, and the last one ends. */
  readonly starts: readonly number[];
  /** What stands before the second figure and those behind it. */
  readonly labels: readonly Buffer[];
  readonly end: Buffer;
  readonly incompleteEnd: Buffer;
  /** Of so many columns, in bytes. */
  length(count: number): number;
};

function columnsText(rows: readonly RowAnswer[]): ColumnsText {
  const names = rows[0]?.columns.figures.map(({ name }) => JSON.stringify(name)) ?? [];
  const longest = rows.reduce((most, { columns }) => Math.max(most, columns.count), 0);
  const [end, incompleteEnd] = [Buffer.from(',"incomplete":false},'), Buffer.from(',"incomplete":true},')];
  const zeros = names.map((name) => `,${name}:0`).join('');
  const texts = Array.from({ length: longest }, (_, k) => `{"index":${k}${zeros}${end.toString('latin1')}`);
  const starts = [0];
  for (const [k, text] of texts.entries()) starts.push((starts[k] ?? 0) + text.length);
  const labels = names.slice(1).map((name) => Buffer.from(`,${name}:`));
  const length = (count: number) => starts[count] ?? 0;
  return { bytes: Buffer.from(texts.join(''), 'latin1'), starts, labels, end, incompleteEnd, length };
}

/** Returns where the text goes on. */
function writeColumns(piece: Buffer, from: number, { columns }: RowAnswer, text: ColumnsText): number {
  const { count, complete, figures } = columns;
  const [first, ...others] = figures;
  if (!first || count === 0) return from;
  const { bytes, starts, labels, end, incompleteEnd } = text;
  /** From the first figure on, all columns of zeros have the same text. */
  const behindLabel = 1 + end.length + labels.reduce((sum, label) => sum + label.length + 1, 0);
  const completeCount = Math.min(count, complete);
  let at = from;
  let k = 0;
  while (k < count) {
    const zerosEnd = k < completeCount ? endOfZeros(figures, k, completeCount) : k;
    if (zerosEnd > k) {
      at += bytes.copy(piece, at, starts[k], starts[zerosEnd]);
      k = zerosEnd;
      continue;
    }
    at = copyBytes(bytes, starts[k] ?? 0, (starts[k + 1] ?? 0) - behindLabel, piece, at);
    at = writeFigure(piece, at, first.values[k] ?? NaN, first.parts);
    for (let i = 0; i < others.length; i++) {
      const [other, label] = [others[i], labels[i]];
      if (!other || !label) break;
      at = copyBytes(label, 0, label.length, piece, at);
      at = writeFigure(piece, at, other.values[k] ?? NaN, other.parts);
    }
    const last = k < complete ? end : incompleteEnd;
    at = copyBytes(last, 0, last.length, piece, at);
    k++;
  }
  // Without the last comma.
  return at - 1;
}

/** The first column from `from` on, and before `to`, in which some figure is not 0. */
function endOfZeros(figures: readonly ColumnFigures[], from: number, to: number): number {
  let end = to;
  for (const { values } of figures) {
    let k = from;
    while (k < end && values[k] === 0) k++;
    end = k;
  }
  return end;
}

/** For a few bytes faster than the buffer's own. Returns where they end. */
function copyBytes(source: Buffer, from: number, to: number, target: Buffer, at: number): number {
  let place = at;
  for (let i = from; i < to; i++) target[place++] = source[i] ?? 0;
  return place;
}

/** As `JSON.stringify` writes `value / parts`. Returns where it ends. */
function writeFigure(piece: Buffer, from: number, value: number, parts: 1 | 100): number {
  const size = Math.abs(value);
  if (!(size < MOST_INT)) return from + piece.write(JSON.stringify(value / parts), from, 'latin1');
  let at = from;
  if (value < 0) piece[at++] = MINUS;
  const whole = parts === 1 ? size : Math.floor(size / parts);
  let digits = 1;
  for (let least = 10; whole >= least; least *= 10) digits++;
  let rest = whole;
  for (let place = at + digits - 1; place >= at; place--) {
    const next = Math.floor(rest / 10);
    piece[place] = ZERO + (rest - next * 10);
    rest = next;
  }
  at += digits;
  const hundredths = size - whole * parts;
  if (hundredths === 0) return at;
  const tenths = Math.floor(hundredths / 10);
  piece[at++] = POINT;
  piece[at++] = ZERO + tenths;
  if (hundredths > tenths * 10) piece[at++] = ZERO + (hundredths - tenths * 10);
  return at;
}
