// Countries by their English names, as the browser knows them.
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Regions with two letters that are no countries of ISO 3166. */
const NO_COUNTRIES: ReadonlySet<string> = new Set([
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'EZ',
  'IC',
  'QO',
  'TA',
  'UN',
  'XA',
  'XB',
  'ZZ',
]);

/** Returns code and name of each country, by name. Former codes of a country are left out. */
export function listCountries(): readonly (readonly [code: string, name: string])[] {
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .flatMap((code) => {
      const name = names.of(code);
      const isCurrent = new Intl.Locale(`und-${code}`).region === code;
      return name !== undefined && isCurrent && !NO_COUNTRIES.has(code) ? [[code, name] as const] : [];
    })
    .sort(([, a], [, b]) => a.localeCompare(b));
}
