// The HTTP server: its limits of time, where it listens, and how it stops without dropping a request.
import { createServer, type RequestListener } from 'node:http';
import type { Runtime } from '../adapters/runtime.js';

export type Listener = {
  /** `http://host:port` with the real port. */
  readonly url: string;
  /** Answers the requests under way; connections that keep alive without one are closed. */
  drain(): Promise<void>;
};

const TIME_LIMITS = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 };
const DRAIN_POLL_MS = 50;

/** Rejects when the address cannot be had. */
export function listen(
  app: RequestListener,
  at: { readonly host: string; readonly port: number },
  runtime: Runtime,
): Promise<Listener> {
  const server = createServer(TIME_LIMITS, app);
  server.maxHeadersCount = 100;
  const drain = async () => {
    let isClosed = false;
    server.close(() => (isClosed = true));
    while (!isClosed) {
      server.closeIdleConnections();
      await runtime.sleep(DRAIN_POLL_MS);
    }
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : at.port;
      const host = at.host.includes(':') ? `[${at.host}]` : at.host;
      resolve({ url: `http://${host}:${port}`, drain });
    });
  });
}
