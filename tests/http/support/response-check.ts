// Compares every response that any test gets with the route table: a documented status, and a body of its exact form.
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Route } from '../../../src/http/dispatch/route.js';
import { routes } from '../../../src/http/routes.js';

/** The statuses that any request may get, beside its route's success. */
const REFUSALS: readonly number[] = [400, 401, 403, 404, 409, 413, 415, 429, 503];

const patterns = routes.map((route) => {
  const source = route.path.replace(/[.$]/g, '\\$&').replace(/:\w+/g, '[^/]+');
  return { route, pattern: new RegExp(`^${source}/?$`) };
});

/** The route that a request reaches; undefined for paths outside the table. */
export function routeOf(method: string, pathAndQuery: string): Route | undefined {
  const [path = ''] = pathAndQuery.split(/[?#]/);
  return patterns.find((p) => p.route.method === method.toLowerCase() && p.pattern.test(path))?.route;
}

/** Throws for a response that its route does not document. */
export function checkResponse(method: string, path: string, status: number, body: unknown): void {
  const route = routeOf(method, path);
  if (!route) return;
  const about = `${method} ${route.path} answered ${status}`;
  if (status >= 400) return checkRefusal(about, status, body);
  if (status === 304) return expectThat(body === undefined, `${about} with a body`);
  expectThat(
    route.statuses.some((s) => s === status),
    `${about}, which is not documented`,
  );
  const parsed = route.response.safeParse(body);
  if (!parsed.success) throw new Error(`${about} in another form than documented\n${z.prettifyError(parsed.error)}`);
}

function checkRefusal(about: string, status: number, body: unknown): void {
  expectThat(REFUSALS.includes(status), `${about}, which is not documented: ${JSON.stringify(body)}`);
  const { statusCode, message, error, ...rest } = (body ?? {}) as Record<string, unknown>;
  expectThat(Object.keys(rest).length === 0, `${about} with more than three fields`);
  expectThat(statusCode === status && error === STATUS_CODES[status], `${about} with ${String(error)}`);
  expectThat(typeof message === 'string' && message !== '', `${about} without a message`);
}

function expectThat(isMet: boolean, otherwise: string): void {
  if (!isMet) throw new Error(otherwise);
}
