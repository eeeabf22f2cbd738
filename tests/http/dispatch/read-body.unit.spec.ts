// Bodies of requests: which texts are taken, and what is refused with which status.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import express from 'express';
import fc from 'fast-check';
import { z } from 'zod';
import { errorResponse } from '../../../src/http/bodies/errors.js';
import { createBodyReader } from '../../../src/http/dispatch/read-body.js';
import type { Route } from '../../../src/http/dispatch/route.js';

describe('reading a body', () => {
  let server: Server;
  let url: string;
  before(async () => {
    const read = createBodyReader({ body: z.any(), bodyLimit: 'store' } as unknown as Route);
    const app = express();
    app.post('/', async (req, res) => {
      const shown = await read({ req, res, params: {} }).catch((err: unknown) => errorResponse(err).body);
      res.end(JSON.stringify(shown));
    });
    await new Promise<void>((resolve) => (server = app.listen(0, '127.0.0.1', () => resolve())));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

  const utf8 = (text: string) => new TextEncoder().encode(text);
  const send = async (body: Uint8Array<ArrayBuffer> | ReadableStream, type: string, o: object = {}) =>
    (await fetch(url, { method: 'POST', headers: { 'content-type': type }, body, ...o })).json() as Promise<{
      readonly body?: unknown;
      readonly rawBody?: string;
      readonly bytes?: number;
      readonly statusCode?: number;
    }>;
  const read = (text: string, type = 'application/json') => send(utf8(text), type);

  it('returns the sent bytes and the parsed body', async () =>
    expect(await read('{"a":"ä"}')).to.deep.equal({ body: { a: 'ä' }, rawBody: '{"a":"ä"}', bytes: 10 }));

  for (const [text, body] of [
    ['{}', {}],
    ['[]', []],
    [' \n{"a":1}\t', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{"a":1,"a":2}', { a: 2 }],
    [`["${'x'.repeat(256 * 1024 - 4)}"]`, ['x'.repeat(256 * 1024 - 4)]],
  ] as const)
    it(`accepts ${JSON.stringify(text.slice(0, 20))}`, async () => expect((await read(text)).body).to.deep.equal(body));

  for (const [text, status] of [
    ['\ufeff\ufeff{}', 400],
    ['null', 400],
    ['1', 400],
    ['"text"', 400],
    [' ', 400],
    ['{', 400],
    ['{"a":}', 400],
    ['[1,]', 400],
    ['{}x', 400],
    ['\u00a0{}', 400],
    ['['.repeat(34) + ']'.repeat(34), 400],
    [`["${'x'.repeat(256 * 1024 - 3)}"]`, 413],
  ] as const)
    it(`refuses ${JSON.stringify(text.slice(0, 20))} with ${status}`, async () =>
      expect((await read(text)).statusCode).to.equal(status));

  for (const [type, status] of [
    ['application/json; charset=utf-8', undefined],
    ['APPLICATION/JSON', undefined],
    ['application/json;charset=UTF-8', undefined],
    ['text/plain', 415],
    ['application/json; charset=latin1', 415],
    ['json', 415],
  ] as const)
    it(`${status === undefined ? 'accepts' : 'refuses'} the type ${type}`, async () =>
      expect((await read('{"a":1}', type)).statusCode).to.equal(status));

  it('refuses a receipt with millions of values before they are parsed', async () => {
    const readReceipt = createBodyReader({ body: z.any(), bodyLimit: 'receipt' } as unknown as Route);
    const statusOf = async (text: string) => {
      const req = Object.assign(Readable.from([Buffer.from(text)]), {
        headers: { 'content-type': 'application/json', 'content-length': String(text.length) },
        is: () => 'json',
      });
      const exchange = { req, res: {}, params: {} } as unknown as Parameters<typeof readReceipt>[0];
      return readReceipt(exchange).then(
        () => 200,
        (err: unknown) => errorResponse(err).status,
      );
    };
    expect(await statusOf(`{"fetch_token":"${'A'.repeat(6_000_000)}"}`)).to.equal(200);
    expect(await statusOf(`[${'1,'.repeat(3_000_000)}1]`)).to.equal(400);
    expect(await statusOf('['.repeat(6_000_000))).to.equal(400);
  });

  it('reads any bytes alike, with a stated length or in chunks', async () => {
    const inChunks = (bytes: Uint8Array) =>
      new ReadableStream({
        start: (controller) => {
          const middle = bytes.length >> 1;
          for (const part of [bytes.slice(0, middle), bytes.slice(middle)])
            if (part.length > 0) controller.enqueue(part);
          controller.close();
        },
      });
    const json = fc.json().map(utf8);
    const broken = fc.tuple(fc.json(), fc.uint8Array({ maxLength: 4 })).map(([text, bytes]) => {
      const all = utf8(text);
      return new Uint8Array([...all.slice(0, all.length >> 1), ...bytes, ...all.slice(all.length >> 1)]);
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, broken), async (bytes) => {
        const stated = await send(bytes as Uint8Array<ArrayBuffer>, 'application/json');
        expect(await send(inChunks(bytes), 'application/json', { duplex: 'half' })).to.deep.equal(stated);
      }),
      { numRuns: 60 },
    );
  });
});
