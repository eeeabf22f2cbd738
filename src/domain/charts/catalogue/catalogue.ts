// Catalogue of all 21 charts. IDs and definitions follow RevenueCat's real-time charts (`chart_name` of its API v2).
import type { Chart } from './chart.js';
import { customerCharts } from './customer-charts.js';
import { moneyCharts } from './money-charts.js';
import { subscriptionCharts } from './subscription-charts.js';
import { trialCharts } from './trial-charts.js';

export const charts: readonly Chart[] = [...subscriptionCharts, ...moneyCharts, ...trialCharts, ...customerCharts];

const byId = new Map(charts.map((chart) => [chart.id, chart]));

export function findChart(id: string): Chart | undefined {
  return byId.get(id);
}
