// What a person adds to the sums behind the charts: the measures by their default terms, of all purchases.
import { addIntervals, intervals, startOf } from '../../domain/charts/calendar.js';
import {
  contributeCustomer,
  contributeMoney,
  contributeOutcomes,
  contributeStatus,
  contributeStays,
  firstCharge,
  unbounded,
  type Emit,
  type Group,
} from '../../domain/charts/contribution.js';
import type { Life } from '../../domain/charts/life.js';

export type CellGroup = Group | 'activity';

export const cellGroups: readonly CellGroup[] = ['stays', 'status', 'money', 'outcomes', 'customers', 'activity'];

export function contribute(group: CellGroup, life: Life, emit: Emit): void {
  if (group === 'activity') return contributeActivity(life, emit);
  if (group === 'customers') return contributeCustomer(life, life.lines, unbounded, emit);
  const first = group === 'money' ? firstCharge(life.lines) : null;
  for (const line of life.lines) {
    if (group === 'stays') contributeStays(line, unbounded, emit);
    else if (group === 'status') contributeStatus(line, unbounded, emit);
    else if (group === 'money') contributeMoney(line, first, emit);
    else contributeOutcomes(line, emit);
  }
}

/** The first and the last activity within each calendar interval: they tell distinct customers also of a bucket clipped at one end. */
function contributeActivity({ active }: Life, emit: Emit): void {
  const sorted = Float64Array.from(active).sort();
  for (const interval of intervals) {
    let until = -Infinity;
    let last = NaN;
    for (const at of sorted) {
      if (at >= until) {
        if (!Number.isNaN(last)) emit(`customers.last_${interval}`, last, 1);
        emit(`customers.first_${interval}`, at, 1);
        until = addIntervals(interval, startOf(interval, at), 1);
      }
      last = at;
    }
    if (!Number.isNaN(last)) emit(`customers.last_${interval}`, last, 1);
  }
}
