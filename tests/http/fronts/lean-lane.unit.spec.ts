// What the lean lane takes, and what it leaves to Express.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { routes } from '../../../src/http/routes.js';
import { leanLane } from '../../../src/http/server/lean-lane.js';
import { nameOf } from '../support/route-samples.js';

/** Who takes the request: a route with its parameters, or `Express`. */
function takerOf(method: string, url: string): unknown {
  let taker: unknown;
  const served = routes.map((route) => ({
    route,
    perform: ({ params }: { readonly params: object }) => {
      taker = [nameOf(route), { ...params }];
      return Promise.resolve();
    },
  }));
  const front = { served, cors: null, trust: () => false, fail: () => undefined };
  const listener = leanLane(front, () => (taker = 'Express'));
  const response = {} as ServerResponse & { req: IncomingMessage };
  listener({ method, url } as IncomingMessage, response);
  return taker;
}

describe('the lean lane', () => {
  it('takes the hot routes', () => {
    for (const route of routes.filter((r) => r.isHot)) {
      const [name] = takerOf(route.method.toUpperCase(), route.path.replace(/:\w+/g, 'x')) as [string];
      expect(name).to.equal(nameOf(route));
    }
  });

  it('decodes the names in a path once', () => {
    for (const [sent, appUserId] of [
      ['a%40example.com', 'a@example.com'],
      ['100%2525', '100%25'],
      ['%C3%A4', 'ä'],
      ['a%2Fb', 'a/b'],
      ['a+b', 'a+b'],
    ])
      expect(takerOf('GET', `/v1/subscribers/${sent}?asOf=%41`)).to.deep.equal([
        'GET /v1/subscribers/:appUserId',
        { appUserId },
      ]);
  });

  for (const [method, url] of [
    ['HEAD', '/v1/offerings'],
    ['OPTIONS', '/v1/offerings'],
    ['POST', '/v1/offerings'],
    ['GET', '/v1/offerings/'],
    ['GET', '/v1/Offerings'],
    ['GET', '/v1/%6fferings'],
    ['GET', '//v1/offerings'],
    ['GET', 'http://service/v1/offerings'],
    ['GET', '/v1/offerings#x'],
    ['GET', '/v1/offerings;x'],
    ['GET', '/v1/subscribers/'],
    ['GET', '/v1/subscribers/%zz'],
    ['GET', '/v1/subscribers/ä'],
    ['GET', '/v1/projects'],
    ['GET', '*'],
  ] as const)
    it(`leaves ${method} ${url} to Express`, () => expect(takerOf(method, url)).to.equal('Express'));
});
