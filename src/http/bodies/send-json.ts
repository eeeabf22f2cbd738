// Sending of responses: JSON with its security headers, in one write. Headers must be passed here and not set on the response: Node merges
// those one by one, which costs as much as the whole routing.
import type { ServerResponse } from 'node:http';
import { securityHeaders } from '../server/security-headers.js';

/** Names and values in turn. */
export type Headers = readonly string[];
/** Sends a response. Resolves when everything was passed to the connection. */
export type SendJson = (
  res: ServerResponse,
  requestId: string,
  status: number,
  body: object,
  headers?: Headers,
) => Promise<void>;

/** Minimal policy: a response that is JSON only needs no rules for pages. */
const NO_SOURCES = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
const NOT_MODIFIED = 304;
const protectionHeaders = securityHeaders(NO_SOURCES);
/** Headers of every JSON response. */
export const jsonHeaders: Headers = [...protectionHeaders, 'content-type', 'application/json; charset=utf-8'];
const csvHeaders: Headers = [...protectionHeaders, 'content-type', 'text/csv; charset=utf-8'];
/** Turns off buffering in proxies, which would hold lines back. */
const eventHeaders: Headers = [
  ...protectionHeaders,
  'content-type',
  'text/event-stream; charset=utf-8',
  'x-accel-buffering',
  'no',
];

/** Response that is a CSV table, generated while it is sent. */
export class Csv {
  /** `fileName` is the name of the download: letters, digits, `-`, `_` and `.` only. */
  constructor(
    readonly pieces: AsyncIterable<Buffer>,
    readonly fileName: string,
  ) {}
}

/** JSON response whose text is complete and already redacted. */
export class ReadyJson {
  /** `etag` is passed if it is already computed. */
  constructor(
    readonly text: string,
    readonly etag?: string,
  ) {}
}

/**
 * Long JSON response that is generated while it is sent. A piece is valid until the next one is requested, and takes little time to
 * generate.
 */
export class LongJson {
  /** `release` frees the sources of the pieces when no more are needed. */
  constructor(
    readonly pieces: Iterable<Buffer>,
    readonly release: () => void = () => undefined,
  ) {}
}

/** Response without an end: `open` takes over once its headers are sent. */
export class EventStream {
  constructor(readonly open: (res: ServerResponse) => void) {}
}

/** Body that is not presented field by field: the schema of its route describes what it sends. */
export type PreparedBody = ReadyJson | LongJson | Csv | EventStream;

export const sendJson: SendJson = async (res, requestId, status, body, headers = []) => {
  if (status === NOT_MODIFIED) {
    // A 304 has no length and no type: some clients would wait for the body.
    res.writeHead(status, protectionHeaders.concat('x-request-id', requestId, headers));
    res.end();
    return;
  }
  if (body instanceof EventStream) {
    res.writeHead(status, eventHeaders.concat('x-request-id', requestId, headers));
    res.flushHeaders();
    return body.open(res);
  }
  if (body instanceof Csv || body instanceof LongJson) {
    const isCsv = body instanceof Csv;
    const ownHeaders = isCsv
      ? [...csvHeaders, 'content-disposition', `attachment; filename="${body.fileName}"`]
      : jsonHeaders;
    res.writeHead(status, ownHeaders.concat('x-request-id', requestId, headers));
    return sendPieces(res, body.pieces, isCsv ? undefined : body.release);
  }
  const text = body instanceof ReadyJson ? body.text : JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  res.writeHead(status, jsonHeaders.concat('x-request-id', requestId, headers, 'content-length', String(bytes)));
  // Latin-1 gives the same bytes if every character takes one, and needs no encoding.
  res.end(text, bytes === text.length ? 'latin1' : 'utf8');
};

/**
 * Sends pieces as fast as the connection takes them. Rejects if a piece fails: the cut connection shows that the response is incomplete.
 */
async function sendPieces(
  res: ServerResponse,
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  release?: () => void,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (res.destroyed) return;
      await writePiece(res, piece);
    }
    res.end();
  } catch (err) {
    res.destroy();
    throw err;
  } finally {
    release?.();
  }
}

/**
 * Writes a piece and resolves one event-loop turn after the connection has taken it, so that other requests have their turn. Also resolves
 * when the connection closes: then some writes never call back.
 */
function writePiece(res: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('close', done);
      setImmediate(resolve);
    };
    res.on('close', done);
    res.write(piece, done);
  });
}
