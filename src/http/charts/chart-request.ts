// Request of a chart: its query, with the instant and the rules that apply, and the exchange rates and the catalogue of that instant.
import { z } from 'zod';
import { findChartReplay, type ChartReplay } from '../../commands/projects/chart-replays.js';
import { soldProducts } from '../../domain/catalog/catalog.js';
import { findChart } from '../../domain/charts/catalogue/catalogue.js';
import type { Chart } from '../../domain/charts/catalogue/chart.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { showsMoney, type ConversionTerms } from '../../domain/charts/currency.js';
import { whatIfText, type WhatIf } from '../../domain/charts/what-if.js';
import { hasCurrency, ratesDecider, selectRates, type Rates } from '../../domain/rates/rates.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { chartDocuments } from '../../projections/charts/chart-documents.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import { firstDay } from '../../projections/charts/from-sums.js';
import { projects } from '../../projections/models/projects.js';
import { readCatalogAsOf } from '../../projections/queries/as-of.js';
import { HttpError } from '../bodies/errors.js';
import { id } from '../bodies/request-schemas.js';
import { expectAsOf } from '../customers/read-customer.js';
import type { Services } from '../dispatch/services.js';
import { parseChartQuery, type ChartParameters, type ParsedQuery } from './chart-parameters.js';
import { readStream } from '../../adapters/event-log/port.js';

export const chartParams = z.object({ id, chartId: id });

/** A chart, and the period that it is compared with. */
export type ChartRequest = ChartKnowledge &
  ParsedQuery & {
    /** True if the compared period ends before the project has any data; omitted without one. */
    readonly isBeforeData?: boolean;
  };

/** Data that a response may use: current data or a replay, as of an instant. */
export type ChartKnowledge = {
  /** Changed rules of a replay; omitted for the actual rules. */
  readonly whatIf?: WhatIf;
  /** UTC ms: current time, time of the query, and the first instant without data for this response. */
  readonly now: number;
  readonly asOf: number;
  readonly until: number;
  /** True if the response may use everything in the source. */
  readonly isLive: boolean;
  /** UTC ms since which recorded events are missing because the model has halted; undefined if it is running. */
  readonly staleSince: number | undefined;
  /** The fields of the replay in the response. */
  readonly replay: { readonly replay?: Pick<ChartReplay, 'name' | 'until' | 'madeAt' | 'whatIf'> };
};

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
  const read = await resolveKnowledge(services, projectId, query);
  const isSinceStart = query.period === 'all_time' || query.previous !== undefined;
  const begins = isSinceStart ? await startOfData(services, projectId, query, read) : read.now;
  const { chartQuery, previous, ...parsed } = parseChartQuery(chart, query, read.until, begins);
  const conversion = await conversionFor(services, query.currency, chartQuery, read);
  const sold = await productsFor(services, projectId, chartQuery, read);
  const { whatIf } = read;
  const terms = { ...(conversion && { conversion }), ...(whatIf && { whatIf }) };
  const complete = (one: ChartQuery): ChartQuery => ({ ...one, ...sold, ...terms });
  const request = { ...read, ...parsed, chartQuery: complete(chartQuery) };
  if (!previous) return request;
  const isBeforeData = previous.chartQuery.range.end <= begins;
  return { ...request, previous: { ...previous, chartQuery: complete(previous.chartQuery) }, isBeforeData };
}

/** Returns the start of all data, UTC ms: creation of the project or its first customer, whichever is earlier. */
async function startOfData(
  { readModels }: Services,
  projectId: string,
  { environment }: ChartParameters,
  { now }: ChartKnowledge,
): Promise<number> {
  const project = await readModels.get(projects, projectId);
  return Math.min(
    project ? Date.parse(project.createdAt) : now,
    await firstDay(chartDocuments(readModels), projectId, environment),
  );
}

/** Throws {@link HttpError} 400 for an instant outside the recorded time, 404 for an unknown replay. */
export async function resolveKnowledge(
  services: Services,
  projectId: string,
  request: { readonly asOf?: string | undefined; readonly replay?: string | undefined },
): Promise<ChartKnowledge> {
  const { asOf } = request;
  const now = services.runtime.now();
  if (asOf !== undefined) await expectAsOf(services, projectId, asOf);
  const replay = request.replay === undefined ? undefined : await requireReplay(services, projectId, request.replay);
  const end = replay ? Math.min(Date.parse(replay.endsAt), now + 1) : now + 1;
  if (replay && asOf !== undefined && Date.parse(asOf) > end) {
    throw new HttpError(400, `asOf is later than the end of replay ${replay.name} (${replay.endsAt})`);
  }
  const until = asOf === undefined ? end : Date.parse(asOf);
  const halted = services.progress.haltedSince(customerHistories.name);
  const staleSince = halted === undefined ? undefined : Date.parse(halted);
  const visibleUntil = Math.min(until, now);
  return {
    now,
    asOf: visibleUntil,
    until,
    isLive: asOf === undefined && replay === undefined,
    staleSince,
    ...(replay && whatIfText(replay.whatIf) !== '' && { whatIf: replay.whatIf }),
    replay: presentReplay(replay),
  };
}

/** Refuses stale data for responses that cannot be marked as stale. Throws {@link HttpError} 503. */
export function expectFresh({ staleSince }: ChartKnowledge): void {
  if (staleSince === undefined) return;
  const since = isoFromMs(staleSince);
  throw new HttpError(
    503,
    `chart data is stale since ${since}; run subledger doctor for the cause, or request JSON to get the last known values`,
  );
}

function presentReplay(replay: ChartReplay | undefined): ChartKnowledge['replay'] {
  if (!replay) return {};
  const { name, until, madeAt, whatIf } = replay;
  return { replay: { name, until, madeAt, whatIf } };
}

async function requireReplay({ deps }: Services, projectId: string, name: string): Promise<ChartReplay> {
  const found = await findChartReplay(deps, projectId, name);
  if (found) return found;
  throw new HttpError(
    404,
    'replay not found; create it with POST …/metrics/replays or: subledger replay charts --as NAME',
  );
}

/** Returns null if there is nothing to convert. Throws {@link HttpError} 400 for a currency without any exchange rate. */
async function conversionFor(
  services: Services,
  currency: string,
  { chart, selectors }: ChartQuery,
  { until, now }: Pick<ChartKnowledge, 'until' | 'now'>,
): Promise<ConversionTerms | null> {
  if (currency === 'USD' || !showsMoney(chart, selectors)) return null;
  const { deps } = services;
  const rates = until > now ? await deps.rates.get(streams.rates()) : await ratesBefore(deps, isoFromMs(until));
  if (hasCurrency(rates, currency)) return { currency, rates: selectRates(rates, currency), isLatest: until > now };
  throw new HttpError(
    400,
    `no exchange rates for ${currency}; an operator can import them with: subledger rates import`,
  );
}

async function ratesBefore({ log }: Services['deps'], until: string): Promise<Rates> {
  let rates = ratesDecider.initial();
  for await (const event of readStream(log, streams.rates())) {
    if (event.meta.recordedAt < until) rates = ratesDecider.evolve(rates, event);
  }
  return rates;
}

/** Returns the products of the catalogue at the time of the query; none if the query does not use products. */
async function productsFor(
  { deps }: Services,
  projectId: string,
  { segment, filters }: ChartQuery,
  { until, now }: Pick<ChartKnowledge, 'until' | 'now'>,
): Promise<Pick<ChartQuery, 'sold'>> {
  if (segment !== 'productId' && !filters.has('productId')) return {};
  const catalog =
    until > now
      ? await deps.catalogs.get(streams.catalog(projectId))
      : await readCatalogAsOf(deps.log, projectId, isoFromMs(until - 1));
  return { sold: soldProducts(catalog) };
}
