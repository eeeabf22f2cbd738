// The compatibility API as a listener: CORS for any page, then the route; every other path is answered at once with JSON.
import type { RequestListener } from 'node:http';
import cors from 'cors';
import type { Health } from '../app.js';
import type { Services } from '../dispatch/services.js';
import { HttpError } from '../bodies/errors.js';
import { createFront } from '../server/router.js';
import { compatProtocol } from './protocol.js';
import { compatRoutes } from './routes.js';

const PREFLIGHT_SECONDS = 86_400;

/** Keys are public and no cookies are sent, so any page may call; which headers a preflight names changes with each SDK. */
const allowAnyPage = cors({
  origin: '*',
  methods: ['GET', 'POST', 'PATCH'],
  exposedHeaders: ['x-revenuecat-etag', 'x-revenuecat-request-time'],
  maxAge: PREFLIGHT_SECONDS,
});

export function createCompatApp(
  services: Services,
  health: Pick<Health, 'hasCaughtUp'>,
  { trustProxy }: { readonly trustProxy: number | string },
): RequestListener {
  const front = createFront(services, {
    routes: compatRoutes,
    protocol: compatProtocol(services.runtime, services.sdkCalls),
    trustProxy,
    canServe: () => health.hasCaughtUp,
    otherwise: () => {
      throw new HttpError(404, 'not found');
    },
  });
  return (req, res) => allowAnyPage(req, res, () => front(req, res));
}
