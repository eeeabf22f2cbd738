// Contributions of one customer state to a chart, by cell, and the differences between two states.
import { bucketAt } from '../result/buckets.js';
import { emitInto, contributeTo, membersOf } from '../result/contributions.js';
import type { Share } from '../result/shares.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import type { KnownHistory } from '../history/known-history.js';
import { sumNames, type SumName } from './measure-weights.js';

/**
 * Position in the sums of a chart. `part` is the whole, then what counts in every segment, then the segments in order of discovery. `track`
 * is 0 for a series, the row for cohorts. `index` is the bucket, -1 for everything before the first bucket; for cohorts, the column.
 */
export type Cell = { readonly part: number; readonly sum: SumName; readonly track: number; readonly index: number };
export const WHOLE = 0;
export const EVERY_SEGMENT = 1;

/** Values by packed cell; a cell may occur more than once. */
export type Cells = { readonly keys: readonly number[]; readonly values: readonly number[] };
export const noCells: Cells = { keys: [], values: [] };

const INDEXES = 2 ** 16;
const TRACKS = 2 ** 11;
const SUMS = 2 ** 6;
const numberOf = new Map(sumNames.map((name, i) => [name, i]));

export function unpackCell(key: number): Cell {
  const index = (key % INDEXES) - 1;
  const partSumTrack = Math.floor(key / INDEXES);
  const track = partSumTrack % TRACKS;
  const rest = Math.floor(partSumTrack / TRACKS);
  return { part: Math.floor(rest / SUMS), sum: sumNames[rest % SUMS] ?? 'size', track, index };
}

export type CellReader = {
  /** Returns the contributions of a customer. Everything at or after `cutoff` (UTC ms) is ignored. */
  of(history: KnownHistory, shares: readonly Share[], cutoff: number): Cells;
  /** Segment values found so far, in the order of their parts, which start after {@link EVERY_SEGMENT}. */
  readonly segments: readonly string[];
};

/** Creates a reader that ignores buckets, or rows, after the first `visibleCount`. */
export function createCellReader(q: ChartQuery, visibleCount: number): CellReader {
  const { chart, range } = q;
  const segments: string[] = [];
  const numbers = new Map<string, number>();
  const partOf = (to: Share['to']): number => {
    if (to === 'whole') return WHOLE;
    if (to === 'every segment') return EVERY_SEGMENT;
    const found = numbers.get(to.segment);
    if (found !== undefined) return found;
    const number = EVERY_SEGMENT + segments.push(to.segment);
    numbers.set(to.segment, number);
    return number;
  };
  return {
    segments,
    of: (history, shares, cutoff) => {
      const keys: number[] = [];
      const found: number[] = [];
      const at = { range: { ...range, asOf: cutoff }, selectors: q.selectors };
      for (const { to, lines, sign } of shares) {
        const part = partOf(to);
        const add = (sum: SumName, track: number, index: number, value: number) => {
          if (value === 0 || index + 1 >= INDEXES) return;
          keys.push(((part * SUMS + (numberOf.get(sum) ?? 0)) * TRACKS + track) * INDEXES + index + 1);
          found.push(sign * value);
        };
        if (chart.kind === 'series') {
          const emit = emitInto(
            {
              add: (measure, instant, value) => {
                const bucket = bucketAt(range, instant);
                if (bucket !== undefined && bucket < visibleCount) add(measure, 0, bucket, value);
              },
            },
            cutoff,
          );
          contributeTo(chart, at, history, lines, emit);
        } else {
          for (const { at: joined, columns } of membersOf(chart, at, history, lines)) {
            const row = bucketAt(range, joined);
            if (row === undefined || row < 0 || row >= visibleCount) continue;
            add('size', row, 0, 1);
            for (const [k, value] of columns.entries()) {
              add('eligible', row, k, 1);
              add('sum', row, k, value);
            }
          }
        }
      }
      return { keys, values: found };
    },
  };
}

/** Returns the differences from `before` to `after` by packed cell, without zeros. */
export function changedCells(before: Cells, after: Cells): ReadonlyMap<number, number> {
  if (isSame(before, after)) return none;
  const changes = new Map<number, number>();
  for (const [i, key] of after.keys.entries()) changes.set(key, (changes.get(key) ?? 0) + (after.values[i] ?? 0));
  for (const [i, key] of before.keys.entries()) changes.set(key, (changes.get(key) ?? 0) - (before.values[i] ?? 0));
  for (const [key, change] of changes) if (change === 0) changes.delete(key);
  return changes;
}

const none: ReadonlyMap<number, number> = new Map();

function isSame(a: Cells, b: Cells): boolean {
  if (a.keys.length !== b.keys.length) return false;
  for (let i = 0; i < a.keys.length; i++) if (a.keys[i] !== b.keys[i] || a.values[i] !== b.values[i]) return false;
  return true;
}
