// Overview: key figures with sparklines, links to their charts, and the time of the last update.
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { environment } from '../app/router';
import { Sparkline } from '../charts/sparkline';
import { count, formatInUnit } from '../parts/format';
import { Link } from '../parts/link';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';

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

export default function OverviewPage() {
  const { project } = useProject();
  const env = environment.value;
  const overview = useQuery(
    `overview|${project.id}|${env}`,
    (signal) =>
      unwrap(
        api.GET('/v1/projects/{id}/metrics/overview', {
          params: { path: { id: project.id }, query: { environment: env } },
          signal,
        }),
      ),
    { every: EVERY_MS },
  );
  return (
    <>
      <h1>Overview</h1>
      <QueryView of={overview} what="the figures">
        {({ metrics, staleSince }) => (
          <>
            {staleSince !== undefined && (
              <p class="problem" role="alert">
                The charts have stopped updating: nothing recorded since <Time at={staleSince} /> is included in these
                figures. Run <code>subledger doctor</code>.
              </p>
            )}
            <ul class="cards figures">
              {metrics.map((metric) => (
                <Figure key={metric.id} metric={metric} />
              ))}
            </ul>
            {metrics[0] && (
              <p class="hint">
                As of <Time at={metrics[0].lastUpdatedAt} />. Times are UTC.
              </p>
            )}
          </>
        )}
      </QueryView>
    </>
  );
}

function Figure({ metric }: { readonly metric: Metric }) {
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
  const values = course.data?.buckets?.map((bucket) => bucket.values[measure] ?? 0) ?? [];
  return (
    <li class="card">
      <h2>{chartId === '' ? name : <Link to={`${base}/charts/${chartId}?measure=${measure}`}>{name}</Link>}</h2>
      <p class="figure">{unit === 'usd' ? formatInUnit(value, unit) : count(value ?? 0)}</p>
      <Change now={value} then={previousValue} />
      <Sparkline values={values} label={`${name}, the last 28 days`} />
      <p class="hint">{period === 'P28D' ? 'Last 28 days' : 'Now'}</p>
    </li>
  );
}

function Change({ now, then }: { readonly now: number | null; readonly then: number | null }) {
  if (now === null || then === null || then === 0) return <p class="hint">No earlier figure</p>;
  const share = ((now - then) / Math.abs(then)) * 100;
  const sign = share > 0 ? '+' : '';
  return (
    <p class="change">
      {`${sign}${share.toLocaleString(undefined, { maximumFractionDigits: 1 })} %`}{' '}
      <small>vs. the 28 days before</small>
    </p>
  );
}
