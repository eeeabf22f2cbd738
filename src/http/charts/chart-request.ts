// Parts of all requests about one chart: the query, and display names of the result.
import { z } from 'zod';
import type { Doc } from '../../adapters/documents/port.js';
import { findChart } from '../../domain/charts/catalogue/catalogue.js';
import type { Chart } from '../../domain/charts/catalogue/chart.js';
import type { ChartQuery, Dimension } from '../../domain/charts/catalogue/chart-query.js';
import { firstDay } from '../../projections/charts/from-sums.js';
import { products } from '../../projections/models/catalogue.js';
import { customers } from '../../projections/models/customers.js';
import { offerings } from '../../projections/models/offerings.js';
import { apps, projects } from '../../projections/models/projects.js';
import { HttpError } from '../bodies/errors.js';
import { id } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';
import { parseChartQuery, type ChartParameters } from './chart-parameters.js';
import { resolveChartSource, conversionFor, productsFor, type ResolvedChartSource } from './chart-source.js';

export const chartParams = z.object({ id, chartId: id });

export const bucketStart = z
  .string()
  .max(40)
  .refine((t) => !Number.isNaN(Date.parse(t)), 'must be the start of a bucket')
  .optional();

/** Index of a cohort column. */
export const cohortColumn = z.coerce.number().int().min(0).max(10_000).optional();

/** Throws {@link HttpError} 400 unless the column is sent with the measures of a cohort chart, and only with them. */
export function expectColumnOf(chart: Chart, measure: string, column: number | undefined): void {
  if ((chart.kind === 'cohort' && measure !== 'size') === (column !== undefined)) return;
  throw new HttpError(
    400,
    'column is the index of a cohort column: send it with the measures of a cohort chart other than size, and only then',
  );
}

export type ChartRequest = ResolvedChartSource & { readonly chartQuery: ChartQuery };

/** Throws {@link HttpError} 404. */
export function requireChart(chartId: string): Chart {
  const chart = findChart(chartId);
  if (!chart) throw new HttpError(404, 'chart not found; see GET …/metrics/charts');
  return chart;
}

/** Throws {@link HttpError} 400 for parameters that the chart does not support, 404 for an unknown replay. */
export async function resolveChartRequest(
  services: Services,
  projectId: string,
  chart: Chart,
  query: ChartParameters,
): Promise<ChartRequest> {
  const read = await resolveChartSource(services, projectId, query);
  const begins = query.period === 'all_time' ? await startOfData(services, projectId, query, read) : read.now;
  const chartQuery = parseChartQuery(chart, query, read.until, begins);
  const conversion = await conversionFor(services, query.currency, chartQuery, read);
  const sold = await productsFor(services, projectId, chartQuery, read);
  const { whatIf } = read;
  const terms = { ...(conversion && { conversion }), ...(whatIf && { whatIf }) };
  return { ...read, chartQuery: { ...chartQuery, ...sold, ...terms } };
}

/** Returns the start of all data, UTC ms: creation of the project or its first customer, whichever is earlier. */
async function startOfData(
  { readModels }: Services,
  projectId: string,
  { environment }: ChartParameters,
  { source, now }: ResolvedChartSource,
): Promise<number> {
  const project = await readModels.get(projects, projectId);
  return Math.min(project ? Date.parse(project.createdAt) : now, await firstDay(source, projectId, environment));
}

/** Returns the display names of the objects with these IDs. Deleted objects have none. */
export async function readDisplayNames(
  { readModels }: Services,
  segment: Dimension | null,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = <D extends Doc>(found: ReadonlyMap<string, D>, nameOf: (doc: D) => string) =>
    new Map([...found].map(([id, doc]) => [id, nameOf(doc)]));
  if (segment === 'productId') return named(await readModels.getMany(products, ids), (p) => p.displayName);
  if (segment === 'offeringId') return named(await readModels.getMany(offerings, ids), (o) => o.displayName);
  if (segment === 'appId') return named(await readModels.getMany(apps, ids), (a) => a.name);
  return new Map();
}

/** Presents customers and their values, with the app user ID. */
export async function presentChartCustomers(
  { readModels }: Services,
  found: readonly { readonly customerId: string; readonly value: number }[],
) {
  const named = await readModels.getMany(
    customers,
    found.map((c) => c.customerId),
  );
  return found.map(({ customerId, value }) => {
    const appUserId = named.get(customerId)?.profile.appUserId ?? '';
    return { object: 'chartCustomer', customerId, appUserId: appUserId === '' ? null : appUserId, value };
  });
}

/** Returns the parameters of the next page; null is an unbounded timeframe. */
export function nextPageParameters(
  query: Readonly<Record<string, unknown>>,
): Record<string, string | string[] | undefined> {
  const parameters = Object.entries(query).filter(([name]) => name !== 'limit' && name !== 'startingAfter');
  const boundText = (v: unknown) => (v === null ? 'unbounded' : String(v));
  return Object.fromEntries(
    parameters.map(([name, v]) => [name, v === undefined ? v : Array.isArray(v) ? v.map(boundText) : boundText(v)]),
  );
}
