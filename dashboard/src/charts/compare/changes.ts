// Values of a chart that differ between two sides, newest first: buckets of a series, sizes and ages of cohorts.
import type { Schemas } from '../../api/client';
import { segmentName } from '../data/segment-names';
import { bucketName } from '../data/series';
import type { Comparison } from './use-comparison';

type Difference = Schemas['ChartDifference'];

export type Change = {
  /** Name of the bucket or cohort cell. */
  readonly place: string;
  readonly unit: string;
  readonly value: Difference;
  /** Location of the value in the API: start of the bucket or cohort, measure, and index of a cohort column. */
  readonly bucket: string;
  readonly measure: string;
  readonly column: number | null;
  /** For two periods: start of the bucket in the other one; null if it has none. */
  readonly thenBucket?: string | null | undefined;
  /** Value of the segment; omitted for the whole. */
  readonly segment?: string;
};

type BucketStarts = { readonly start: string | null; readonly thenStart?: string | null | undefined };

/** Returns the changes of each segment, the largest segment first; those of the whole if the comparison is not segmented. */
export function changesBySegment(comparison: Comparison, measure: Comparison['measures'][number]): readonly Change[] {
  const { segment = '', segments } = comparison;
  if (!segments) return changesOf(comparison, measure);
  return Object.entries(segments).flatMap(([value, { name, ...points }]) =>
    changesOf({ ...comparison, ...points }, measure).map((change) => {
      return { ...change, place: `${segmentName(segment, value, name)}, ${change.place}`, segment: value };
    }),
  );
}

export function changesOf(
  { kind, interval, buckets = [], rows = [] }: Comparison,
  { id, unit }: Comparison['measures'][number],
): readonly Change[] {
  // A bucket without a start exists only in the other of two periods.
  const startOf = ({ start, thenStart }: BucketStarts) => start ?? thenStart ?? '';
  const nameOf = (edges: BucketStarts) => {
    const name = bucketName(startOf(edges), interval);
    const { start, thenStart } = edges;
    return start !== null && thenStart ? `${name} (${bucketName(thenStart, interval)})` : name;
  };
  const all =
    kind === 'cohort'
      ? rows.flatMap(({ size, columns, ...edges }) => {
          const bucket = startOf(edges);
          const thenBucket = edges.thenStart;
          const common = { bucket, thenBucket };
          const ofSize = { ...common, place: `${nameOf(edges)}, size`, unit: 'count', measure: 'size', column: null };
          return [
            changeAt(ofSize, size),
            ...columns.map((column, i) => {
              const value = column[id];
              const age = typeof column['index'] === 'number' ? column['index'] : i;
              const place = `${nameOf(edges)}, ${interval} ${age}`;
              return changeAt(
                { ...common, place, unit, measure: id, column: age },
                typeof value === 'object' ? value : undefined,
              );
            }),
          ];
        })
      : buckets.map(({ values, ...edges }) => {
          return changeAt(
            {
              ...{ place: nameOf(edges), unit, measure: id, column: null },
              ...{ bucket: startOf(edges), thenBucket: edges.thenStart },
            },
            values[id],
          );
        });
  return all.flat().reverse();
}

function changeAt(at: Omit<Change, 'value'>, value: Difference | undefined): readonly Change[] {
  return value && value.difference !== 0 && value.then !== value.now ? [{ ...at, value }] : [];
}
