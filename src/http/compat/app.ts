// The compatibility API as a listener: CORS for any page, then the route; every other path is answered at once with JSON.
import type { RequestListener, ServerResponse } from 'node:http';
import cors from 'cors';
import type { Health } from '../app.js';
import { dispatch } from '../dispatch/dispatch.js';
import { sendError } from '../dispatch/protocol.js';
import { trustOf } from '../dispatch/exchange.js';
import type { Services } from '../dispatch/services.js';
import { createRouter } from '../server/router.js';
import { notFound } from './errors.js';
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
  const protocol = compatProtocol(services.runtime, services.sdkCalls);
  const trust = trustOf(trustProxy);
  const canServe = () => health.hasCaughtUp;
  const findRoute = createRouter(
    compatRoutes.map((route) => ({ route, perform: dispatch(route, services, protocol, canServe) })),
  );
  const fail = (res: ServerResponse, err: unknown) => {
    if (res.headersSent) res.destroy();
    else void sendError(services, protocol, res, services.runtime.newId('req'), err);
  };
  return (req, res) =>
    allowAnyPage(req, res, () => {
      try {
        const match = findRoute(req);
        if (!match) return fail(res, notFound());
        match.perform({ req, res, params: match.params, trust })?.catch((err: unknown) => fail(res, err));
      } catch (err) {
        fail(res, err);
      }
    });
}
