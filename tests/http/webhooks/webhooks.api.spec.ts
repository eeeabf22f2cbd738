// Webhooks over HTTP: made, shown without their secrets, changed, ended, and kept to their project.
import { expect } from 'chai';
import { openSigningKeys } from '../../../src/commands/webhooks/secrets.js';
import { webhooks } from '../../../src/projections/models/webhooks.js';
import { setUpProject, type Slice } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpHarness } from '../support/setup.js';

describe('webhooks', () => {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const harness = setUpHarness({}, { now });
  let slice: Slice;
  beforeEach(async () => void (slice = await setUpProject(harness)));

  const base = () => `/v1/projects/${slice.projectId}/webhooks`;
  const ask = (method: string, path = '', body?: unknown) =>
    harness.call(method, `${base()}${path}`, body, { key: slice.secretKey });
  const make = async (more: object = {}) => (await ask('POST', '', { url: 'https://hooks.example.com', ...more })).body;

  describe('addresses', () => {
    const keyWith = async (...scopes: string[]) => {
      const path = `/v1/projects/${slice.projectId}/api-keys`;
      const { body } = await harness.call('POST', path, { name: scopes.join(), scopes }, { token: slice.token });
      return { key: body.key as string };
    };
    const apps = () => `/v1/projects/${slice.projectId}/apps`;
    const url = 'https://hooks.example.com/in';
    const forwarding = { notificationForwardingUrl: url };

    it('are set by keys that see personal fields alone', async () => {
      const { id } = await make();
      const asked = [
        ['POST', base(), { url }, 201],
        ['PATCH', `${base()}/${id}`, { url }, 200],
        ['PATCH', `${apps()}/${slice.appId}`, forwarding, 200],
      ] as const;
      const [without, withPii] = [await keyWith('config'), await keyWith('config', 'pii')];
      for (const [method, path, body, status] of asked) {
        const refused = await harness.call(method, path, body, without);
        expectRefusal(refused, 403);
        expect(refused.body.message).to.include('pii');
        expect((await harness.call(method, path, body, withPii)).status).to.equal(status);
      }
      const android = { name: 'Android', platform: 'android', packageName: 'com.example.app' };
      expectRefusal(await harness.call('POST', apps(), { ...android, ...forwarding }, without), 403);
      for (const [path, body] of [
        [`${base()}/${id}`, { name: 'other', enabled: false }],
        [`${apps()}/${slice.appId}`, { notificationForwardingUrl: null }],
      ] as const)
        expect((await harness.call('PATCH', path, body, without)).status).to.equal(200);
    });

    it('are stored as they will be requested', async () => {
      const { id, url: stored } = await make({ url: 'HTTPS://Hooks.Example.com/a/../ü' });
      expect(stored).to.equal('https://hooks.example.com/%C3%BC');
      expect((await ask('PATCH', `/${id}`, { url: 'https://HOOKS.example.com' })).body.url).to.equal(
        'https://hooks.example.com/',
      );
    });

    for (const odd of ['\r', '\n', '\t', ' ', '\u0000', '\u007f', '\u0085', '\u2028'])
      it(`are refused with the character ${JSON.stringify(odd)}`, async () => {
        const { id } = await make();
        for (const bad of [`${url}${odd}x`, `${odd}${url}`, `${url}${odd}`]) {
          expectRefusal(await ask('POST', '', { url: bad }), 400);
          expectRefusal(await ask('PATCH', `/${id}`, { url: bad }), 400);
          const forward = { notificationForwardingUrl: bad };
          const as = { key: slice.secretKey };
          expectRefusal(await harness.call('PATCH', `${apps()}/${slice.appId}`, forward, as), 400);
        }
      });
  });

  it('are made with sensible settings and show their secret once', async () => {
    const { status, body, headers } = await ask('POST', '', { url: 'https://hooks.example.com/in?x=1' });
    const { id, secret, createdAt, updatedAt, ...rest } = body;
    expect([status, headers.get('cache-control')]).to.deep.equal([201, 'no-store']);
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const settings = { name: null, url: 'https://hooks.example.com/in?x=1', eventTypes: null, appId: null };
    const more = { environment: null, payloadFormat: 'camelCase', ordered: true, enabled: true, disabledReason: null };
    const seen = { lastDelivery: null, stats24h: { delivered: 0, failed: 0 }, hasAuthorizationHeader: false };
    const preview = { secretPreview: `whsec_…${secret.slice(-4)}` };
    expect(rest).to.deep.equal({
      object: 'webhook',
      projectId: slice.projectId,
      ...settings,
      ...more,
      ...seen,
      ...preview,
    });
    const again = await ask('GET', `/${id}`);
    expect(again.body).to.deep.equal({ id, createdAt, updatedAt, ...rest });
  });

  it('are listed newest first, a page at a time', async () => {
    const ids = [(await make()).id, (await make()).id, (await make()).id];
    const first = await ask('GET', '?limit=2');
    expect(first.body.items.map((w: { id: string }) => w.id)).to.deep.equal([ids[2], ids[1]]);
    const rest = await harness.call('GET', first.body.nextPage, undefined, { key: slice.secretKey });
    expect([rest.body.items[0].id, rest.body.nextPage]).to.deep.equal([ids[0], null]);
  });

  it('change only the requested fields', async () => {
    const { id } = await make({ name: 'One', authorizationHeader: 'Bearer x' });
    const { status, body } = await ask('PATCH', `/${id}`, { eventTypes: ['RENEWAL', 'RENEWAL'], ordered: false });
    expect([status, body.secret]).to.deep.equal([200, undefined]);
    expect(body).to.deep.include({
      name: 'One',
      eventTypes: ['RENEWAL'],
      ordered: false,
      hasAuthorizationHeader: true,
    });
    const without = await ask('PATCH', `/${id}`, { authorizationHeader: null });
    expect(without.body.hasAuthorizationHeader).to.equal(false);
  });

  it('lose their authorization header with a URL of another origin, unless it brings its own', async () => {
    const { id } = await make({ url: 'https://hooks.example.com/a', authorizationHeader: 'Bearer x' });
    const change = async (set: object) => (await ask('PATCH', `/${id}`, set)).body.hasAuthorizationHeader;
    expect(await change({ url: 'https://hooks.example.com/b' })).to.equal(true);
    expect(await change({ url: 'https://other.example.com/b' })).to.equal(false);
    expect(await change({ authorizationHeader: 'Bearer y' })).to.equal(true);
    expect(await change({ url: 'https://hooks.example.com:8443/b' })).to.equal(false);
    const both = { url: 'https://third.example.com/b', authorizationHeader: 'Bearer z' };
    expect(await change(both)).to.equal(true);
    const { deps } = harness.service().services;
    const keys = await openSigningKeys(deps, { projectId: slice.projectId, webhookId: id });
    expect(keys?.authorizationHeader).to.equal('Bearer z');
  });

  it('are switched off and on by their owner', async () => {
    const { id } = await make();
    const off = await ask('PATCH', `/${id}`, { enabled: false });
    expect(off.body).to.include({ enabled: false, disabledReason: 'user' });
    const on = await ask('PATCH', `/${id}`, { enabled: true });
    expect(on.body).to.include({ enabled: true, disabledReason: null });
  });

  it('rotate their secret and also sign with the former one for the requested hours', async () => {
    const { id, secret } = await make();
    const { deps } = harness.service().services;
    const ref = { projectId: slice.projectId, webhookId: id };
    const keys = async () => (await openSigningKeys(deps, ref))?.secrets;
    const rotated = await ask('PATCH', `/${id}`, { rotateSecret: true });
    expect(rotated.body.secret)
      .to.match(/^whsec_/)
      .and.not.equal(secret);
    expect(await keys()).to.deep.equal([rotated.body.secret, secret]);
    const again = await ask('PATCH', `/${id}`, { rotateSecret: true, rotateGraceHours: 1 });
    expect(await keys()).to.deep.equal([again.body.secret, rotated.body.secret, secret]);
    aheadMs += 3_600_001;
    expect(await keys()).to.deep.equal([again.body.secret, secret]);
    aheadMs += 23 * 3_600_000;
    expect(await keys()).to.deep.equal([again.body.secret]);
  });

  it('are gone when they are deleted, with their secrets', async () => {
    const { id } = await make();
    expect((await ask('DELETE', `/${id}`)).body).to.deep.equal({ object: 'webhook', id, deleted: true });
    for (const method of ['GET', 'DELETE']) expect((await ask(method, `/${id}`)).status, method).to.equal(404);
    expect((await ask('PATCH', `/${id}`, { name: 'x' })).status).to.equal(404);
    const ref = { projectId: slice.projectId, webhookId: id };
    expect(await openSigningKeys(harness.service().services.deps, ref)).to.equal(null);
  });

  it('are twenty at most', async () => {
    for (let i = 0; i < 20; i++)
      expect((await ask('POST', '', { url: 'https://hooks.example.com' })).status).to.equal(201);
    const more = await ask('POST', '', { url: 'https://hooks.example.com' });
    expect(more.status).to.equal(409);
    const { items } = (await ask('GET')).body;
    await ask('DELETE', `/${items[0].id}`);
    expect((await ask('POST', '', { url: 'https://hooks.example.com' })).status).to.equal(201);
  });

  for (const [what, body] of [
    ['an address that is not public', { url: 'https://127.0.0.1/x' }],
    ['plain http', { url: 'http://hooks.example.com' }],
    ['an unknown kind', { eventTypes: ['RENEWALS'] }],
    ['no kind at all', { eventTypes: [] }],
    ['an app of nobody', { appId: 'app_unknown' }],
    ['a header with a line break', { authorizationHeader: 'Bearer x\r\nx-more: y' }],
    ['another format', { payloadFormat: 'kebab-case' }],
  ] as const)
    it(`refuse ${what}`, async () => {
      const { id } = await make();
      expect((await ask('POST', '', { url: 'https://hooks.example.com', ...body })).status).to.equal(400);
      expect((await ask('PATCH', `/${id}`, body)).status).to.equal(400);
    });

  it('refuse hours of grace without a rotation', async () => {
    const { id } = await make();
    expect((await ask('PATCH', `/${id}`, { rotateGraceHours: 2 })).status).to.equal(400);
  });

  it('end with their project', async () => {
    const { id } = await make();
    const ref = { projectId: slice.projectId, webhookId: id };
    await harness.call('DELETE', `/v1/projects/${slice.projectId}`, undefined, { token: slice.token });
    await harness.service().idle();
    const { deps, readModels } = harness.service().services;
    expect([await openSigningKeys(deps, ref), await readModels.get(webhooks, id)]).to.deep.equal([null, undefined]);
  });
});
