// Addresses that requests may go to. A table, so that an update of the library that classifies addresses cannot silently allow one; each
// row is rejected when it is saved and when a request is sent.
import { expect } from 'chai';
import type { Egress } from '../../../src/adapters/outbound/address-rules.js';
import { OutboundFailure } from '../../../src/domain/errors.js';
import type { Resolve } from '../../../src/adapters/outbound/resolver.js';
import { createOutbound } from '../../../src/adapters/outbound/undici.js';
import { FULL_VISIBILITY } from '../../../src/domain/values/field-groups.js';
import { HttpError } from '../../../src/http/bodies/errors.js';
import { parseReceiverUrl } from '../../../src/http/webhooks/receiver-url.js';

const strict: Egress = { allowHttp: false, allowCidrs: [] };
const save = (field: string, url: string, egress = strict) => {
  try {
    parseReceiverUrl(field, url, { visibility: FULL_VISIBILITY, egress });
    return 200;
  } catch (err) {
    if (err instanceof HttpError) expect(err.message.startsWith(`${field} must`), err.message).to.equal(true);
    return err instanceof HttpError ? err.status : err;
  }
};

/** Names are never right here: an address that comes as far as being resolved ends there. */
const send = async (url: string, egress = strict, resolve: Resolve = async () => []) => {
  const outbound = createOutbound({ egress, resolve });
  const body = '{}';
  const asked = { method: 'POST' as const, url, headers: {}, body, timeoutMs: 2000, maxResponseBytes: 100 };
  try {
    return (await outbound.send(asked)).status;
  } catch (err) {
    return err instanceof OutboundFailure ? err.code : err;
  } finally {
    await outbound.close();
  }
};

const refused = [
  ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '017700000001', '10.1.2.3', '172.16.0.1', '192.168.1.1', '0.0.0.0'],
  ...['100.64.0.1', '169.254.169.254', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['192.88.99.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '[::]', '[::1]', '[::ffff:127.0.0.1]'],
  ...['[::127.0.0.1]', '[::7f00:1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2001::1]'],
  ...['[2001:db8::1]', '[3fff::1]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[100::1]'],
  ...['168.63.129.16', '100.100.100.200', '192.0.0.192', '169.254.170.2', 'metadata.google.internal', 'metadata.goog'],
  ...['[5f00::1]', 'localhost', 'localhost.', 'LOCALHOST', 'a.localhost', '127.0.0.1.', '１２７.0.0.1'],
];

/** Results of a DNS lookup: one address that is not public is enough for a rejection. */
const resolved: readonly (readonly [string, readonly { address: string; family: 4 | 6 }[]])[] = [
  ['a private address', [{ address: '10.0.0.7', family: 4 }]],
  ['loopback', [{ address: '127.0.0.1', family: 4 }]],
  ['the address of cloud metadata', [{ address: '169.254.169.254', family: 4 }]],
  ['a private IPv6 address', [{ address: 'fd00::1', family: 6 }]],
  ['IPv4 in IPv6', [{ address: '::ffff:10.0.0.1', family: 6 }]],
  [
    'a public and a private address',
    [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ],
  ],
];

describe('an address to send to', () => {
  for (const host of refused) {
    for (const field of ['url', 'notificationForwardingUrl'])
      it(`is refused as ${field} when saved: ${host}`, () => expect(save(field, `https://${host}/x`)).to.equal(400));
    it(`is refused when sent to: ${host}`, async () => {
      expect(await send(`https://${host}/x`)).to.equal('blocked');
      expect(await send(`http://${host}:8080/x`, { ...strict, allowHttp: true })).to.equal('blocked');
    });
  }

  for (const [what, addresses] of resolved)
    it(`is refused when its name means ${what}`, async () => {
      expect(await send('https://hooks.example.com', strict, async () => addresses)).to.equal('blocked');
    });

  it('is reported when its name is unknown', async () => {
    expect(await send('https://hooks.example.com')).to.equal('dns');
    const dead: Resolve = () => Promise.reject(new Error('no name server'));
    expect(await send('https://hooks.example.com', strict, dead)).to.equal('dns');
  });

  for (const host of [
    'example.com',
    'hooks.example.com:8443',
    '93.184.216.34',
    '[2606:4700::1111]',
    'xn--bcher-kva.de',
  ])
    it(`may be ${host}`, () => expect(save('url', `https://${host}/x?y=1`)).to.equal(200));

  for (const url of [
    ...['http://example.com', 'ftp://example.com', 'https://u:p@example.com', 'https://', '/x', 'x', ''],
    ...['https://example.com/#part', 'https://example.com:22/', `https://example.com/${'x'.repeat(2100)}`],
  ])
    it(`is refused as ${JSON.stringify(url).slice(0, 40)}`, async () => {
      expect(save('url', url)).to.equal(400);
      expect(await send(url)).to.equal('blocked');
    });

  it('may be plain http where that is allowed', () =>
    expect(save('url', 'http://example.com', { ...strict, allowHttp: true })).to.equal(200));

  it('may be private where its range is allowed, and no further', () => {
    const some = { ...strict, allowCidrs: ['127.0.0.1/32', 'fd00::/8'] };
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '[fd12::1]'])
      expect(save('url', `https://${host}`, some), host).to.equal(200);
    for (const host of ['127.0.0.2', '10.0.0.1', '[::1]'])
      expect(save('url', `https://${host}`, some), host).to.equal(400);
  });
});
