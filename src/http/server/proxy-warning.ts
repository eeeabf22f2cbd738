// Warning about a proxy that is not configured: all clients behind it would share one rate limit.
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';

/** Wraps listeners so that the warning is logged once for all of them. `trustProxy` has the form that Express accepts. */
export function warnOfUnknownProxy(
  trustProxy: number | string,
  log: Pick<Logger, 'warn'>,
): (listener: RequestListener) => RequestListener {
  let isWatching = trustProxy === 0;
  return (listener) => (req, res) => {
    if (isWatching && req.headers['x-forwarded-for'] !== undefined) {
      isWatching = false;
      log.warn(
        { proxy: req.socket.remoteAddress },
        'X-Forwarded-For is ignored because TRUST_PROXY is 0: clients behind a proxy share one rate limit. Set TRUST_PROXY to the number of proxies',
      );
    }
    listener(req, res);
  };
}
