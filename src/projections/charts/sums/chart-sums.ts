// Sums of the charts: contributions of all customers of a project to each measure, by year, month, day and hour. Charts read these sums;
// everything else is computed from the customers.
import type { Interval, Span } from '../../../domain/charts/calendar.js';
import type { CustomerHistory } from '../../../domain/charts/history/history.js';
import { knownHistoryOf, type Environment } from '../../../domain/charts/history/known-history.js';
import type { SumAccumulator, Sums } from '../../runtime/projection.js';
import { openCohortAccumulator, type CohortAccumulator } from './cohort-accumulator.js';
import { measureGroups, contribute, type MeasureGroup } from './contribute.js';
import { sumNames } from './document-sums.js';
import { additionsOf, openHourAccumulator, type HourAccumulator } from './hour-accumulator.js';
import { openRenewalAccumulator, type RenewalAccumulator } from './renewal-accumulator.js';

/** Customer with its project. */
type ProjectCustomer = CustomerHistory & { readonly projectId: string };

export const environments: readonly Environment[] = ['production', 'sandbox'];

export const chartSums: Sums<ProjectCustomer> = {
  collections: Object.values(sumNames).map((name) => {
    return { name, indexes: [{ name: 'scope', fields: ['scope', 'period'] }] };
  }),
  open: openAccumulator,
};

/** Returns the scope of one set of sums: project, environment, and group of measures. Activity has no environment. */
export function scopeOf(projectId: string, environment: Environment, group: MeasureGroup): string {
  return `${projectId}|${group === 'activity' ? 'any' : environment}|${group}`;
}

/** Returns the scope of the sums for one interval of the cohort explorer. */
export function cohortScopeOf(projectId: string, environment: Environment, interval: Interval): string {
  return `${projectId}|${environment}|cohorts_${interval}`;
}

/** Returns the scope of the renewal sums of subscriptions whose product duration is the span. */
export function renewalScopeOf(projectId: string, environment: Environment, { months, days }: Span): string {
  return `${projectId}|${environment}|renewals_${months}m${days}d`;
}

/** Sums of one environment of a project. */
type EnvironmentAccumulators = {
  readonly hours: Map<MeasureGroup, HourAccumulator>;
  readonly ages: CohortAccumulator;
  readonly renewals: RenewalAccumulator;
};

function openAccumulator(): SumAccumulator<ProjectCustomer> {
  const accumulators = new Map<string, Map<Environment, EnvironmentAccumulators>>();
  const accumulatorsOf = (projectId: string, environment: Environment): EnvironmentAccumulators => {
    let ofProject = accumulators.get(projectId);
    if (!ofProject) accumulators.set(projectId, (ofProject = new Map()));
    let opened = ofProject.get(environment);
    if (!opened) ofProject.set(environment, (opened = openAccumulators(projectId, environment)));
    return opened;
  };
  const count = (customer: ProjectCustomer, groups: readonly MeasureGroup[], sign: 'less' | 'more') => {
    for (const environment of environments) {
      const history = knownHistoryOf(customer, environment);
      if (!history) continue;
      const { hours, ages, renewals } = accumulatorsOf(customer.projectId, environment);
      for (const group of groups) {
        if (group === 'activity' && environment !== 'production') continue;
        let accumulator = hours.get(group);
        if (!accumulator) hours.set(group, (accumulator = openHourAccumulator()));
        contribute(group, history, accumulator[sign]);
      }
      ages.count(history, sign === 'more' ? 1 : -1);
      if (groups.includes('stays')) renewals.count(history, sign === 'more' ? 1 : -1);
    }
  };
  return {
    change: (before, after) => {
      const groups = changedGroups(before, after);
      if (before) count(before, groups, 'less');
      if (after) count(after, groups, 'more');
    },
    additions: function* () {
      for (const [projectId, ofProject] of accumulators) {
        for (const [environment, { hours, ages, renewals }] of ofProject) {
          for (const [group, accumulator] of hours)
            yield* additionsOf(scopeOf(projectId, environment, group), accumulator);
          yield* ages.additions((interval) => cohortScopeOf(projectId, environment, interval));
          yield* renewals.additions();
        }
      }
    },
  };
}

function openAccumulators(projectId: string, environment: Environment): EnvironmentAccumulators {
  return {
    hours: new Map(),
    ages: openCohortAccumulator(),
    renewals: openRenewalAccumulator((span) => renewalScopeOf(projectId, environment, span)),
  };
}

/** Returns the affected groups: a sighting changes no purchase; a purchase is no activity. */
function changedGroups(
  before: CustomerHistory | undefined,
  after: CustomerHistory | undefined,
): readonly MeasureGroup[] {
  if (!before || !after || before.merged !== after.merged || before.movedTo !== after.movedTo) return measureGroups;
  const [a, b] = [before.own, after.own];
  if (a.created !== b.created) return measureGroups;
  if (a.lines === b.lines && a.adjustments === b.adjustments) return ['customers', 'activity'];
  return a.seen === b.seen ? measureGroups.filter((group) => group !== 'activity') : measureGroups;
}
