// Answers the cohort explorer from the sums: a row for each day on which customers were first seen, joined to those that are asked for.
import { addColumn, answerAges, emptyRow, unitOf, type ChartAnswer, type Row } from '../../domain/charts/answer.js';
import { DAY_MS, startOfDay } from '../../domain/charts/calendar.js';
import { defaultSelectors, type CohortChart } from '../../domain/charts/chart.js';
import type { Member } from '../../domain/charts/cohorts.js';
import { bucketAt } from '../../domain/charts/frame.js';
import { lifeOf } from '../../domain/charts/life.js';
import type { Question } from '../../domain/charts/question.js';
import { cohortScopeOf } from './cells.js';
import { memberOf, SIZE_CELL } from './cohort-pot.js';
import { isoDay } from './gathered.js';
import type { ChartSource } from './source.js';

/** All of the new customers' money, by their first day; accumulated or not. */
export function isCohortSummed(q: Question): q is Question & { readonly chart: CohortChart } {
  const { chart, selectors } = q;
  if (chart.kind !== 'cohort' || chart.of !== 'customers' || q.conversion) return false;
  if (q.filters.size > 0 || q.segment !== null) return false;
  const isOfNew =
    selectors.cohort === defaultSelectors.cohort && selectors.revenueType === defaultSelectors.revenueType;
  return isOfNew && selectors.cohortMeasure !== 'retained_subscriptions';
}

export async function cohortsFromSums(
  source: ChartSource,
  projectId: string,
  { chart, environment, frame, selectors }: Question & { readonly chart: CohortChart },
): Promise<ChartAnswer> {
  const { interval, asOf } = frame;
  const days = new Map<number, { size: number; readonly sums: number[] }>();
  const heldOf = (day: number) => {
    let held = days.get(day);
    if (!held) days.set(day, (held = { size: 0, sums: [] }));
    return held;
  };
  const put = (member: Member<number> | null, sign: 1 | -1): void => {
    if (!member) return;
    const held = heldOf(startOfDay(member.at));
    held.size += sign;
    for (const [k, value] of member.columns.entries()) addColumn(held.sums, k, sign * value);
  };
  const [from, to] = [isoDay(frame.start), isoDay(Math.min(frame.end, asOf) + DAY_MS)];
  const scope = cohortScopeOf(projectId, environment, interval);
  for (const { period, cells } of await source.sums('cohorts', scope, from, to)) {
    const held = heldOf(Date.parse(String(period)));
    for (const [cell, value] of Object.entries(cells)) {
      if (cell === SIZE_CELL) held.size += value;
      else addColumn(held.sums, Number(cell), value);
    }
  }
  // The sums hold facts that lie ahead: whoever has some is taken out and put in again as of now.
  for (const person of await source.named(await source.moments(projectId, 'ahead', asOf, Number.MAX_SAFE_INTEGER))) {
    const [whole, now] = [lifeOf(person, environment), lifeOf(person, environment, asOf)];
    if (whole) put(memberOf(whole, interval), -1);
    if (now) put(memberOf(now, interval, asOf), 1);
  }
  const rows = frame.buckets.map(emptyRow);
  for (const [day, { size, sums }] of days) addDay(rows[bucketAt(frame, day) ?? -1], day, size, sums);
  return answerAges(frame, selectors, unitOf(chart, selectors), rows);
}

function addDay(row: Row | undefined, day: number, size: number, sums: readonly number[]): void {
  if (!row || size === 0) return;
  row.size += size;
  row.earliest = Math.min(row.earliest, day);
  for (const [k, value] of sums.entries()) addColumn(row.sums, k, value);
}
