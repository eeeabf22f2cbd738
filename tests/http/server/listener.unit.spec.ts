// The server below the application, asked byte by byte: what is no request, what never becomes one, and how it ends.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { systemRuntime, type Runtime } from '../../../src/adapters/runtime.js';
import { compatRefusal } from '../../../src/http/compat/protocol.js';
import { createBodyReader } from '../../../src/http/dispatch/read-body.js';
import type { Exchange } from '../../../src/http/dispatch/exchange.js';
import type { Route } from '../../../src/http/dispatch/route.js';
import { listen, TIME_LIMITS, type Listener, type RefusalForm } from '../../../src/http/server/listener.js';

const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
/** Times that a test can wait for; what is asked is that they come, not when. */
const SHORT = { ...TIME_LIMITS, requestTimeout: 200, headersTimeout: 100, connectionsCheckingInterval: 20 };

describe('the listener', () => {
  let listener: Listener;
  let sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    await listener.drain();
  });

  const start = async (
    app: RequestListener,
    limits = TIME_LIMITS,
    runtime: Runtime = systemRuntime(),
    formOf?: RefusalForm,
  ) => {
    listener = await listen(app, { host: '127.0.0.1', port: 0 }, runtime, limits, formOf);
  };
  /** A clock that the test advances, and which tells when the listener has looked at it again. */
  const pacedClock = () => {
    let [now, looks] = [0, 0];
    const elapsed = () => {
      looks++;
      return now;
    };
    const advance = (ms: number) => (now += ms);
    const checked = async () => {
      for (const begin = looks; looks < begin + 2;) await systemRuntime().turn();
    };
    return { ...systemRuntime(), elapsed, advance, checked };
  };
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').setEncoding('utf8');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const untilClosed = async (socket: Socket): Promise<string> => {
    let text = '';
    socket.on('data', (chunk: string) => (text += chunk));
    await new Promise((resolve) => socket.once('close', resolve));
    return text;
  };
  const hello: RequestListener = (_req, res) => {
    res.writeHead(200, ['content-length', '2']);
    res.end('ok');
  };
  const responseTo = async (text: string): Promise<string> => {
    const socket = await open();
    const response = untilClosed(socket);
    socket.write(text);
    return response;
  };
  const expectRefusal = (response: string, statusCode: number, error: string) => {
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).to.match(new RegExp(`^HTTP/1.1 ${statusCode} ${error}\r\n`));
    expect(head.toLowerCase()).to.include('content-type: application/json').and.include('x-request-id: req_');
    expect(JSON.parse(body)).to.have.all.keys('statusCode', 'message', 'error');
    expect(JSON.parse(body)).to.include({ statusCode, error });
  };

  it('rejects invalid HTTP with the three fields of every error', async () => {
    await start(hello);
    expectRefusal(await responseTo('HELO there\r\n\r\n'), 400, 'Bad Request');
  });

  it('refuses headers that are too long with the three fields', async () => {
    await start(hello);
    const long = `GET / HTTP/1.1\r\nhost: a\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`;
    expectRefusal(await responseTo(long), 431, 'Request Header Fields Too Large');
  });

  it('refuses a request without a host, and an expectation that it cannot meet, with the three fields', async () => {
    await start(hello);
    expectRefusal(await responseTo('GET / HTTP/1.1\r\n\r\n'), 400, 'Bad Request');
    expectRefusal(await responseTo('GET / HTTP/1.1\r\nhost: a\r\nexpect: tea\r\n\r\n'), 417, 'Expectation Failed');
  });

  for (const [name, value] of [
    ['Host', 'b'],
    ['hOST', 'a'],
    ['Authorization', 'Bearer x'],
    ['Content-Type', 'text/plain'],
  ]) {
    it(`refuses a second header ${name}, which a proxy may read instead of the first`, async () => {
      await start(hello);
      const first = `${name?.toLowerCase()}: a\r\n`;
      const host = name?.toLowerCase() === 'host' ? '' : 'host: a\r\n';
      const end = 'connection: close\r\n\r\n';
      expect(await responseTo(`GET / HTTP/1.1\r\n${host}${first}${end}`)).to.match(/^HTTP\/1.1 200 /);
      expectRefusal(
        await responseTo(`GET / HTTP/1.1\r\n${host}${first}x-between: 1\r\n${name}: ${value}\r\n${end}`),
        400,
        'Bad Request',
      );
    });
  }

  for (const count of [101, 129, 200, 1000]) {
    it(`refuses ${count} headers instead of dropping those after the hundredth`, async () => {
      await start(hello);
      const extra = Array.from({ length: count - 1 }, (_, i) => `x${i}: 1\r\n`).join('');
      expectRefusal(
        await responseTo(`GET / HTTP/1.1\r\nhost: a\r\n${extra}\r\n`),
        431,
        'Request Header Fields Too Large',
      );
    });
  }

  it('passes on all of a hundred headers', async () => {
    await start((req, res) => {
      res.writeHead(200, { connection: 'close' });
      res.end(String(req.headers['x-last']));
    });
    const extra = Array.from({ length: 98 }, (_, i) => `x${i}: 1\r\n`).join('');
    const response = await responseTo(`GET / HTTP/1.1\r\nhost: a\r\n${extra}x-last: there\r\n\r\n`);
    expect(response)
      .to.match(/^HTTP\/1.1 200 /)
      .and.include('there');
  });

  it('ends a body that trickles in, with a reason', async () => {
    await start((req) => req.resume(), SHORT);
    const head = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n';
    expectRefusal(await responseTo(`${head}{"a":`), 408, 'Request Timeout');
  });

  it('ends a body that trickles in with 503 where an SDK would finish a purchase after a 408', async () => {
    const hosts: (string | undefined)[] = [];
    const formOf: RefusalForm = (host, fault) => {
      hosts.push(host);
      return compatRefusal(host, fault);
    };
    await start((req) => req.resume(), SHORT, systemRuntime(), formOf);
    const response = await responseTo('POST /v1/receipts HTTP/1.1\r\nhost: sdk\r\ncontent-length: 100\r\n\r\n{"a":');
    expect(response).to.match(/^HTTP\/1.1 503 Service Unavailable\r\n/);
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).to.include({ code: 7110 });
    expect(hosts).to.deep.equal(['sdk']);
    expect(await responseTo('POST /v1/receipts HTTP/1.1\r\nhost:')).to.match(/^HTTP\/1.1 503 /);
  });

  it('limits each pause of an upload, not the whole of it', async () => {
    const clock = pacedClock();
    const readUpload = createBodyReader({ takesFile: true } as Route);
    let [received, length] = [0, 0];
    const store = async (req: IncomingMessage, res: ServerResponse) => {
      const { file } = await readUpload({ req, res, params: {} } as Exchange);
      for await (const part of file ?? []) received += part.length;
      length = received;
      res.end('stored');
    };
    const app: RequestListener = (req, res) => void store(req, res).catch(() => undefined);
    await start(app, { ...TIME_LIMITS, connectionsCheckingInterval: 1 }, clock);
    const until = async (isReached: () => boolean) => {
      while (!isReached()) await systemRuntime().turn();
    };
    const upload = async (name: string) => {
      received = 0;
      const socket = await open();
      const response = untilClosed(socket);
      socket.write(`POST /${name} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 6\r\n\r\n`);
      // Five parts take longer than the limit; after each of them the time is checked.
      for (let parts = 1; parts <= 5; parts++) {
        socket.write('x');
        await until(() => received === parts);
        await clock.checked();
        clock.advance(20_000);
        await clock.checked();
      }
      return { socket, response };
    };
    const steady = await upload('steady');
    steady.socket.write('x');
    expect(await steady.response).to.match(/^HTTP\/1.1 200 [\s\S]*stored/);
    expect(length).to.equal(6);
    const stalled = await upload('stalled');
    clock.advance(20_000);
    expectRefusal(await stalled.response, 408, 'Request Timeout');
  });

  it('closes the connection after a started response instead of writing another into it', async () => {
    await start((_req, res) => res.writeHead(200, ['content-length', '10']).write('begun'), SHORT);
    const response = await responseTo('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"a":');
    expect(response.split('\r\n\r\n')[1]).to.equal('begun');
  });

  it('closes a connection that sends nothing', async () => {
    await start(hello, SHORT);
    expect(await untilClosed(await open())).to.equal('');
  });

  it('waits ten seconds for headers, thirty for a request, and looks every second', () => {
    expect(TIME_LIMITS).to.include({ headersTimeout: 10_000, requestTimeout: 30_000 });
    expect(TIME_LIMITS.connectionsCheckingInterval).to.be.at.most(1000);
  });

  it('continues to respond while it drains, and closes each connection after its response', async () => {
    let response: (() => void) | undefined;
    await start((req, res) => {
      if (req.url === '/slow') response = () => hello(req, res);
      else hello(req, res);
    });
    const [slow, alive] = [await open(), await open()];
    const [slowly, first] = [untilClosed(slow), new Promise((resolve) => alive.once('data', resolve))];
    alive.write(GET);
    expect(await first).to.match(/connection: keep-alive/i);
    slow.write(GET.replace('/', '/slow'));
    while (!response) await systemRuntime().turn();

    listener.beginDrain();
    const next = untilClosed(alive);
    alive.write(GET);
    expect(await next).to.match(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
    expect(await responseTo(GET)).to.match(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
    response();
    expect(await slowly).to.match(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
  });

  it('finishes requests in progress before it ends, and does not wait for idle connections', async () => {
    let underWay: ServerResponse | undefined;
    await start((_req, res) => void (underWay = res));
    const [asking, idle, silent] = [await open(), await open(), await open()];
    const response = untilClosed(asking);
    const gone = Promise.all([untilClosed(idle), untilClosed(silent)]);
    asking.write(GET);
    while (!underWay) await systemRuntime().turn();
    const drained = listener.drain();
    await gone;
    underWay.writeHead(200, ['content-length', '2']).end('ok');
    expect(await response).to.match(/^HTTP\/1.1 200 /);
    await drained;
  });
});
