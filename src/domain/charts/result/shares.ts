// Assignment of a customer to the whole and to segments, by its purchases or its own attributes.
import { isCustomerDimension, segmentOf, valueOf, type ChartQuery, type Dimension } from '../catalogue/chart-query.js';
import type { KnownHistory, LiveLine } from '../history/known-history.js';

/** Share of a customer. `to` is a segment value, the whole, or what counts in every segment alike. `sign` -1 subtracts. */
export type Share = {
  readonly to: { readonly segment: string } | 'whole' | 'every segment';
  readonly lines: readonly LiveLine[];
  readonly sign: 1 | -1;
};

/** Returns the shares; none for a customer that the filters exclude. */
export function sharesOf(q: ChartQuery, history: KnownHistory): readonly Share[] {
  if (hasNoEvents(history) || !matchesCustomerFilters(q, history)) return [];
  const lines = matchingLines(q, history);
  const whole: Share = { to: 'whole', lines, sign: 1 };
  const { segment } = q;
  if (!segment) return [whole];
  if (isCustomerDimension(q.chart, segment)) {
    return [whole, { to: { segment: segmentOf(q, valueOf(q, segment, history, null)) }, lines, sign: 1 }];
  }
  const isOfCustomers = q.chart.subject === 'customers';
  const ofValues = [...byValue(q, segment, history, lines)].flatMap(([value, own]): Share[] => {
    const to = { segment: value };
    return isOfCustomers
      ? [
          { to, lines: own, sign: 1 },
          { to, lines: [], sign: -1 },
        ]
      : [{ to, lines: own, sign: 1 }];
  });
  const shared: readonly Share[] = isOfCustomers ? [{ to: 'every segment', lines: [], sign: 1 }] : [];
  return [whole, ...ofValues, ...shared];
}

/** Returns whether the customer has no events yet: it belongs to no segment. */
function hasNoEvents({ firstSeen, lines }: KnownHistory): boolean {
  return firstSeen === null && lines.length === 0;
}

function matchesCustomerFilters(q: ChartQuery, history: KnownHistory): boolean {
  for (const [dimension, values] of q.filters) {
    if (isCustomerDimension(q.chart, dimension) && !values.has(valueOf(q, dimension, history, null))) return false;
  }
  return true;
}

function matchingLines(q: ChartQuery, history: KnownHistory): readonly LiveLine[] {
  const purchaseFilters = [...q.filters].filter(([dimension]) => !isCustomerDimension(q.chart, dimension));
  if (purchaseFilters.length === 0) return history.lines;
  const fits = ({ about }: LiveLine) =>
    purchaseFilters.every(([d, values]) => values.has(valueOf(q, d, history, about)));
  return history.lines.filter(fits);
}

function byValue(q: ChartQuery, segment: Dimension, history: KnownHistory, lines: readonly LiveLine[]) {
  const found = new Map<string, LiveLine[]>();
  for (const line of lines) {
    const value = segmentOf(q, valueOf(q, segment, history, line.about));
    const ofValue = found.get(value) ?? [];
    found.set(value, ofValue);
    ofValue.push(line);
  }
  return found;
}
