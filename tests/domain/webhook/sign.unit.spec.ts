// Signatures: a standard receiver accepts any signed body, and rejects each changed one.
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { Webhook as Verifier } from 'standardwebhooks';
import { revenueCatSignatureOf, signatureOf } from '../../../src/domain/webhook/sign.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ID = 'whe_0123456789abcdefghjkmnpqrs';

function signed(body: Buffer, agoSeconds = 0) {
  // The stock receiver goes by the system's clock.
  const timestamp = String(Math.floor(Date.now() / 1000) - agoSeconds);
  const signature = signatureOf([SECRET], ID, timestamp, body);
  return { 'webhook-id': ID, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

const bodies: readonly (readonly [string, Buffer])[] = [
  ['ASCII', Buffer.from('{"type":"RENEWAL"}')],
  ['UTF-8', Buffer.from('{"name":"Zoë 🌟 東京"}')],
  ['an empty object', Buffer.from('{}')],
  ['64 kB', Buffer.from(JSON.stringify({ filler: 'x'.repeat(65_536 - 13) }))],
];

describe('webhook signature', () => {
  const receiver = new Verifier(SECRET);

  for (const [name, body] of bodies) {
    it(`of ${name} is taken`, () =>
      expect(receiver.verify(body, signed(body))).to.deep.equal(JSON.parse(body.toString())));

    it(`of ${name} is refused after one flipped byte`, () => {
      const flipped = Buffer.from(body);
      flipped.writeUInt8(flipped.readUInt8(body.length - 1) ^ 1, body.length - 1);
      expect(() => receiver.verify(flipped, signed(body))).to.throw('No matching signature found');
    });
  }

  const body = Buffer.from('{}');

  it('is refused for another id', () =>
    expect(() => receiver.verify(body, { ...signed(body), 'webhook-id': `${ID}x` })).to.throw(
      'No matching signature found',
    ));

  it('is refused when it is 301 s old', () => {
    expect(() => receiver.verify(body, signed(body, 301))).to.throw('too old');
    expect(receiver.verify(body, signed(body, 290))).to.deep.equal({});
  });
});

describe('the RevenueCat signature of a webhook', () => {
  const body = Buffer.from('{"event":{"name":"Zoë 🌟"}}');
  const expected = createHmac('sha256', SECRET).update('1763632800.{"event":{"name":"Zoë 🌟"}}').digest('hex');

  it('covers the time and the body, with the secret as text', () =>
    expect(revenueCatSignatureOf([SECRET], '1763632800', body)).to.equal(`t=1763632800,v1=${expected}`));

  it('is one, of the newest secret', () =>
    expect(revenueCatSignatureOf([SECRET, 'whsec_b2xk'], '1763632800', body)).to.equal(`t=1763632800,v1=${expected}`));
});
