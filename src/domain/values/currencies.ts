// The number of decimals of each currency: the ISO 4217 table, list one as published on 2024-06-25, without codes that have none (metals,
// drawing rights, tests). The runtime's table is not used, because it has 0 for HUF and IDR where the standard has 2.
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
