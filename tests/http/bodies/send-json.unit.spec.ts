// Answers on a real connection: long ones arrive whole, nobody waits for a client that has left, and no client for what is not sent.
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { sendJson as send, LongJson } from '../../../src/http/bodies/send-json.js';

const PIECE = Buffer.alloc(256 * 1024, '1');

describe('a long response', () => {
  let server: Server;
  let sent: Promise<void>;
  let released: number;
  beforeEach(() => (released = 0));
  afterEach(() => server.close());

  /** Answers with these pieces; resolves to the response as its client has it. */
  async function ask(pieces: Iterable<Buffer>): Promise<IncomingMessage> {
    let done: () => void;
    sent = new Promise<void>((resolve) => (done = resolve));
    server = createServer((_req, res: ServerResponse) => {
      void Promise.resolve(send(res, 'req_1', 200, new LongJson(pieces, () => released++))).then(done);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => get({ port, host: '127.0.0.1' }, resolve).once('error', reject));
  }

  it('arrives whole, in order', async () => {
    const pieces = [Buffer.from('['), ...Array.from({ length: 40 }, () => PIECE), Buffer.from(']')];
    const response = await ask(pieces);
    expect(response.headers['content-type']).to.equal('application/json; charset=utf-8');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).equals(Buffer.concat(pieces))).to.equal(true);
    await sent;
    expect(released).to.equal(1);
  });

  it('ends when its client leaves', async () => {
    let made = 0;
    const endless = function* () {
      for (;;) {
        made++;
        yield PIECE;
      }
    };
    const response = await ask(endless());
    response.destroy();
    await sent;
    expect(made).to.be.greaterThan(0);
    expect(released).to.equal(1);
  });
});

describe('a response that nothing has changed', () => {
  it('sends no length or type for a body that it does not have', async () => {
    const server = createServer((_req, res) => void send(res, 'req_1', 304, { id: 'x' }, ['etag', '"tag"']));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    server.close();
    const [head = '', body] = Buffer.concat(chunks).toString().split('\r\n\r\n');
    expect(head).to.match(/^HTTP\/1.1 304 Not Modified\r\n/);
    expect(head.toLowerCase()).to.include('etag: "tag"').and.include('x-request-id');
    expect(head.toLowerCase()).to.not.match(/\r\n(content-length|content-type|transfer-encoding):/);
    expect(body).to.equal('');
  });
});
