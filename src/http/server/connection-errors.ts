// Responses to malformed or slow requests, which the application never gets: the parser of Node failed, or a time limit ended. They have
// the three fields and the headers of every other error response.
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Runtime } from '../../adapters/runtime.js';
import { errorBody } from '../bodies/errors.js';
import { jsonHeaders } from '../bodies/send-json.js';

export type Socket = IncomingMessage['socket'];
type Ids = Pick<Runtime, 'newId'>;

/** Time for the client to read the response before the connection is destroyed. */
const LINGER_MS = 2000;

/** Responds and closes the connection. */
export function refuseRequest(res: ServerResponse, status: number, message: string, ids: Ids): void {
  const { text, headers } = refusal(status, message, ids);
  res.writeHead(status, headers);
  res.end(text);
}

/**
 * Responds on the raw socket. With `hasStartedResponse` the connection is only destroyed: the client would read the refusal as part of the
 * response in progress.
 */
export function refuseConnection(
  socket: Socket,
  err: NodeJS.ErrnoException,
  hasStartedResponse: boolean,
  ids: Ids,
): void {
  // A client that has sent nothing expects no response.
  if (!socket.writable || hasStartedResponse || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const [status, message] = reasonOf(err.code);
  const { text, headers } = refusal(status, message, ids);
  const lines = headers.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}

function reasonOf(code: string | undefined): [status: number, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'the path and the headers are too long; send less than 16 KiB'];
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return [413, 'the extensions of the chunks are too long; send none'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'the request took too long to arrive; send it again'];
  return [400, 'the request is not valid HTTP/1.1'];
}

function refusal(status: number, message: string, ids: Ids) {
  const text = JSON.stringify(errorBody(status, message));
  const about = ['x-request-id', ids.newId('req'), 'content-length', String(Buffer.byteLength(text))];
  return { text, headers: [...jsonHeaders, ...about, 'connection', 'close'] };
}
