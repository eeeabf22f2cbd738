// Output of `subledger demo` after the simulation: figures, credentials, commands to paste, and one customer's timeline.
import { requireData, type Client } from '#simulator/client.js';
import type { SimulatedProject } from '#simulator/project.js';
import { type CustomerTimeline, timelineText } from '../timeline/customer-timeline.js';

type DemoReport = {
  readonly url: string;
  readonly login: { readonly email: string; readonly password: string };
  readonly project: { readonly projectId: string; readonly secretKey: string; readonly publicKey: string };
  readonly months: number;
  readonly customers: number;
  readonly notifications: number;
  readonly events: number;
  readonly seconds: number;
  readonly timeline: CustomerTimeline | null;
  readonly money: readonly MonthlyMoney[];
  /** Describes the first webhook that arrived. */
  readonly webhook: string;
  /** Null: the data is deleted when the demo ends. */
  readonly dataDir: string | null;
};

export function demoReport(r: DemoReport): string {
  const { projectId, secretKey, publicKey } = r.project;
  const n = (value: number) => value.toLocaleString('en-US');
  const rate = n(Math.round(r.events / r.seconds));
  const base = `${r.url}/v1/projects/${projectId}/customers`;
  const curl = (what: string, url: string) => [`${what}:`, `  curl -s -H 'X-API-Key: ${secretKey}' '${url}'`];
  const customerUrl = `${base}/${encodeURIComponent(r.timeline?.appUserId ?? '')}`;
  const lines = [
    `Simulated ${n(r.customers)} customers over ${r.months} months: ${n(r.notifications)} store notifications sent,`,
    `${n(r.events)} events recorded in ${r.seconds.toFixed(1)} s (${rate} events/s).`,
    '',
    `email       ${r.login.email}`,
    `password    ${r.login.password}`,
    `secret key  ${secretKey}`,
    `public key  ${publicKey}`,
    `project     ${projectId}`,
    `webhook     ${r.webhook}`,
    '',
    ...chartText(r.money),
    '',
    ...curl('Charts', `${r.url}/v1/projects/${projectId}/metrics/charts`),
    ...curl('Customers', `${base}?limit=10`),
    ...(r.timeline
      ? [
          ...curl('One customer', customerUrl),
          ...curl('Its timeline', `${customerUrl}/timeline?order=oldest&limit=100`),
        ]
      : []),
    '',
    ...(r.timeline ? timelineText(r.timeline) : []),
    '',
  ];
  return lines.join('\n');
}

export function runningNotice({ url, dataDir }: Pick<DemoReport, 'url' | 'dataDir'>): string {
  const fate = dataDir === null ? 'deletes its data; set DATA_DIR to keep it' : `the data stays in ${dataDir}`;
  return `The service keeps running at ${url}. Press Ctrl-C to stop it (${fate}).\n`;
}

const BAR = 30;

type MonthlyMoney = { readonly month: string; readonly revenue: number; readonly mrr: number };

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

function chartText(months: readonly MonthlyMoney[]): readonly string[] {
  const maxRevenue = Math.max(...months.map((m) => m.revenue), 1);
  const usd = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 2 }).padStart(12);
  const bar = (value: number) => '█'.repeat(Math.max(0, Math.round((value / maxRevenue) * BAR))).padEnd(BAR);
  return [
    `${'month'.padEnd(8)}${'revenue'.padEnd(BAR + 1)}${'USD'.padStart(12)}${'MRR'.padStart(12)}`,
    ...months.map((m) => `${m.month} ${bar(m.revenue)} ${usd(m.revenue)}${usd(m.mrr)}`),
  ];
}
