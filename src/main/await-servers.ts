// Opens the engine of a process once the configured servers respond. Until then the process reports the missing servers: in its log, and by
// 503 to load balancers and clients.
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../adapters/configuration/config.js';
import type { Runtime } from '../adapters/runtime.js';
import { serversOf, type Server } from '../adapters/configuration/servers.js';
import { Unavailable } from '../domain/errors.js';
import { errorBody } from '../http/bodies/errors.js';
import { sendJson } from '../http/bodies/send-json.js';
import { listen } from '../http/server/listener.js';
import { openListeners } from './listeners.js';

const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 5000;
const RETRY_AFTER_SECONDS = 5;

export type AwaitServersDeps = {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly logger: Logger;
};

/**
 * Retries `open` until it no longer fails with `Unavailable`; any other error ends the wait. Without configured servers it is called once.
 * Resolves with the configuration to continue with: a free port picked while waiting stays the same.
 */
export async function openOnceServersRespond<T>(
  deps: AwaitServersDeps,
  open: () => Promise<T>,
): Promise<{ readonly opened: T; readonly config: Config }> {
  const { config, runtime, logger } = deps;
  const servers = serversOf(config);
  const startedAt = runtime.elapsed();
  const waitedSeconds = () => Math.round((runtime.elapsed() - startedAt) / 1000);
  let waiting: WaitingListener | null = null;
  try {
    for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        const opened = await open();
        if (waiting) logger.info({ waitedSeconds: waitedSeconds() }, 'servers available; starting');
        return { opened, config: { ...config, ...(waiting?.port !== undefined && { PORT: waiting.port }) } };
      } catch (err) {
        if (!(err instanceof Unavailable) || servers.length === 0) throw err;
        const missing = serversIn(err, servers);
        waiting ??= await listenWhileWaiting(deps);
        waiting.missing = missing.map(({ name }) => name);
        logger.warn(
          { servers: missing, reason: err.message, waitedSeconds: waitedSeconds(), nextTryInMs: pauseMs },
          `waiting for ${waiting.missing.join(' and ')}, which this process needs to start`,
        );
        await runtime.sleep(pauseMs);
      }
    }
  } finally {
    await waiting?.close();
  }
}

/**
 * Opens the engine once the servers respond, and starts on it. If a server is lost during the start, the engine is closed and everything
 * begins again; any other error ends it.
 */
export async function startOnceServersRespond<E extends { close(): Promise<void> }, S>(
  { config: configured, ...rest }: AwaitServersDeps,
  open: () => Promise<E>,
  start: (engine: E, config: Config) => Promise<S>,
): Promise<S> {
  for (let current = configured; ;) {
    const { opened: engine, config } = await openOnceServersRespond({ ...rest, config: current }, open);
    try {
      return await start(engine, config);
    } catch (err) {
      await engine.close();
      if (!(err instanceof Unavailable) || serversOf(config).length === 0) throw err;
      rest.logger.warn({ reason: err.message }, 'a server was lost during the start; starting again');
      current = config;
      await rest.runtime.sleep(MIN_PAUSE_MS);
    }
  }
}

/** Returns the servers in the message; all when it contains none. */
function serversIn({ message }: Unavailable, servers: readonly Server[]): readonly Server[] {
  const unreachable = servers.filter(({ name }) => message.includes(name));
  return unreachable.length > 0 ? unreachable : servers;
}

type WaitingListener = {
  missing: readonly string[];
  /** Port of the listener; undefined without the role `http`. */
  readonly port: number | undefined;
  close(): Promise<void>;
};

/** Listens on every address of the service while waiting. */
async function listenWhileWaiting({ config, runtime, logger }: AwaitServersDeps): Promise<WaitingListener> {
  const app: RequestListener = (req, res) => {
    const requestId = runtime.newId('req');
    const [path] = (req.url ?? '').split('?');
    const waitingFor = waiting.missing;
    const retry = ['retry-after', String(RETRY_AFTER_SECONDS)];
    if (path === '/livez') void sendJson(res, requestId, 200, { status: 'ok' });
    else if (path === '/readyz') void sendJson(res, requestId, 503, { status: 'not ready', waitingFor }, retry);
    else if (path === '/healthz') void sendJson(res, requestId, 503, { status: 'away', waitingFor }, retry);
    else void sendJson(res, requestId, 503, errorBody(503, 'the service is starting; retry in 5 seconds'), retry);
  };
  const listeners = await openListeners(config, { rest: () => app, compat: app }, runtime);
  if (listeners.url !== null) logger.info({ url: listeners.url }, 'returning 503 on /readyz until the servers respond');
  const { HOST: host, METRICS_PORT: port } = config;
  const metrics = port === undefined ? null : await listen(app, { host, port }, runtime);
  const waiting: WaitingListener = {
    missing: [],
    port: listeners.url === null ? undefined : Number(new URL(listeners.url).port),
    close: async () => {
      listeners.beginDrain();
      await Promise.all([listeners.drain(), metrics?.drain()]);
    },
  };
  return waiting;
}
