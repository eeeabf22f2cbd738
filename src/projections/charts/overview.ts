// The figures of the dashboard's front page: how things stand, and what the last 28 times 24 hours brought, each beside the 28 days before.
import { createCalculator, type Calculator } from '../../domain/charts/calculator.js';
import { findChart } from '../../domain/charts/catalogue.js';
import { DAY_MS } from '../../domain/charts/calendar.js';
import { defaultSelectors } from '../../domain/charts/chart.js';
import { lifeOf, type Environment } from '../../domain/charts/life.js';
import type { Question } from '../../domain/charts/question.js';
import type { ChartSource } from './source.js';

const WINDOW_MS = 28 * DAY_MS;

type Metric = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly unit: 'count' | 'usd';
  readonly period: 'P0D' | 'P28D';
  readonly chart: string;
  readonly measure: string;
};

const now = (id: string, name: string, unit: Metric['unit'], chart: string, measure: string): Metric => {
  return { id, name, description: `${name} at this moment`, unit, period: 'P0D', chart, measure };
};
const recent = (id: string, name: string, unit: Metric['unit'], chart: string, measure: string): Metric => {
  return { id, name, description: `${name} of the last 28 days`, unit, period: 'P28D', chart, measure };
};

const metrics: readonly Metric[] = [
  now('active_trials', 'Active trials', 'count', 'trials', 'active_trials'),
  now('active_subscriptions', 'Active subscriptions', 'count', 'actives', 'active_subscriptions'),
  now('mrr', 'Monthly recurring revenue', 'usd', 'mrr', 'mrr'),
  recent('revenue', 'Revenue', 'usd', 'revenue', 'revenue'),
  recent('new_customers', 'New customers', 'count', 'customers_new', 'new_customers'),
  recent('active_users', 'Active customers', 'count', 'customers_active', 'active_customers'),
  recent('transactions', 'Transactions', 'count', 'revenue', 'transactions'),
  recent('refunds', 'Refunds', 'usd', 'revenue', 'refunds'),
];

export type OverviewMetric = Omit<Metric, 'chart' | 'measure'> & {
  readonly value: number | null;
  readonly previousValue: number | null;
};

/** Nothing at or after `asOf` (UTC ms) exists. */
export async function readOverview(
  source: ChartSource,
  projectId: string,
  environment: Environment,
  asOf: number,
): Promise<readonly OverviewMetric[]> {
  const calculators = new Map<string, Calculator>();
  for (const { chart } of metrics) {
    if (!calculators.has(chart)) calculators.set(chart, createCalculator(question(chart, environment, asOf)));
  }
  for await (const page of source.people(projectId)) {
    for (const person of page) {
      const life = lifeOf(person, environment, asOf);
      if (life) for (const calculator of calculators.values()) calculator.takeLife(life);
    }
  }
  return metrics.map(({ chart, measure, ...metric }) => {
    const answer = calculators.get(chart)?.answer();
    const [before, last] = answer?.kind === 'series' ? answer.buckets : [];
    return { ...metric, value: last?.values[measure] ?? null, previousValue: before?.values[measure] ?? null };
  });
}

/** Two windows that end at an instant rather than at a day's border. */
function question(id: string, environment: Environment, asOf: number): Question {
  const chart = findChart(id);
  if (!chart) throw new Error(`there is no chart ${id}`);
  const [start, middle] = [asOf - 2 * WINDOW_MS, asOf - WINDOW_MS];
  const buckets = [
    { start, end: middle, horizon: middle },
    { start: middle, end: asOf, horizon: asOf },
  ];
  const frame = { start, end: asOf, interval: 'day' as const, asOf, buckets };
  return { chart, frame, environment, filters: new Map(), segment: null, selectors: defaultSelectors };
}
