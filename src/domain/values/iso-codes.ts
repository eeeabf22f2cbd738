// The officially assigned codes of ISO 3166-1 alpha-2, and XK, by which the stores name Kosovo. The number of decimals of each currency:
// the ISO 4217 table, list one as published on 2024-06-25, without codes that have none (metals, drawing rights, tests). The runtime's
// table is not used, because it has 0 for HUF and IDR where the standard has 2.

const codes = [
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ',
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR',
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP',
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT',
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW',
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ',
  'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW',
];

const countries = new Set(codes.flatMap((line) => line.split(' ')));

export function isCountry(code: string): boolean {
  return countries.has(code);
}

/** Kosovo has no code in ISO 3166: `XKX` is the user-assigned code of three letters, `XKS` the code of the ios-store's storefronts. */
const KOSOVO: ReadonlyMap<string, string> = new Map([
  ['XKX', 'XK'],
  ['XKS', 'XK'],
]);

/** Returns the two-letter code of Kosovo for its three-letter codes, and any other text unchanged. */
export function normalizeKosovo(code: string): string {
  return KOSOVO.get(code) ?? code;
}

const byDecimals: readonly (readonly [number, readonly string[]])[] = [
  [0, ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF']],
  [
    2,
    [
      'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD',
      'CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP',
      'GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL',
      'MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN',
      'QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD',
      'TWD TZS UAH USD USN UYU UZS VED VES WST XCD YER ZAR ZMW ZWG',
    ],
  ],
  [3, ['BHD IQD JOD KWD LYD OMR TND']],
  [4, ['CLF UYW']],
];

const decimals = new Map(
  byDecimals.flatMap(([n, lines]) => lines.flatMap((l) => l.split(' ')).map((code) => [code, n] as const)),
);

/** Returns undefined for a currency that is not in the table. */
export function decimalsOf(currency: string): number | undefined {
  return decimals.get(currency);
}

const MICROS = 1_000_000;

/** Converts an amount to micro-units; null when it has more decimals than its currency, or the currency is unknown. */
export function microsOf(amount: number, currency: string): number | null {
  const places = decimalsOf(currency);
  if (places === undefined) return null;
  const micros = Math.round(amount * MICROS);
  return micros / MICROS === amount && micros % 10 ** (6 - places) === 0 ? micros : null;
}

export function amountOf(micros: number): number {
  return micros / MICROS;
}
