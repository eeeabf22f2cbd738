// Report of a comparison of charts: per chart and measure the differing buckets, with the known reasons.
import { tableKeys } from '../../domain/values/table-keys.js';
import { z } from 'zod';
import type { ChartCell } from '../../domain/comparison/charts.js';
import { chartReasons } from '../../domain/comparison/chart-reasons.js';

const amount = z.number().nullable();
const reasonNames = tableKeys(chartReasons);
/** Result for one chart. `failure`: why RevenueCat did not return it; its other fields are empty then. */
export const chartResult = z.strictObject({
  chartId: z.string(),
  failure: z.string().nullable(),
  cells: z.array(
    z.strictObject({
      measure: z.string(),
      at: z.string(),
      period: z.int().nullable(),
      ...{ there: amount, here: amount, difference: amount },
      isEqual: z.boolean(),
      reasons: z.array(z.enum(reasonNames)),
    }),
  ),
  notCompared: z.strictObject({ there: z.array(z.string()), here: z.array(z.string()) }),
});
export type ChartComparisonResult = z.output<typeof chartResult>;

export type ChartReport = {
  readonly projectId: string;
  readonly from: string;
  readonly to: string;
  readonly interval: string;
  readonly values: number;
  readonly equal: number;
  readonly explained: number;
  readonly unexplained: number;
  /** Charts of which nothing could be compared. */
  readonly missing: readonly string[];
  readonly charts: readonly ChartComparisonResult[];
};

type Terms = Pick<ChartReport, 'projectId' | 'from' | 'to' | 'interval'>;

export function reportCharts(terms: Terms, charts: readonly ChartComparisonResult[]): ChartReport {
  const cells = charts.flatMap((chart) => chart.cells);
  const different = cells.filter((cell) => !cell.isEqual);
  const unexplained = different.filter((cell) => cell.reasons.length === 0).length;
  return {
    ...terms,
    values: cells.length,
    equal: cells.length - different.length,
    explained: different.length - unexplained,
    unexplained,
    missing: charts.filter((chart) => chart.cells.length === 0).map(({ chartId }) => chartId),
    charts,
  };
}

const MAX_LISTED = 24;

/** Formats a line per chart, then its differing values. */
export function chartReportText(report: ChartReport): readonly string[] {
  const { values, equal, explained, unexplained, missing, charts } = report;
  const used = new Set(charts.flatMap(({ cells }) => cells.flatMap(({ reasons }) => reasons)));
  return [
    ...charts.flatMap(chartText),
    '',
    ...[...used].map((name) => `${name}: ${chartReasons[name]}`),
    ...(missing.length > 0 ? [`Not compared: ${missing.join(', ')}.`] : []),
    `${values} values compared: ${equal} equal, ${explained} with a known reason, ${unexplained} unexplained.`,
  ];
}

function chartText({ chartId, failure, cells, notCompared }: ChartComparisonResult): readonly string[] {
  if (failure !== null) return [`${chartId}: not compared: ${failure}`];
  const different = cells.filter((cell) => !cell.isEqual);
  const { there, here } = notCompared;
  const gaps = [
    ...(there.length > 0 ? [`  only there: ${there.join(', ')}`] : []),
    ...(here.length > 0 ? [`  only here: ${here.join(', ')}`] : []),
  ];
  const more = different.length > MAX_LISTED ? [`  … and ${different.length - MAX_LISTED} more; see --json`] : [];
  const head = `${chartId}: ${cells.length} values, ${different.length} different`;
  return [head, ...different.slice(0, MAX_LISTED).map(cellText), ...more, ...gaps];
}

function cellText({ measure, at, period, there, here, difference, reasons }: ChartCell): string {
  const place = period === null ? at.slice(0, 10) : `${at.slice(0, 10)} +${period}`;
  const change = difference === null ? '' : `, difference ${difference > 0 ? '+' : ''}${difference}`;
  const why = reasons.length > 0 ? reasons.join(', ') : 'UNEXPLAINED';
  return `  ${place} ${measure}: there ${there ?? 'none'}, here ${here ?? 'none'}${change}: ${why}`;
}
