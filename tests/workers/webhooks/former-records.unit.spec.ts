// Records of endpoints and of their health that an earlier version stored, read by this one.
import { expect } from 'chai';
import { readRecord, replaceRecord } from '../../../src/adapters/documents/records.js';
import { grantPromotional } from '../../../src/commands/subscribers/subscribers.js';
import { endpointHealthCollection } from '../../../src/commands/webhooks/endpoint-health.js';
import { endpointCollection } from '../../../src/workers/webhooks/endpoints.js';
import { createHooks, type Hooks } from './rig.js';

const only = { eventTypes: ['NON_RENEWING_PURCHASE'] };

async function grant(hooks: Hooks, appUserId: string): Promise<void> {
  const o = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };
  await grantPromotional(hooks.deps, hooks.by(), hooks.projectId, appUserId, o);
}

/** Starts a process of this version on the records of an earlier one, which had another name for `enabledSince`. */
async function upgrade(hooks: Hooks, endpointId: string): Promise<void> {
  const { docs } = hooks.deps;
  for (const c of [endpointCollection.name, endpointHealthCollection.name] as const) {
    const stored = await readRecord<string>(docs, c, endpointId);
    const text = JSON.stringify(stored.doc);
    expect(text, c).to.include('"enabledSince":');
    await replaceRecord<string>(docs, c, stored, JSON.parse(text.replaceAll('"enabledSince":', '"era":')));
  }
  hooks.restart();
}

describe('webhook records of an earlier version', () => {
  it('send a pending delivery once', async () => {
    const hooks = await createHooks();
    const { webhookId } = await hooks.make(only);
    hooks.receiver.reply = () => 500;
    await grant(hooks, 'ann');
    await hooks.play(0);
    await upgrade(hooks, webhookId);
    hooks.receiver.reply = () => 200;
    await grant(hooks, 'ben');
    await hooks.play(24);
    const delivered = hooks.receiver.arrived.filter((arrived) => arrived.delivered);
    expect(delivered.map(({ event }) => event.appUserId).sort()).to.deep.equal(['ann', 'ben']);
  });

  it('keep the time since which an endpoint has failed', async () => {
    const hooks = await createHooks();
    const { webhookId } = await hooks.make(only);
    hooks.receiver.reply = () => 500;
    for (let day = 0; day < 6; day++) {
      if (day === 4) await upgrade(hooks, webhookId);
      await grant(hooks, `user${day}`);
      await hooks.play(24);
    }
    const notices = (await hooks.events()).filter((e) => e.type === 'WebhookFailing' || e.type === 'WebhookDisabled');
    expect(notices.map((e) => e.type)).to.deep.equal(['WebhookFailing', 'WebhookFailing', 'WebhookDisabled']);
  });
});
