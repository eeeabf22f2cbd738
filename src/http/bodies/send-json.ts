// How every response leaves: JSON, with the security headers of all responses, written at once. Headers must be handed over here and not
// set on the response before: Node merges those one by one, which costs as much as all of the routing.
import type { ServerResponse } from 'node:http';
import { securityHeaders } from '../server/security-headers.js';

/** Names and values in turns. */
export type Headers = readonly string[];
/** Resolves when all was handed over to the connection. */
export type SendJson = (
  res: ServerResponse,
  requestId: string,
  status: number,
  body: object,
  headers?: Headers,
) => Promise<void> | void;

/** Rules for pages would only be bytes in a response that is JSON and nothing else. */
const NOTHING = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
const NOT_MODIFIED = 304;
const protection = securityHeaders(NOTHING);
/** Of every response in JSON. */
export const jsonHeaders: Headers = [...protection, 'content-type', 'application/json; charset=utf-8'];
const csvHeaders: Headers = [...protection, 'content-type', 'text/csv; charset=utf-8'];
/** A proxy that gathers what it passes on would keep lines back. */
const eventHeaders: Headers = [
  ...protection,
  'content-type',
  'text/event-stream; charset=utf-8',
  'x-accel-buffering',
  'no',
];

/** A response that is a table instead of JSON, made while it is sent. */
export class Csv {
  /** `fileName` for who keeps it: letters, digits, `-`, `_` and `.` alone. */
  constructor(
    readonly pieces: AsyncIterable<Buffer>,
    readonly fileName: string,
  ) {}
}

/** A response in JSON whose text is there already, without what the caller may not see. */
export class ReadyJson {
  /** `etag` where it is known. */
  constructor(
    readonly text: string,
    readonly etag?: string,
  ) {}
}

/** A response in JSON whose text is made while it is sent, since it is long: a piece holds until the next is asked for, and takes little time. */
export class LongJson {
  /** `release`: frees what the pieces are made of, when no more are asked for. */
  constructor(
    readonly pieces: Iterable<Buffer>,
    readonly release: () => void = () => undefined,
  ) {}
}

/** A response without an end of its own: it is left to `open` once its headers are on the way. */
export class EventStream {
  constructor(readonly open: (res: ServerResponse) => void) {}
}

export const sendJson: SendJson = (res, requestId, status, body, headers = []) => {
  if (status === NOT_MODIFIED) {
    // Length and type of what is not sent: some clients wait for it.
    res.writeHead(status, protection.concat('x-request-id', requestId, headers));
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
    const named = isCsv
      ? [...csvHeaders, 'content-disposition', `attachment; filename="${body.fileName}"`]
      : jsonHeaders;
    res.writeHead(status, named.concat('x-request-id', requestId, headers));
    return sendPieces(res, body.pieces, isCsv ? undefined : body.release);
  }
  const text = body instanceof ReadyJson ? body.text : JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  res.writeHead(status, jsonHeaders.concat('x-request-id', requestId, headers, 'content-length', String(bytes)));
  // The same bytes where no character takes more than one, and nothing to encode.
  res.end(text, bytes === text.length ? 'latin1' : 'utf8');
};

/** As fast as they are taken. Rejects when a piece cannot be made: a connection that is cut says that the response is not whole. */
async function sendPieces(
  res: ServerResponse,
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  release?: () => void,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (res.destroyed) return;
      await taken(res, piece);
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
 * A turn after the connection has taken it: one that takes every piece at once would leave no turn to other requests. Also resolves when the
 * connection is gone: then not every write calls back.
 */
function taken(res: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('close', done);
      setImmediate(resolve);
    };
    res.on('close', done);
    res.write(piece, done);
  });
}
