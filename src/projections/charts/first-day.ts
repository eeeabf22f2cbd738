// Since when a project's charts have something to show: long before the project itself where purchases were brought along.
import { DAY_MS } from '../../domain/charts/calendar.js';
import type { Environment } from '../../domain/charts/history/known-history.js';
import { scopeOf } from './sums/chart-sums.js';
import { cellsOf } from './from-sums.js';
import type { ChartSource } from './source.js';

/** UTC ms of the day on which the first of all customers was seen, or bought; Infinity when there are none. */
export async function firstDay(source: ChartSource, projectId: string, environment: Environment): Promise<number> {
  for (const { period, cells } of await source.sums('months', scopeOf(projectId, environment, 'customers'), '', '~')) {
    const days = [...cellsOf(cells)].flatMap(([day, measure, value]) => {
      return measure === 'customers.new' && value > 0 ? [day] : [];
    });
    if (days.length > 0) return Date.parse(`${String(period)}-01`) + (Math.min(...days) - 1) * DAY_MS;
  }
  return Infinity;
}
