// Verification compared with the reference library of Standard Webhooks.
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { InvalidWebhook, verifyWebhook } from '../../sdk/src/webhooks.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = JSON.stringify({ event: { id: 'whe_1', type: 'RENEWAL' }, name: 'Ü 🦊' });
const nowMs = Date.parse('2026-11-20T10:00:00.000Z');

function signed(payload: string, secret = SECRET, at = nowMs, id = 'whe_1') {
  const signature = new Webhook(secret).sign(id, new Date(at), payload);
  return { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at / 1000)), 'webhook-signature': signature };
}

describe('verifyWebhook', () => {
  const verify = (payload: string, headers: Record<string, string>, secret: string | string[] = SECRET) =>
    verifyWebhook(payload, headers, secret, { nowMs });
  const refuses = (payload: string, headers: Record<string, string>, secret: string | string[] = SECRET) =>
    expect(() => verify(payload, headers, secret)).to.throw(InvalidWebhook);

  it('gives the event that the reference library signed', () =>
    expect(verify(body, signed(body))).to.deep.equal(JSON.parse(body)));
  it('takes bytes, and headers of any form', () => {
    expect(verifyWebhook(Buffer.from(body), new Headers(signed(body)), SECRET, { nowMs })).to.deep.equal(
      JSON.parse(body),
    );
    const upper = Object.fromEntries(Object.entries(signed(body)).map(([k, v]) => [k.toUpperCase(), [v]]));
    expect(verifyWebhook(body, upper, SECRET, { nowMs })).to.deep.equal(JSON.parse(body));
  });
  it('takes either signature, and either secret, while one is rotated', () => {
    const both = `${signed(body, OTHER)['webhook-signature']} ${signed(body)['webhook-signature']}`;
    expect(verify(body, { ...signed(body), 'webhook-signature': both })).to.be.an('object');
    expect(verify(body, signed(body, OTHER), [SECRET, OTHER])).to.be.an('object');
  });
  it('refuses another secret', () => refuses(body, signed(body, OTHER)));
  it('refuses a changed body, id or time', () => {
    refuses(`${body} `, signed(body));
    refuses(body, { ...signed(body), 'webhook-id': 'whe_2' });
    refuses(body, { ...signed(body), 'webhook-timestamp': String(nowMs / 1000 + 1) });
  });
  it('refuses what is older or newer than five minutes', () => {
    expect(verify(body, signed(body, SECRET, nowMs - 300_000))).to.be.an('object');
    refuses(body, signed(body, SECRET, nowMs - 301_000));
    refuses(body, signed(body, SECRET, nowMs + 301_000));
  });
  it('refuses missing headers, other versions and nonsense', () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      refuses(body, { ...signed(body), [name]: '' });
    refuses(body, { ...signed(body), 'webhook-signature': signed(body)['webhook-signature'].replace('v1,', 'v2,') });
    refuses(body, { ...signed(body), 'webhook-timestamp': 'now' });
    refuses(body, { ...signed(body), 'webhook-signature': 'v1,' });
  });
});
