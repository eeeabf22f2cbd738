// How the body of a request is read: JSON by its content type, within its limit, and no deeper than a recursive reader can go.
import express, { type Request, type Response } from 'express';
import typeIs from 'type-is';
import { HttpError } from './errors.js';
import type { Exchange } from '../dispatch/exchange.js';
import type { Route } from '../dispatch/route.js';

const LIMITS = { small: '8kb', store: '256kb', default: '1mb' } as const;

export type ReadBody = { readonly body: unknown; readonly rawBody: string };
export type BodyReader = (exchange: Exchange) => Promise<ReadBody>;

/** Only routes that take a body read one. A body whose content type is not JSON is refused, an absent one is `undefined`. */
export function bodyReader(route: Route): BodyReader {
  if (!route.body) return () => Promise.resolve({ body: undefined, rawBody: '' });
  const keepsRaw = route.bodyLimit === 'store';
  const raw = new WeakMap<object, string>();
  const parser = express.json({
    limit: LIMITS[route.bodyLimit],
    strict: true,
    ...(keepsRaw && {
      verify: (req: object, _res: unknown, bytes: Buffer) => void raw.set(req, bytes.toString('utf8')),
    }),
  });
  return ({ req: incoming, res }) =>
    new Promise((resolve, reject) => {
      // Of what Express adds to a request the parser uses nothing.
      const req = incoming as Request;
      const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
      if (hasBody && !typeIs(req, ['json']))
        return reject(new HttpError(415, 'send the body as content-type: application/json'));
      parser(req, res as Response, (err: unknown) => {
        if (err !== undefined) return reject(err instanceof Error ? err : new Error('the body cannot be read'));
        try {
          const body: unknown = hasBody ? req.body : undefined;
          checkDepth(body);
          resolve({ body, rawBody: raw.get(req) ?? '' });
        } catch (refusal) {
          reject(refusal instanceof Error ? refusal : new Error('the body cannot be read'));
        }
      });
    });
}

const MAX_DEPTH = 32;

/** Bodies nested so deep that a recursive reader would run out of stack are refused before anything walks them. */
function checkDepth(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new HttpError(400, `the body is nested deeper than ${MAX_DEPTH} levels`);
    level = level.flatMap((v) => (typeof v === 'object' && v !== null ? Object.values(v) : []));
  }
}
