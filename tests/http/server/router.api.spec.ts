// One service behind the router and behind Express alone: whatever is requested, the bytes of the responses are equal.
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { createApp, createPages } from '../../../src/http/app.js';
import { dispatch } from '../../../src/http/dispatch/dispatch.js';
import { trustOf, type Params } from '../../../src/http/dispatch/exchange.js';
import { restProtocol, sendError } from '../../../src/http/dispatch/respond.js';
import { createCors } from '../../../src/http/server/cors.js';
import { createExpressReference } from '../support/express-reference.js';
import { listen, type Listener } from '../../../src/http/server/listener.js';
import { routes } from '../../../src/http/routes.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { rawRequest, requestText } from '../support/raw-request.js';
import { bodyOf, furnish, nameOf, pathOf, type Ground } from '../support/route-samples.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const PAGE = 'https://app.example.com';
const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
const json = { 'content-type': 'application/json' };
const compared = routes.filter((route) =>
  [
    'GET /v1/subscribers/:appUserId',
    'POST /v1/subscribers/:appUserId/attributes',
    'POST /v1/subscribers/:appUserId/receipts',
    'GET /v1/offerings',
    'GET /v1/subscribers/:appUserId/offerings',
    'POST /v1/events',
    'POST /v1/store/ios-store/:token',
    'POST /v1/store/android-store/:token',
    'GET /v1/projects/:id/customers/:cid',
  ].includes(nameOf(route)),
);

describe('the router and Express', () => {
  const { harness, slice, as } = setUpService({}, clock.runtime);
  let ground: Ground;
  let service: Listener;
  let express: Listener;
  let key: Record<string, string>;

  before(async () => {
    ground = await furnish(harness, slice, clock.now());
    key = { 'x-api-key': as.key };
    const { services } = harness.service();
    const health = { hasCaughtUp: true, isDraining: false };
    const pages = { docs: { openApi: () => Buffer.alloc(0), viewer: () => Buffer.alloc(0) }, dashboard: null };
    const app = createApp(services, health, { trustProxy: 1, corsOrigins: [PAGE], ...pages });
    const requestId = () => services.runtime.newId('req');
    const reference = createExpressReference({
      routes,
      middleware: createCors([PAGE]),
      handlerOf: (route) => {
        const perform = dispatch(route, services, restProtocol, () => true);
        return (req, res, next) =>
          void perform({ req, res, params: req.params as Params, trust: trustOf(1) })?.catch(next);
      },
      notFound: createPages(services, health, pages),
      onError: (err, _req, res, _next) => void sendError(services, restProtocol, res, requestId(), err),
    });
    const listenTo = (listener: RequestListener) => listen(listener, { host: '127.0.0.1', port: 0 }, systemRuntime());
    [service, express] = await Promise.all([listenTo(app), listenTo(reference)]);
  });
  after(() => Promise.all([service.drain(), express.drain()]));

  /** Throws unless both respond alike; the response. What the request makes or removes is made or removed before. */
  const both = async (text: string | Buffer): Promise<string> => {
    await rawRequest(express.url, text);
    // Otherwise the read position in the two responses may differ.
    await harness.service().idle();
    const expected = await rawRequest(express.url, text);
    await harness.service().idle();
    expect(await rawRequest(service.url, text)).to.equal(expected);
    expect(expected).to.match(/^HTTP\/1\.1 \d{3} /);
    return expected;
  };
  const statusOf = (response: string) => Number(response.slice(9, 12));

  for (const route of compared) {
    describe(nameOf(route), () => {
      const method = route.method.toUpperCase();
      const path = () => pathOf(route, ground);
      const body = () => JSON.stringify(bodyOf(route, ground) ?? undefined) ?? '';
      const sent = () => (route.body === null ? {} : json);

      it('succeed', async () => {
        const text = requestText(method, path(), { ...key, ...sent() }, body());
        expect(statusOf(await both(text))).to.be.within(200, 201);
      });

      it('tell a page of another origin the same', async () => {
        for (const origin of [PAGE, 'https://elsewhere.example.com']) {
          await both(requestText(method, path(), { ...key, ...sent(), origin }, body()));
          await both(requestText('OPTIONS', path(), { origin, 'access-control-request-method': method }));
        }
      });

      it('refuse other methods', async () => {
        for (const other of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'GET', 'POST', 'TRACE'])
          if (other !== method)
            await both(requestText(other, path(), { ...key, ...json }, other === 'GET' ? '' : '{}'));
      });

      it('refuse who may not', async () => {
        const credentials: readonly Record<string, string>[] = [
          {},
          { 'x-api-key': 'sk_unknown' },
          { 'x-api-key': '' },
          { authorization: 'Bearer no-token' },
          { authorization: 'Basic Zm9v' },
          { ...key, authorization: `Bearer ${slice.token}` },
          { authorization: `Bearer ${slice.token}` },
          { authorization: `Bearer ${slice.token}`, 'x-project-id': slice.projectId },
          { authorization: `Bearer ${slice.token}`, 'x-project-id': 'proj_none' },
          { 'x-api-key': slice.publicKey },
        ];
        for (const headers of credentials) await both(requestText(method, path(), { ...headers, ...sent() }, body()));
      });

      it('take the same paths for theirs', async () => {
        const plain = path();
        const last = plain.slice(plain.lastIndexOf('/') + 1);
        const targets = [
          ...[`${plain}/`, `${plain}//`, `/${plain}`, plain.toUpperCase(), plain.replace('/v1/', '/v1//')],
          ...[plain.replace('/v1/', '/%761/'), plain.replace('/v1/', '/./v1/'), plain.replace('/v1/', '/../v1/')],
          ...[`http://service${plain}`, `https://service:443${plain}?x=1`, `//service${plain}`, plain.slice(1)],
          ...[`${plain};x=1`, `${plain}#x`, `${plain}?x=1#y`, `${plain}?`, `${plain}??`, `${plain}?a=1&a=2`],
          ...[`${plain}%`, `${plain}%zz`, `${plain}%00`, `${plain}%2F`, `${plain}%C3%28`, `${plain}%25`],
          ...[plain.slice(0, -last.length), `${plain.slice(0, -last.length)}%20`, `${plain}\\x`, `${plain}|x`],
          ...[`${plain}?__proto__=1`, `${plain}?currentOnly=true`, `${plain}?currentOnly=%zz`, `${plain}?asOf=2026`],
          ...[`${plain}?asOf=2026-11-20T09:00:00Z`, `${plain}?currentOnly=%00`, `${plain}/__proto__`],
        ];
        for (const target of targets) await both(requestText(method, target, { ...key, ...sent() }, body()));
        await both(Buffer.from(requestText(method, `${plain}\xe4`, { ...key, ...sent() }, body()), 'latin1'));
      });

      it('refuse bodies alike', async () => {
        const send = (headers: Record<string, string>, text: string) =>
          both(requestText(method, path(), { ...key, ...headers }, text));
        await send(json, '{');
        await send(json, '[1,]');
        await send(json, '"text"');
        await send(json, '  null');
        await send(json, '{}');
        await send(json, '[]');
        await send(json, '\ufeff{}');
        await send(json, '['.repeat(40) + ']'.repeat(40));
        await send(json, '');
        await send({ ...json, 'content-length': '0' }, '');
        await send({}, '{}');
        for (const type of [
          'text/plain',
          'application/json; charset=utf-16',
          'application/json; charset=latin1',
          'json',
        ])
          await send({ 'content-type': type }, '{}');
        for (const type of [
          'APPLICATION/JSON',
          'application/json;charset=UTF-8',
          'application/x+json',
          'application/json;',
        ])
          await send({ 'content-type': type }, body() || '{}');
        await send({ ...json, 'content-encoding': 'compress' }, '{}');
        await send({ ...json, 'content-encoding': 'gzip' }, 'this is not gzip');
        await send({ ...json, 'transfer-encoding': 'chunked' }, '2\r\n{}\r\n0\r\n\r\n');
        await send({ ...json, 'transfer-encoding': 'chunked' }, '0\r\n\r\n');
        await send({ ...json, expect: 'something' }, '{}');
      });

      it('read compressed bodies alike', async () => {
        const packed = gzipSync(body() || '{}');
        const headers = { ...key, ...json, 'content-encoding': 'gzip', 'content-length': String(packed.length) };
        await both(Buffer.concat([Buffer.from(requestText(method, path(), headers)), packed]));
      });

      it('refuse a body that is too large', async () => {
        const large = JSON.stringify({ text: 'x'.repeat(1_200_000) });
        const response = await both(requestText(method, path(), { ...key, ...json }, large));
        if (route.body !== null) expect(statusOf(response)).to.equal(413);
      });

      it('heed the same headers', async () => {
        const text = (headers: Record<string, string>) =>
          requestText(method, path(), { ...key, ...sent(), ...headers }, body());
        await both(text({ 'x-position': 'nowhere' }));
        await both(text({ 'x-position': '0'.repeat(20) }));
        await both(text({ 'idempotency-key': '' }));
        await both(text({ 'idempotency-key': 'x'.repeat(256) }));
        await both(text({ 'if-none-match': '*' }));
        await both(text({ 'x-forwarded-for': '203.0.113.9, 198.51.100.1' }));
      });
    });
  }

  it('find the same names in paths', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        '%',
        '%2',
        '%41',
        '%2F',
        '%C3%A4',
        '%e4',
        '%00',
        '%25',
        '+',
        ':',
        '@',
        '$',
        '*',
        "'",
        '~',
        '.',
        '..',
        ',',
      ),
      fc.stringMatching(/^[a-zA-Z0-9_.-]{1,4}$/),
    );
    const name = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    const suffix = fc.constantFrom(
      '',
      '/',
      '/offerings',
      '/offerings/',
      '/Offerings',
      '/%6ffferings',
      '/offerings?currentOnly=true',
      '?',
      '?asOf=x',
    );
    await fc.assert(
      fc.asyncProperty(name, suffix, async (appUserId, rest) => {
        await both(requestText('GET', `/v1/subscribers/${appUserId}${rest}`, key));
      }),
      { numRuns: 60 },
    );
  });

  it('look again for a subscriber who was written by the other', async () => {
    for (const [i, url] of [service.url, express.url, service.url].entries()) {
      const body = JSON.stringify({ attributes: { colour: `c${i}` } });
      await rawRequest(url, requestText('POST', '/v1/subscribers/ann/attributes', { ...key, ...json }, body));
      expect(await both(requestText('GET', '/v1/subscribers/ann', key))).to.include(`"c${i}"`);
    }
  });
});
