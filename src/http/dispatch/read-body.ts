// Reading of request bodies: JSON by content type, limited in size and in depth.
import type { IncomingMessage } from 'node:http';
import express from 'express';
import { HttpError } from '../bodies/errors.js';
import { limitPausesOnly, limitWhole } from '../server/body-timeout.js';
import type { Exchange } from './exchange.js';
import type { Route } from './route.js';

/** Size limits, bytes. */
const LIMITS = { small: 8 * 1024, store: 256 * 1024, default: 1024 * 1024, receipt: 8 * 1024 * 1024 } as const;

/** `bytes` is the size of the body as sent, or decompressed if it was compressed. */
export type ParsedBody = {
  readonly body: unknown;
  readonly rawBody: string;
  readonly bytes: number;
  readonly file?: AsyncIterable<Uint8Array>;
};
export type BodyReader = (exchange: Exchange) => Promise<ParsedBody>;

/**
 * Returns the reader of a route's bodies. Routes without a body read nothing; other content types than JSON are refused; an absent body is
 * `undefined`.
 */
export function createBodyReader(route: Route): BodyReader {
  if (route.takesFile)
    return ({ req }) => Promise.resolve({ body: undefined, rawBody: '', bytes: 0, file: partsOf(req) });
  if (!route.body) return () => Promise.resolve({ body: undefined, rawBody: '', bytes: 0 });
  const keepsRaw = route.bodyLimit === 'store';
  const manyValuesUpTo = CLIENT_ACCESS.has(route.access) ? LIMITS.store : LIMITS.default;
  const read = new WeakMap<object, Pick<ParsedBody, 'rawBody' | 'bytes'>>();
  const parser = express.json({
    limit: LIMITS[route.bodyLimit],
    strict: true,
    verify: (req: object, _res: unknown, bytes: Buffer) => {
      if (bytes.length > manyValuesUpTo) expectFewValues(bytes);
      read.set(req, { rawBody: keepsRaw ? bytes.toString('utf8') : '', bytes: bytes.length });
    },
  });
  return ({ req, res }) =>
    new Promise<ParsedBody>((resolve, reject) => {
      const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
      if (hasBody && !req.is(['json']))
        return reject(new HttpError(415, 'send the body as content-type: application/json'));
      parser(req, res, (err: unknown) => {
        if (err !== undefined) return reject(err instanceof Error ? err : new Error('the body cannot be read'));
        try {
          const body: unknown = hasBody ? req.body : undefined;
          checkDepth(body);
          resolve({ body, ...(read.get(req) ?? { rawBody: '', bytes: 0 }) });
        } catch (refusal) {
          reject(refusal instanceof Error ? refusal : new Error('the body cannot be read'));
        }
      });
    });
}

/**
 * Yields a body as it arrives. If the reader stops, the rest is discarded, within the time limit of a whole request: the connection stays open
 * for a refusal and for the next request.
 */
async function* partsOf(req: IncomingMessage): AsyncIterable<Uint8Array> {
  limitPausesOnly(req);
  try {
    for await (const part of req.iterator({ destroyOnReturn: false })) yield part;
  } catch {
    throw new HttpError(400, 'the request is malformed');
  } finally {
    limitWhole(req);
    req.resume();
  }
}

/** Access without a secret: anybody, or anybody with a public key. */
const CLIENT_ACCESS: ReadonlySet<Route['access']> = new Set(['open', 'sdk', 'sdkKey'] as const);

/**
 * Maximum number of values in a body above the default limit, or above that of stores where no secret is asked for: it is one long receipt, and
 * reading hundreds of thousands of values would delay everybody's requests.
 */
const MAX_VALUES = 10_000;
/** Characters that begin a value. A long receipt contains none of them, so that the search passes over it at once. */
const VALUE_STARTS = [',', '[', '{'] as const;

function expectFewValues(bytes: Buffer): void {
  let count = 0;
  for (const start of VALUE_STARTS) {
    for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
      if (++count > MAX_VALUES)
        throw new HttpError(400, `a body of this size must not have more than ${MAX_VALUES} values: send it in parts`);
    }
  }
}

const MAX_DEPTH = 32;

/** Refuses bodies nested so deeply that a recursive reader would run out of stack. */
function checkDepth(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new HttpError(400, `the body is nested deeper than ${MAX_DEPTH} levels`);
    level = level.flatMap((v) => (typeof v === 'object' && v !== null ? Object.values(v) : []));
  }
}
