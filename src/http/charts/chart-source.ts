// Source, instant and rules of a chart: current data or a replay, with the exchange rates and the catalogue of that instant.
import { findChartReplay, type ChartReplay } from '../../commands/projects/chart-replays.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import { chartSource, type ChartSource } from '../../projections/charts/chart-documents.js';
import { expectAsOf } from '../customers/read-customer.js';
import { isoFromMs } from '../../domain/time.js';
import { HttpError } from '../bodies/errors.js';
import type { Services } from '../dispatch/services.js';
import { showsMoney, type ConversionTerms } from '../../domain/charts/currency.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { whatIfText, type WhatIf } from '../../domain/charts/what-if.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { hasCurrency, ratesDecider, selectRates, type Rates, type RatesEvent } from '../../domain/rates/rates.js';
import { streams } from '../../domain/streams.js';
import { soldProducts } from '../../domain/catalog/catalog.js';
import { readCatalogAsOf } from '../../projections/queries/as-of.js';

export type ResolvedChartSource = {
  readonly source: ChartSource;
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

type ChartSourceRequest = { readonly asOf?: string | undefined; readonly replay?: string | undefined };

/** Throws {@link HttpError} 400 for an instant outside the recorded time, 404 for an unknown replay. */
export async function resolveChartSource(
  services: Services,
  projectId: string,
  request: ChartSourceRequest,
): Promise<ResolvedChartSource> {
  const { asOf } = request;
  const now = services.runtime.now();
  if (asOf !== undefined) await expectAsOf(services, projectId, asOf);
  const replay = request.replay === undefined ? undefined : await requireReplay(services, projectId, request.replay);
  const end = replay ? Math.min(Date.parse(replay.endsAt), now + 1) : now + 1;
  if (replay && asOf !== undefined && Date.parse(asOf) > end) {
    throw new HttpError(400, `asOf is later than the end of replay ${replay.name} (${replay.endsAt})`);
  }
  const { readModels, chartLedger } = services;
  const source = chartSource(readModels, (of, query) => chartLedger.ask('chart', of, { query }));
  const until = asOf === undefined ? end : Date.parse(asOf);
  const halted = services.progress.haltedSince(customerHistories.name);
  const staleSince = halted === undefined ? undefined : Date.parse(halted);
  const shown = Math.min(until, now);
  return {
    source,
    now,
    asOf: shown,
    until,
    isLive: asOf === undefined && replay === undefined,
    staleSince,
    ...(replay && whatIfText(replay.whatIf) !== '' && { whatIf: replay.whatIf }),
    replay: presentReplay(replay),
  };
}

/** Refuses stale data for responses that cannot be marked as stale. Throws {@link HttpError} 503. */
export function expectFresh({ staleSince }: ResolvedChartSource): void {
  if (staleSince === undefined) return;
  const since = isoFromMs(staleSince);
  throw new HttpError(
    503,
    `chart data is stale since ${since}; run subledger doctor for the cause, or request JSON to get the last known values`,
  );
}

function presentReplay(replay: ChartReplay | undefined): ResolvedChartSource['replay'] {
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
export async function conversionFor(
  services: Services,
  currency: string,
  { chart, selectors, range }: ChartQuery,
  { until, now }: Pick<ResolvedChartSource, 'until' | 'now'>,
): Promise<ConversionTerms | null> {
  if (currency === 'USD' || !showsMoney(chart, selectors)) return null;
  const { deps } = services;
  const rates = until > now ? await deps.rates.get(streams.rates()) : await ratesBefore(deps, isoFromMs(until));
  if (hasCurrency(rates, currency))
    return { currency, rates: selectRates(rates, currency), end: range.end, isLatest: until > now };
  throw new HttpError(
    400,
    `no exchange rates for ${currency}; an operator can import them with: subledger rates import`,
  );
}

async function ratesBefore({ log }: Services['deps'], until: string): Promise<Rates> {
  let rates = ratesDecider.initial();
  for await (const stored of log.read(streams.rates())) {
    const event = stored as unknown as RecordedEvent<RatesEvent>;
    if (event.meta.recordedAt < until) rates = ratesDecider.evolve(rates, event);
  }
  return rates;
}

/** Returns the products of the catalogue at the time of the query; none if the query does not use products. */
export async function productsFor(
  { deps }: Services,
  projectId: string,
  { segment, filters }: ChartQuery,
  { until, now }: Pick<ResolvedChartSource, 'until' | 'now'>,
): Promise<Pick<ChartQuery, 'sold'>> {
  if (segment !== 'productId' && !filters.has('productId')) return {};
  const catalog =
    until > now
      ? await deps.catalogs.get(streams.catalog(projectId))
      : await readCatalogAsOf(deps.log, projectId, isoFromMs(until - 1));
  return { sold: soldProducts(catalog) };
}
