// Output of `subledger demo` after the simulation: figures, credentials, commands to paste, and one customer's timeline.
import { chartText, type MonthlyMoney } from './chart.js';
import type { CustomerTimeline } from '../timeline/read-timeline.js';
import { timelineText } from '../timeline/timeline-text.js';

export type DemoReport = {
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
