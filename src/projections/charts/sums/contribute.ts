// Contributions of a customer to the sums of the charts: the measures by their default terms, of all purchases.
import { addIntervals, DAY_MS, intervals, startOf, type Interval } from '../../../domain/charts/calendar.js';
import { contributeGroup, unbounded, type Emit, type Group } from '../../../domain/charts/contribution.js';
import type { KnownHistory } from '../../../domain/charts/history/known-history.js';
import type { Measure } from '../../../domain/charts/measures.js';

export type MeasureGroup = Group | 'activity';

export const measureGroups: readonly MeasureGroup[] = ['stays', 'status', 'money', 'outcomes', 'customers', 'activity'];

export function contribute(group: MeasureGroup, history: KnownHistory, emit: Emit): void {
  if (group === 'activity') return contributeActivity(history, emit);
  contributeGroup(group, history, history.lines, unbounded, emit);
}

/** Time for which a customer counts as active after a sighting. */
export const RECENT_MS = 28 * DAY_MS;
/** Time that the overview covers: the last such stretch and the one before. */
export const OVERVIEW_MS = 2 * RECENT_MS;

/** Constant names: strings built for every sighting would be compared letter by letter where they are added up. */
const edges = new Map(
  intervals.map((i): [Interval, { first: Measure; last: Measure }] => {
    return [i, { first: `customers.first_${i}`, last: `customers.last_${i}` }];
  }),
);

/**
 * Emits the first and the last activity within each calendar interval, so that a bucket clipped at one end counts each customer once, and
 * the stretches in which the customer was seen recently, as a stock.
 */
function contributeActivity({ active }: KnownHistory, emit: Emit): void {
  const sorted = new Float64Array(active).sort();
  for (let i = 0; i < sorted.length; i++) {
    const at = sorted[i] ?? 0;
    if (i === 0 || at - (sorted[i - 1] ?? 0) > RECENT_MS) emit('customers.recent', at, 1);
    if (i === sorted.length - 1 || (sorted[i + 1] ?? 0) - at > RECENT_MS) emit('customers.recent', at + RECENT_MS, -1);
  }
  for (const [interval, { first, last: lastOf }] of edges) {
    let until = -Infinity;
    let last = NaN;
    for (const at of sorted) {
      if (at >= until) {
        if (!Number.isNaN(last)) emit(lastOf, last, 1);
        emit(first, at, 1);
        until = addIntervals(interval, startOf(interval, at), 1);
      }
      last = at;
    }
    if (!Number.isNaN(last)) emit(lastOf, last, 1);
  }
}
