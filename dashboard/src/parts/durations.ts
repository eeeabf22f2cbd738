// Durations that a form takes as a number and a unit, in the notation of the API.

export const DURATION_UNITS = [
  ['M', 'months'],
  ['Y', 'years'],
  ['W', 'weeks'],
  ['D', 'days'],
] as const;

/** Converts `3` and `M` to `P3M`; null without a number. */
export function durationOf(count: string, unit: string): string | null {
  return count === '' ? null : `P${count}${unit}`;
}
