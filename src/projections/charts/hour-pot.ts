// Adds up what people add to one set of sums, by measure and hour, and says what that is for each of the stored sums.
import { DAY_MS } from '../../domain/charts/calendar.js';
import type { Emit, Measure } from '../../domain/charts/contribution.js';
import type { Addition } from '../projection.js';

export const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;

/** `hours`: for the running day, of which a part is still ahead. `lapses`: what will be so only when its time has come. */
export const sumNames = {
  cohorts: 'chart_cohorts',
  years: 'chart_years',
  months: 'chart_months',
  hours: 'chart_hours',
  lapses: 'chart_lapses',
} as const;

/** Values by hour since 1970. */
type ByHour = Map<number, number>;

/** `lapses`: by the hour of the lapse, then by the hour at which it will count. */
export type HourPot = {
  readonly measures: ReadonlyMap<Measure, ByHour>;
  readonly lapses: ReadonlyMap<number, ByHour>;
  readonly less: Emit;
  readonly more: Emit;
};

export function openHourPot(): HourPot {
  const measures = new Map<Measure, ByHour>();
  const lapses = new Map<number, ByHour>();
  const emitter =
    (sign: 1 | -1): Emit =>
    (measure, at, value, effective) => {
      if (value === 0) return;
      const hour = Math.floor(at / HOUR_MS);
      addTo(heldIn(measures, measure), hour, sign * value);
      if (effective !== undefined) addTo(heldIn(lapses, Math.floor(effective / HOUR_MS)), hour, sign * value);
    };
  return { measures, lapses, less: emitter(-1), more: emitter(1) };
}

function heldIn<K>(all: Map<K, ByHour>, key: K): ByHour {
  let held = all.get(key);
  if (!held) all.set(key, (held = new Map()));
  return held;
}

function addTo(sums: ByHour, hour: number, value: number): void {
  sums.set(hour, (sums.get(hour) ?? 0) + value);
}

export const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** A cell is named by its place in the document, two digits, then by its measure; of a lapse by the day on which it will count. */
export function* additionsOf(scope: string, { measures, lapses }: HourPot): Generator<Addition> {
  const found = new Map<string, Addition & { readonly cells: Map<string, number> }>();
  const add = (of: keyof typeof sumNames, period: string, cell: string, value: number) => {
    const key = sumNames[of] + period;
    let held = found.get(key);
    if (!held) {
      const fields = { scope, period };
      found.set(key, (held = { of: sumNames[of], id: `${scope}|${period}`, fields, cells: new Map() }));
    }
    held.cells.set(cell, (held.cells.get(cell) ?? 0) + value);
  };
  for (const [measure, byHour] of measures) {
    for (const [hour, value] of byHour) {
      if (value === 0) continue;
      const day = dayOf(hour);
      add('years', day.slice(0, 4), day.slice(5, 7) + measure, value);
      add('months', day.slice(0, 7), day.slice(8) + measure, value);
      add('hours', day, hourOf(hour) + measure, value);
    }
  }
  for (const [lapse, byHour] of lapses) {
    for (const [hour, value] of byHour)
      if (value !== 0) add('lapses', dayOf(lapse), hourOf(lapse) + dayOf(hour), value);
  }
  yield* found.values();
}

/** Days come again and again. */
const days = new Map<number, string>();
const MOST_DAYS = 20_000;

function dayOf(hour: number): string {
  const day = Math.floor(hour / HOURS_OF_DAY);
  let text = days.get(day);
  if (text === undefined) {
    if (days.size >= MOST_DAYS) days.clear();
    days.set(day, (text = isoDay(day * DAY_MS)));
  }
  return text;
}

function hourOf(hour: number): string {
  return String(hour - Math.floor(hour / HOURS_OF_DAY) * HOURS_OF_DAY).padStart(2, '0');
}
