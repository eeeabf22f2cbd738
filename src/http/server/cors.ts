// Which pages of other origins may call the interface from a browser: those of the list, without cookies. None may call what is for stores.
import cors from 'cors';
import type { RequestHandler } from 'express';

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

export function corsFor(origins: readonly string[]): RequestHandler {
  const handle = cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: SENT,
    exposedHeaders: READ,
    maxAge: ASKED_AGAIN_SECONDS,
  });
  return (req, res, next) => (req.path.startsWith('/v1/store/') ? next() : handle(req, res, next));
}
