// Webhooks over days and weeks: warnings, disabling, replays, changes, and expiry of deliveries.
import { expect } from 'chai';
import { Webhook as Verifier } from 'standardwebhooks';
import { redeliver, replayDeliveries } from '../../../src/commands/webhooks/redeliver.js';
import { grantPromotional } from '../../../src/commands/subscribers/subscribers.js';
import { findWebhookInLog, updateWebhook } from '../../../src/commands/webhooks/webhooks.js';
import { isoFromMs, msFromIso } from '../../../src/domain/time.js';
import { endpointCollection } from '../../../src/workers/webhooks/endpoints.js';
import { purgeDeliveries } from '../../../src/workers/webhooks/webhooks.js';
import { createHooks, type Hooks } from './rig.js';

const HOUR_MS = 3_600_000;

async function grant(hooks: Hooks, appUserId = 'ann'): Promise<void> {
  const o = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };
  await grantPromotional(hooks.deps, hooks.by(), hooks.projectId, appUserId, o);
}

const only = { eventTypes: ['NON_RENEWING_PURCHASE'] };

describe('webhooks over time', () => {
  it('warns after a day and three, gives up after five days of failures, and brings everything with a replay', async () => {
    const hooks = await createHooks();
    const { webhookId } = await hooks.make(only);
    const ref = { projectId: hooks.projectId, webhookId };
    hooks.receiver.reply = () => 500;
    for (let day = 0; day < 7; day++) {
      await grant(hooks, `user${day}`);
      await hooks.play(24);
    }
    const notices = (await hooks.events()).filter((e) => e.type === 'WebhookFailing' || e.type === 'WebhookDisabled');
    expect(notices.map((e) => e.type)).to.deep.equal(['WebhookFailing', 'WebhookFailing', 'WebhookDisabled']);
    expect(await findWebhookInLog(hooks.deps, ref)).to.include({ enabled: false, disabledCause: 'failures' });
    await grant(hooks, 'late');
    await hooks.play(1);
    const states = new Set((await hooks.all()).map((d) => d.state));
    expect([...states].sort()).to.deep.equal(['failed', 'held']);
    hooks.receiver.reply = () => 200;
    hooks.receiver.arrived.splice(0);
    await updateWebhook(hooks.deps, hooks.by(), ref, { set: {}, enabled: true });
    await hooks.play(1);
    expect(hooks.receiver.arrived, 'enabling sends nothing by itself').to.deep.equal([]);
    const range = { from: isoFromMs(msFromIso(hooks.clock.iso()) - 20 * 24 * HOUR_MS), to: hooks.clock.iso() };
    const { queued } = await replayDeliveries(hooks.deps, ref, { ...range, types: null, onlyFailed: true });
    expect(queued).to.have.length(8);
    await hooks.play(1);
    const granted = (await hooks.events()).filter((e) => e.type === 'EntitlementGranted');
    expect(new Set(hooks.receiver.arrived.map((a) => a.event.id)).size).to.equal(granted.length);
    expect(new Set((await hooks.all()).map((d) => d.state))).to.deep.equal(new Set(['delivered']));
  });

  it('gives up what goes to an endpoint whose record stays missing', async () => {
    const hooks = await createHooks();
    await hooks.make(only);
    hooks.receiver.reply = () => 500;
    await grant(hooks);
    await hooks.play(0);
    const [delivery] = await hooks.all();
    const { name: c } = endpointCollection;
    const stored = (await hooks.deps.docs.get(c, [delivery?.endpointId ?? ''])).get(delivery?.endpointId ?? '');
    expect(stored?.guard).to.be.a('string');
    const write = { c, id: delivery?.endpointId ?? '', expect: stored?.guard ?? null, guard: '99', doc: null };
    expect(await hooks.deps.docs.write([[write]])).to.equal('ok');
    for (const state of ['pending', 'failed']) {
      hooks.clock.set(isoFromMs(msFromIso(hooks.clock.iso()) + 0.6 * HOUR_MS));
      await hooks.worker().sender.round();
      await hooks.worker().sender.idle();
      expect([(await hooks.all())[0]?.state, hooks.receiver.arrived.length]).to.deep.equal([state, 1]);
    }
    expect(hooks.lines.map((l) => l['msg'])).to.include('delivery failed: endpoint record missing');
  });

  it('keeps deliveries and bodies for thirty days, and what still waits, with its body, until it was sent', async () => {
    const hooks = await createHooks();
    const { webhookId } = await hooks.make(only);
    const ref = { projectId: hooks.projectId, webhookId };
    const { signal } = new AbortController();
    await grant(hooks);
    await hooks.play();
    const begun = msFromIso((await hooks.all())[0]?.createdAt ?? '');
    hooks.clock.set(isoFromMs(begun + 30 * 24 * HOUR_MS - 1));
    expect(await purgeDeliveries(hooks.deps, signal)).to.equal(0);
    await redeliver(hooks.deps, ref, (await hooks.all())[0]?.id ?? '');
    hooks.clock.set(isoFromMs(begun + 30 * 24 * HOUR_MS + 1));
    expect([await purgeDeliveries(hooks.deps, signal), (await hooks.all()).length]).to.deep.equal([0, 1]);
    await hooks.play();
    expect([hooks.receiver.arrived.length, (await hooks.all())[0]?.state]).to.deep.equal([2, 'delivered']);
    expect(hooks.receiver.arrived[1]?.body).to.deep.equal(hooks.receiver.arrived[0]?.body);
    hooks.clock.set(isoFromMs(begun + 31 * 24 * HOUR_MS + 2));
    expect([await purgeDeliveries(hooks.deps, signal), (await hooks.all()).length]).to.deep.equal([2, 0]);
  });

  it('puts a change of its address and its secrets to use at once', async () => {
    const hooks = await createHooks();
    const { webhookId, secret } = await hooks.make(only);
    const ref = { projectId: hooks.projectId, webhookId };
    await grant(hooks);
    await hooks.play();
    const set = { url: 'https://hooks.example.com/moved' };
    const rotated = await updateWebhook(hooks.deps, hooks.by(), ref, { set, rotateGraceHours: 0 });
    hooks.clock.set(new Date().toISOString());
    await grant(hooks, 'ben');
    await hooks.play();
    const { url, body = '', headers = {} } = hooks.receiver.arrived[1] ?? {};
    expect(url).to.equal(set.url);
    expect(new Verifier(rotated.secret ?? '').verify(body, headers)).to.be.an('object');
    expect(() => new Verifier(secret).verify(body, headers)).to.throw();
  });
});
