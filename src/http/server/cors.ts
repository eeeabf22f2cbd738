// CORS: allows the listed origins to call the API from a browser, without cookies, except for the routes of stores.
import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';

const SENT = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'x-api-key',
  'x-position',
  'x-project-id',
];
const READ = [
  ...['etag', 'idempotent-replayed', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
  ...['retry-after', 'x-position', 'x-request-id'],
];
const ASKED_AGAIN_SECONDS = 600;

/** Also matches absolute URLs, as proxies send them. */
const OF_STORES = /^(https?:\/\/[^/]*)?\/v1\/store\//i;

/** Sets the headers of the response and calls `next`, or responds to a preflight request. */
export type Cors = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

export function corsFor(origins: readonly string[]): Cors {
  const handle = cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: SENT,
    exposedHeaders: READ,
    maxAge: ASKED_AGAIN_SECONDS,
  });
  return (req, res, next) => (OF_STORES.test(req.url ?? '') ? next() : handle(req, res, next));
}
