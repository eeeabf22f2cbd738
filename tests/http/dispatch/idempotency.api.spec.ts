import { expect } from 'chai';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';
import { newMember } from '../support/team.js';

describe('Idempotency-Key', () => {
  const { harness, slice } = setUpService();

  const post = (path: string, body: object | undefined, key: string, as: object = { token: slice.token }) =>
    harness.call('POST', path, body, { ...as, headers: { 'idempotency-key': key } });
  const names = async () => {
    const { body } = await harness.call('GET', '/v1/projects?limit=100', undefined, { token: slice.token });
    return body.items.map((p: { name: string }) => p.name) as string[];
  };

  it('makes one project of many requests, and marks repeated answers', async () => {
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => post('/v1/projects', { name: 'Once' }, 'a')));
    const [first] = responses;
    for (const response of responses) expect(response).to.deep.include({ status: 201, body: first?.body });
    expect(responses.map((a) => a.headers.get('idempotent-replayed')).sort()).to.deep.equal(
      [null, ...Array(4).fill('true')].sort(),
    );
    expect(new Set(responses.map((a) => a.headers.get('x-position'))).size).to.equal(1);
    expect((await names()).filter((n) => n === 'Once')).to.have.length(1);
  });

  it('outlives a restart', async () => {
    const first = await post('/v1/projects', { name: 'Kept' }, 'b');
    await harness.restart();
    expect((await post('/v1/projects', { name: 'Kept' }, 'b')).body).to.deep.equal(first.body);
    expect((await names()).filter((n) => n === 'Kept')).to.have.length(1);
  });

  it('returns a new API key again after a lost response', async () => {
    const path = `/v1/projects/${slice.projectId}/api-keys`;
    const first = await post(path, { name: 'lost' }, 'c');
    const again = await post(path, { name: 'lost' }, 'c');
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers.get('cache-control')).to.equal('no-store');
    const as = { key: again.body.key };
    expect((await harness.call('GET', '/v1/projects', undefined, as)).status).to.equal(200);
  });

  it('refuses another body, and another path, under the same key with 409', async () => {
    expectRefusal(await post('/v1/projects', { name: 'Other' }, 'a'), 409);
    const fields = { lookupKey: 'a', displayName: 'A' };
    expectRefusal(await post(`/v1/projects/${slice.projectId}/entitlements`, fields, 'c'), 409);
  });

  it('belongs to its caller', async () => {
    const path = '/v1/subscribers/ann/entitlements';
    const grant = { entitlementId: 'pro', duration: 'weekly' };
    const own = await post(path, grant, 'd', { key: slice.secretKey });
    expect((await post(path, grant, 'd', { key: slice.secretKey })).body.grant.id).to.equal(own.body.grant.id);
    const asUser = { token: slice.token, headers: { 'x-project-id': slice.projectId, 'idempotency-key': 'd' } };
    const other = await harness.call('POST', path, grant, asUser);
    expect(other.body.grant.id).not.to.equal(own.body.grant.id);
  });

  it('gives no response that was kept for a higher role to who has a lower one by now: 409', async () => {
    await harness.call('POST', '/v1/subscribers/ann', {}, { key: slice.secretKey });
    const ann = await newMember(harness.call, slice.projectId, slice.token, 'admin');
    const path = `/v1/projects/${slice.projectId}/customers/ann/refresh`;
    const refresh = () => post(path, undefined, 'role', { token: ann.token });
    expect((await refresh()).status).to.equal(200);
    expect((await refresh()).headers.get('idempotent-replayed')).to.equal('true');
    const member = `/v1/projects/${slice.projectId}/members/${ann.userId}`;
    await harness.call('PATCH', member, { role: 'support' }, { token: slice.token });
    expectRefusal(await refresh(), 409);
  });

  it('may be used again for the same request after a refusal', async () => {
    const path = `/v1/projects/${slice.projectId}/entitlements/late/products`;
    const body = { productIds: [slice.productId] };
    expectRefusal(await post(path, body, 'e'), 404);
    await post(`/v1/projects/${slice.projectId}/entitlements`, { lookupKey: 'late', displayName: 'Late' }, 'f');
    expect((await post(path, body, 'e')).status).to.equal(200);
  });

  it('does not show a key or a webhook that was deleted since', async () => {
    const base = `/v1/projects/${slice.projectId}`;
    const made: readonly (readonly [path: string, body: object])[] = [
      [`${base}/api-keys`, { name: 'gone' }],
      [`${base}/webhooks`, { url: 'https://hooks.example.com/gone' }],
    ];
    for (const [path, body] of made) {
      const first = await post(path, body, `gone ${path}`);
      expect(first.status).to.equal(201);
      expect((await post(path, body, `gone ${path}`)).body).to.deep.equal(first.body);
      await harness.call('DELETE', `${path}/${first.body.id}`, undefined, { token: slice.token });
      const again = await post(path, body, `gone ${path}`);
      expectRefusal(again, 409);
      expect(JSON.stringify(again.body)).not.to.include(first.body.key ?? first.body.secret);
    }
  });

  it('does not show a secret that was rotated, or an address that was replaced since', async () => {
    const base = `/v1/projects/${slice.projectId}`;
    const as = { token: slice.token };
    const hook = { url: 'https://hooks.example.com/rotated' };
    const first = await post(`${base}/webhooks`, hook, 'rotated');
    expect((await post(`${base}/webhooks`, hook, 'rotated')).body).to.deep.equal(first.body);
    await harness.call('PATCH', `${base}/webhooks/${first.body.id}`, { rotateSecret: true }, as);
    const again = await post(`${base}/webhooks`, hook, 'rotated');
    expectRefusal(again, 409);
    expect(JSON.stringify(again.body)).not.to.include(first.body.secret);
    const app = { name: 'Other', platform: 'ios', bundleId: 'com.example.other' };
    const registered = await post(`${base}/apps`, app, 'ended');
    expect((await post(`${base}/apps`, app, 'ended')).body).to.deep.equal(registered.body);
    await harness.call('DELETE', `${base}/apps/${registered.body.id}`, undefined, as);
    const repeated = await post(`${base}/apps`, app, 'ended');
    expectRefusal(repeated, 409);
    expect(JSON.stringify(repeated.body)).not.to.include(new URL(registered.body.notificationUrl).pathname);
  });

  describe('of a registration', () => {
    const ann = { email: 'once@example.com', password: 'correct horse battery', name: 'Ann' };
    const register = (body: object, key = 'g') => post('/auth/register', body, key, {});

    it('makes one user of many requests, who all get the same tokens', async () => {
      const [first, ...others] = await Promise.all([1, 2, 3].map(() => register(ann)));
      expect(first?.status).to.equal(201);
      for (const response of others) expect(response).to.deep.include({ status: 201, body: first?.body });
      const me = await harness.call('GET', '/auth/me', undefined, { token: first?.body.accessToken });
      expect(me.body.id).to.equal(first?.body.user.id);
    });

    it('refuses another password under the same key, and the same email under another one', async () => {
      expectRefusal(await register({ ...ann, password: 'another horse battery' }), 409);
      expectRefusal(await register(ann, 'h'), 409);
    });

    it('is its email’s: others may use the same key', async () =>
      expect((await register({ ...ann, email: 'other@example.com' })).status).to.equal(201));
  });

  it('is refused when it is too long', async () =>
    expectRefusal(await post('/v1/projects', { name: 'X' }, 'x'.repeat(256)), 400));
});
