// Charts as answers show them.
import { unpackColumns } from '../../domain/charts/columns.js';
import { unitOf, type ChartAnswer, type RowAnswer, type SeriesAnswer } from '../../domain/charts/answer.js';
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
import { LongJson } from '../send-json.js';
import { rowsText } from './cohort-text.js';

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

/** Instants in UTC ms: of the question, and when it was asked. `replay` stands at the end. */
export type Told = {
  readonly asOf: number;
  readonly askedAt: number;
  readonly currency: string;
  readonly replay: object;
};

/** Rows by day are long: their text is made while it is sent. */
export function presentChartData(q: Question, read: Answered, told: Told): object {
  const { chart, segment } = q;
  const common = aboutChart(q, told);
  if ('segments' in read) {
    const segments = [...read.segments].map(([value, answer]) => {
      return [value, { ...figuresOf(answer), summary: summaryOf(chart, answer) }] as const;
    });
    return { ...common, segment, segments: Object.fromEntries(segments), summary: {}, ...told.replay };
  }
  const { answer } = read;
  const rest = { summary: summaryOf(chart, answer), ...told.replay };
  if (answer.kind === 'series') return { ...common, ...figuresOf(answer), ...rest };
  return new LongJson(withRows(common, answer.rows, rest));
}

function* withRows(before: object, rows: readonly RowAnswer[], behind: object): Generator<Buffer> {
  yield Buffer.from(`${JSON.stringify(before).slice(0, -1)},"rows":`);
  yield* rowsText(rows);
  yield Buffer.from(`,${JSON.stringify(behind).slice(1)}`);
}

function aboutChart(
  { chart, frame, selectors, conversion }: Question,
  { asOf, askedAt, currency }: Pick<Told, 'asOf' | 'askedAt' | 'currency'>,
) {
  const inCurrency = (unit: Unit) => (unit === 'usd' ? currency.toLowerCase() : unit);
  const { id, name, kind } = chart;
  return {
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
}

function figuresOf(answer: ChartAnswer) {
  const dated = <B extends { readonly start: number; readonly end: number }>(b: B) => ({
    ...b,
    start: isoFromMs(b.start),
    end: isoFromMs(b.end),
  });
  if (answer.kind === 'series') return { buckets: answer.buckets.map(dated) };
  return { rows: answer.rows.map((row) => ({ ...dated(row), columns: unpackColumns(row.columns) })) };
}

/** Of series; `total` of the period where buckets add up. Averages leave out buckets without a figure. */
function summaryOf(chart: Chart, answer: ChartAnswer) {
  if (answer.kind === 'cohort') return {};
  return Object.fromEntries(chart.measures.map((m) => [m.id, summaryOfMeasure(answer, m.id, m.isAdditive)]));
}

function summaryOfMeasure({ buckets, totals }: SeriesAnswer, id: string, isAdditive: boolean) {
  const figures = buckets.flatMap((b) => b.values[id] ?? []);
  const total = (isAdditive ? totals[id] : null) ?? figures.reduce((a, b) => a + b, 0);
  const average = figures.length === 0 ? null : Math.round((total / figures.length) * 100) / 100;
  return { ...(isAdditive && { total }), average, last: buckets.at(-1)?.values[id] ?? null };
}

type Cell = string | number | boolean | null;

/** A line per bucket, or per column of a row; with segments, a first field for the segment. */
export function tableOf(
  { chart, segment }: Pick<Question, 'chart' | 'segment'>,
  read: Answered,
): { readonly header: readonly string[]; readonly lines: readonly Cell[][] } {
  const answers = 'answer' in read ? [['', read.answer] as const] : [...read.segments];
  const records = answers.flatMap(([value, answer]) =>
    recordsOf(answer).map((record) => ('answer' in read ? record : { segment: value, ...record })),
  );
  const figures = chart.measures.map((m) => m.id);
  const common = chart.kind === 'series' ? ['incomplete', ...figures] : ['size', 'index', ...figures, 'incomplete'];
  const header = [...(segment === null ? [] : ['segment']), 'start', 'end', ...common];
  return { header, lines: records.map((r: Readonly<Record<string, Cell>>) => header.map((h) => r[h] ?? null)) };
}

function recordsOf(answer: ChartAnswer): readonly Readonly<Record<string, Cell>>[] {
  if (answer.kind === 'series') {
    return answer.buckets.map(({ start, end, incomplete, values }) => {
      return { start: isoFromMs(start), end: isoFromMs(end), incomplete, ...values };
    });
  }
  return answer.rows.flatMap(({ start, end, size, columns }) =>
    unpackColumns(columns).map((column) => ({ start: isoFromMs(start), end: isoFromMs(end), size, ...column })),
  );
}
