// The rates by which a ledger converts amounts, and the days whose amounts may still be converted by earlier ones.
import { createConverter, type ConversionTerms, type Convert } from '../../../domain/charts/currency.js';
import { daysWithChangedRates } from '../../../domain/rates/convert.js';

/** Rates, and the instant (UTC ms) from which on no transaction is requested. */
export type DatedRates = { readonly terms: ConversionTerms; readonly asOf: number };

export type LedgerRates = {
  /** Undefined without conversion. */
  convert(): Convert | undefined;
  terms(): ConversionTerms | undefined;
  /** Days (UTC ms) whose amounts may be outdated. Whoever has converted them again clears the set. */
  readonly outdatedDays: Set<number>;
  /** Adds the days on which amounts converted by these terms are outdated. */
  addDaysConvertedBy(earlier: ConversionTerms | undefined): void;
  /** Replaces the rates by the latest of the requested ones. */
  update(requested: readonly DatedRates[]): void;
  /** Returns whether amounts before the instant are, or would be, converted by these rates. */
  includes(requested: DatedRates): boolean;
};

export function createLedgerRates(initial: ConversionTerms | undefined): LedgerRates {
  let terms = initial;
  let convert = terms && createConverter(terms);
  const outdatedDays = new Set<number>();
  const addOutdated = (days: Iterable<number>): void => {
    for (const day of days) outdatedDays.add(day);
  };
  return {
    convert: () => convert,
    terms: () => terms,
    outdatedDays,
    addDaysConvertedBy: (earlier) => addOutdated(daysWithChangedRates(earlier?.rates ?? {}, terms?.rates ?? {})),
    update: (requested) => {
      for (const one of requested) {
        const days = daysWithChangedRates(terms?.rates ?? {}, one.terms.rates);
        if (!one.terms.isLatest || days.size === 0) continue;
        terms = one.terms;
        convert = createConverter(terms);
        addOutdated(days);
      }
    },
    includes: ({ terms: requested, asOf }) =>
      [...daysWithChangedRates(terms?.rates ?? {}, requested.rates)].every((day) => day >= asOf),
  };
}
