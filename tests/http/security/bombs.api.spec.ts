// Bodies that are small on the wire and huge once unpacked or parsed, and texts that would like to be headers.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectRefusal, headOf } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

const UNPACKED_BYTES = 50 * 1024 * 1024;
/** Far more than the limits of bodies, far less than what the bomb unpacks to. */
const MAX_GROWTH_BYTES = UNPACKED_BYTES / 2;

describe('a body that unpacks to far more than is allowed', () => {
  const { harness, slice } = setUpService();
  const filling = Buffer.alloc(UNPACKED_BYTES, ' ');
  const bomb = gzipSync(Buffer.concat([Buffer.from('{"attributes":{"a":"'), filling, Buffer.from('"}}')]));

  const targets: readonly (readonly [string, () => string])[] = [
    ['attributes', () => '/v1/subscribers/ann/attributes'],
    ['a receipt', () => '/v1/subscribers/ann/receipts'],
    ['a log-in', () => '/auth/login'],
    ['a refresh', () => '/auth/refresh'],
    ['a notification', () => slice.notificationPath],
    ['a product', () => `/v1/projects/${slice.projectId}/products`],
  ];
  for (const [what, path] of targets) {
    it(`is refused as ${what} before it is unpacked, and leaves no trace`, async () => {
      await harness.service().idle();
      const head = await headOf(harness);
      const before = process.memoryUsage().rss;
      const key = path().startsWith('/v1/projects') || path().includes('subscribers') ? slice.secretKey : '';
      const response = await fetch(`${harness.service().url}${path()}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          ...(key !== '' && { 'x-api-key': key }),
        },
        body: bomb,
      });
      const body = (await response.json()) as object;
      expectRefusal({ status: response.status, body, headers: response.headers }, 413);
      expect(process.memoryUsage().rss - before).to.be.below(MAX_GROWTH_BYTES);
      expect(await headOf(harness)).to.equal(head);
    });
  }
});

describe('a text with a line break', () => {
  const { harness, as, slice } = setUpService();
  const SPLIT = '%0d%0ax-injected:%20yes';

  for (const path of [
    `/v1/subscribers/a${SPLIT}`,
    `/v1/${SPLIT}`,
    `~/customers?search=a${SPLIT}`,
    `~/metrics/charts/mrr?format=csv${SPLIT}`,
    `~/metrics/charts/mrr${SPLIT}?format=csv`,
    `~/customers/${SPLIT}/timeline`,
  ]) {
    it(`becomes no header of the response to ${path}`, async () => {
      const url = path.replace('~', `/v1/projects/${slice.projectId}`);
      const { status, headers } = await harness.call('GET', url, undefined, as);
      expect(headers.has('x-injected')).to.equal(false);
      expect(status).to.be.below(500);
    });
  }
});
