// Erasure of webhooks: sent and pending deliveries about a customer are erased with the customer, those about others are not.
import { expect } from 'chai';
import { updateApp } from '../../../src/commands/projects/apps.js';
import { deliveryBodyCollection } from '../../../src/commands/webhooks/deliveries.js';
import { eraseSubscriber } from '../../../src/commands/subscribers/erasure.js';
import { mergeAnonymous } from '../../../src/commands/subscribers/merge.js';
import { grantPromotional, setAttributes } from '../../../src/commands/subscribers/subscribers.js';
import { monthly, notification } from '../../commands/support/store-data.js';
import { createHooks, type Hooks } from './rig.js';

const SECRET = 'ann-canary@example.com';
const TOKEN = '7e3fb20b-4cdb-47cc-936d-99d65f608138';
const terms = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };

const grant = ({ deps, by, projectId }: Hooks, who: string) => grantPromotional(deps, by(), projectId, who, terms);
const erase = ({ deps, by, projectId }: Hooks, who: string) => eraseSubscriber(deps, by(), projectId, who);
const label = ({ deps, by, projectId }: Hooks, who: string) => {
  const at = '2026-11-20T10:00:00.000Z';
  const changes = [{ key: '$email', value: SECRET, updatedAt: at, receivedAt: at }];
  return setAttributes(deps, by(), projectId, who, { source: 'sdk', changes });
};
const bodies = async ({ deps }: Hooks) => {
  const { rows } = await deps.docs.scan(deliveryBodyCollection.name, { index: 'id', eq: [], limit: 1000 });
  return rows.map(({ doc }) => String(doc['text']));
};
const kept = async (hooks: Hooks) => JSON.stringify([await hooks.all(), await bodies(hooks)]);

/** `ann` and `ben` with deliveries, those of ann answered with a snippet that names her. */
async function furnished(reply: number): Promise<Hooks> {
  const hooks = await createHooks();
  await hooks.make();
  await hooks.make({ payloadFormat: 'snake_case', url: 'https://hooks.example.com/b' });
  hooks.receiver.reply = () => ({ status: reply, body: Buffer.from('thanks, ann') });
  for (const who of ['$anon:before', 'ann', 'ben']) await label(hooks, who);
  await grant(hooks, '$anon:before');
  await mergeAnonymous(hooks.deps, hooks.by(), hooks.projectId, { appUserId: 'ann', previous: '$anon:before' });
  await grant(hooks, 'ann');
  await grant(hooks, 'ben');
  return hooks;
}

async function expectGone(hooks: Hooks): Promise<void> {
  const all = await hooks.all();
  expect(all.filter((d) => ['ann', '$anon:before'].includes(d.appUserId))).to.deep.equal([]);
  for (const body of await bodies(hooks)) expect(body).not.to.match(/"ann"|\$anon:before/);
  expect(all.map((d) => d.appUserId)).to.include('ben');
  expect(await kept(hooks)).to.include(SECRET);
}

describe('deliveries about a customer who is erased', () => {
  it('are gone with their bodies and what receivers answered, also those of an alias', async () => {
    const hooks = await furnished(200);
    await hooks.play();
    expect(await kept(hooks)).to.match(/\$anon:before/);
    await erase(hooks, 'ann');
    await expectGone(hooks);
  });

  it('are not sent if they were still pending, and block no others', async () => {
    const hooks = await furnished(500);
    await hooks.play(0.01);
    await erase(hooks, 'ann');
    const before = hooks.receiver.arrived.length;
    hooks.receiver.reply = () => 200;
    await hooks.play();
    const later = hooks.receiver.arrived.slice(before);
    expect(new Set(later.map((a) => a.event.appUserId))).to.deep.equal(new Set(['ben', '']));
    expect(later.map((a) => a.body.toString()).join()).not.to.include('"ann"');
    await expectGone(hooks);
  });

  it('are gone too when the fan-out reaches the events only after the erasure', async () => {
    const hooks = await furnished(200);
    await erase(hooks, 'ann');
    await hooks.play();
    await expectGone(hooks);
  });

  it('are not created again when the fan-out runs again, and those after a return remain', async () => {
    const hooks = await furnished(200);
    await hooks.play();
    await erase(hooks, 'ann');
    await grant(hooks, 'ann');
    await hooks.play();
    const after = await kept(hooks);
    expect(JSON.parse(after)[0].filter((d: { appUserId: string }) => d.appUserId === 'ann')).not.to.deep.equal([]);
    hooks.restart();
    await hooks.play();
    expect(await kept(hooks)).to.equal(after);
  });

  it('are not those of a customer who is merged into this one after a return', async () => {
    const hooks = await createHooks();
    await hooks.make();
    for (const who of ['ann', '$anon:other']) await grant(hooks, who);
    await erase(hooks, 'ann');
    await mergeAnonymous(hooks.deps, hooks.by(), hooks.projectId, { appUserId: 'ann', previous: '$anon:other' });
    hooks.receiver.reply = () => 500;
    await hooks.play(0.01);
    const before = hooks.receiver.arrived.length;
    hooks.receiver.reply = () => 200;
    await hooks.play();
    const sent = hooks.receiver.arrived.slice(before).map(({ event }) => `${event.type} ${event.appUserId}`);
    expect(sent).to.include('NON_RENEWING_PURCHASE $anon:other');
  });

  it('were notifications of its store, passed on as they came', async () => {
    const hooks = await createHooks();
    const { deps, by, projectId, app } = hooks;
    const notificationForwardingUrl = 'https://hooks.example.com/raw';
    await updateApp(deps, by(), projectId, { appId: app.appId, set: { notificationForwardingUrl } });
    await setAttributes(deps, by(), projectId, TOKEN, { source: 'sdk', changes: [] });
    await hooks.submit(TOKEN, monthly({ transactionId: 'tx_0', originalTransactionId: 'tx_0' }));
    await hooks.notify(notification('SUBSCRIBED', monthly({ appAccountToken: TOKEN })));
    await hooks.notify(notification('SUBSCRIBED', monthly({ transactionId: 'tx_9', originalTransactionId: 'tx_9' })));
    await hooks.play();
    expect((await hooks.all()).map((d) => d.type)).to.deep.equal(['RAW', 'RAW']);
    await erase(hooks, TOKEN);
    expect(await kept(hooks)).not.to.include(TOKEN);
    expect(await hooks.all()).to.have.length(1);
  });
});
