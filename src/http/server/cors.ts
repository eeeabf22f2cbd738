// Which pages of other origins may call the interface from a browser: those of the list, without cookies. None may call what is for stores.
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

/** Also of an address with its host in front, as proxies send it. */
const OF_STORES = /^(https?:\/\/[^/]*)?\/v1\/store\//i;

/** Sets the headers of the response and goes on with `next`, or responds to a question about them. */
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
