// Router. It reads the path by the rules of Express (`request.path`), so that routes and pages see the same path: an absolute URL, `//`,
// `\`, `;` or a fragment cannot lead to a route here and to another page there.
import type { IncomingMessage } from 'node:http';
import express from 'express';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { Dispatch } from '../dispatch/dispatch.js';
import type { Params } from '../dispatch/exchange.js';
import type { Route } from '../dispatch/route.js';

export type RouteHandler = { readonly route: Route; readonly perform: Dispatch };
export type RouteMatch = { readonly perform: Dispatch; readonly params: Params };

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
