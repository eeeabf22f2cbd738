// How every answer leaves: JSON, with the security headers of all answers, written at once. Headers must be handed over here and not
// set on the response before: Node merges those one by one, which costs as much as all of the routing.
import type { ServerResponse } from 'node:http';
import { securityHeaders } from './security-headers.js';

/** Names and values in turns. */
export type Headers = readonly string[];
export type SendJson = (
  res: ServerResponse,
  requestId: string,
  status: number,
  body: object,
  headers?: Headers,
) => void;

/** Rules for pages would only be bytes in an answer that is JSON and nothing else. */
const NOTHING = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
const CLOSE = ['connection', 'close'];

/** An answer that is a table instead of JSON. */
export class Csv {
  constructor(readonly text: string) {}
}

/** `isDraining`: connections are closed behind their answer. */
export function createSendJson(isDraining: () => boolean): SendJson {
  const protection = securityHeaders(NOTHING);
  const ofJson = [...protection, 'content-type', 'application/json; charset=utf-8'];
  const ofCsv = [...protection, 'content-type', 'text/csv; charset=utf-8'];
  return (res, requestId, status, body, headers = []) => {
    const isCsv = body instanceof Csv;
    const text = isCsv ? body.text : JSON.stringify(body);
    const all = (isCsv ? ofCsv : ofJson).concat(
      'x-request-id',
      requestId,
      headers,
      'content-length',
      String(Buffer.byteLength(text)),
    );
    res.writeHead(status, isDraining() ? all.concat(CLOSE) : all);
    res.end(text);
  };
}
