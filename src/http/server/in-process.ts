// Requests to the application within the process, over a pair of connected streams: they pass through the same server, routes and limits as
// requests of clients.
import { createServer, request as sendRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { duplexPair } from 'node:stream';

/** Performs a request for the client at `remoteAddress`. Rejects if the request is aborted or the response is cut off. */
export type InProcessFetch = (request: Request, remoteAddress: string) => Promise<Response>;

export function createInProcessFetch(app: RequestListener): InProcessFetch {
  const server = createServer(app);
  return async (request, remoteAddress) => {
    const { pathname, search, host } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const [client, connection] = duplexPair();
    server.emit('connection', Object.assign(connection, { remoteAddress }));
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = sendRequest({
        createConnection: () => client,
        method: request.method,
        path: `${pathname}${search}`,
        headers: { ...Object.fromEntries(request.headers), host, 'content-length': body.length },
        signal: request.signal,
      });
      sent.on('response', resolve).on('error', reject).end(body);
    });
    return toResponse(response, Buffer.concat(await response.toArray()));
  };
}

function toResponse({ statusCode = 500, headers }: IncomingMessage, bytes: Buffer): Response {
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const isEmpty = statusCode === 204 || statusCode === 304;
  return new Response(isEmpty ? null : new Uint8Array(bytes), { status: statusCode, headers: sent });
}
