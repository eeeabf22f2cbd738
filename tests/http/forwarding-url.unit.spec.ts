// Which addresses may be forwarded to. A table, so that an update of the library that classes addresses cannot silently open one.
import { expect } from 'chai';
import { HttpError } from '../../src/http/errors.js';
import { checkForwardingUrl, type Egress } from '../../src/http/forwarding-url.js';

const strict: Egress = { allowHttp: false, allowCidrs: [] };
const check = (url: string, egress = strict) => {
  try {
    checkForwardingUrl(url, egress);
    return 200;
  } catch (err) {
    return err instanceof HttpError ? err.status : err;
  }
};

const refused = [
  ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '017700000001', '10.1.2.3', '172.16.0.1', '192.168.1.1', '0.0.0.0'],
  ...['100.64.0.1', '169.254.169.254', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['192.88.99.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '[::]', '[::1]', '[::ffff:127.0.0.1]'],
  ...['[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2001::1]', '[2001:db8::1]'],
  ...['[3fff::1]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[100::1]', '[5f00::1]'],
  ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', '127.0.0.1.'],
];

describe('a forwarding address', () => {
  for (const host of refused) it(`is refused at ${host}`, () => expect(check(`https://${host}/x`)).to.equal(400));

  for (const host of [
    'example.com',
    'hooks.example.com:8443',
    '93.184.216.34',
    '[2606:4700::1111]',
    'xn--bcher-kva.de',
  ])
    it(`may be ${host}`, () => expect(check(`https://${host}/x?y=1`)).to.equal(200));

  for (const url of ['http://example.com', 'ftp://example.com', 'https://u:p@example.com', 'https://', '/x', 'x', ''])
    it(`is refused as ${JSON.stringify(url)}`, () => expect(check(url)).to.equal(400));

  it('may be plain http where that is allowed', () =>
    expect(check('http://example.com', { ...strict, allowHttp: true })).to.equal(200));

  it('may be private where its range is allowed, and no further', () => {
    const some = { ...strict, allowCidrs: ['127.0.0.1/32', 'fd00::/8'] };
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '[fd12::1]'])
      expect(check(`https://${host}`, some), host).to.equal(200);
    for (const host of ['127.0.0.2', '10.0.0.1', '[::1]']) expect(check(`https://${host}`, some), host).to.equal(400);
  });
});
