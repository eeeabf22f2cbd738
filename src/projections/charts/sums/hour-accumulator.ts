// Adds up what customers add to one set of sums, by measure and hour, and returns what to add to each of the stored sums.
import type { Emit } from '../../../domain/charts/contribution.js';
import { measures, type Measure } from '../../../domain/charts/measures.js';
import type { Addition } from '../../runtime/projection.js';
import { dayOf, openDocumentSums, HOUR_MS, hourOf } from './document-sums.js';

const HOURS_OF_DAY = 24;

/** Values by hour since 1970; by the first hour of the day if the hour does not matter. */
type ByHour = Map<number, number>;
type MeasureHours = { readonly hasHours: boolean; readonly byHour: ByHour };

/** Accumulated sums; `lapses` are by the hour of the lapse, then by the hour at which it counts. */
export type HourAccumulator = {
  readonly hoursByMeasure: ReadonlyMap<Measure, MeasureHours>;
  readonly lapses: ReadonlyMap<number, ByHour>;
  readonly less: Emit;
  readonly more: Emit;
};

export function openHourAccumulator(): HourAccumulator {
  const hoursByMeasure = new Map<Measure, MeasureHours>();
  const measureOf = (measure: Measure): MeasureHours => {
    let hours = hoursByMeasure.get(measure);
    if (!hours)
      hoursByMeasure.set(measure, (hours = { hasHours: measures[measure].countsWithinDay, byHour: new Map() }));
    return hours;
  };
  const lapses = new Map<number, ByHour>();
  const lapsesOf = (hour: number): ByHour => {
    let ofHour = lapses.get(hour);
    if (!ofHour) lapses.set(hour, (ofHour = new Map()));
    return ofHour;
  };
  const emitter =
    (sign: 1 | -1): Emit =>
    (measure, at, value, effective) => {
      if (value === 0) return;
      const { hasHours, byHour } = measureOf(measure);
      const hour = hasHours ? Math.floor(at / HOUR_MS) : firstHourOf(at);
      addTo(byHour, hour, sign * value);
      if (effective !== undefined) addTo(lapsesOf(Math.floor(effective / HOUR_MS)), hour, sign * value);
    };
  return { hoursByMeasure, lapses, less: emitter(-1), more: emitter(1) };
}

function firstHourOf(at: number): number {
  return Math.floor(at / (HOURS_OF_DAY * HOUR_MS)) * HOURS_OF_DAY;
}

function addTo(sums: ByHour, hour: number, value: number): void {
  sums.set(hour, (sums.get(hour) ?? 0) + value);
}

/**
 * Returns the additions. A cell is named by its place in the document, two digits, then by its measure; for a lapse, by the day on which it
 * counts.
 */
export function additionsOf(scope: string, { hoursByMeasure, lapses }: HourAccumulator): Iterable<Addition> {
  const documentSums = openDocumentSums(scope);
  for (const [measure, { hasHours, byHour }] of hoursByMeasure) {
    for (const [hour, value] of byHour) {
      if (value === 0) continue;
      const day = dayOf(hour);
      documentSums.add('years', day.slice(0, 4), day.slice(5, 7) + measure, value);
      documentSums.add('months', day.slice(0, 7), day.slice(8) + measure, value);
      if (hasHours) documentSums.add('hours', day, hourOf(hour) + measure, value);
    }
  }
  for (const [lapse, byHour] of lapses) {
    for (const [hour, value] of byHour) {
      if (value !== 0) documentSums.add('lapses', dayOf(lapse), hourOf(lapse) + dayOf(hour), value);
    }
  }
  return documentSums.additions();
}
