// Chart request from the URL: exactly the parameters of the API, so that a link shows the same to everyone.
import { api, unwrap, type Schemas } from '../../api/client';
import { environment, query } from '../../context/router';

export type ChartData = Schemas['ChartData'];
export type ChartDescription = Schemas['Chart'];
export type Parameters = Readonly<Record<string, string | readonly string[]>>;

const NAMES = [
  ...['period', 'interval', 'segment', 'currency', 'asOf', 'replay', 'revenueType', 'conversionTimeframe'],
  ...['customerLifetime', 'statusMeasure', 'productDuration', 'cohort', 'cohortMeasure', 'previous'],
];

/** Numbers of shown segments. The first one, together with `other`, is that of lines that can be distinguished. */
export const SEGMENT_LIMITS = { few: '7', more: '15', all: '1000' } as const;

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

/** Returns the chart parameters in the URL, and the project's currency without one; other parameters belong to the page. */
export function parametersOf(kind: ChartDescription['kind'], displayCurrency: string): Parameters {
  const period = query.value.get('period') ?? (kind === 'cohort' ? 'last_12_months' : 'last_90_days');
  const parameters: Record<string, string | readonly string[]> = {
    period,
    interval: kind === 'cohort' ? 'month' : intervalOf(period),
    environment: environment.value,
    ...(displayCurrency !== 'USD' && { currency: displayCurrency }),
  };
  for (const name of NAMES) {
    const value = query.value.get(name);
    if (value) parameters[name] = value;
  }
  if (kind === 'cohort') delete parameters['previous'];
  if (parameters['segment'] !== undefined) parameters['segmentLimit'] = segmentLimit();
  const filters = query.value.getAll('filter');
  return filters.length === 0 ? parameters : { ...parameters, filter: filters };
}

function segmentLimit(): string {
  const choice = query.value.get('show');
  return choice === 'all' || choice === 'more' ? SEGMENT_LIMITS[choice] : SEGMENT_LIMITS.few;
}

/** Returns the parameters without those that only concern figures beside the chart: the compared period, and the order of segments. */
export function ownFigures({ previous: _compared, measure: _ranks, ...parameters }: Parameters): Parameters {
  return parameters;
}

export function loadChart(projectId: string, chartId: string, parameters: Parameters, signal: AbortSignal) {
  const params = { path: { id: projectId, chartId }, query: parameters };
  return unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}', { params, signal }));
}

/** Loads the data as CSV, with cells that spreadsheets do not interpret as formulas. */
export async function loadCsv(projectId: string, chartId: string, parameters: Parameters): Promise<string> {
  // A table is whole, however many segments the page shows.
  const whole = parameters['segment'] === undefined ? parameters : { ...parameters, segmentLimit: SEGMENT_LIMITS.all };
  const params = { path: { id: projectId, chartId }, query: whole };
  const asking = api.GET('/v1/projects/{id}/metrics/charts/{chartId}', {
    params,
    headers: { accept: 'text/csv' },
    parseAs: 'text',
  });
  return String(await unwrap(asking as Promise<{ data?: string; response: Response }>));
}
