// Adds up what customers brought, by day of first sighting and by age in days, from which the ages of every interval of the cohort explorer
// follow.
import { DAY_MS, intervals, type Interval } from '../../../domain/charts/calendar.js';
import { ageOf, worthByAge, type Member } from '../../../domain/charts/result/cohorts.js';
import type { KnownHistory } from '../../../domain/charts/history/known-history.js';
import { defaultSelectors } from '../../../domain/charts/catalogue/chart.js';
import type { Addition } from '../../runtime/projection.js';
import { isoDay, openDocumentSums } from './document-sums.js';

/** Cell of the number of customers; the other cells are named by the age, in intervals. */
export const SIZE_CELL = 'n';

/** Returns the member that is summed: money of new customers, in USD micros. `asOf` in UTC ms. */
export function memberOf(history: KnownHistory, interval: Interval, asOf = Infinity): Member<number> | null {
  const { cohort, cohortMeasure, revenueType } = defaultSelectors;
  return worthByAge(history, history.lines, { cohort, cohortMeasure, revenueType, interval, asOf });
}

type Cohort = { size: number; readonly byAge: Map<number, number> };
export type CohortAccumulator = {
  count(history: KnownHistory, sign: 1 | -1): void;
  additions(scopeOfInterval: (interval: Interval) => string): Generator<Addition>;
};

export function openCohortAccumulator(): CohortAccumulator {
  const cohorts = new Map<number, Cohort>();
  return {
    count: (history, sign) => {
      const member = memberOf(history, 'day');
      if (!member) return;
      const day = Math.floor(member.at / DAY_MS);
      let cohort = cohorts.get(day);
      if (!cohort) cohorts.set(day, (cohort = { size: 0, byAge: new Map() }));
      cohort.size += sign;
      const { byAge } = cohort;
      member.columns.forEach((value, k) => {
        if (value !== 0) byAge.set(k, (byAge.get(k) ?? 0) + sign * value);
      });
    },
    additions: function* (scopeOfInterval) {
      for (const interval of intervals) {
        const documentSums = openDocumentSums(scopeOfInterval(interval));
        for (const [day, { size, byAge }] of cohorts) {
          const period = isoDay(day * DAY_MS);
          documentSums.add('cohorts', period, SIZE_CELL, size);
          for (const [days, value] of byAge) {
            if (value === 0) continue;
            const k = ageOf(interval, day * DAY_MS, (day + days) * DAY_MS);
            documentSums.add('cohorts', period, String(k), value);
          }
        }
        yield* documentSums.additions();
      }
    },
  };
}
