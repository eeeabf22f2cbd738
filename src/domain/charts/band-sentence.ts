// A daily figure and its usual band in words, for the page, the interface and webhooks.
import type { Unit } from './catalogue/display-values.js';
import { MIN_COUNT, MIN_DAYS, WEEKS, type Band, type Verdict } from './usual-band.js';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Figure of a UTC day of a chart. `value` null: there was nothing to divide by. */
export type DescribedFigure = {
  readonly name: string;
  readonly unit: Unit;
  readonly day: string;
  readonly value: number | null;
  readonly verdict: Verdict;
  readonly band: Pick<Band, 'low' | 'high' | 'median' | 'days'> | null;
};

/** Returns what happened, and what was usual. */
export function bandSentence({ name, unit, day, value, verdict, band }: DescribedFigure): string {
  const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? '';
  const was = `${name} on ${weekday} ${day} was ${value === null ? 'not defined' : printFigure(value, unit)}`;
  if (!band) return `${was}; ${reasonOf(verdict, weekday)}.`;
  const print = (number: number) => printFigure(number, unit);
  const usual = `usual are ${print(band.low)} to ${print(band.high)} (median ${print(band.median)})`;
  const place = verdict === 'low' ? 'lower than usual' : verdict === 'high' ? 'higher than usual' : 'as usual';
  return `${was}, ${place}: by the last ${band.days} ${weekday}s, ${usual}.`;
}

function reasonOf(verdict: Verdict, weekday: string): string {
  return verdict === 'too_small'
    ? `there is no usual band, because fewer than ${MIN_COUNT} a day are usual`
    : `there is no usual band yet: it takes ${MIN_DAYS} of the last ${WEEKS} ${weekday}s with data`;
}

function printFigure(value: number, unit: Unit): string {
  if (unit === 'percent') return `${value} %`;
  if (unit === 'count') return String(Math.round(value * 10) / 10);
  return `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(2)}`;
}
