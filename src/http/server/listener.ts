// HTTP server: time limits, listening address, refusals of malformed or slow requests, and shutdown without dropped requests.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Logger } from 'pino';
import type { Runtime } from '../../adapters/runtime.js';
import { errorBody } from '../bodies/errors.js';
import { jsonHeaders } from '../bodies/send-json.js';
import { createBodyTimeout } from './body-timeout.js';

export type Listener = {
  /** `http://host:port` with the actual port. */
  readonly url: string;
  /** Makes each response close its connection; new connections are still accepted. */
  beginDrain(): void;
  /** Accepts no more connections and closes idle ones. Resolves when the requests in progress have their responses. */
  drain(): Promise<void>;
};

export const TIME_LIMITS = {
  /** Limit for a request with its body, besides the time that a large body takes, ms; for a pause within the body of an upload. */
  requestTimeout: 30_000,
  /** Limit for all headers since the connection began, ms, also for connections that send nothing. */
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  // Tolerance of the two limits above; the default of Node is 30 s.
  connectionsCheckingInterval: 1000,
};
const MAX_HEADERS = 100;
const DRAIN_POLL_MS = 50;
/** Browsers open connections in advance: one that has sent nothing this long after the shutdown began is closed. */
const MAX_SILENT_MS = 500;

type RequestFault = { readonly status: number; readonly message: string };
/** Returns status and body of a refusal below the application. `host` undefined: the request did not get as far as its host. */
export type RefusalForm = (
  host: string | undefined,
  fault: RequestFault,
) => { readonly status: number; readonly body: object };

export const restForm: RefusalForm = (_host, { status, message }) => ({ status, body: errorBody(status, message) });

/** Rejects if the address is not available. */
export function listen(
  app: RequestListener,
  at: { readonly host: string; readonly port: number },
  runtime: Pick<Runtime, 'sleep' | 'turn' | 'newId' | 'elapsed'>,
  { requestTimeout, ...limits }: typeof TIME_LIMITS = TIME_LIMITS,
  formOf: RefusalForm = restForm,
): Promise<Listener> {
  const connections = new Set<Socket>();
  const inProgress = new Set<ServerResponse>();
  let isDraining = false;
  const refuse = (socket: Socket, err: NodeJS.ErrnoException, host?: string) => {
    const hasStartedResponse = [...inProgress].some((res) => res.socket === socket && res.headersSent);
    const refused = refusal(formOf(host, reasonOf(err.code)), runtime);
    refuseConnection(socket, refused, hasStartedResponse);
  };
  const bodies = createBodyTimeout(requestTimeout, runtime.elapsed, ({ socket, headers }) =>
    refuse(socket, Object.assign(new Error('request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), headers.host),
  );
  const refuseUnread = (req: IncomingMessage, res: ServerResponse, fault: RequestFault) =>
    refuseRequest(res, refusal(formOf(req.headers.host, fault), runtime));
  const checking = setInterval(bodies.check, limits.connectionsCheckingInterval).unref();
  // Otherwise Node would refuse a request without a host itself, with an empty body.
  const server = createServer({ ...limits, requestTimeout: 0, requireHostHeader: false }, (req, res) => {
    if (hasBody(req)) bodies.watch(req);
    inProgress.add(res);
    res.once('close', () => {
      inProgress.delete(res);
      bodies.release(req);
    });
    if (isDraining) res.shouldKeepAlive = false;
    const fault = faultOfHead(req);
    if (fault) return refuseUnread(req, res, fault);
    app(req, res);
  });
  // Otherwise Node would drop the headers above its limit and serve the request. Their number is bounded by the limit of bytes.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) =>
    refuseUnread(req, res, { status: 417, message: 'the header Expect can only be 100-continue' }),
  );
  server.on('clientError', (err: NodeJS.ErrnoException, socket: Socket) => refuse(socket, err));
  server.on('close', () => clearInterval(checking));
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  const beginDrain = () => {
    isDraining = true;
    for (const res of inProgress) res.shouldKeepAlive = false;
  };
  const drain = async () => {
    beginDrain();
    // Requests that have reached the process are read first: closing would discard them.
    await runtime.turn();
    let isClosed = false;
    server.close(() => (isClosed = true));
    for (let waitedMs = 0; !isClosed; waitedMs += DRAIN_POLL_MS) {
      server.closeIdleConnections();
      if (waitedMs >= MAX_SILENT_MS) for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      await runtime.sleep(DRAIN_POLL_MS);
    }
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : at.port;
      const host = at.host.includes(':') ? `[${at.host}]` : at.host;
      resolve({ url: `http://${host}:${port}`, beginDrain, drain });
    });
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

const TOO_MANY: RequestFault = { status: 431, message: `too many headers; send at most ${MAX_HEADERS}` };

/** Headers of which Node uses the first and drops the others: a proxy before us may have used the last. */
const SINGLE_HEADERS = new Map(['Host', 'Authorization', 'Content-Type'].map((name) => [name.toLowerCase(), name]));
const LENGTHS = new Set([...SINGLE_HEADERS.keys()].map((name) => name.length));

function faultOfHead({ httpVersion, url = '', headers, rawHeaders }: IncomingMessage): RequestFault | undefined {
  // The path of an absolute URL is read by Express, which cannot route one that is malformed.
  if (!url.startsWith('/') && url !== '*' && !URL.canParse(url))
    return { status: 400, message: 'the URL is malformed' };
  if (httpVersion === '1.1' && headers.host === undefined) return { status: 400, message: 'send the header Host' };
  if (rawHeaders.length > 2 * MAX_HEADERS) return TOO_MANY;
  let singleHeaders: string[] | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i] ?? '';
    if (!LENGTHS.has(raw.length)) continue;
    const name = raw.toLowerCase();
    const header = SINGLE_HEADERS.get(name);
    if (header === undefined) continue;
    if (singleHeaders?.includes(name)) return { status: 400, message: `send the header ${header} only once` };
    (singleHeaders ??= []).push(name);
  }
  return undefined;
}

type Socket = IncomingMessage['socket'];
type Ids = Pick<Runtime, 'newId'>;

/** Time for the client to read the response before the connection is destroyed. */
const LINGER_MS = 2000;

/** Responds and closes the connection. */
function refuseRequest(res: ServerResponse, { status, text, headers }: RefusalText): void {
  res.writeHead(status, headers);
  res.end(text);
}

/**
 * Responds on the raw socket. With `hasStartedResponse` the connection is only destroyed: the client would read the refusal as part of the
 * response in progress.
 */
function refuseConnection(socket: Socket, { status, text, headers }: RefusalText, hasStartedResponse: boolean): void {
  // A client that has sent nothing expects no response.
  if (!socket.writable || hasStartedResponse || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const lines = headers.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}

function reasonOf(code: string | undefined): RequestFault {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, message: 'the path and the headers are too long; send less than 16 KiB' };
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return { status: 413, message: 'the extensions of the chunks are too long; send none' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, message: 'the request took too long to arrive; send it again' };
  return { status: 400, message: 'the request is not valid HTTP/1.1' };
}

type RefusalText = { readonly status: number; readonly text: string; readonly headers: string[] };

function refusal({ status, body }: ReturnType<RefusalForm>, ids: Ids): RefusalText {
  const text = JSON.stringify(body);
  const about = ['x-request-id', ids.newId('req'), 'content-length', String(Buffer.byteLength(text))];
  return { status, text, headers: [...jsonHeaders, ...about, 'connection', 'close'] };
}

/** Wraps listeners so that the warning is logged once for all of them. `trustProxy` has the form that Express accepts. */
export function warnOfUnknownProxy(
  trustProxy: number | string,
  log: Pick<Logger, 'warn'>,
): (listener: RequestListener) => RequestListener {
  let isWatching = trustProxy === 0;
  return (listener) => (req, res) => {
    if (isWatching && req.headers['x-forwarded-for'] !== undefined) {
      isWatching = false;
      log.warn(
        { proxy: req.socket.remoteAddress },
        'X-Forwarded-For is ignored because TRUST_PROXY is 0: clients behind a proxy share one rate limit. Set TRUST_PROXY to the number of proxies',
      );
    }
    listener(req, res);
  };
}
