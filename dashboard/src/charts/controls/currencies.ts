// Currencies that charts and settings offer. A chart can be requested in any other by its address.
export const CURRENCIES: readonly string[] = [
  ...['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'BRL', 'INR', 'SEK', 'MXN'],
];
