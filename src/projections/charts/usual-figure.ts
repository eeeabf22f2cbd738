// The figure of the last complete day of a chart, compared with the same weekdays before.
import { DAY_MS, startOfDay } from '../../domain/charts/calendar.js';
import { charts } from '../../domain/charts/catalogue/catalogue.js';
import { defaultSelectors, type Chart, type SeriesChart } from '../../domain/charts/catalogue/chart.js';
import type { Unit } from '../../domain/charts/catalogue/display-values.js';
import { bucketedRangeOf } from '../../domain/charts/result/buckets.js';
import { judgeFigure, WEEKS, type DailyFigure, type JudgedFigure } from '../../domain/charts/usual-band.js';
import { isoFromMs } from '../../domain/time.js';
import { chartDocuments } from './chart-documents.js';
import { firstDay } from './from-sums.js';
import { readChart, type ChartSources } from './query-chart.js';

/** Chart whose figure of a day can be watched. */
export type WatchableChart = SeriesChart & { readonly watch: NonNullable<SeriesChart['watch']> };

export function isWatchable(chart: Chart): chart is WatchableChart {
  return chart.kind === 'series' && chart.watch !== undefined;
}

export function findWatchableChart(chartId: string): WatchableChart | undefined {
  return charts.filter(isWatchable).find(({ id }) => id === chartId);
}

/** Time after the end of a day within which stores and devices still report what belongs to it. */
export const LATENESS_MS = 6 * 3_600_000;

/** Returns the last UTC day that is complete at the time, lateness included, such as `2026-11-20`. */
export function lastCompleteDay(nowMs: number): string {
  return isoFromMs(startOfDay(nowMs - LATENESS_MS) - DAY_MS).slice(0, 10);
}

/** `earlier`: the same weekdays before, latest first, without those before the project had customers. */
export type UsualFigure = JudgedFigure & {
  readonly day: string;
  readonly measure: string;
  readonly unit: Unit;
  readonly value: number | null;
  readonly earlier: readonly { readonly day: string; readonly value: number | null }[];
};

/** Judges production purchases of the day as known now. Throws `Unavailable` as `readChart` does. */
export async function readUsualFigure(
  sources: ChartSources,
  projectId: string,
  chart: WatchableChart,
  { day, nowMs }: { readonly day: string; readonly nowMs: number },
): Promise<UsualFigure> {
  const { watch } = chart;
  const start = Date.parse(day) - 7 * WEEKS * DAY_MS;
  const range = bucketedRangeOf({ start, end: Date.parse(day) + DAY_MS, interval: 'day', asOf: nowMs + 1 });
  const query = { chart, range, environment: 'production' as const, filters: new Map(), segment: null };
  const { result } = await readChart(sources, projectId, { ...query, selectors: defaultSelectors }, true);
  const begins = await firstDay(chartDocuments(sources.readModels), projectId, 'production');
  const buckets = result.kind === 'series' ? result.buckets : [];
  const figureOf = (at: number): DailyFigure => {
    const values = buckets.find((bucket) => bucket.start === at)?.values ?? {};
    return { value: values[watch.measure] ?? null, count: values[watch.count] ?? 0 };
  };
  const weeks = Array.from({ length: WEEKS }, (_, i) => Date.parse(day) - 7 * (i + 1) * DAY_MS);
  const earlier = weeks
    .filter((at) => at >= begins)
    .map((at) => ({ day: isoFromMs(at).slice(0, 10), ...figureOf(at) }));
  const figure = figureOf(Date.parse(day));
  const unit = chart.measures.find(({ id }) => id === watch.measure)?.unit ?? chart.unit;
  return {
    ...judgeFigure(figure, earlier, unit),
    ...{ day, measure: watch.measure, unit, value: figure.value },
    earlier: earlier.map(({ day: on, value }) => ({ day: on, value })),
  };
}
