// Requests to the application without sockets: nothing of it waits for anything real.
import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import { Duplex } from 'node:stream';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are looked into field by field
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

class Line extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }
}

export function inject(app: RequestListener, { method, path, headers, body }: Request): Promise<Response> {
  return new Promise((resolve) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const line = new Line();
    const req = new IncomingMessage(line as never);
    Object.assign(req, { method, url: path });
    req.headers = {
      host: 'service',
      ...(text !== '' && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    };
    const res = new ServerResponse(req);
    const chunks: Buffer[] = [];
    const take = (chunk: unknown) => {
      if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) chunks.push(Buffer.from(chunk));
    };
    res.write = ((chunk: unknown, done?: unknown) => {
      take(chunk);
      if (typeof done === 'function') done();
      return true;
    }) as never;
    res.end = ((chunk?: unknown) => {
      take(chunk);
      const answer = Buffer.concat(chunks).toString('utf8');
      resolve({ status: res.statusCode, headers: res.getHeaders(), body: answer === '' ? undefined : parsed(answer) });
      return res;
    }) as never;
    res.writeHead = ((status: number, given?: readonly string[]) => {
      for (let i = 0; given && i + 1 < given.length; i += 2) res.setHeader(String(given[i]), String(given[i + 1]));
      res.statusCode = status;
      return res;
    }) as never;
    req.push(text === '' ? null : text);
    if (text !== '') req.push(null);
    req.complete = true;
    app(req, res);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A table, for instance.
    return text;
  }
}
