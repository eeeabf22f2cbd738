// Assembles the metrics listener, where the configuration requests one.
import type { Config } from '../adapters/configuration/config.js';
import type { MetricsPage } from '../adapters/metrics/port.js';
import { listen, type Listener } from '../http/server/listener.js';
import { listenFault } from './listeners.js';
import { createMetricsApp } from '../http/server/metrics-listener.js';
import type { HealthReport } from '../workers/coordination/health.js';
import { toGaugeValues } from '../workers/coordination/health.js';
import type { Logger } from 'pino';
import type { Runtime } from '../adapters/runtime.js';
import type { Sender } from '../workers/webhooks/sender.js';

export type MetricsParts = {
  readonly page: MetricsPage;
  readonly health: () => Promise<HealthReport>;
  readonly sending: Sender['stats'];
  readonly logger: Logger;
};

/** Starts the listener; null without `METRICS_PORT`. Rejects with `WrongConfiguration` for an unavailable port. */
export async function listenForMetrics(
  config: Config,
  parts: MetricsParts,
  runtime: Runtime,
): Promise<Listener | null> {
  if (config.METRICS_PORT === undefined) return null;
  const { page, health, sending, logger } = parts;
  const text = async () => {
    const { delivered, failed } = sending();
    return page.text(toGaugeValues(await health()), { webhook_attempts_total: { delivered, failed } });
  };
  const app = createMetricsApp({
    metrics: { contentType: page.contentType, text },
    health: async () => {
      const report = await health();
      return { isAway: report.status === 'away', report };
    },
    log: logger,
  });
  const at = { host: config.HOST, port: config.METRICS_PORT };
  return listen(app, at, runtime).catch((err: unknown) => {
    throw listenFault({ host: 'HOST', port: 'METRICS_PORT' }, at, err);
  });
}
