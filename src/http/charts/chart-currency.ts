// Charts in another currency than USD: with the rates that were known at the instant the answer is about.
import { createConversion, showsMoney, type Conversion } from '../../domain/charts/currency.js';
import type { Question } from '../../domain/charts/catalogue/question.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { knowsCurrency, ratesDecider, type Rates, type RatesEvent } from '../../domain/rates/rates.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import type { ChartsAsked } from './charts-asked.js';
import { HttpError } from '../bodies/errors.js';
import type { Services } from '../dispatch/services.js';

/** Null when there is nothing to convert. Throws {@link HttpError} 400 for a currency of which no rate at all is known. */
export async function conversionFor(
  services: Services,
  currency: string,
  { chart, selectors, range }: Question,
  { until, now }: Pick<ChartsAsked, 'until' | 'now'>,
): Promise<Conversion | null> {
  if (currency === 'USD' || !showsMoney(chart, selectors)) return null;
  const { deps } = services;
  const rates = until > now ? await deps.rates.get(streams.rates()) : await ratesBefore(deps, isoFromMs(until));
  if (knowsCurrency(rates, currency)) return createConversion(currency, rates, range.end);
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
