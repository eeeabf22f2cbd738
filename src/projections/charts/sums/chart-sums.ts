// Sums of the charts: contributions of all customers of a project to each measure, by year, month, day and hour. Charts read these sums;
// everything else is computed from the customers.
import type { Interval, Span } from '../../../domain/charts/calendar.js';
import type { Emit } from '../../../domain/charts/contribution.js';
import type { CustomerHistory } from '../../../domain/charts/history/history.js';
import { knownHistoryOf, type Environment } from '../../../domain/charts/history/known-history.js';
import { measures, type Measure } from '../../../domain/charts/measures.js';
import type { SumAccumulator, Sums, Addition } from '../../runtime/projection.js';
import { openCohortAccumulator, type CohortAccumulator } from './cohort-accumulator.js';
import { measureGroups, contribute, type MeasureGroup } from './contribute.js';
import { sumNames, dayOf, openDocumentSums, HOUR_MS, hourOf } from './document-sums.js';
import { openRenewalAccumulator, type RenewalAccumulator } from './renewal-accumulator.js';

/** Customer with its project. */
type ProjectCustomer = CustomerHistory & { readonly projectId: string };

const environments: readonly Environment[] = ['production', 'sandbox'];

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

const HOURS_OF_DAY = 24;

/** Values by hour since 1970; by the first hour of the day if the hour does not matter. */
type ByHour = Map<number, number>;
type MeasureHours = { readonly hasHours: boolean; readonly byHour: ByHour };

/** Accumulated sums; `lapses` are by the hour of the lapse, then by the hour at which it counts. */
type HourAccumulator = {
  readonly hoursByMeasure: ReadonlyMap<Measure, MeasureHours>;
  readonly lapses: ReadonlyMap<number, ByHour>;
  readonly less: Emit;
  readonly more: Emit;
};

function openHourAccumulator(): HourAccumulator {
  const hoursByMeasure = new Map<Measure, MeasureHours>();
  const measureOf = (measure: Measure): MeasureHours => {
    let hours = hoursByMeasure.get(measure);
    if (!hours)
      hoursByMeasure.set(measure, (hours = { hasHours: measures[measure].countsWithinDay, byHour: new Map() }));
    return hours;
  };
  const lapses = new Map<number, ByHour>();
  const lapsesOf = (hour: number): ByHour => {
    let ofHour = lapses.get(hour);
    if (!ofHour) lapses.set(hour, (ofHour = new Map()));
    return ofHour;
  };
  const emitter =
    (sign: 1 | -1): Emit =>
    (measure, at, value, effective) => {
      if (value === 0) return;
      const { hasHours, byHour } = measureOf(measure);
      const hour = hasHours ? Math.floor(at / HOUR_MS) : firstHourOf(at);
      addTo(byHour, hour, sign * value);
      if (effective !== undefined) addTo(lapsesOf(Math.floor(effective / HOUR_MS)), hour, sign * value);
    };
  return { hoursByMeasure, lapses, less: emitter(-1), more: emitter(1) };
}

function firstHourOf(at: number): number {
  return Math.floor(at / (HOURS_OF_DAY * HOUR_MS)) * HOURS_OF_DAY;
}

function addTo(sums: ByHour, hour: number, value: number): void {
  sums.set(hour, (sums.get(hour) ?? 0) + value);
}

/**
 * Returns the additions. A cell is named by its place in the document, two digits, then by its measure; for a lapse, by the day on which it
 * counts.
 */
function additionsOf(scope: string, { hoursByMeasure, lapses }: HourAccumulator): Iterable<Addition> {
  const documentSums = openDocumentSums(scope);
  for (const [measure, { hasHours, byHour }] of hoursByMeasure) {
    for (const [hour, value] of byHour) {
      if (value === 0) continue;
      const day = dayOf(hour);
      documentSums.add('years', day.slice(0, 4), day.slice(5, 7) + measure, value);
      documentSums.add('months', day.slice(0, 7), day.slice(8) + measure, value);
      if (hasHours) documentSums.add('hours', day, hourOf(hour) + measure, value);
    }
  }
  for (const [lapse, byHour] of lapses) {
    for (const [hour, value] of byHour) {
      if (value !== 0) documentSums.add('lapses', dayOf(lapse), hourOf(lapse) + dayOf(hour), value);
    }
  }
  return documentSums.additions();
}
