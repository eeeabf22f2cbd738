// Refusals of what never becomes a request for the application: Node's parser gave up, or the time for it is over. They have the three
// fields and the headers of every other response.
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Runtime } from '../../adapters/runtime.js';
import { errorBody } from '../bodies/errors.js';
import { jsonHeaders } from '../bodies/send-json.js';

export type Socket = IncomingMessage['socket'];
type Ids = Pick<Runtime, 'newId'>;

/** How long the client has to read the reason before the connection is cut. */
const LINGER_MS = 2000;

/** The connection is closed behind the response. */
export function refuseRequest(res: ServerResponse, status: number, message: string, ids: Ids): void {
  const { text, headers } = refusal(status, message, ids);
  res.writeHead(status, headers);
  res.end(text);
}

/** `hasBegunResponse`: the client would take the refusal for a part of the response that it is reading. */
export function refuseConnection(
  socket: Socket,
  err: NodeJS.ErrnoException,
  hasBegunResponse: boolean,
  ids: Ids,
): void {
  // Whoever has sent nothing expects nothing.
  if (!socket.writable || hasBegunResponse || socket.bytesRead === 0) {
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
  return [400, 'this is not a request in HTTP/1.1'];
}

function refusal(status: number, message: string, ids: Ids) {
  const text = JSON.stringify(errorBody(status, message));
  const about = ['x-request-id', ids.newId('req'), 'content-length', String(Buffer.byteLength(text))];
  return { text, headers: [...jsonHeaders, ...about, 'connection', 'close'] };
}
