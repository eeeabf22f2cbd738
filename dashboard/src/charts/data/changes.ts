// The places of a chart whose figures two instants know differently, newest first: buckets of a series, sizes and ages of cohorts.
import type { Schemas } from '../../api/client';
import { day } from '../../parts/format';
import { bucketName } from './series';

type Comparison = Schemas['ChartComparison'];
type Difference = Schemas['ChartDifference'];

export type Change = { readonly place: string; readonly unit: string; readonly value: Difference };

export function changesOf(
  { kind, interval, buckets = [], rows = [] }: Comparison,
  { id, unit }: Comparison['measures'][number],
): readonly Change[] {
  const nameOf = (start: string) => (interval === 'day' ? day(start) : bucketName(start, interval));
  const all =
    kind === 'cohort'
      ? rows.flatMap(({ start, size, columns }) => [
          changeAt(`${nameOf(start)}, size`, 'count', size),
          ...columns.map((column, i) => {
            const value = column[id];
            const age = typeof column['index'] === 'number' ? column['index'] : i;
            return changeAt(
              `${nameOf(start)}, ${interval} ${age}`,
              unit,
              typeof value === 'object' ? value : undefined,
            );
          }),
        ])
      : buckets.map(({ start, values }) => changeAt(bucketName(start, interval), unit, values[id]));
  return all.flat().reverse();
}

function changeAt(place: string, unit: string, value: Difference | undefined): readonly Change[] {
  return value && value.difference !== 0 && value.then !== value.now ? [{ place, unit, value }] : [];
}
