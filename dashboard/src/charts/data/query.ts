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

const LONG_PERIODS = new Set(['last_12_months', 'last_24_months', 'this_year', 'all_time']);
const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;
const DAY_MS = 86_400_000;
/** Number of days above which a period is shown by month unless the user chooses an interval. */
const MAX_DAYS = 180;

/** Returns the two days of a custom period; null for a named one. */
export function rangeOf(period: string): readonly [from: string, to: string] | null {
  const range = RANGE.exec(period);
  return range && [range[1] ?? '', range[2] ?? ''];
}

function intervalOf(period: string): string {
  const range = rangeOf(period);
  const days = range ? (Date.parse(range[1]) - Date.parse(range[0])) / DAY_MS : 0;
  return LONG_PERIODS.has(period) || days > MAX_DAYS ? 'month' : 'day';
}

/** Returns the chart parameters in the URL; other parameters belong to the page. */
export function parametersOf(kind: ChartDescription['kind']): Parameters {
  const period = query.value.get('period') ?? (kind === 'cohort' ? 'last_12_months' : 'last_90_days');
  const parameters: Record<string, string | readonly string[]> = {
    period,
    interval: kind === 'cohort' ? 'month' : intervalOf(period),
    environment: environment.value,
  };
  for (const name of NAMES) {
    const value = query.value.get(name);
    if (value !== null) parameters[name] = value;
  }
  if (parameters['segment'] !== undefined) parameters['segmentLimit'] = SEGMENT_LIMIT;
  const filters = query.value.getAll('filter');
  return filters.length === 0 ? parameters : { ...parameters, filter: filters };
}

export function loadChart(projectId: string, chartId: string, parameters: Parameters, signal: AbortSignal) {
  const params = { path: { id: projectId, chartId }, query: parameters };
  return unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}', { params, signal }));
}

/** Loads the data as CSV, with cells that spreadsheets do not interpret as formulas. */
export async function loadCsv(projectId: string, chartId: string, parameters: Parameters): Promise<string> {
  const params = { path: { id: projectId, chartId }, query: parameters };
  const asking = api.GET('/v1/projects/{id}/metrics/charts/{chartId}', {
    params,
    headers: { accept: 'text/csv' },
    parseAs: 'text',
  });
  return String(await unwrap(asking as Promise<{ data?: string; response: Response }>));
}

/** Returns the previous period of the same length. */
export function periodBefore({ startDate, endDate }: ChartData): string {
  const [start, end] = [Date.parse(startDate), Date.parse(endDate)];
  const days = Math.round((end - start) / DAY_MS) + 1;
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return `${dayOf(start - days * DAY_MS)}..${dayOf(start - DAY_MS)}`;
}
