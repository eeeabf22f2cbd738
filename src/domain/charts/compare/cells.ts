// What one state of a customer adds to a chart, cell by cell, and what has changed between two states.
import { bucketAt } from '../result/buckets.js';
import { emitInto, contributeTo, membersOf } from '../result/contributions.js';
import type { Share } from '../result/shares.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import type { KnownHistory } from '../history/known-history.js';
import { sumNames, type SumName } from './forms.js';

/**
 * One place of a chart's sums. `part`: the whole, what counts in every segment, then the segments in the order of their discovery. `track`: 0
 * of a series, the row of cohorts. `index`: the bucket, -1 for all before the first; the column of cohorts.
 */
export type Cell = { readonly part: number; readonly sum: SumName; readonly track: number; readonly index: number };
export const WHOLE = 0;
export const EVERY_SEGMENT = 1;

/** Values by packed cells; a cell may be there more than once. */
export type Cells = { readonly keys: readonly number[]; readonly values: readonly number[] };
export const noCells: Cells = { keys: [], values: [] };

const INDEXES = 2 ** 16;
const TRACKS = 2 ** 11;
const SUMS = 2 ** 6;
const numberOf = new Map(sumNames.map((name, i) => [name, i]));

export function unpackCell(key: number): Cell {
  const index = (key % INDEXES) - 1;
  const behind = Math.floor(key / INDEXES);
  const track = behind % TRACKS;
  const rest = Math.floor(behind / TRACKS);
  return { part: Math.floor(rest / SUMS), sum: sumNames[rest % SUMS] ?? 'size', track, index };
}

export type CellReader = {
  /** `seen`: nothing at or behind it exists, UTC ms. */
  of(history: KnownHistory, shares: readonly Share[], seen: number): Cells;
  /** The values of segments found so far: their parts follow {@link EVERY_SEGMENT}. */
  readonly segments: readonly string[];
};

/** Reads nothing of the buckets, or rows, behind the first `shown`. */
export function createCellReader(q: ChartQuery, shown: number): CellReader {
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
    of: (history, shares, seen) => {
      const keys: number[] = [];
      const found: number[] = [];
      const at = { range: { ...range, asOf: seen }, selectors: q.selectors };
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
                if (bucket !== undefined && bucket < shown) add(measure, 0, bucket, value);
              },
            },
            seen,
          );
          contributeTo(chart, at, history, lines, emit);
        } else {
          for (const { at: joined, columns } of membersOf(chart, at, history, lines)) {
            const row = bucketAt(range, joined);
            if (row === undefined || row < 0 || row >= shown) continue;
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

/** What `after` has more than `before`, by packed cell; none with 0. */
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
