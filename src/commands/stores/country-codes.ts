// Country codes as the stores and their SDKs send them, of two or three letters.
// Without the names of countries in eighty languages.
import countries from 'i18n-iso-countries/index.js';
import { isCountry, withShortKosovo } from '../../domain/values/countries.js';

/** Returns the alpha-2 code of a country's code of two or three letters in capitals; null if there is none. */
export function countryOfCode(code: string): string | null {
  const short = withShortKosovo(code);
  return isCountry(short) ? short : (countries.alpha3ToAlpha2(short) ?? null);
}
