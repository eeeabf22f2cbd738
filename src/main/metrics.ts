// Second listener, where the configuration requests one: metrics for Prometheus and health as JSON. It requires no credentials: restrict
// access to its port.
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../adapters/configuration/config.js';
import type { MetricsPage } from '../adapters/metrics/port.js';
import type { Runtime } from '../adapters/runtime.js';
import { errorBody } from '../http/bodies/errors.js';
import { listen, type Listener } from '../http/server/listener.js';
import { type HealthReport, toGaugeValues } from '../workers/coordination/health.js';
import type { Sender } from '../workers/webhooks/sender.js';
import { listenFault } from './listeners.js';

type MetricsParts = {
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
      const report = await healthInTime(health, runtime);
      if (report === null) return { isHealthy: false, report: { status: 'away', reason: NO_REPORT } };
      return { isHealthy: report.status !== 'away' && report.status !== 'stalled', report };
    },
    log: logger,
  });
  const at = { host: config.HOST, port: config.METRICS_PORT };
  return listen(app, at, runtime).catch((err: unknown) => {
    throw listenFault({ host: 'HOST', port: 'METRICS_PORT' }, at, err);
  });
}

/** A report reads both servers several times; each read has a limit, but on an overloaded process they add up. */
const REPORT_TIMEOUT_MS = 10_000;
const NO_REPORT = `the log and the documents were not read within ${REPORT_TIMEOUT_MS} ms`;

async function healthInTime(
  health: () => Promise<HealthReport>,
  runtime: Pick<Runtime, 'sleep'>,
): Promise<HealthReport | null> {
  const done = new AbortController();
  const late = runtime.sleep(REPORT_TIMEOUT_MS, done.signal).then(() => null);
  return Promise.race([health(), late]).finally(() => done.abort());
}

type MetricsSources = {
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  /** `isHealthy`: the databases that the service depends on respond, and its work makes progress. */
  readonly health: () => Promise<{ readonly isHealthy: boolean; readonly report: object }>;
  readonly log: Logger;
};

type TextResponse = { readonly status: number; readonly type: string; readonly text: string };

const JSON_TYPE = 'application/json; charset=utf-8';

function createMetricsApp(sources: MetricsSources): RequestListener {
  return (req, res) => {
    const send = ({ status, type, text }: TextResponse) => {
      res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      res.end(req.method === 'HEAD' ? undefined : text);
    };
    createResponse(sources, req.method ?? '', req.url ?? '').then(send, (err: unknown) => {
      const stack = err instanceof Error ? err.stack : String(err);
      sources.log.error({ stack }, 'metrics request failed');
      send(refusal(500, 'internal error; see the log'));
    });
  };
}

async function createResponse({ metrics, health }: MetricsSources, method: string, url: string): Promise<TextResponse> {
  if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'method not allowed; send GET');
  const [path] = url.split('?');
  if (path === '/livez') return { status: 200, type: JSON_TYPE, text: JSON.stringify({ status: 'ok' }) };
  if (path === '/metrics') return { status: 200, type: metrics.contentType, text: await metrics.text() };
  if (path !== '/healthz') return refusal(404, 'path not found; available: /metrics, /healthz and /livez');
  const { isHealthy, report } = await health();
  return { status: isHealthy ? 200 : 503, type: JSON_TYPE, text: JSON.stringify(report) };
}

function refusal(status: number, message: string): TextResponse {
  return { status, type: JSON_TYPE, text: JSON.stringify(errorBody(status, message)) };
}
