// A chart in the terminal, read from the service as an analyst's tool would: revenue and MRR by month.
import { accepted, type Client } from '#simulator/client.js';
import type { SimulatedProject } from '#simulator/project.js';

const BAR = 30;

export type MonthlyMoney = { readonly month: string; readonly revenue: number; readonly mrr: number };

/** The months of the last twelve that saw anything, the running one included, in US dollars. */
export async function monthlyMoney(
  { as }: Client,
  { projectId, secretKey }: SimulatedProject,
): Promise<readonly MonthlyMoney[]> {
  const api = as({ key: secretKey });
  const query = { period: 'last_12_months', interval: 'month' } as const;
  const valuesOf = async (chartId: 'revenue' | 'mrr') => {
    const params = { path: { id: projectId, chartId }, query };
    const chart = accepted(await api.GET('/v1/projects/{id}/metrics/charts/{chartId}', { params }));
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
