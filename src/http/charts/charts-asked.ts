// What a chart is read from and as of when: the live charts or a copy that a replay made, with the rates and the catalogue of that instant.
import type { ReplayInfo } from '../../adapters/replays/info.js';
import { Unavailable } from '../../domain/errors.js';
import { chartsInCopy, copiedCharts } from '../../projections/charts/copied.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import { chartSource, type ChartSource, type Compute } from '../../projections/charts/source.js';
import { checkAsOf } from '../customers/as-of.js';
import { isoFromMs } from '../../domain/time.js';
import { HttpError } from '../bodies/errors.js';
import type { Services } from '../dispatch/services.js';
import { createConversion, showsMoney, type Conversion } from '../../domain/charts/currency.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { knowsCurrency, ratesDecider, ratesFor, type Rates, type RatesEvent } from '../../domain/rates/rates.js';
import { streams } from '../../domain/streams.js';
import { soldProducts } from '../../domain/catalog/catalog.js';
import { readCatalogAsOf } from '../../projections/queries/as-of.js';

export type ChartsAsked = {
  readonly source: ChartSource;
  /** The name of the copy; null for what is live. */
  readonly copy: string | null;
  /** UTC ms: the running instant, the one asked about, and the first at which nothing exists for the response. */
  readonly now: number;
  readonly shown: number;
  readonly until: number;
  /** All that the source holds may count. */
  readonly isLive: boolean;
  /** UTC ms from which on learned events are missing, since the model stopped at one; undefined for one that goes on. */
  readonly staleSince: number | undefined;
  /** What the response shows of the copy. */
  readonly replay: { readonly replay?: Pick<ReplayInfo, 'name' | 'until' | 'madeAt' | 'whatIf'> };
};

type Asked = { readonly asOf?: string | undefined; readonly replay?: string | undefined };

/** Throws {@link HttpError} 400 for an instant of which nothing is known, 404 for a copy that is not there. */
export async function chartsAsked(services: Services, projectId: string, asked: Asked): Promise<ChartsAsked> {
  const { asOf } = asked;
  const now = services.runtime.now();
  if (asOf !== undefined) await checkAsOf(services, projectId, asOf);
  const copy = asked.replay === undefined ? null : await openCopy(services, projectId, asked.replay);
  const end = copy ? Math.min(Date.parse(copy.info.endsAt), now + 1) : now + 1;
  if (copy && asOf !== undefined && Date.parse(asOf) > end) {
    throw new HttpError(400, `asOf lies behind what replay ${copy.info.name} knows, which ends at ${copy.info.endsAt}`);
  }
  const source = copy?.source ?? chartSource(services.readModels, askedBeside(services, null));
  const until = asOf === undefined ? end : Date.parse(asOf);
  const halted = copy ? undefined : services.progress.haltedSince(customerHistories.name);
  const staleSince = halted === undefined ? undefined : Date.parse(halted);
  const shown = Math.min(until, now);
  return {
    source,
    copy: copy?.info.name ?? null,
    now,
    shown,
    until,
    isLive: asOf === undefined,
    staleSince,
    replay: replayOf(copy?.info),
  };
}

/** For responses that cannot be marked as old. Throws {@link HttpError} 503. */
export function expectFresh({ staleSince }: ChartsAsked): void {
  if (staleSince === undefined) return;
  const since = isoFromMs(staleSince);
  throw new HttpError(
    503,
    `the charts know nothing learned since ${since}; subledger doctor says why, the chart in JSON shows them as they were`,
  );
}

/** What sums do not hold is found out beside the requests. */
function askedBeside({ chartLedger }: Services, copy: string | null): Compute {
  return (projectId, query, also) =>
    chartLedger.ask('chart', projectId, { side: { copy, query, isLive: false }, also });
}

function replayOf(info: ReplayInfo | undefined): ChartsAsked['replay'] {
  if (!info) return {};
  const { name, until, madeAt, whatIf } = info;
  return { replay: { name, until, madeAt, whatIf } };
}

async function openCopy(services: Services, projectId: string, name: string) {
  const { replays } = services;
  const make = 'make it with POST …/metrics/replays, or with: subledger replay charts --as NAME';
  const found = await replays.open(projectId, name).catch((err: unknown) => {
    // Whatever lies there under this name: no replay has put it there, or not all of it is left.
    if (err instanceof Unavailable) throw new HttpError(404, `the file of this replay cannot be read; ${make}`);
    throw err;
  });
  // A copy of another project must not be visible.
  if (!found || (found.info.projectId !== null && found.info.projectId !== projectId)) {
    throw new HttpError(404, `there is no replay of this name; ${make}`);
  }
  const { docs, info } = found;
  if (!info.collections.includes(chartsInCopy)) {
    throw new HttpError(404, `this replay holds no charts of the running version; ${make}`);
  }
  return { info, source: await copiedCharts({ id: name, docs }, askedBeside(services, name)) };
}

/** Null when there is nothing to convert. Throws {@link HttpError} 400 for a currency of which no rate at all is known. */
export async function conversionFor(
  services: Services,
  currency: string,
  { chart, selectors, range }: ChartQuery,
  { until, now }: Pick<ChartsAsked, 'until' | 'now'>,
): Promise<Conversion | null> {
  if (currency === 'USD' || !showsMoney(chart, selectors)) return null;
  const { deps } = services;
  const rates = until > now ? await deps.rates.get(streams.rates()) : await ratesBefore(deps, isoFromMs(until));
  if (knowsCurrency(rates, currency))
    return createConversion({ currency, rates: ratesFor(rates, currency), end: range.end, isLatest: until > now });
  throw new HttpError(
    400,
    `no exchange rates of ${currency} are known; an operator brings them with: subledger rates import`,
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

/** Products of the catalogue as it was then; none where the query does not use products. */
export async function productsFor(
  { deps }: Services,
  projectId: string,
  { segment, filters }: ChartQuery,
  { until, now }: Pick<ChartsAsked, 'until' | 'now'>,
): Promise<Pick<ChartQuery, 'sold'>> {
  if (segment !== 'productId' && !filters.has('productId')) return {};
  const catalog =
    until > now
      ? await deps.catalogs.get(streams.catalog(projectId))
      : await readCatalogAsOf(deps.log, projectId, isoFromMs(until - 1));
  return { sold: soldProducts(catalog) };
}
