// Reading of request bodies: JSON by content type, limited in size and in depth.
import type { IncomingMessage } from 'node:http';
import express, { type Request } from 'express';
import typeIs from 'type-is';
import { HttpError } from '../bodies/errors.js';
import { limitPausesOnly } from '../server/body-timeout.js';
import type { Exchange } from './exchange.js';
import type { Route } from './route.js';

/** Size limits, bytes. */
const LIMITS = { small: 8 * 1024, store: 256 * 1024, default: 1024 * 1024 } as const;

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
  const read = new WeakMap<object, Pick<ParsedBody, 'rawBody' | 'bytes'>>();
  const parser = express.json({
    limit: LIMITS[route.bodyLimit],
    strict: true,
    verify: (req: object, _res: unknown, bytes: Buffer) =>
      void read.set(req, { rawBody: keepsRaw ? bytes.toString('utf8') : '', bytes: bytes.length }),
  });
  const parse = ({ req: incoming, res }: Exchange) =>
    new Promise<ParsedBody>((resolve, reject) => {
      // The parser uses nothing that Express adds to a request.
      const req = incoming as Request;
      const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
      if (hasBody && !typeIs(req, ['json']))
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
  return (exchange) =>
    isPlainJson(exchange.req, LIMITS[route.bodyLimit]) ? readPlainJson(exchange.req) : parse(exchange);
}

const PLAIN_TYPE = /^application\/json(; ?charset=utf-8)?$/i;

/**
 * Returns whether a body is JSON in UTF-8 with a stated, allowed length, as nearly all are. The parser of Express accepts every form but
 * takes three times as long.
 */
function isPlainJson({ headers }: IncomingMessage, limit: number): boolean {
  const length = Number(headers['content-length'] ?? 0);
  const isCoded = headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined;
  return length > 0 && length <= limit && !isCoded && PLAIN_TYPE.test(headers['content-type'] ?? '');
}

async function readPlainJson(req: IncomingMessage): Promise<ParsedBody> {
  const rawBody = await textOf(req);
  const body = parseJson(rawBody);
  checkDepth(body);
  return { body, rawBody, bytes: Number(req.headers['content-length']) };
}

function textOf(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => void parts.push(part));
    req.on('end', () => resolve((parts.length === 1 ? parts[0] : Buffer.concat(parts))?.toString('utf8') ?? ''));
    const cut = () => reject(new HttpError(400, 'the request is malformed'));
    req.on('aborted', cut);
    req.on('error', cut);
  });
}

/** Yields a body as it arrives. The connection stays open if the reader stops, so that a refusal can be sent. */
async function* partsOf(req: IncomingMessage): AsyncIterable<Uint8Array> {
  limitPausesOnly(req);
  try {
    for await (const part of req.iterator({ destroyOnReturn: false })) yield part as Buffer;
  } catch {
    throw new HttpError(400, 'the request is malformed');
  }
}

/** Parses an object or a list, with or without a byte order mark, as the parser of Express does. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Refused below, like a value that is neither.
  }
  throw new HttpError(400, 'the body is not valid JSON');
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
