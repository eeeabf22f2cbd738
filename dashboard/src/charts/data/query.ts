// Chart request from the URL: exactly the parameters of the API, so that a link shows the same to everyone.
import { api, unwrap, type Schemas } from '../../api/client';
import { environment, query } from '../../app/router';

export type ChartData = Schemas['ChartData'];
export type ChartDescription = Schemas['Chart'];
export type Parameters = Readonly<Record<string, string | readonly string[]>>;

const NAMES = [
  ...['period', 'interval', 'segment', 'currency', 'asOf', 'replay', 'revenueType', 'conversionTimeframe'],
  ...['customerLifetime', 'statusMeasure', 'productDuration', 'cohort', 'cohortMeasure'],
];

/** Together with `other`, the number of lines that can be distinguished. */
const SEGMENT_LIMIT = '7';

/** Returns the chart parameters in the URL; other parameters belong to the page. */
export function parametersOf(kind: ChartDescription['kind']): Parameters {
  const asked: Record<string, string | readonly string[]> = {
    period: kind === 'cohort' ? 'last_12_months' : 'last_90_days',
    interval: kind === 'cohort' ? 'month' : 'day',
    environment: environment.value,
  };
  for (const name of NAMES) {
    const value = query.value.get(name);
    if (value !== null) asked[name] = value;
  }
  if (asked['segment'] !== undefined) asked['segmentLimit'] = SEGMENT_LIMIT;
  const filters = query.value.getAll('filter');
  return filters.length === 0 ? asked : { ...asked, filter: filters };
}

export function loadChart(projectId: string, chartId: string, asked: Parameters, signal: AbortSignal) {
  const params = { path: { id: projectId, chartId }, query: asked };
  return unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}', { params, signal }));
}

/** Loads the data as CSV, with cells that spreadsheets do not interpret as formulas. */
export async function loadCsv(projectId: string, chartId: string, asked: Parameters): Promise<string> {
  const params = { path: { id: projectId, chartId }, query: asked };
  const asking = api.GET('/v1/projects/{id}/metrics/charts/{chartId}', {
    params,
    headers: { accept: 'text/csv' },
    parseAs: 'text',
  });
  return String(await unwrap(asking as Promise<{ data?: string; response: Response }>));
}

/** Returns the previous period of the same length. */
export function periodBefore({ startDate, endDate }: ChartData): string {
  const dayMs = 86_400_000;
  const [start, end] = [Date.parse(startDate), Date.parse(endDate)];
  const days = Math.round((end - start) / dayMs) + 1;
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return `${dayOf(start - days * dayMs)}..${dayOf(start - dayMs)}`;
}
