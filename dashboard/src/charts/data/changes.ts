// Values of a chart that differ between two times, newest first: buckets of a series, sizes and ages of cohorts.
import type { Schemas } from '../../api/client';
import { bucketName } from './series';

type Comparison = Schemas['ChartComparison'];
type Difference = Schemas['ChartDifference'];

type BucketStarts = { readonly start: string | null; readonly thenStart?: string | null | undefined };
export type Change = { readonly place: string; readonly unit: string; readonly value: Difference };

export function changesOf(
  { kind, interval, buckets = [], rows = [] }: Comparison,
  { id, unit }: Comparison['measures'][number],
): readonly Change[] {
  // A bucket without a start exists only in the other of two periods.
  const nameOf = ({ start, thenStart }: BucketStarts) => bucketName(start ?? thenStart ?? '', interval);
  const all =
    kind === 'cohort'
      ? rows.flatMap(({ size, columns, ...edges }) => [
          changeAt(`${nameOf(edges)}, size`, 'count', size),
          ...columns.map((column, i) => {
            const value = column[id];
            const age = typeof column['index'] === 'number' ? column['index'] : i;
            return changeAt(
              `${nameOf(edges)}, ${interval} ${age}`,
              unit,
              typeof value === 'object' ? value : undefined,
            );
          }),
        ])
      : buckets.map(({ values, ...edges }) => changeAt(nameOf(edges), unit, values[id]));
  return all.flat().reverse();
}

function changeAt(place: string, unit: string, value: Difference | undefined): readonly Change[] {
  return value && value.difference !== 0 && value.then !== value.now ? [{ place, unit, value }] : [];
}
