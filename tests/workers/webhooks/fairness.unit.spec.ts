// Receivers that never respond keep a few places and nobody else waiting: by endpoint, host and tenant.
import { expect } from 'chai';
import { createEntitlement } from '../../../src/commands/catalog/catalog.js';
import { registerApp } from '../../../src/commands/projects/apps.js';
import { createProject } from '../../../src/commands/projects/projects.js';
import { receiveNotification } from '../../../src/commands/stores/inbox/inbox.js';
import { readNotification } from '../../../src/commands/stores/ios/inbox.js';
import { grantPromotional } from '../../../src/commands/subscribers/subscribers.js';
import { createWebhook, deleteWebhook } from '../../../src/commands/webhooks/webhooks.js';
import { OutboundFailure } from '../../../src/domain/errors.js';
import { limits } from '../../../src/workers/webhooks/tenant-queue.js';
import { monthly, notification } from '../../commands/support/store-data.js';
import { until } from '../rig.js';
import { createHooks, settings, type ArrivedRequest, type Hooks } from './rig.js';

const SUBSCRIBERS = 50;
const only = { eventTypes: ['NON_RENEWING_PURCHASE'] };

describe('receivers that never respond', () => {
  it('leave all other webhooks of their project their deliveries, however much waits for them', async () => {
    const hooks = await createHooks();
    const { receiver } = hooks;
    const healthy = 19;
    await hooks.make({ ...only, url: 'https://hooks.example.com/hangs' });
    for (let i = 0; i < healthy; i++) await hooks.make({ ...only, url: `https://hooks.example.com/${i}` });
    await sendEvents(hooks, hooks.projectId, SUBSCRIBERS);
    const respond = withhold(hooks);
    await begin(hooks);
    await until(() => delivered(hooks).length === healthy * SUBSCRIBERS, 'all but one served');
    expect(receiver.arrived.filter(hangs)).to.have.length(limits.perEndpoint);
    respond();
    await hooks.play();
    expect(receiver.arrived.filter(hangs)).to.have.length(SUBSCRIBERS);
    expect(receiver.arrived).to.have.length((healthy + 1) * SUBSCRIBERS);
  });

  it('leave the projects of other accounts theirs, when 20 accounts have 20 such webhooks each', async () => {
    const hooks = await createHooks();
    await hooks.make({ ...only, url: 'https://hooks.example.com/healthy' });
    await sendEvents(hooks, hooks.projectId, SUBSCRIBERS);
    for (let i = 0; i < 20; i++) {
      const projectId = await projectOf(hooks, `hostile_${i}`);
      for (let n = 0; n < 20; n++) await webhookTo(hooks, projectId, `https://h${n}.example.net/hangs`);
      await sendEvents(hooks, projectId, 2);
    }
    const respond = withhold(hooks);
    await begin(hooks);
    await until(() => delivered(hooks).length === SUBSCRIBERS, 'the healthy project served');
    expect(hooks.receiver.arrived.filter(hangs)).to.have.length(20 * limits.slowPerTenant);
    respond();
  });

  it('hold no more places for an account that spreads them over projects', async () => {
    const hooks = await createHooks();
    for (let i = 0; i < 10; i++) {
      const projectId = await projectOf(hooks, 'hostile');
      for (let n = 0; n < 5; n++) await webhookTo(hooks, projectId, `https://p${i}-${n}.example.net/hangs`);
      await sendEvents(hooks, projectId, 2);
    }
    const respond = withhold(hooks);
    await begin(hooks);
    await turns();
    expect(hooks.receiver.arrived.filter(hangs)).to.have.length(limits.slowPerTenant);
    respond();
  });

  it('hold two places at one host, however many webhooks go there', async () => {
    const hooks = await createHooks();
    for (let n = 0; n < 10; n++) await hooks.make({ ...only, url: `https://hooks.example.net/${n}/hangs` });
    await sendEvents(hooks, hooks.projectId, 5);
    const respond = withhold(hooks);
    await begin(hooks);
    await turns();
    expect(hooks.receiver.arrived.filter(hangs)).to.have.length(limits.perSlowHost);
    respond();
  });

  it('pause no webhook of their own host that responds, neither by their places nor by their failures', async () => {
    const hooks = await createHooks();
    const { projectId, receiver } = hooks;
    await hooks.make({ ...only, url: 'https://hooks.example.net/healthy' });
    await sendEvents(hooks, projectId, 1, 'first');
    await begin(hooks);
    await hooks.worker().sender.idle();
    for (const n of [1, 2]) await hooks.make({ ...only, url: `https://hooks.example.net/${n}/hangs` });
    await sendEvents(hooks, projectId, SUBSCRIBERS);
    const served = () => receiver.arrived.filter((a) => a.url.endsWith('/healthy')).length;
    const fail = withhold(hooks);
    await begin(hooks);
    await until(() => served() === 1 + SUBSCRIBERS, 'the other webhook served beside hanging requests');
    fail(new OutboundFailure('timeout', 'no response'));
    await hooks.worker().sender.idle();
    await sendEvents(hooks, projectId, SUBSCRIBERS, 'later');
    await begin(hooks);
    await hooks.worker().sender.idle();
    expect(served()).to.equal(1 + 2 * SUBSCRIBERS);
  });

  it('get no fresh patience by another webhook to the same host', async () => {
    const hooks = await createHooks();
    const { deps, projectId, receiver } = hooks;
    receiver.reply = () => new OutboundFailure('timeout', 'no response');
    const { webhookId } = await hooks.make({ ...only, url: 'https://hooks.example.net/first' });
    await sendEvents(hooks, projectId, 10);
    await begin(hooks);
    await hooks.worker().sender.idle();
    const tried = receiver.arrived.length;
    expect(tried).to.be.within(5, 6);
    await deleteWebhook(deps, hooks.by(), { projectId, webhookId });
    await hooks.make({ ...only, url: 'https://hooks.example.net/second' });
    await hooks.make({ ...only, url: 'https://elsewhere.example.net/' });
    await sendEvents(hooks, projectId, 1, 'later');
    await begin(hooks);
    await hooks.worker().sender.idle();
    expect(receiver.arrived.slice(tried).map((a) => a.url)).to.deep.equal(['https://elsewhere.example.net/']);
    hooks.clock.set(new Date(Date.parse(hooks.clock.iso()) + 60_000).toISOString());
    await begin(hooks);
    await hooks.worker().sender.idle();
    const probed = receiver.arrived.slice(tried).filter((a) => a.url === 'https://hooks.example.net/second');
    expect(probed).to.have.length(1);
  });

  it('are forwarding addresses, too', async () => {
    const hooks = await createHooks();
    const { projectId, receiver } = hooks;
    await hooks.make({ ...only, url: 'https://hooks.example.com/healthy' });
    await sendEvents(hooks, projectId, SUBSCRIBERS);
    for (let n = 0; n < 12; n++) await forwardTo(hooks, n, `https://f${n}.example.net/hangs`);
    const respond = withhold(hooks);
    await begin(hooks);
    await until(() => delivered(hooks).length === SUBSCRIBERS, 'the webhook served');
    expect(receiver.arrived.filter(hangs)).to.have.length(limits.slowPerTenant);
    respond();
  });
});

const hangs = ({ url }: Pick<ArrivedRequest, 'url'>): boolean => url.endsWith('/hangs');

const delivered = ({ receiver }: Hooks): readonly ArrivedRequest[] => receiver.arrived.filter((a) => a.delivered);

/** Makes hanging addresses wait until the returned function is called. */
function withhold(hooks: Hooks): (response?: number | OutboundFailure) => void {
  let respond: (response: number | OutboundFailure) => void = () => undefined;
  const withheld = new Promise<number | OutboundFailure>((resolve) => (respond = resolve));
  hooks.receiver.reply = (arrived) => (hangs(arrived) ? withheld : 200);
  return (response = 200) => respond(response);
}

async function begin(hooks: Hooks): Promise<void> {
  await hooks.fan();
  await hooks.worker().sender.round();
}

async function turns(): Promise<void> {
  for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
}

async function projectOf({ deps, by }: Hooks, ownerId: string): Promise<string> {
  const terms = { transferBehavior: 'transfer', sandboxAccess: 'anybody', displayCurrency: 'USD' } as const;
  const { projectId } = await createProject(deps, by(), { name: 'Other', ownerId, ...terms });
  await createEntitlement(deps, by(), projectId, { lookupKey: 'pro', displayName: 'Pro', description: null });
  return projectId;
}

async function webhookTo({ deps, by }: Hooks, projectId: string, url: string): Promise<void> {
  await createWebhook(deps, by(), projectId, { ...settings, ...only, url });
}

/** Another app, whose notifications go to that address, and one notification. */
async function forwardTo(hooks: Hooks, n: number, notificationForwardingUrl: string): Promise<void> {
  const { deps, by, projectId } = hooks;
  const { appId: _own, ...terms } = hooks.app;
  const storeIdentifier = `com.example.forwarding${n}`;
  const { app } = await registerApp(deps, by(), projectId, { ...terms, storeIdentifier, notificationForwardingUrl });
  const decoded = notification('SUBSCRIBED', monthly());
  await receiveNotification(deps, { projectId, app, rawBody: JSON.stringify(decoded) }, readNotification(decoded));
}

/** One event for each of so many subscribers. */
async function sendEvents({ deps, by }: Hooks, projectId: string, subscribers: number, name = 'user'): Promise<void> {
  const grant = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };
  for (let i = 0; i < subscribers; i++) await grantPromotional(deps, by(), projectId, `${name}-${i}`, grant);
}
