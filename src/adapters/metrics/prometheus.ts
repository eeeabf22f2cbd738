// Prometheus metrics in a separate registry, so that several services in one process do not conflict.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { storeKinds } from '../../domain/store-kinds.js';
import { appendOutcomes, gauges, refusalReasons, type Metrics, type MetricsPage } from './port.js';

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const APPEND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3, 10];

/** Creates the metrics. `watchesProcess` adds memory, CPU, event loop and garbage collection of the process. */
export function createPrometheus({ watchesProcess }: { readonly watchesProcess: boolean }): Metrics & MetricsPage {
  const registry = new Registry();
  const registers = [registry];
  if (watchesProcess) collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_seconds',
    help: 'Time until the response was sent',
    labelNames: ['route', 'method', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const notifications = new Counter({
    name: 'store_notifications_total',
    help: 'Store notifications, accepted or refused on receipt',
    labelNames: ['store', 'outcome', 'reason'],
    registers,
  });
  const appends = new Histogram({
    name: 'es_append_seconds',
    help: 'Appends to the event log',
    labelNames: ['outcome'],
    buckets: APPEND_SECONDS,
    registers,
  });
  const conflicts = new Counter({
    name: 'es_conflicts_total',
    help: 'Appends rejected because another writer was first',
    registers,
  });
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Delivery attempts of this process',
    labelNames: ['outcome'],
    registers,
  });
  // Every series from the start, at 0: Prometheus cannot see an increase of one that begins with its first count, nor that one stands still.
  for (const store of storeKinds) {
    notifications.inc({ store, outcome: 'received', reason: '' }, 0);
    for (const reason of refusalReasons) notifications.inc({ store, outcome: 'refused', reason }, 0);
  }
  for (const outcome of appendOutcomes) appends.zero({ outcome });
  const gaugesByName = new Map(
    Object.entries(gauges).map(([name, { help, labels }]) => {
      return [name, new Gauge({ name, help, labelNames: [...labels], registers })] as const;
    }),
  );

  return {
    request: ({ route, method, status, ms }) => requests.observe({ route, method, status }, ms / 1000),
    notification: (store, outcome) =>
      notifications.inc({
        store,
        outcome: outcome.outcome,
        reason: outcome.outcome === 'refused' ? outcome.reason : '',
      }),
    append: (outcome, ms) => {
      appends.observe({ outcome }, ms / 1000);
      if (outcome === 'conflict') conflicts.inc();
    },
    contentType: registry.contentType,
    text: async (gaugeValues, { webhook_attempts_total }) => {
      // Gauges without a current value must not keep their former one.
      for (const gauge of gaugesByName.values()) gauge.reset();
      for (const { name, labels, value } of gaugeValues) gaugesByName.get(name)?.set(labels, value);
      attempts.reset();
      for (const [outcome, total] of Object.entries(webhook_attempts_total)) attempts.inc({ outcome }, total);
      return registry.metrics();
    },
  };
}
