// Conversion for the reference: it also counts what has no rate.
import type { ChartQuery } from '../../../../src/domain/charts/catalogue/chart-query.js';
import { createConverter, unconvertedOf } from '../../../../src/domain/charts/currency.js';
import type { KnownHistory } from '../../../../src/domain/charts/history/known-history.js';
import { startOfDay } from '../../../../src/domain/charts/calendar.js';

/** Undefined for a query in US dollars. Transactions after the period are not counted. */
export function countingConversion({ conversion, range }: ChartQuery) {
  if (!conversion) return undefined;
  const convert = createConverter(conversion);
  const days = new Set<number>();
  let transactions = 0;
  return {
    convert: (history: KnownHistory): KnownHistory => {
      const converted = convert(history);
      const instants = converted.lines.flatMap(({ unconverted = [] }) => unconverted);
      for (const at of instants.filter((one) => one < range.end)) {
        transactions++;
        days.add(startOfDay(at));
      }
      return converted;
    },
    unconverted: () => unconvertedOf(transactions, days),
  };
}
