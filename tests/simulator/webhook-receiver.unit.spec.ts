// The receiver of the demo takes what a stock sender signs, and nothing else.
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { startWebhookReceiver, type ReceivedWebhook } from '../../simulator/webhook-receiver.js';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const body = JSON.stringify({ apiVersion: '1.0', event: { id: 'whe_1', type: 'RENEWAL', appUserId: 'ann' } });

describe('webhook receiver', () => {
  it('reports what arrived and whether its signature is right', async () => {
    const received: ReceivedWebhook[] = [];
    const receiver = await startWebhookReceiver((webhook) => received.push(webhook));
    const send = async (signature: string, at = new Date()) => {
      const timestamp = String(Math.floor(at.getTime() / 1000));
      const headers = { 'webhook-id': 'whe_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
      return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
    };
    const now = new Date();
    const right = new Webhook(secret).sign('whe_1', now, body);
    expect(await send(right, now)).to.equal(401);
    receiver.trust(secret);
    expect(await send(right, now)).to.equal(204);
    expect(await send(`v1,bm90IGl0 ${right}`, now)).to.equal(204);
    expect(await send('v1,bm90IGl0', now)).to.equal(401);
    const old = new Date(now.getTime() - 301_000);
    expect(await send(new Webhook(secret).sign('whe_1', old, body), old)).to.equal(401);
    await receiver.stop();
    expect(received.map((r) => r.isSigned)).to.deep.equal([false, true, true, false, false]);
    expect(received[0]).to.include({ type: 'RENEWAL', appUserId: 'ann' });
  });
});
