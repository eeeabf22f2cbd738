// Audit log of a project, and the values that it omits.
import { expect } from 'chai';
import { setUpProject, type Credentials, type Json } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';
import { iosKey, serviceAccount } from '../support/store-credentials.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');

describe('audit', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as, asMember } = setUpServiceWithFreshProjects({}, clock.runtime);
  const base = () => `/v1/projects/${slice.projectId}`;
  const change = async (method: string, path: string, body?: object, who: Credentials = asMember) => {
    const response = await harness.call(method, `${base()}${path}`, body, who);
    expect(response.status, JSON.stringify(response.body)).to.be.within(200, 201);
    return response.body;
  };
  const audit = async (query = '', who: Credentials = asMember) => {
    await harness.service().idle();
    return harness.call('GET', `${base()}/audit?limit=100${query}`, undefined, who);
  };
  const items = async (query = ''): Promise<Json[]> => (await audit(query)).body.items;
  const latest = async () => (await items())[0];
  beforeEach(() => clock.set(clock.now() + 60_000));

  it('shows who changed a setting, with old and new value', async () => {
    await change('PATCH', `/apps/${slice.appId}`, { name: 'Stargazer' });
    const { id: user, email } = (await harness.call('GET', '/auth/me', undefined, asMember)).body;
    const { id: _id, ...found } = await latest();
    expect(found).to.deep.equal({
      object: 'change',
      at: new Date(clock.now()).toISOString(),
      actor: { kind: 'user', id: user, name: email },
      action: 'AppSettingsUpdated',
      target: { kind: 'app', id: slice.appId, name: 'Stargazer', customerId: null },
      before: { name: 'iOS' },
      after: { name: 'Stargazer' },
    });
  });

  it('shows created values, and former values of what was deleted', async () => {
    const { id } = await change('POST', '/api-keys', { name: 'wall', scopes: ['read'] });
    const made = await latest();
    expect([made.action, made.before, made.target.id]).to.deep.equal(['ApiKeyCreated', null, id]);
    expect(made.after).to.include({ name: 'wall', kind: 'secret' });
    await change('DELETE', `/api-keys/${id}`);
    const gone = await latest();
    expect([gone.action, gone.after]).to.deep.equal(['ApiKeyDeleted', null]);
    expect(gone.before).to.deep.equal(made.after);
  });

  it('has grants, with whose they are and which key gave them', async () => {
    await change('PATCH', '', { name: 'Renamed' });
    const grant = { entitlementId: 'pro', duration: 'weekly' };
    await harness.call('POST', '/v1/subscribers/ann', {}, as);
    await harness.call('POST', '/v1/subscribers/ann/entitlements', grant, as);
    await harness.call('DELETE', '/v1/subscribers/ann/entitlements/pro', undefined, as);
    const [revoked, granted] = await items();
    const { id: customerId } = (await harness.call('GET', `${base()}/customers/ann`, undefined, as)).body;
    expect([granted.action, granted.actor.kind, granted.target.customerId]).to.deep.equal([
      'EntitlementGranted',
      'api_key',
      customerId,
    ]);
    expect([revoked.action, revoked.before.lookupKey, revoked.after]).to.deep.equal([
      'EntitlementRevoked',
      'pro',
      null,
    ]);
    const ofKey = await items(`&actor=${granted.actor.id}`);
    expect(ofKey.map((c) => c.action)).to.deep.equal(['EntitlementRevoked', 'EntitlementGranted']);
  });

  it('names keys, members and objects, also after they were deleted', async () => {
    const { key, id } = await change('POST', '/api-keys', { name: 'build server' });
    const webhook = await change('POST', '/webhooks', { url: 'https://hooks.example.com/all' }, { key });
    await change('PATCH', `/webhooks/${webhook.id}`, { name: 'Warehouse' }, { key });
    await change('DELETE', `/webhooks/${webhook.id}`, undefined, { key });
    await change('DELETE', `/api-keys/${id}`);
    const named = (await items()).filter(({ target }) => [webhook.id, id].includes(target.id));
    expect(named.map(({ action, actor, target }) => [action, actor.name, target.name])).to.deep.equal([
      ['ApiKeyDeleted', named[0]?.actor.name, 'build server'],
      ['WebhookDeleted', 'build server', 'Warehouse'],
      ['WebhookUpdated', 'build server', 'Warehouse'],
      ['WebhookCreated', 'build server', 'Warehouse'],
      ['ApiKeyCreated', named[0]?.actor.name, 'build server'],
    ]);
    expect(named[0]?.actor.name).to.match(/@/);
  });

  it('has members and invitations', async () => {
    const { id } = await change('POST', '/members', { email: 'mia@example.com', role: 'viewer' });
    await change('DELETE', `/members/invitations/${id}`);
    const [withdrawn, invited] = await items();
    expect([invited.action, invited.after.role, invited.target]).to.deep.equal([
      'MemberInvited',
      'viewer',
      { kind: 'invitation', id, name: 'mia@example.com', customerId: null },
    ]);
    expect([withdrawn.action, withdrawn.before.role]).to.deep.equal(['InvitationWithdrawn', 'viewer']);
  });

  it('shows that a webhook’s header changed, without its value', async () => {
    const { id } = await change('POST', '/webhooks', { url: 'https://hooks.example.com/all' });
    const set = async (authorizationHeader: string | null) => {
      await change('PATCH', `/webhooks/${id}`, { authorizationHeader });
      const { action, target, before, after } = await latest();
      return [action, target.id, before.authorizationHeader, after.authorizationHeader];
    };
    const action = 'WebhookAuthorizationChanged';
    expect(await set('Bearer one')).to.deep.equal([action, id, 'none', 'set']);
    expect(await set('Bearer two')).to.deep.equal([action, id, 'set', 'changed']);
    const count = (await items()).length;
    await change('PATCH', `/webhooks/${id}`, { authorizationHeader: 'Bearer two' });
    expect(await items()).to.have.length(count);
    expect(await set(null)).to.deep.equal([action, id, 'set', 'none']);
    expect(JSON.stringify((await audit()).body)).to.not.include('Bearer');
  });

  it('is paged, and starts at the requested time', async () => {
    const all = await items();
    const pages = await walk(harness, `${base()}/audit?limit=3`, asMember);
    expect(pages).to.deep.equal(all.map(({ id }) => id));
    await change('PATCH', '', { name: 'Later' });
    const since = new Date(clock.now()).toISOString();
    expect((await items(`&since=${since}`)).map((c) => c.action)).to.deep.equal(['ProjectUpdated']);
    expectRefusal(await audit('&startingAfter=no'), 400);
    expectRefusal(await audit('&startingAfter=1f0c7a52-8f5e-4b53-9a4e-000000000000'), 400);
  });

  it('shows a long document by its size', async () => {
    const offering = await change('POST', '/offerings', { lookupKey: 'default', displayName: 'Default' });
    const config = { text: 'x'.repeat(3000) };
    await change('POST', '/paywalls', { name: 'Winter', offeringId: offering.id, config });
    expect((await latest()).after.config).to.deep.equal({ characters: 3011 });
  });

  it('shows nothing of another project', async () => {
    const other = await setUpProject(harness);
    const mine = await harness.call('GET', `/v1/projects/${other.projectId}/audit?limit=100`, undefined, other);
    const ids = new Set(mine.body.items.map((c: Json) => c.id));
    expect((await items()).filter(({ id }) => ids.has(id))).to.deep.equal([]);
    const strange = mine.body.items[0].id;
    expectRefusal(await audit(`&startingAfter=${strange}`), 400);
  });

  it('never shows a secret', async () => {
    const CANARY = 'canary-of-a-secret';
    const { key } = await change('POST', '/api-keys', { name: 'server' });
    const { key: open } = await change('POST', '/api-keys', { name: 'app', kind: 'public', appId: slice.appId });
    const ios = { issuerId: 'issuer', keyId: 'KEY1', privateKey: iosKey() };
    await change('POST', `/apps/${slice.appId}/credentials/ios-store`, ios);
    await change('DELETE', `/apps/${slice.appId}/credentials`);
    const android = { name: 'Android', platform: 'android', packageName: 'com.example.app' };
    const app = await change('POST', '/apps', android);
    const account = serviceAccount();
    await change('POST', `/apps/${app.id}/credentials/android-store`, { serviceAccountJson: account });
    const hook = { url: 'https://hooks.example.com/all', authorizationHeader: CANARY };
    const { id, secret } = await change('POST', '/webhooks', hook);
    const rotated = await change('PATCH', `/webhooks/${id}`, { rotateSecret: true, authorizationHeader: `${CANARY}2` });
    await change('DELETE', `/webhooks/${id}`);
    const { token } = await change('POST', '/members', { email: 'mia@example.com', role: 'viewer' });
    const text = JSON.stringify((await audit()).body);
    expect(text).to.include('WebhookSecretRotated').and.to.include('AppCredentialsDeleted');
    const stored = app.notificationUrl.split('/').at(-1);
    const secrets = [key, open, secret, rotated.secret, token, stored, CANARY, String(account['private_key'])];
    const pemLine = iosKey().split('\n')[1] ?? '';
    for (const one of [...secrets, pemLine]) {
      expect(one).to.be.a('string').with.length.above(8);
      expect(text).to.not.include(JSON.stringify(one).slice(1, -1));
    }
    expect(text).to.not.match(/sha256|emailKey/);
  });
});
