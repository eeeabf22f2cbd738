// The way of a request to its route, for every interface: finds the route, and performs it in a span.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express from 'express';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { type Dispatch, dispatch } from '../dispatch/dispatch.js';
import { type Params, headerOf, type Exchange, trustOf } from '../dispatch/exchange.js';
import type { Route } from '../dispatch/route.js';
import { inSpan, type OpenSpan } from '../../adapters/tracing/spans.js';
import { sendErrorOutsideRoutes, type Protocol } from '../dispatch/respond.js';
import type { Services } from '../dispatch/services.js';

type RouteHandler = { readonly route: Route; readonly perform: Dispatch };
type RouteMatch = { readonly perform: Dispatch; readonly params: Params };

/** Replaces `%`, since no URL contains it: routes match the path as sent, and parameters are decoded once, here. */
const ESCAPE = '\u0001';
/** Above the longest path that Node accepts. */
const MAX_PARAM_LENGTH = 65_536;

/**
 * Creates the lookup of routes. HEAD uses the route for GET, and one slash may follow any path. The lookup returns null for a request
 * without a route, and throws `URIError` if the path matches a route of any method but is not valid percent-encoding.
 */
export function createRouter(handlers: readonly RouteHandler[]): (req: IncomingMessage) => RouteMatch | null {
  const router = findMyWay({
    ignoreTrailingSlash: true,
    maxParamLength: MAX_PARAM_LENGTH,
    querystringParser: () => ({}),
  });
  for (const { route, perform } of handlers)
    router.on(route.method.toUpperCase() as HTTPMethod, route.path, () => undefined, perform);
  const methods = [...new Set(handlers.map(({ route }) => route.method.toUpperCase()))];

  const find = (method: string, path: string): RouteMatch | null => {
    const found = router.find(method as HTTPMethod, path);
    // Parameters must not be empty.
    if (!found || Object.values(found.params).includes('')) return null;
    return { perform: found.store as Dispatch, params: found.params as Params };
  };
  return (req) => {
    const path = pathOf(req);
    // The library would treat a URL with another scheme as a path.
    if (path?.[0] !== '/') return null;
    const method = req.method === 'HEAD' ? 'GET' : (req.method ?? '');
    if (!path.includes('%')) return find(method, path);
    const escaped = path.replaceAll('%', ESCAPE);
    const match = find(method, escaped);
    if (match) return { ...match, params: decodeParams(match.params) };
    for (const other of methods) decodeParams(find(other, escaped)?.params ?? {});
    return null;
  };
}

/** Returns undefined for a URL that cannot be parsed. */
function pathOf(req: IncomingMessage): string | undefined {
  try {
    return Reflect.get(express.request, 'path', req);
  } catch {
    // Express responds to this request.
    return undefined;
  }
}

/** Throws `URIError`. */
function decodeParams(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value.replaceAll(ESCAPE, '%'))]),
  );
}

/** Returns the same handling in a span, which continues the trace of the caller's `traceparent`. */
function traceRequests({ path }: Route, handle: Dispatch): Dispatch {
  return (exchange) => {
    const { method = '' } = exchange.req;
    const attributes = { 'http.request.method': method, 'http.route': path };
    const remoteParent = headerOf(exchange, 'traceparent');
    return inSpan<void>(`${method} ${path}`, { kind: 'server', attributes, remoteParent }, (span) => {
      const handling = handle(exchange);
      return handling instanceof Promise ? handling.then(() => noteStatus(span, exchange)) : noteStatus(span, exchange);
    });
  };
}

function noteStatus(span: OpenSpan, { res: { statusCode } }: Exchange): void {
  span.set({ 'http.response.status_code': statusCode });
  if (statusCode >= 500) span.fail(String(statusCode));
}

type FrontOptions = {
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
