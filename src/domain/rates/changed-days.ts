// Where two states of the rates may convert differently.
import { isSameJson } from '../values/json.js';
import { DAYS_BACK } from './convert.js';
import type { Rates } from './rates.js';

const DAY_MS = 86_400_000;

/** When UTC days begin (ms) of which the two know other rates, and those that fall back on such a day. */
export function changedDays(a: Rates, b: Rates): ReadonlySet<number> {
  const changed = new Set<number>();
  for (const year of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [before = {}, after = {}] = [a[year], b[year]];
    for (const day of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (isSameJson(before[day] ?? {}, after[day] ?? {})) continue;
      for (let on = 0; on <= DAYS_BACK; on++) changed.add(Date.parse(day) + on * DAY_MS);
    }
  }
  return changed;
}
