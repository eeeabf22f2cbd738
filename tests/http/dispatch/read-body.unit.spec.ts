// A body whose length is told is read by us, one in chunks by the parser of Express: nobody can tell by the outcome.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
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
    server = createServer((req, res) => {
      const exchange = { req, res, params: {}, trust: () => false };
      const shown = read(exchange).catch((err: unknown) => errorResponse(err).body);
      void shown.then((result) => res.end(JSON.stringify(result)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

  const send = async (body: Uint8Array<ArrayBuffer> | ReadableStream, type: string, o: object = {}): Promise<string> =>
    (await fetch(url, { method: 'POST', headers: { 'content-type': type }, body, ...o })).text();
  const inChunks = (bytes: Uint8Array) =>
    new ReadableStream({
      start: (controller) => {
        const middle = bytes.length >> 1;
        for (const part of [bytes.slice(0, middle), bytes.slice(middle)]) if (part.length > 0) controller.enqueue(part);
        controller.close();
      },
    });
  const both = async (bytes: Uint8Array, type = 'application/json'): Promise<string> => {
    const told = await send(bytes as Uint8Array<ArrayBuffer>, type);
    expect(told).to.equal(await send(inChunks(bytes), type, { duplex: 'half' }));
    return told;
  };
  const utf8 = (text: string) => new TextEncoder().encode(text);

  it('returns the sent bytes and the parsed body', async () =>
    expect(JSON.parse(await both(utf8('{"a":"ä"}')))).to.deep.equal({
      ...{ body: { a: 'ä' }, rawBody: '{"a":"ä"}', bytes: 10 },
    }));

  it('refuses or takes the same texts', async () => {
    const texts = [
      ...['{}', '[]', ' \n{"a":1}\t', '\ufeff{"a":1}', '\ufeff\ufeff{}', 'null', '1', '"text"', ' ', '{', '{"a":}'],
      ...['{"__proto__":{"a":1}}', '{"a":1,"a":2}', '[1,]', '{}x', '\u00a0{}', '['.repeat(33) + ']'.repeat(33)],
      `["${'x'.repeat(256 * 1024 - 4)}"]`,
      `["${'x'.repeat(256 * 1024 - 3)}"]`,
      `["${'ä'.repeat(100_000)}"]`,
    ];
    for (const text of texts) await both(utf8(text));
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8'])
      await both(utf8('{"a":1}'), type);
  });

  it('reads any bytes alike', async () => {
    const json = fc.json().map(utf8);
    const broken = fc.tuple(fc.json(), fc.uint8Array({ maxLength: 4 })).map(([text, bytes]) => {
      const all = utf8(text);
      return new Uint8Array([...all.slice(0, all.length >> 1), ...bytes, ...all.slice(all.length >> 1)]);
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, broken), async (bytes) => void (await both(bytes))),
      { numRuns: 150 },
    );
  });
});
