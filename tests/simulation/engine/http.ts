// Sends requests to the application without sockets, so that no request depends on real time.
import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import { Duplex } from 'node:stream';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read single fields of responses
export type Json = any;
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};
export type Response = {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, unknown>>;
};

class SilentSocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }
}

type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse };

/** Creates a request and a response that passes each chunk to `onChunk`, and calls `onEnd` after the last. */
function createExchange(
  { method, path, headers, body }: Request,
  onChunk: (chunk: Buffer) => void,
  onEnd: (res: ServerResponse) => void,
): Exchange {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const line = new SilentSocket();
  const req = new IncomingMessage(line as never);
  Object.assign(req, { method, url: path });
  req.headers = {
    host: 'service',
    ...(text !== '' && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    ...headers,
  };
  const res = new ServerResponse(req);
  const take = (chunk: unknown) => {
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) onChunk(Buffer.from(chunk));
  };
  res.write = ((chunk: unknown, done?: unknown) => {
    take(chunk);
    if (typeof done === 'function') done();
    return true;
  }) as never;
  res.end = ((chunk?: unknown) => {
    take(chunk);
    onEnd(res);
    return res;
  }) as never;
  res.writeHead = ((status: number, given?: readonly string[]) => {
    for (let i = 0; given && i + 1 < given.length; i += 2) res.setHeader(String(given[i]), String(given[i + 1]));
    res.statusCode = status;
    return res;
  }) as never;
  res.flushHeaders = () => undefined;
  req.push(text === '' ? null : text);
  if (text !== '') req.push(null);
  req.complete = true;
  return { req, res };
}

export function inject(app: RequestListener, request: Request): Promise<Response> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const { req, res } = createExchange(
      request,
      (chunk) => void chunks.push(chunk),
      ({ statusCode: status, getHeaders }) => {
        const answer = Buffer.concat(chunks).toString('utf8');
        resolve({ status, headers: getHeaders.call(res), body: answer === '' ? undefined : parseJson(answer) });
      },
    );
    app(req, res);
  });
}

/** Opens a streaming response. Returns the function that closes its connection. */
export function openStream(app: RequestListener, request: Request, onText: (text: string) => void): () => void {
  const { req, res } = createExchange(
    request,
    (chunk) => {
      if (res.statusCode < 300) onText(chunk.toString('utf8'));
    },
    () => undefined,
  );
  app(req, res);
  return () => void res.emit('close');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // CSV, for example.
    return text;
  }
}
