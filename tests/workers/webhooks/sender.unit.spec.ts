// Deliveries over time: tried again as the table says, in the order of each subscriber, given up at last, and nothing lost on the way.
import { expect } from 'chai';
import { Webhook as Verifier } from 'standardwebhooks';
import { OutboundFailure } from '../../../src/domain/errors.js';
import { grantPromotional, registerSubscriber, setAttributes } from '../../../src/commands/subscribers/subscribers.js';
import { findWebhookInLog, updateWebhook } from '../../../src/commands/webhooks/webhooks.js';
import { defaultSchedule } from '../../../src/domain/webhook/schedule.js';
import { monthly, notification, renewal } from '../../commands/support/store-data.js';
import { chance, withSeed } from '../../projections/support/seeded-random.js';
import { brokenOrder, createHooks, type Hooks } from './rig.js';

const HOUR_MS = 3_600_000;

/** One event of a kind that changes nothing else, so that sequences are easy to follow. */
async function grant(hooks: Hooks, appUserId = 'ann'): Promise<void> {
  const o = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };
  await grantPromotional(hooks.deps, hooks.by(), hooks.projectId, appUserId, o);
}

const only = { eventTypes: ['NON_RENEWING_PURCHASE'] };
const introduction = { source: 'api' as const };

describe('webhook sender', () => {
  it('sends a purchase and the access it gives, in this order', async () => {
    const hooks = await createHooks();
    await hooks.make();
    await hooks.notify(notification('SUBSCRIBED', monthly(), { renewal: { autoRenewStatus: 1 } }));
    await hooks.play();
    expect(hooks.arrivedTypes()).to.deep.equal(['INITIAL_PURCHASE', 'ENTITLEMENT_CHANGED']);
    const [first] = hooks.receiver.arrived;
    expect(first?.headers).to.include({ 'content-type': 'application/json', 'user-agent': 'Subledger/test' });
    expect(first?.headers).to.include({ 'webhook-id': first?.event.id, 'webhook-attempt': '1' });
    expect(first?.event.id).to.match(/^whe_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('signs so that a stock receiver takes it, also with the secret before', async () => {
    const hooks = await createHooks();
    // The stock receiver goes by the system's clock.
    hooks.clock.set(new Date().toISOString());
    const { secret, webhookId } = await hooks.make({ ...only, authorizationHeader: 'Bearer of ours' });
    const ref = { projectId: hooks.projectId, webhookId };
    const rotated = await updateWebhook(hooks.deps, hooks.by(), ref, { set: {}, rotateGraceHours: 24 });
    await grant(hooks);
    await hooks.play();
    const [arrived] = hooks.receiver.arrived;
    const { headers = {}, body = Buffer.alloc(0) } = arrived ?? {};
    for (const key of [secret, rotated.secret ?? ''])
      expect(new Verifier(key).verify(body, headers)).to.have.property('apiVersion', '1.0');
    expect(headers['authorization']).to.equal('Bearer of ours');
    const other = await createHooks();
    const stranger = (await other.make({ name: 'x' })).secret.replace(/.....=$/, 'AAAAA=');
    expect(() => new Verifier(stranger).verify(body, headers)).to.throw();
  });

  it('retries nine times by the schedule, and the tenth may succeed', async () => {
    const hooks = await createHooks();
    await hooks.make(only);
    hooks.receiver.reply = () => (hooks.receiver.arrived.length < 10 ? 500 : 200);
    await grant(hooks);
    await hooks.play();
    const times = hooks.receiver.arrived.map((a) => a.atMs);
    expect(times).to.have.length(10);
    for (const [i, wait] of defaultSchedule.entries()) {
      if (i === 0) continue;
      const waited = ((times[i] ?? 0) - (times[i - 1] ?? 0)) / 1000;
      // A breaker that opened meanwhile may add its wait of ten minutes at most.
      expect(waited, `wait ${i}`).to.be.within(wait * 0.8, wait * 1.2 + 600);
    }
    const [delivery] = await hooks.all();
    expect(delivery).to.include({ state: 'delivered', failures: 9 });
    expect(delivery?.attempts.map((a) => a.status)).to.deep.equal([...Array.from({ length: 9 }, () => 500), 200]);
    expect(new Set(hooks.receiver.arrived.map((a) => a.headers['webhook-id'])).size).to.equal(1);
    expect(new Set(hooks.receiver.arrived.map((a) => a.body.toString())).size).to.equal(1);
  });

  it('gives up after the last, and records it', async () => {
    const hooks = await createHooks({ scheduleSeconds: [0, 1, 2] });
    await hooks.make(only);
    hooks.receiver.reply = () => new OutboundFailure('connect', 'refused');
    await grant(hooks);
    await hooks.play();
    const [delivery] = await hooks.all();
    expect([delivery?.state, delivery?.attempts.map((a) => a.errorCode)]).to.deep.equal([
      'failed',
      ['connect', 'connect', 'connect'],
    ]);
  });

  it('ends with the webhook after one 410, and holds what comes after', async () => {
    const hooks = await createHooks();
    const { webhookId } = await hooks.make(only);
    hooks.receiver.reply = () => 410;
    await grant(hooks);
    await hooks.play();
    await grant(hooks, 'ben');
    await hooks.play();
    expect(hooks.receiver.arrived).to.have.length(1);
    const ref = { projectId: hooks.projectId, webhookId };
    expect(await findWebhookInLog(hooks.deps, ref)).to.include({ enabled: false, disabledCause: 'gone' });
    expect((await hooks.all()).map((d) => d.state)).to.deep.equal(['held', 'held']);
  });

  it('waits for the time in Retry-After', async () => {
    const hooks = await createHooks();
    await hooks.make(only);
    hooks.receiver.reply = () =>
      hooks.receiver.arrived.length === 1 ? { status: 429, headers: { 'retry-after': '120' } } : 200;
    await grant(hooks);
    await hooks.play();
    const [first, second] = hooks.receiver.arrived.map((a) => a.atMs);
    expect((second ?? 0) - (first ?? 0)).to.be.within(120_000, 130_000);
  });

  it('keeps a subscriber’s order with a receiver that fails now and then', async () => {
    const hooks = await createHooks();
    await hooks.make({ eventTypes: ['RENEWAL', 'INITIAL_PURCHASE'] });
    const names = Array.from({ length: 8 }, (_, i) => `tx_${i}`);
    for (const name of names) {
      const chain = { originalTransactionId: name };
      await hooks.notify(notification('SUBSCRIBED', monthly({ transactionId: name, ...chain })));
      await hooks.notify(notification('DID_RENEW', renewal(chain), { uuid: `renew ${name}` }));
    }
    const failing = chance();
    await withSeed(failing, async () => {
      hooks.receiver.reply = () => (failing.below(10) < 3 ? 500 : 200);
      await hooks.play();
      expect(new Set((await hooks.all()).map((d) => d.state))).to.deep.equal(new Set(['delivered']));
      expect(brokenOrder(hooks.receiver.arrived)).to.deep.equal([]);
    });
  });

  it('keeps the order of a hundred events of one subscriber', async () => {
    const hooks = await createHooks();
    await hooks.make(only);
    for (let i = 0; i < 100; i++) await grant(hooks);
    const failing = chance();
    await withSeed(failing, async () => {
      hooks.receiver.reply = () => (failing.below(10) < 3 ? 500 : 200);
      await hooks.play();
      expect(new Set((await hooks.all()).map((d) => d.state))).to.deep.equal(new Set(['delivered']));
      expect(brokenOrder(hooks.receiver.arrived)).to.deep.equal([]);
    });
  });

  it('sends later events of the subscriber after four attempts of one that always fails', async () => {
    const hooks = await createHooks();
    await hooks.make(only);
    await grant(hooks);
    await grant(hooks);
    let poison: string | undefined;
    hooks.receiver.reply = ({ event }) => (event.id === (poison ??= event.id) ? 500 : 200);
    await hooks.play();
    const order = hooks.receiver.arrived.map(({ event }) => (event.id === poison ? 'poison' : 'next'));
    expect(order.slice(0, 5)).to.deep.equal(['poison', 'poison', 'poison', 'poison', 'next']);
    expect(order).to.have.length(11);
    expect((await hooks.all()).map((d) => d.state).sort()).to.deep.equal(['delivered', 'failed']);
  });

  it('opens the circuit of an endpoint after five failures, and uses no attempts until it closes', async () => {
    const hooks = await createHooks();
    await hooks.make(only);
    hooks.receiver.reply = () => 500;
    for (let i = 0; i < 30; i++) await grant(hooks, `user${i}`);
    await hooks.fan();
    await hooks.worker().sender.round();
    await hooks.worker().sender.idle();
    expect(hooks.receiver.arrived.length).to.be.within(5, 6);
    hooks.receiver.reply = () => 200;
    await hooks.play();
    expect(new Set((await hooks.all()).map((d) => d.state))).to.deep.equal(new Set(['delivered']));
    expect((await hooks.all()).filter((d) => d.attempts.length > 1).length).to.be.at.most(6);
  });

  it('sends nothing that was recorded more than a week ago', async () => {
    const hooks = await createHooks();
    await hooks.make(only);
    await grant(hooks);
    hooks.clock.set(new Date(Date.parse(hooks.clock.iso()) + 169 * HOUR_MS).toISOString());
    await hooks.play(1);
    expect([hooks.receiver.arrived.length, (await hooks.all())[0]?.state]).to.deep.equal([0, 'held']);
  });

  it('sends each webhook its subscribed types, from the subscription on', async () => {
    const hooks = await createHooks();
    await hooks.make({ ...only, url: 'https://hooks.example.com/grants' });
    await grant(hooks);
    await hooks.make({ url: 'https://hooks.example.com/later', payloadFormat: 'snake_case' });
    await setAttributes(hooks.deps, hooks.by(), hooks.projectId, 'ann', {
      ...introduction,
      changes: [{ key: 'favouriteColour', value: 'red', updatedAt: hooks.clock.iso(), receivedAt: hooks.clock.iso() }],
    });
    await grant(hooks);
    await registerSubscriber(hooks.deps, hooks.by(), hooks.projectId, 'ben', introduction);
    await hooks.play();
    const got = hooks.receiver.arrived.map((a) => `${a.url.split('/').at(-1)} ${a.event.type}`).sort();
    expect(got).to.deep.equal([
      'grants NON_RENEWING_PURCHASE',
      'grants NON_RENEWING_PURCHASE',
      'later NON_RENEWING_PURCHASE',
    ]);
    const snake = hooks.receiver.arrived.find((a) => a.url.endsWith('later'));
    const { event } = JSON.parse(snake?.body.toString() ?? '{}');
    expect(event).to.include({ app_user_id: 'ann', period_type: 'PROMOTIONAL', price: 0 });
    expect(event.subscriber_attributes.favouriteColour.value).to.equal('red');
  });

  it('puts no secret, signature, header or body into a log line or a delivery', async () => {
    const hooks = await createHooks();
    const { secret } = await hooks.make({ ...only, authorizationHeader: 'Bearer top-secret' });
    hooks.receiver.reply = () => (hooks.receiver.arrived.length % 2 ? 500 : 200);
    await grant(hooks);
    await hooks.play();
    const written = JSON.stringify([hooks.lines, await hooks.all()]);
    const { headers = {}, body } = hooks.receiver.arrived[0] ?? {};
    const signature = headers['webhook-signature']?.slice('v1,'.length);
    for (const hidden of [secret, secret.slice(6), signature, 'top-secret', body?.toString()]) {
      expect(hidden).to.be.a('string').with.length.greaterThan(5);
      expect(written).not.to.include(hidden);
    }
    expect(hooks.lines.length).to.be.greaterThan(1);
  });
});
