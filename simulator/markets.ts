// Markets of the simulated app: the currency of each storefront, and its prices.
/** ISO 3166 alpha-3 codes with their weights. */
export type Storefronts = readonly (readonly [storefront: string, weight: number])[];

type Market = {
  readonly currency: string;
  /** Units of the currency that the app charges for one US dollar. */
  readonly unitsPerDollar: number;
  readonly hasCents: boolean;
};

const DOLLARS: Market = { currency: 'USD', unitsPerDollar: 1, hasCents: true };

/** Storefronts with a currency of their own, by ISO 3166 alpha-3 code. */
const MARKETS: Readonly<Record<string, Market>> = {
  DEU: { currency: 'EUR', unitsPerDollar: 1, hasCents: true },
  FRA: { currency: 'EUR', unitsPerDollar: 1, hasCents: true },
  GBR: { currency: 'GBP', unitsPerDollar: 0.9, hasCents: true },
  JPN: { currency: 'JPY', unitsPerDollar: 150, hasCents: false },
  BRA: { currency: 'BRL', unitsPerDollar: 5, hasCents: true },
};

/** Storefronts that charge US dollars, so that amounts need no exchange rates. */
export const DOLLAR_STOREFRONTS: Storefronts = [
  ['USA', 80],
  ['ARG', 6],
  ['UKR', 6],
  ['ECU', 4],
  ['PAN', 4],
];

/** Storefronts that charge another currency. */
export const OTHER_STOREFRONTS: Storefronts = [
  ['DEU', 30],
  ['GBR', 25],
  ['FRA', 15],
  ['JPN', 15],
  ['BRA', 15],
];

export function currencyOf(storefront: string): string {
  return marketOf(storefront).currency;
}

/** Returns the price in milliunits of the storefront's currency: a price in dollars of 9.99 is 8.99 pounds, or 1,500 yen. */
export function localPriceMilli(dollarsMilli: number, storefront: string): number {
  const market = marketOf(storefront);
  if (market === DOLLARS || dollarsMilli === 0) return dollarsMilli;
  const { unitsPerDollar, hasCents } = market;
  const units = Math.ceil((dollarsMilli / 1000) * unitsPerDollar);
  return hasCents ? units * 1000 - 10 : Math.ceil(units / 10) * 10_000;
}

function marketOf(storefront: string): Market {
  return MARKETS[storefront] ?? DOLLARS;
}
