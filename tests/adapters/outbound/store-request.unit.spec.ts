// Waiting that a store asks for: in seconds, as a day and time, or as milliseconds since the epoch.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { requestStore } from '../../../src/adapters/outbound/store-request.js';
import { createOutbound } from '../../../src/adapters/outbound/undici.js';
import { StoreUnavailable } from '../../../src/domain/errors.js';

/** Time by the store's clock, which is years away from ours. */
const DATE = 'Sat, 28 Nov 2020 10:00:00 GMT';

describe('the wait that a store asks for', () => {
  let retryAfter: string | undefined;
  const server = createServer((_, res) => {
    res.writeHead(429, { date: DATE, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) }).end();
  });
  let url = '';
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  for (const { header, seconds } of [
    { header: '17', seconds: 17 },
    { header: String(Date.parse(DATE) + 41_500), seconds: 42 },
    { header: 'Sat, 28 Nov 2020 10:02:00 GMT', seconds: 120 },
    { header: String(Date.parse(DATE) - 1000), seconds: 5 },
    { header: '999999', seconds: 900 },
    { header: 'later', seconds: 5 },
    { header: undefined, seconds: 5 },
  ])
    it(`is ${seconds} seconds for ${header ?? 'no header'}`, async () => {
      retryAfter = header;
      const outbound = createOutbound({ egress: { allowHttp: false, allowCidrs: [] }, trusted: [url] });
      const request = { method: 'GET', url, headers: {}, call: '/' } as const;
      const err = await requestStore(outbound, request).catch((reason: unknown) => reason);
      await outbound.close();
      expect(err).to.be.instanceOf(StoreUnavailable);
      expect((err as StoreUnavailable).retryAfterSeconds).to.equal(seconds);
    });
});
