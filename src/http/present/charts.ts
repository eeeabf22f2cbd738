// Charts as answers show them.
import { unitOf, type ChartAnswer, type SeriesAnswer } from '../../domain/charts/answer.js';
import { DAY_MS, intervals } from '../../domain/charts/calendar.js';
import {
  cohortMeasures,
  cohorts,
  defaultSelectors,
  statusMeasures,
  type Chart,
  type Selectors,
} from '../../domain/charts/chart.js';
import { revenueTypes } from '../../domain/charts/money.js';
import type { Unit } from '../../domain/charts/figures.js';
import { dimensionsOf, type Question } from '../../domain/charts/question.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import type { Answered } from '../../projections/charts/read.js';

const values: Readonly<Record<keyof Selectors, readonly string[] | null>> = {
  revenueType: revenueTypes,
  conversionTimeframe: null,
  customerLifetime: null,
  statusMeasure: statusMeasures,
  productDuration: null,
  cohort: cohorts,
  cohortMeasure: cohortMeasures,
};

/** `values` null: any number of days, or duration. */
export function presentChart(chart: Chart) {
  const { id, name, description, category, kind, unit, selectors } = chart;
  const dimensions = dimensionsOf(chart);
  return {
    object: 'chart',
    ...{ id, name, description, category, kind, unit },
    measures: presentMeasures(chart, defaultSelectors),
    intervals,
    filters: dimensions,
    segments: dimensions,
    selectors: Object.fromEntries(
      selectors.map((s) => [s, { values: values[s], default: defaultSelectors[s] ?? 'unbounded' }]),
    ),
  };
}

function presentMeasures(chart: Chart, selectors: Selectors) {
  return chart.measures.map(({ id, name, unit }) => ({ id, name, unit: unitOf(chart, selectors, unit) }));
}

/** `askedAt` and the question's instant in UTC ms. */
export function presentChartData(q: Question, read: Answered, asOf: number, askedAt: number, currency: string) {
  const { chart, frame, selectors, segment, conversion } = q;
  const inCurrency = (unit: Unit) => (unit === 'usd' ? currency.toLowerCase() : unit);
  const { id, name, kind } = chart;
  const common = {
    object: 'chartData',
    ...{ id, name, kind },
    unit: inCurrency(unitOf(chart, selectors)),
    interval: frame.interval,
    startDate: utcDay(isoFromMs(frame.start)),
    endDate: utcDay(isoFromMs(frame.end - DAY_MS)),
    asOf: isoFromMs(asOf),
    lastComputedAt: isoFromMs(askedAt),
    currency,
    ...(conversion && { unconverted: conversion.unconverted() }),
    measures: presentMeasures(chart, selectors).map((m) => ({ ...m, unit: inCurrency(m.unit) })),
  };
  if ('answer' in read) return { ...common, ...figuresOf(read.answer), summary: summaryOf(chart, read.answer) };
  const segments = [...read.segments].map(([value, answer]) => {
    return [value, { ...figuresOf(answer), summary: summaryOf(chart, answer) }] as const;
  });
  return { ...common, segment, segments: Object.fromEntries(segments), summary: {} };
}

function figuresOf(answer: ChartAnswer) {
  const dated = <B extends { readonly start: number; readonly end: number }>(b: B) => ({
    ...b,
    start: isoFromMs(b.start),
    end: isoFromMs(b.end),
  });
  return answer.kind === 'series' ? { buckets: answer.buckets.map(dated) } : { rows: answer.rows.map(dated) };
}

/** Of series; `total` where buckets add up. Averages leave out buckets without a figure. */
function summaryOf(chart: Chart, answer: ChartAnswer) {
  if (answer.kind === 'cohort') return {};
  return Object.fromEntries(chart.measures.map((m) => [m.id, summaryOfMeasure(answer, m.id, m.isAdditive)]));
}

function summaryOfMeasure({ buckets }: SeriesAnswer, id: string, isAdditive: boolean) {
  const figures = buckets.flatMap((b) => b.values[id] ?? []);
  const total = Math.round(figures.reduce((a, b) => a + b, 0) * 100) / 100;
  const average = figures.length === 0 ? null : Math.round((total / figures.length) * 100) / 100;
  return { ...(isAdditive && { total }), average, last: buckets.at(-1)?.values[id] ?? null };
}

type Cell = string | number | boolean | null;

/** A line per bucket, or per column of a row; with segments, a first field for the segment. */
export function tableOf(read: Answered): { readonly header: readonly string[]; readonly lines: readonly Cell[][] } {
  const answers = 'answer' in read ? [['', read.answer] as const] : [...read.segments];
  const records = answers.flatMap(([value, answer]) =>
    recordsOf(answer).map((record) => ('answer' in read ? record : { segment: value, ...record })),
  );
  const header = [...new Set(records.flatMap((r) => Object.keys(r)))];
  return { header, lines: records.map((r: Readonly<Record<string, Cell>>) => header.map((h) => r[h] ?? null)) };
}

function recordsOf(answer: ChartAnswer): readonly Readonly<Record<string, Cell>>[] {
  if (answer.kind === 'series') {
    return answer.buckets.map(({ start, end, incomplete, values }) => {
      return { start: isoFromMs(start), end: isoFromMs(end), incomplete, ...values };
    });
  }
  return answer.rows.flatMap(({ start, end, size, columns }) =>
    columns.map((column) => ({ start: isoFromMs(start), end: isoFromMs(end), size, ...column })),
  );
}
