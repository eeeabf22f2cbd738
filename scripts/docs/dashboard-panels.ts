// Panels of the Grafana dashboard, in rows. The description of a panel comes from the help of its metrics.

export type Query = {
  /** Metric without the suffixes of a histogram: its help describes the panel. */
  readonly metric: string;
  /** PromQL; `SELECTED` stands for the matchers of the variables. */
  readonly expr: string;
  readonly legend: string;
};
export type Panel = {
  readonly title: string;
  readonly kind: 'timeseries' | 'stat';
  /** Unit by its name in Grafana. */
  readonly unit: string;
  /** Width of 24 columns. */
  readonly width: number;
  /** Advice for reading it, in addition to the help of the metrics. */
  readonly hint?: string;
  /** Value of a stat from which on it is red. */
  readonly redFrom?: number;
  readonly queries: readonly Query[];
};
export type Row = { readonly title: string; readonly panels: readonly Panel[] };

/** Metrics of the process that no panel shows: details for an investigation, of which the shown ones are the summary. */
export const omittedMetrics: ReadonlySet<string> = new Set([
  'process_cpu_user_seconds_total',
  'process_cpu_system_seconds_total',
  'process_start_time_seconds',
  'process_virtual_memory_bytes',
  'process_heap_bytes',
  'process_max_fds',
  'nodejs_eventloop_lag_seconds',
  'nodejs_eventloop_lag_min_seconds',
  'nodejs_eventloop_lag_max_seconds',
  'nodejs_eventloop_lag_mean_seconds',
  'nodejs_eventloop_lag_stddev_seconds',
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_eventloop_lag_p90_seconds',
  'nodejs_active_resources',
  'nodejs_active_resources_total',
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  'nodejs_heap_size_total_bytes',
  'nodejs_heap_size_used_bytes',
  'nodejs_external_memory_bytes',
  'nodejs_heap_space_size_total_bytes',
  'nodejs_heap_space_size_used_bytes',
  'nodejs_heap_space_size_available_bytes',
  'nodejs_version_info',
]);

const SELECTED = 'SELECTED';

/** Returns the rate of a counter, summed by labels. */
function rate(metric: string, by: string, legend: string, o: { suffix?: string; where?: string } = {}): Query {
  const { suffix = '', where = '' } = o;
  const expr = `sum by (${by}) (rate(${metric}${suffix}{${SELECTED}${where}}[$__rate_interval]))`;
  return { metric, expr, legend };
}

/** Returns the largest value of a gauge over the processes. */
function maxOf(metric: string, by: string): Query {
  return { metric, expr: `max by (${by}) (${metric}{${SELECTED}})`, legend: `{{${by}}}` };
}

/** Returns the smallest value of a gauge over the processes. */
function minOf(metric: string, by: string): Query {
  return { metric, expr: `min by (${by}) (${metric}{${SELECTED}})`, legend: `{{${by}}}` };
}

/** Returns the sum of a gauge over the processes. */
function sumOf(metric: string, by: string): Query {
  return { metric, expr: `sum by (${by}) (${metric}{${SELECTED}})`, legend: `{{${by}}}` };
}

/** Returns the largest value of a gauge as one figure. */
function largest(metric: string): Query {
  return { metric, expr: `max(${metric}{${SELECTED}})`, legend: '' };
}

/** Returns the sum of all values of a gauge that processes report alike; 0 while none is reported. */
function total(metric: string): Query {
  return { metric, expr: `sum(max by (name) (${metric}{${SELECTED}})) or vector(0)`, legend: '' };
}

function quantile(metric: string, q: number, by = ''): Query {
  const labels = by === '' ? 'le' : `le, ${by}`;
  const inner = `sum by (${labels}) (rate(${metric}_bucket{${SELECTED}}[$__rate_interval]))`;
  return { metric, expr: `histogram_quantile(${q}, ${inner})`, legend: by === '' ? `p${q * 100}` : `{{${by}}}` };
}

const slowestRoutes = quantile('http_request_seconds', 0.95, 'route');
const failedShare = (): Query => {
  const count = (where: string) => `sum(rate(http_request_seconds_count{${SELECTED}${where}}[$__rate_interval]))`;
  const expr = `(${count(', status=~"5.."')} or vector(0)) / (${count('')} > 0)`;
  return { metric: 'http_request_seconds', expr, legend: '5xx' };
};

const series = (title: string, unit: string, queries: readonly Query[], hint?: string): Panel => ({
  ...{ title, kind: 'timeseries', unit, width: 8, queries },
  ...(hint !== undefined && { hint }),
});
const stat = (title: string, query: Query, redFrom: number, unit = 'short'): Panel => {
  return { title, kind: 'stat', unit, width: 4, redFrom, queries: [query] };
};

export const rows: readonly Row[] = [
  {
    title: 'Needs attention',
    panels: [
      stat('Requests that failed', failedShare(), 0.01, 'percentunit'),
      stat('Halted read models', total('projection_halted'), 1),
      stat('Parked documents', total('projection_parked_streams'), 1),
      stat('Parked events', total('reaction_parked_events'), 1),
      stat('Oldest due delivery', largest('webhook_oldest_due_seconds'), 600, 's'),
      stat('Open circuit breakers', largest('webhook_open_breakers'), 1),
    ],
  },
  {
    title: 'Requests',
    panels: [
      series('Requests by status', 'reqps', [
        rate('http_request_seconds', 'status', '{{status}}', { suffix: '_count' }),
      ]),
      series(
        'Response time',
        's',
        [0.5, 0.95, 0.99].map((q) => quantile('http_request_seconds', q)),
      ),
      series(
        'Slowest routes, p95',
        's',
        [{ ...slowestRoutes, expr: `topk(10, ${slowestRoutes.expr})` }],
        'Routes by their template.',
      ),
    ],
  },
  {
    title: 'Stores and the log',
    panels: [
      series('Store notifications', 'cps', [
        rate('store_notifications_total', 'store, outcome', '{{store}} {{outcome}}'),
      ]),
      series(
        'Refused store notifications',
        'cps',
        [rate('store_notifications_total', 'store, reason', '{{store}} {{reason}}', { where: ', outcome="refused"' })],
        'The reasons are in the section "Missing or refused store notifications" of docs/operations.md.',
      ),
      series('Appends', 'cps', [
        rate('es_append_seconds', 'outcome', '{{outcome}}', { suffix: '_count' }),
        rate('es_conflicts_total', 'job', 'conflicts'),
      ]),
      series(
        'Time of an append',
        's',
        [0.5, 0.99].map((q) => quantile('es_append_seconds', q)),
      ),
      series('Servers of the log and the documents', 'bool_yes_no', [minOf('dependency_up', 'dependency')]),
      series(
        'Leases',
        'short',
        [sumOf('lease_held', 'name')],
        'On servers one process holds each lease; more than one is a fault.',
      ),
    ],
  },
  {
    title: 'Read models and reactions',
    panels: [
      series('Lag of read models', 's', [maxOf('projection_lag_seconds', 'name')]),
      series('Lag of reactions', 's', [maxOf('reaction_lag_seconds', 'name')]),
      series('Parked', 'short', [
        { ...maxOf('projection_parked_streams', 'name'), legend: '{{name}} documents' },
        { ...maxOf('reaction_parked_events', 'name'), legend: '{{name}} events' },
      ]),
    ],
  },
  {
    title: 'Webhooks and forwarding',
    panels: [
      series('Delivery attempts', 'cps', [rate('webhook_attempts_total', 'outcome', '{{outcome}}')]),
      series('Deliveries in flight', 'short', [maxOf('webhook_in_flight', 'instance')]),
      series('Open circuit breakers by process', 'short', [maxOf('webhook_open_breakers', 'instance')]),
    ],
  },
  {
    title: 'Processes',
    panels: [
      series(
        'CPU',
        'percentunit',
        [rate('process_cpu_seconds_total', 'instance', '{{instance}}')],
        '100 % is one core.',
      ),
      series('Memory', 'bytes', [maxOf('process_resident_memory_bytes', 'instance')]),
      series('Event loop lag, p99', 's', [maxOf('nodejs_eventloop_lag_p99_seconds', 'instance')]),
      series('Garbage collection', 'percentunit', [
        rate('nodejs_gc_duration_seconds', 'instance, kind', '{{instance}} {{kind}}', { suffix: '_sum' }),
      ]),
      series('Free disk space', 'bytes', [minOf('disk_free_bytes', 'instance')]),
      series('Open files', 'short', [maxOf('process_open_fds', 'instance')]),
    ],
  },
];
