// Metrics for Prometheus, in a registry of their own: several services in one process do not meet.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { gauges, type Metrics, type MetricsPage } from './port.js';

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const APPEND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3, 10];

/** `watchesProcess` adds memory, processor, event loop and garbage collection of the process. */
export function createPrometheus({ watchesProcess }: { readonly watchesProcess: boolean }): Metrics & MetricsPage {
  const registry = new Registry();
  const registers = [registry];
  if (watchesProcess) collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_seconds',
    help: 'Time until the answer was sent',
    labelNames: ['route', 'method', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const notifications = new Counter({
    name: 'store_notifications_total',
    help: 'Notifications of the stores, kept or refused at the door',
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
    help: 'Appends that found another writer first',
    registers,
  });
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver that this process made',
    labelNames: ['outcome'],
    registers,
  });
  const asked = new Map(
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
      // What was asked about before and is not there any more must not stay.
      for (const gauge of asked.values()) gauge.reset();
      for (const { name, labels, value } of gaugeValues) asked.get(name)?.set(labels, value);
      attempts.reset();
      for (const [outcome, total] of Object.entries(webhook_attempts_total)) attempts.inc({ outcome }, total);
      return registry.metrics();
    },
  };
}
