// Converts the response of a chart to series for the drawing and the table.
import { calendarDay } from '../../parts/format';
import type { ChartData, ChartDescription } from './query';
import { segmentName } from './segment-names';

export type Point = {
  readonly start: string;
  readonly end: string;
  readonly value: number | null;
  readonly isIncomplete: boolean;
};
export type Series = {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  readonly points: readonly Point[];
  /** Points of the compared period, one for each point; omitted if there is none. */
  readonly before?: readonly (Point | null)[];
};

/** Segment of all values that are not listed individually. */
export const OTHER = 'other';

/** Returns the series of the measure or, if segmented, one per segment in the order of the API: the largest first, `other` last. */
export function seriesOf(data: ChartData, measureId: string): readonly Series[] {
  const measure = data.measures.find(({ id }) => id === measureId) ?? data.measures[0];
  if (!measure) return [];
  const { segment = '' } = data;
  if (data.segments) {
    return Object.entries(data.segments).map(([value, { name, buckets = [] }]) => ({
      id: value,
      name: segmentName(segment, value, name),
      unit: measure.unit,
      points: pointsOf(buckets, measure.id),
      ...previousOf(data, measure.id, value),
    }));
  }
  return [{ ...measure, points: pointsOf(data.buckets ?? [], measure.id), ...previousOf(data, measure.id) }];
}

/** Returns the measures of a movement together: gains above the axis, losses below it. The API returns losses as positive numbers. */
export function movementOf(chart: Pick<ChartDescription, 'measures'>, data: ChartData): readonly Series[] {
  const partOf = (id: string) => chart.measures.find((one) => one.id === id)?.part;
  const parts = data.measures.filter(({ id }) => partOf(id) !== 'balance');
  return parts.map((measure) => {
    const points = pointsOf(data.buckets ?? [], measure.id);
    const { before } = previousOf(data, measure.id);
    if (partOf(measure.id) !== 'loss') return { ...measure, points, ...(before && { before }) };
    const losses = before?.map((point) => point && negative(point));
    return { ...measure, points: points.map(negative), ...(losses && { before: losses }) };
  });
}

function negative(point: Point): Point {
  return { ...point, value: point.value === null ? null : -point.value };
}

/** Returns the points of the compared period, one for each bucket of the chart; null where it has no counterpart. */
export function previousOf(
  { previous, segments }: Pick<ChartData, 'previous' | 'segments'>,
  measure: string,
  segment?: string,
): Pick<Series, 'before'> {
  if (!previous) return {};
  const own = segment !== undefined ? previous.segments?.[segment] : segments ? previous.total : previous;
  const points = pointsOf(own?.buckets ?? [], measure);
  return { before: previous.pairs.map((index) => (index === null ? null : (points[index] ?? null))) };
}

type Bucket = NonNullable<ChartData['buckets']>[number];

export function pointsOf(buckets: readonly Bucket[], measure: string): readonly Point[] {
  return buckets.map(({ start, end, incomplete, values }) => {
    return { start, end, isIncomplete: incomplete, value: values[measure] ?? null };
  });
}

/** Formats a bucket as `20 Nov 2026`, `Nov 2026` or `2026`, depending on the interval. */
export function bucketName(start: string, interval: string): string {
  if (interval === 'year') return start.slice(0, 4);
  if (interval === 'quarter') return `${start.slice(0, 4)} Q${Math.floor((Number(start.slice(5, 7)) - 1) / 3) + 1}`;
  return interval === 'month' ? calendarDay(start).replace(/^\d+ /, '') : calendarDay(start);
}
