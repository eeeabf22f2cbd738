// Outbound requests: bytes as given, redirects returned and not followed, limits of time and size, and no second DNS lookup
// after the check of the address.
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { OutboundRequest } from '../../../src/adapters/outbound/port.js';
import { OutboundFailure } from '../../../src/domain/errors.js';
import { createOutbound, type OutboundOptions } from '../../../src/adapters/outbound/undici.js';
import { startReceiver } from './receiver.js';
import { startSelfSignedServer } from './self-signed-server.js';

const egress = { allowHttp: true, allowCidrs: ['127.0.0.1/32'] };
const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs: 5000,
  maxResponseBytes: 16_384,
  ...more,
});

const endless = Buffer.alloc(65_536, 'x');

/** Bytes, after what nobody needs any more is gone: some objects free others only in a later turn of the event loop. */
async function memoryUsed(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 5; turn++) {
    collectGarbage();
    await nextTurn();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe('outbound', () => {
  const after: (() => Promise<void>)[] = [];
  const receiver = async (...args: Parameters<typeof startReceiver>) => {
    const started = await startReceiver(...args);
    after.push(started.stop);
    return started;
  };
  const outbound = (options: Partial<OutboundOptions> = {}) => {
    const made = createOutbound({ egress, ...options });
    after.unshift(made.close);
    return made;
  };
  afterEach(async () => {
    for (const end of after.splice(0)) await end();
  });
  const codeOf = async (sent: Promise<unknown>) =>
    sent.then(
      () => 'answered',
      (err: unknown) => (err instanceof OutboundFailure ? err.code : err),
    );

  it('sends the bytes unchanged and returns status, headers and body', async () => {
    const { url, seen } = await receiver((res) => res.writeHead(202, { 'x-name': 'so' }).end('thanks'));
    const body = Buffer.from([0, 1, 0xff, 0x7b]);
    const { headers, ...answer } = await outbound().send(post(`${url}/hook?a=1`, { body }));
    expect({ ...answer, body: answer.body.toString() }).to.deep.equal({
      status: 202,
      body: 'thanks',
      truncated: false,
      isPrivate: true,
    });
    expect(headers['x-name']).to.equal('so');
    expect([seen[0]?.path, seen[0]?.body.equals(body)]).to.deep.equal(['/hook?a=1', true]);
  });

  it('does not follow a redirect', async () => {
    const canary = await receiver((res) => res.end());
    const { url } = await receiver((res) => res.writeHead(302, { location: canary.url }).end());
    expect((await outbound().send(post(url))).status).to.equal(302);
    expect(canary.seen).to.deep.equal([]);
  });

  it('cuts an endless response off and closes its connection', async () => {
    let written = 0;
    let isClosed: Promise<unknown> = Promise.resolve();
    const { url } = await receiver((res) => {
      isClosed = once(res, 'close');
      const pour = (): void => {
        while (!res.destroyed && res.write('x'.repeat(16_384))) written += 16_384;
      };
      res.on('drain', pour);
      pour();
    });
    const response = await outbound().send(post(url));
    expect([response.body.length, response.truncated]).to.deep.equal([16_384, true]);
    await isClosed;
    // The kernel's buffers contain bytes that were written and never read.
    expect(written).to.be.lessThan(8_000_000);
  });

  it('holds on to nothing of a thousand endless responses', async () => {
    const closings: Promise<unknown>[] = [];
    const { url } = await receiver((res) => {
      closings.push(once(res, 'close'));
      res.on('drain', () => res.write(endless));
      res.write(endless);
    });
    const sender = outbound();
    const round = () => Promise.all(Array.from({ length: 20 }, () => sender.send(post(url))));
    for (let i = 0; i < 5; i++) await round();
    await Promise.all(closings);
    const before = await memoryUsed();
    for (let i = 0; i < 50; i++) await round();
    await Promise.all(closings);
    expect((await memoryUsed()) - before).to.be.lessThan(20_000_000);
  });

  it('ends at its time limit, however slowly the response trickles', async () => {
    const { url } = await receiver((res) => {
      res.writeHead(200);
      const drip = setInterval(() => res.write('.'), 20);
      res.on('close', () => clearInterval(drip));
    });
    expect(await codeOf(outbound().send(post(url, { timeoutMs: 200 })))).to.equal('timeout');
  });

  it('ends at its time limit when no response begins', async () => {
    const { url } = await receiver(() => undefined);
    expect(await codeOf(outbound().send(post(url, { timeoutMs: 100 })))).to.equal('timeout');
  });

  it('gives up with the reason of the one who gives up', async () => {
    const { url, seen } = await receiver(() => undefined);
    const giveUp = new AbortController();
    const sent = codeOf(outbound().send(post(url), giveUp.signal));
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const reason = new Error('enough');
    giveUp.abort(reason);
    expect(await sent).to.equal(reason);
  });

  it('distinguishes a refused connection from a closed one', async () => {
    const gone = await receiver((res) => res.end());
    await gone.stop();
    after.pop();
    expect(await codeOf(outbound().send(post(gone.url)))).to.equal('connect');
    const { url } = await receiver((res) => res.destroy());
    expect(await codeOf(outbound().send(post(url)))).to.equal('closed');
  });

  it('rejects an untrusted certificate', async () => {
    const server = await startSelfSignedServer();
    after.push(server.stop);
    expect(await codeOf(outbound().send(post(server.url)))).to.equal('tls');
    expect(server.requests()).to.equal(0);
  });

  it('connects only to addresses that the guard has seen, also when the name server changes its mind', async () => {
    const good = await receiver((res) => res.writeHead(200, { connection: 'close' }).end());
    const hidden = await receiver((res) => res.end(), '127.0.0.2');
    const responses = ['127.0.0.1', '127.0.0.2'];
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return [{ address: responses[Math.min(asked.length, responses.length) - 1] ?? '', family: 4 as const }];
    };
    const door = outbound({ resolve });
    const url = `http://rebind.example.com:${good.port}`;
    expect((await door.send(post(url))).status).to.equal(200);
    for (let i = 0; i < 5; i++) expect(await codeOf(door.send(post(url)))).to.equal('blocked');
    const elsewhere = `http://rebind.example.com:${hidden.port}`;
    expect(await codeOf(door.send(post(elsewhere)))).to.equal('blocked');
    expect([good.seen.length, hidden.connections()]).to.deep.equal([1, 0]);
  });

  it('refuses a name with one private address among public ones, and connects to none', async () => {
    const good = await receiver((res) => res.end());
    const both = async () => ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 as const }));
    const url = `http://both.example.com:${good.port}`;
    expect(await codeOf(outbound({ resolve: both }).send(post(url)))).to.equal('blocked');
    expect(good.connections()).to.equal(0);
  });

  it('reaches what the operator named, exactly that', async () => {
    const named = await receiver((res) => res.end());
    const other = await receiver((res) => res.end());
    const strict = { allowHttp: false, allowCidrs: [] };
    const door = outbound({ egress: strict, trusted: [`${named.url}/androidpublisher/v3`] });
    expect((await door.send(post(`${named.url}/any/path`))).status).to.equal(200);
    expect(await codeOf(door.send(post(other.url)))).to.equal('blocked');
    expect(other.connections()).to.equal(0);
  });
});
