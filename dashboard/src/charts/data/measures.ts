// Choice of the measure that a chart shows.
import type { ChartDescription } from './query';

/** Returns the measure that gives the chart its name. It comes last, after its components. */
export function mainMeasure({ id, measures }: ChartDescription): string {
  return (
    (measures.find((one) => one.id === id) ?? (id.startsWith('revenue') ? measures[0] : measures.at(-1)))?.id ?? ''
  );
}
