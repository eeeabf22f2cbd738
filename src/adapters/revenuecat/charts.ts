// Charts of a project in RevenueCat's REST API v2. Values have two forms: rows of numbers that begin with the time, and objects with the
// number of their measure; times are seconds or milliseconds.
import { z } from 'zod';
import type { Interval } from '../../domain/charts/calendar.js';
import type { VendorChart, VendorPoint } from '../../domain/comparison/charts.js';
import { RevenueCatRefusal, type RevenueCatRequests } from './requests.js';

const domain = 'charts' as const;
const needs = (permission: string) =>
  `a secret key of API v2 with the permission charts_metrics:${permission}:read (project settings, API keys)`;

const series = z.object({ display_name: z.string().nullish(), id: z.string().nullish() });
const point = z.object({
  cohort: z.number(),
  measure: z.int().nullish(),
  period: z.int().nullish(),
  value: z.number().nullable(),
  incomplete: z.boolean().nullish(),
});
const chartData = z.object({
  resolution: z.string(),
  yaxis_currency: z.string().nullish(),
  last_computed_at: z.number().nullish(),
  measures: z.array(series).nullish(),
  segments: z.array(series).nullish(),
  values: z.array(z.union([z.array(z.number().nullable()), point])),
});

/** `from`, `to`: first and last UTC day. */
export type RevenueCatChartQuery = {
  readonly projectId: string;
  readonly chartId: string;
  readonly from: string;
  readonly to: string;
  readonly interval: Interval;
};

/** IDs of the time resolutions in requests. */
const resolutions: Readonly<Record<Interval, string>> = { day: '0', week: '1', month: '2', quarter: '3', year: '4' };

/** Reads a chart in US dollars. Throws `RevenueCatRefusal`. */
export async function readRevenueCatChart(
  { get }: RevenueCatRequests,
  { projectId, chartId, from, to, interval }: RevenueCatChartQuery,
  signal?: AbortSignal,
): Promise<VendorChart> {
  const period = { start_date: from, end_date: to, resolution: resolutions[interval], currency: 'USD' };
  const path = `/v2/projects/${encodeURIComponent(projectId)}/charts/${encodeURIComponent(chartId)}`;
  const query = new URLSearchParams(period).toString();
  const { body } = await get(chartData, { domain, path: `${path}?${query}`, needs: needs('charts') }, signal);
  if (body.resolution !== interval) {
    throw new RevenueCatRefusal(200, `RevenueCat returned ${chartId} by ${body.resolution} instead of ${interval}`);
  }
  const names = (body.measures?.length ? body.measures : (body.segments ?? [])).map(
    (s) => s.display_name ?? s.id ?? '',
  );
  return { measures: names, points: body.values.flatMap((value) => pointsOf(value)) };
}

function pointsOf(value: readonly (number | null)[] | z.output<typeof point>): readonly VendorPoint[] {
  if ('cohort' in value) {
    const { cohort, measure, period, value: amount, incomplete } = value;
    const place = { measure: measure ?? 0, period: period ?? null };
    return [{ at: inMs(cohort), ...place, value: amount, incomplete: incomplete === true }];
  }
  const [at, ...values] = value;
  if (at === null || at === undefined) return [];
  return values.map((amount, measure) => ({ at: inMs(at), measure, period: null, value: amount, incomplete: false }));
}

/** Seconds of the year 5138 are the first that would be mistaken for milliseconds. */
const MAX_SECONDS = 100_000_000_000;

function inMs(time: number): number {
  return time < MAX_SECONDS ? time * 1000 : time;
}
