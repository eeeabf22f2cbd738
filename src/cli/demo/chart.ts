// A chart of revenue and MRR by month in the terminal, read over the HTTP API.
import { requireData, type Client } from '#simulator/client.js';
import type { SimulatedProject } from '#simulator/project.js';

const BAR = 30;

export type MonthlyMoney = { readonly month: string; readonly revenue: number; readonly mrr: number };

/** Returns the last twelve months from the first one with a value, including the current month, in US dollars. */
export async function monthlyMoney(
  { as }: Client,
  { projectId, secretKey }: SimulatedProject,
): Promise<readonly MonthlyMoney[]> {
  const api = as({ key: secretKey });
  const query = { period: 'last_12_months', interval: 'month' } as const;
  const valuesOf = async (chartId: 'revenue' | 'mrr') => {
    const params = { path: { id: projectId, chartId }, query };
    const chart = requireData(await api.GET('/v1/projects/{id}/metrics/charts/{chartId}', { params }));
    return new Map((chart.buckets ?? []).map((b) => [b.start.slice(0, 7), b.values[chartId] ?? 0]));
  };
  const [revenue, mrr] = await Promise.all([valuesOf('revenue'), valuesOf('mrr')]);
  const months = [...revenue].map(([month, usd]) => ({ month, revenue: usd, mrr: mrr.get(month) ?? 0 }));
  return months.slice(months.findIndex((m) => m.revenue !== 0 || m.mrr !== 0));
}

export function chartText(months: readonly MonthlyMoney[]): readonly string[] {
  const most = Math.max(...months.map((m) => m.revenue), 1);
  const usd = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 2 }).padStart(12);
  const bar = (value: number) => '█'.repeat(Math.max(0, Math.round((value / most) * BAR))).padEnd(BAR);
  return [
    `${'month'.padEnd(8)}${'revenue'.padEnd(BAR + 1)}${'USD'.padStart(12)}${'MRR'.padStart(12)}`,
    ...months.map((m) => `${m.month} ${bar(m.revenue)} ${usd(m.revenue)}${usd(m.mrr)}`),
  ];
}
