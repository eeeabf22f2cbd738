// Second listener: metrics for Prometheus and health as JSON. It requires no credentials: restrict access to its port.
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { errorBody } from '../bodies/errors.js';

export type MetricsSources = {
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  /** `isAway`: a database that the service depends on does not respond. */
  readonly health: () => Promise<{ readonly isAway: boolean; readonly report: object }>;
  readonly log: Logger;
};

type TextResponse = { readonly status: number; readonly type: string; readonly text: string };

const JSON_TYPE = 'application/json; charset=utf-8';

export function createMetricsApp(sources: MetricsSources): RequestListener {
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
  const { isAway, report } = await health();
  return { status: isAway ? 503 : 200, type: JSON_TYPE, text: JSON.stringify(report) };
}

function refusal(status: number, message: string): TextResponse {
  return { status, type: JSON_TYPE, text: JSON.stringify(errorBody(status, message)) };
}
