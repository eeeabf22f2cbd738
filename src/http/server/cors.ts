// CORS: allows the listed origins to call the API from a browser, without cookies, except for the routes of stores.
import cors from 'cors';
import type { RequestHandler } from 'express';

const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'x-api-key',
  'x-position',
  'x-project-id',
];
const RESPONSE_HEADERS = [
  ...['etag', 'idempotent-replayed', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
  ...['retry-after', 'x-position', 'x-read-position', 'x-request-id'],
];
const PREFLIGHT_MAX_AGE_SECONDS = 600;

const STORE_ROUTES = /^\/v1\/store\//i;

/** Sets the headers of the response, or responds to a preflight request. */
export function createCors(origins: readonly string[]): RequestHandler {
  const handle = cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  });
  return (req, res, next) => (STORE_ROUTES.test(req.path) ? next() : handle(req, res, next));
}
