// Key figure: its value, its change in words, and its course of the last 28 days.
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { environment } from '../context/router';
import { Sparkline } from '../charts/sparkline';
import { count, formatInUnit } from '../parts/format';
import { Link } from '../parts/link';
import { changeInWords } from './change-in-words';

type Metric = Schemas['Overview']['metrics'][number];

/** Chart and measure of each figure. */
const CHARTS: Readonly<Record<string, readonly [chartId: string, measure: string]>> = {
  active_trials: ['trials', 'active_trials'],
  active_subscriptions: ['actives', 'active_subscriptions'],
  mrr: ['mrr', 'mrr'],
  revenue: ['revenue', 'revenue'],
  new_customers: ['customers_new', 'new_customers'],
  active_users: ['customers_active', 'active_customers'],
  transactions: ['revenue', 'transactions'],
  refunds: ['revenue', 'refunds'],
};
const EVERY_MS = 10_000;

export function Figure({ metric }: { readonly metric: Metric }) {
  const { base, project } = useProject();
  const { name, unit, value, previousValue, period } = metric;
  const [chartId, measure] = CHARTS[metric.id] ?? ['', ''];
  const env = environment.value;
  const key = chartId === '' ? null : `spark|${project.id}|${chartId}|${env}|${project.demo ?? ''}`;
  const course = useQuery(
    key,
    (signal) =>
      unwrap(
        api.GET('/v1/projects/{id}/metrics/charts/{chartId}', {
          params: { path: { id: project.id, chartId }, query: { environment: env, period: 'last_28_days' } },
          signal,
        }),
      ),
    { every: project.demo === 'playing' ? EVERY_MS : undefined },
  );
  const points = (course.data?.buckets ?? []).map(({ start, end, incomplete, values }) => {
    return { start, end, isIncomplete: incomplete, value: values[measure] ?? null };
  });
  const format = (one: number) => (unit === 'usd' ? formatInUnit(one, unit) : count(one));
  const before = period === 'P28D' ? 'the previous 28 days' : '28 days ago';
  return (
    <li class="card">
      <h2>
        {chartId === '' ? (
          name
        ) : (
          <Link to={`${base}/charts/${chartId}?measure=${measure}&period=last_28_days`}>{name}</Link>
        )}
      </h2>
      <p class="figure">{format(value ?? 0)}</p>
      <p class="change">{changeInWords({ now: value, then: previousValue, before, format })}</p>
      <Sparkline points={points} label={`${name}, the last 28 days`} />
      <p class="hint">{period === 'P28D' ? 'Last 28 days' : 'Now'}</p>
    </li>
  );
}
