// Finds the route of a request. The path is read by Express's own rules (`request.path`), so that a request is one path to the routes and to
// the pages: an absolute address, `//`, `\`, `;` or a fragment cannot lead to a route here and to another page there.
import type { IncomingMessage } from 'node:http';
import express from 'express';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { Dispatch } from '../dispatch/dispatch.js';
import type { Params } from '../dispatch/exchange.js';
import type { Route } from '../dispatch/route.js';

export type RouteHandler = { readonly route: Route; readonly perform: Dispatch };
export type RouteMatch = { readonly perform: Dispatch; readonly params: Params };

/** Stands for `%`, since no address contains it: routes match the path as it was sent, and parameters are decoded once, here. */
const ESCAPE = '\u0001';
/** Longer than the longest path that Node accepts. */
const MAX_PARAM_LENGTH = 65_536;

/**
 * HEAD goes to the route for GET, and one slash may follow any path. The returned function yields null for a request without a route, and
 * throws `URIError` when the path is that of a route, of whatever method, but not valid percent-encoding.
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
    // A parameter is never empty.
    if (!found || Object.values(found.params).includes('')) return null;
    return { perform: found.store as Dispatch, params: found.params as Params };
  };
  return (req) => {
    const path = pathOf(req);
    // The library would take an address after another scheme for a path.
    if (path?.[0] !== '/') return null;
    const method = req.method === 'HEAD' ? 'GET' : (req.method ?? '');
    if (!path.includes('%')) return find(method, path);
    const escaped = path.replaceAll('%', ESCAPE);
    const match = find(method, escaped);
    if (match) return { ...match, params: decoded(match.params) };
    for (const other of methods) decoded(find(other, escaped)?.params ?? {});
    return null;
  };
}

/** Undefined for an address that cannot be read. */
function pathOf(req: IncomingMessage): string | undefined {
  try {
    return Reflect.get(express.request, 'path', req) as string | undefined;
  } catch {
    // Express responds to it.
    return undefined;
  }
}

/** Throws `URIError`. */
function decoded(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value.replaceAll(ESCAPE, '%'))]),
  );
}
