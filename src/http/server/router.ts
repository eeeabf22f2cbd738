// The Express application of an interface: creates it, registers the routes of a table, and ends it with responses to unknown paths and errors.
import express, { type ErrorRequestHandler, type Express } from 'express';
import { type Dispatch, dispatch } from '../dispatch/dispatch.js';
import { headerOf, type Exchange } from '../dispatch/exchange.js';
import type { Route } from '../dispatch/route.js';
import { inSpan } from '../../adapters/tracing/spans.js';
import { HttpError } from '../bodies/errors.js';
import { sendErrorOutsideRoutes, type Protocol } from '../dispatch/respond.js';
import type { Services } from '../dispatch/services.js';

/** Creates an application without routes. `trustProxy`: a number of proxies, or a comma-separated list of addresses. */
export function createExpress(trustProxy: number | string): Express {
  const app = express();
  app.disable('x-powered-by');
  // Responses state their entity tags themselves.
  app.disable('etag');
  app.set('case sensitive routing', true);
  app.set('query parser', 'simple');
  app.set('trust proxy', trustProxy);
  return app;
}

type RouteTable = {
  readonly routes: readonly Route[];
  readonly protocol: Protocol;
  /** Returns false while the service cannot serve a route yet. */
  readonly canServe: (route: Route) => boolean;
};

/** Registers the routes in their order. */
export function serveRoutes(app: Express, services: Services, { routes, protocol, canServe }: RouteTable): void {
  for (const route of routes) {
    const handle = traceRequests(
      route,
      dispatch(route, services, protocol, () => canServe(route)),
    );
    app[route.method](route.path, (req, res) => handle({ req, res, params: req.params as Exchange['params'] }));
  }
}

/** Responds to requests without a route, and to errors that no route has handled. Must be called last. */
export function serveErrors(
  app: Express,
  services: Pick<Services, 'log' | 'runtime'>,
  protocol: Protocol,
  notFound: string,
): void {
  app.use((_req, _res, next) => next(new HttpError(404, notFound)));
  // Express recognises an error handler by its four parameters.
  const onError: ErrorRequestHandler = (err, _req, res, _next) => sendErrorOutsideRoutes(services, protocol, res, err);
  app.use(onError);
}

/** Returns the same handling in a span, which continues the trace of the caller's `traceparent`. */
function traceRequests({ path }: Route, handle: Dispatch): Dispatch {
  return (exchange) => {
    const { method = '' } = exchange.req;
    const attributes = { 'http.request.method': method, 'http.route': path };
    const remoteParent = headerOf(exchange, 'traceparent');
    return inSpan(`${method} ${path}`, { kind: 'server', attributes, remoteParent }, async (span) => {
      await handle(exchange);
      const { statusCode } = exchange.res;
      span.set({ 'http.response.status_code': statusCode });
      if (statusCode >= 500) span.fail(String(statusCode));
    });
  };
}
