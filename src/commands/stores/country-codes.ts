// Converts the country codes of two or three letters that the stores and their SDKs send.
// The package's main entry would load the names of countries in eighty languages.
import countries from 'i18n-iso-countries/index.js';
import { isCountry, normalizeKosovo } from '../../domain/values/iso-codes.js';

/** Converts an upper-case code of two or three letters to the alpha-2 code; null if it is unknown. */
export function countryOfCode(code: string): string | null {
  const short = normalizeKosovo(code);
  return isCountry(short) ? short : (countries.alpha3ToAlpha2(short) ?? null);
}
