// The European Central Bank's reference rates: one event per day, units of a currency for one euro, as the bank wrote them.
import { z } from 'zod';
import type { Decider } from '../decider.js';
import { defineEvent, remaining, type EventOf } from '../events.js';

const decimal = z.string().regex(/^\d+(\.\d+)?$/);
const rates = z.record(z.string().length(3), decimal);
const day = z.iso.date();

export const ratesEvents = {
  ExchangeRatesPublished: defineEvent('ExchangeRatesPublished', { source: z.literal('ecb'), day, rates }),
  /** `rates`: only the rates of the day that are new or changed. */
  ExchangeRatesCorrected: defineEvent('ExchangeRatesCorrected', { source: z.literal('ecb'), day, rates }),
};
export type RatesEvent = EventOf<typeof ratesEvents>;

/** Decimal numbers by ISO 4217 code. */
export type DayRates = { readonly [currency: string]: string };
/** Rates by year, then by day (`2026-04-13`): a change copies only one year and not thousands of days. */
export type Rates = { readonly [year: string]: { readonly [day: string]: DayRates } };

export type PublishRates = { readonly day: string; readonly rates: DayRates };

export const ratesDecider: Decider<Rates, PublishRates, RatesEvent> = {
  initial: () => ({}),
  evolve: (state, event) => {
    switch (event.type) {
      case 'ExchangeRatesPublished':
      case 'ExchangeRatesCorrected': {
        const { day: of, rates: published } = event.data;
        const year = of.slice(0, 4);
        return { ...state, [year]: { ...state[year], [of]: { ...ratesOf(state, of), ...published } } };
      }
      default:
        remaining<never>(event);
        return state;
    }
  },
  decide: ({ day: of, rates: published }, state) => {
    const known = ratesOf(state, of);
    const at = `${of}T00:00:00.000Z`;
    if (!known) return [ratesEvents.ExchangeRatesPublished.of({ source: 'ecb', day: of, rates: published }, { at })];
    const changed = Object.entries(published).filter(([currency, rate]) => known[currency] !== rate);
    if (changed.length === 0) return [];
    return [
      ratesEvents.ExchangeRatesCorrected.of({ source: 'ecb', day: of, rates: Object.fromEntries(changed) }, { at }),
    ];
  },
};

/** Returns true if any day has a rate of the currency. Rates are quoted for one euro. */
export function hasCurrency(rates: Rates, currency: string): boolean {
  const published = currency === 'EUR' ? 'USD' : currency;
  return Object.values(rates).some((year) => Object.values(year).some((day) => published in day));
}

/** Returns only the rates that amounts in the currency need. */
export function selectRates(rates: Rates, currency: string): Rates {
  const of = (day: DayRates): DayRates =>
    Object.fromEntries(['USD', currency].flatMap((code) => (day[code] === undefined ? [] : [[code, day[code]]])));
  const inYear = (days: Readonly<Record<string, DayRates>>) =>
    Object.fromEntries(Object.entries(days).map(([day, known]) => [day, of(known)]));
  return Object.fromEntries(Object.entries(rates).map(([year, days]) => [year, inYear(days)]));
}

export function ratesOf(rates: Rates, of: string): DayRates | undefined {
  return rates[of.slice(0, 4)]?.[of];
}
