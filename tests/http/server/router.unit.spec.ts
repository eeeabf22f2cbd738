// Which route of the table a request reaches, for every method and path, compared with an independent matching of path segments.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import type { ErrorRequestHandler } from 'express';
import fc from 'fast-check';
import { routes } from '../../../src/http/routes.js';
import { createExpress } from '../../../src/http/server/router.js';
import { nameOf } from '../support/route-samples.js';

/** A route with its parameters, `none`, or what the path is not. */
type Outcome = readonly [name: string, params: object] | 'none' | 'malformed';

let outcome: Outcome;
const app = createExpress(0);
for (const route of routes) app[route.method](route.path, (req) => void (outcome = [nameOf(route), { ...req.params }]));
app.use(() => void (outcome = 'none'));
const onError: ErrorRequestHandler = (err, _req, _res, _next) =>
  void (outcome = err instanceof URIError ? 'malformed' : 'none');
app.use(onError);

function outcomeOf(method: string, url: string): Outcome {
  outcome = 'none';
  const req = Object.assign(new IncomingMessage(new Socket()), { method, url });
  app(req, new ServerResponse(req));
  return outcome;
}

/** Matches segment by segment. A path that is not valid percent-encoding is refused for a route of any method. */
function expectedOf(method: string, target: string): Outcome {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
  const segments = path.split('/');
  if (segments.length > 2 && segments.at(-1) === '') segments.pop();
  for (const route of routes) {
    const parts = route.path.split('/');
    const fits = (part: string, i: number) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]);
    if (parts.length !== segments.length || !parts.every(fits)) continue;
    try {
      const params = parts.flatMap((part, i) =>
        part.startsWith(':') ? [[part.slice(1), decodeURIComponent(segments[i] ?? '')]] : [],
      );
      const expected = method === 'HEAD' ? 'GET' : method;
      if (route.method.toUpperCase() === expected) return [nameOf(route), Object.fromEntries(params) as object];
    } catch {
      return 'malformed';
    }
  }
  return 'none';
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'TRACE', 'CONNECT'];

describe('the route of a request', () => {
  it('is found for every route of the table, also with a slash at the end', () => {
    for (const route of routes)
      for (const end of ['', '/', '?x=1', '/?x=1']) {
        const found = outcomeOf(route.method.toUpperCase(), route.path.replace(/:\w+/g, 'x') + end);
        expect(found[0]).to.equal(nameOf(route));
      }
  });

  it('is the route for GET for a HEAD', () =>
    expect(outcomeOf('HEAD', '/v1/offerings')).to.deep.equal(['GET /v1/offerings', {}]));

  for (const [sent, appUserId] of [
    ['a%40example.com', 'a@example.com'],
    ['100%2525', '100%25'],
    ['%C3%A4', 'ä'],
    ['a%2Fb', 'a/b'],
    ['a%2fofferings', 'a/offerings'],
    ['%2e%2e', '..'],
    ['a%00', 'a\0'],
    ['a+b', 'a+b'],
    ['a;b', 'a;b'],
    ['a\\b', 'a\\b'],
    ['a|b', 'a|b'],
  ] as const)
    it(`has the parameter ${sent} decoded once`, () =>
      expect(outcomeOf('GET', `/v1/subscribers/${sent}?asOf=%41`)).to.deep.equal([
        'GET /v1/subscribers/:appUserId',
        { appUserId },
      ]));

  for (const [method, url, expected] of [
    ['OPTIONS', '/v1/offerings', 'none'],
    ['POST', '/v1/offerings', 'none'],
    ['GET', '/v1/offerings//', 'none'],
    ['GET', '/v1/Offerings', 'none'],
    ['GET', '/v1/%6fferings', 'none'],
    ['GET', '//v1/offerings', 'none'],
    ['GET', '/v1//offerings', 'none'],
    ['GET', '//service/v1/offerings', 'none'],
    ['GET', '/./v1/offerings', 'none'],
    ['GET', '/x/../v1/offerings', 'none'],
    ['GET', '/v1/offerings;x', 'none'],
    ['GET', '/v1\\offerings', 'none'],
    ['GET', '/v1/subscribers/', 'none'],
    ['GET', '/v1/subscribers//offerings', 'none'],
    ['GET', 'v1/offerings', 'none'],
    ['GET', 'javascript:http://service/v1/offerings', 'none'],
    ['GET', 'http://[::1/v1/offerings', 'none'],
    ['GET', '*', 'none'],
    ['GET', '', 'none'],
    ['GET', '/v1/subscribers/%zz', 'malformed'],
    ['PATCH', '/v1/subscribers/%zz', 'malformed'],
    ['GET', '/v1/subscribers/%C3%28/', 'malformed'],
    ['GET', '/v1/nowhere/%zz', 'none'],
  ] as const)
    it(`is ${expected} for ${method} ${url || 'an empty address'}`, () =>
      expect(outcomeOf(method, url)).to.equal(expected));

  for (const url of ['http://service/v1/offerings', 'https://service:443/v1/offerings?x=1', '/v1/offerings#x'])
    it(`is found for the path in ${url}`, () => expect(outcomeOf('GET', url)[0]).to.equal('GET /v1/offerings'));

  it('is the one whose segments match, whatever the path', () => {
    const words = [...new Set(routes.flatMap(({ path }) => path.split('/')))].filter((w) => !w.startsWith(':'));
    const odd = [
      ...['%', '%2', '%zz', '%41', '%2F', '%2f', '%5C', '%C3%A4', '%e4', '%00', '%25', '%2525', '%3F', '%23', '+', ':'],
      ...['@', '$', '*', "'", '~', '.', '..', ',', ';', '|', '"', '{', '[', '^', 'ä', 'x', 'X1'],
    ];
    const part = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...words) },
      { weight: 2, arbitrary: fc.array(fc.constantFrom(...odd), { maxLength: 3 }).map((all) => all.join('')) },
      { weight: 1, arbitrary: fc.constantFrom(...words).chain((w) => fc.constantFrom(...odd).map((o) => w + o)) },
    );
    const filled = fc
      .tuple(fc.constantFrom(...routes), fc.array(part, { minLength: 4, maxLength: 4 }))
      .map(([{ path }, parts]) => path.replace(/:\w+/g, () => parts.pop() ?? 'x'));
    const joined = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('/')}`);
    const start = fc.constantFrom('', '', '', '', '/', 'http://service', 'HTTPS://u:p@service:1');
    const end = fc.constantFrom('', '', '', '/', '//', '?', '?a=/v1', '#x', '%', ';a=1', '/x');
    const url = fc.tuple(start, fc.oneof(filled, joined), end).map((parts) => parts.join(''));
    const numRuns = Number(process.env.PATHS ?? 3000);
    fc.assert(
      fc.property(fc.constantFrom(...METHODS), url, (method, target) => {
        expect(outcomeOf(method, target)).to.deep.equal(expectedOf(method, target));
      }),
      { numRuns },
    );
  });
});
