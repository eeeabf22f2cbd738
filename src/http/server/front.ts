// The way of a request to its route, for every interface.
import type { RequestListener, ServerResponse } from 'node:http';
import { dispatch } from '../dispatch/dispatch.js';
import { traceRequests } from '../dispatch/request-spans.js';
import { trustOf } from '../dispatch/exchange.js';
import { sendErrorOutsideRoutes, type Protocol } from '../dispatch/protocol.js';
import type { Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { createRouter } from './router.js';

export type FrontOptions = {
  readonly routes: readonly Route[];
  readonly protocol: Protocol;
  readonly trustProxy: number | string;
  /** Returns false while the service cannot serve a route yet. */
  readonly canServe: (route: Route) => boolean;
  /** Responds to requests without a route; may throw. */
  readonly otherwise: RequestListener;
};

/** Performs the route of each request. Errors become responses of the protocol. */
export function createFront(
  services: Services,
  { routes, protocol, trustProxy, canServe, otherwise }: FrontOptions,
): RequestListener {
  const trust = trustOf(trustProxy);
  const findRoute = createRouter(
    routes.map((route) => {
      const handle = dispatch(route, services, protocol, () => canServe(route));
      return { route, perform: traceRequests(route, handle) };
    }),
  );
  const fail = (res: ServerResponse, err: unknown) => sendErrorOutsideRoutes(services, protocol, res, err);
  return (req, res) => {
    try {
      const match = findRoute(req);
      if (match) match.perform({ req, res, params: match.params, trust })?.catch((err: unknown) => fail(res, err));
      else otherwise(req, res);
    } catch (err) {
      fail(res, err);
    }
  };
}
