// Changing and deleting a project with everything in it.
import { expect } from 'chai';
import { MONTHLY, notification } from '../support/harness.js';
import { expectRefusal, headOf } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';

describe('a project', () => {
  const { harness, slice, asMember: as } = setUpServiceWithFreshProjects({}, tickingClock());
  let path: string;
  beforeEach(() => {
    path = `/v1/projects/${slice.projectId}`;
  });

  const patch = (body: object) => harness.call('PATCH', path, body, as);
  const eventsOf = async () => {
    const types: unknown[] = [];
    for await (const event of harness.service().services.deps.log.read(`project-${slice.projectId}` as never))
      types.push([event.type, event.data]);
    return types;
  };

  it('changes what is sent, and is read so at once', async () => {
    const before = (await harness.call('GET', path, undefined, as)).body;
    const { status, body } = await patch({ name: 'Renamed', transferBehavior: 'keep', timezone: 'UTC' });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ...before, name: 'Renamed', transferBehavior: 'keep', updatedAt: body.updatedAt });
    expect(body.updatedAt > before.updatedAt).to.equal(true);
    expect((await harness.call('GET', path, undefined, as)).body).to.deep.equal(body);
    const listed = await harness.call('GET', '/v1/projects', undefined, as);
    expect(listed.body.items).to.deep.equal([body]);
    const changes = { name: { from: 'Example', to: 'Renamed' }, transferBehavior: { from: 'transfer', to: 'keep' } };
    expect((await eventsOf()).at(-1)).to.deep.equal(['ProjectUpdated', { changes }]);
  });

  it('shows times in another zone, and every instant of the API stays in UTC', async () => {
    const { body } = await patch({ timezone: 'Asia/Kathmandu' });
    expect(body).to.include({ timezone: 'Asia/Kathmandu' });
    expect(body.updatedAt).to.match(/Z$/);
    expect((await harness.call('GET', path, undefined, as)).body).to.deep.equal(body);
    const changes = { timezone: { from: 'UTC', to: 'Asia/Kathmandu' } };
    expect((await eventsOf()).at(-1)).to.deep.equal(['ProjectUpdated', { changes }]);
    expect((await patch({ timezone: 'UTC' })).body).to.include({ timezone: 'UTC' });
  });

  it('that is so already stays as it is', async () => {
    const { body } = await patch({ name: 'Same' });
    const head = await headOf(harness);
    for (const again of [{ name: 'Same' }, {}]) expect((await patch(again)).body).to.deep.equal(body);
    expect(await headOf(harness)).to.equal(head);
  });

  it('may be changed by its secret key', async () =>
    expect((await harness.call('PATCH', path, { name: 'By key' }, { key: slice.secretKey })).body.name).to.equal(
      'By key',
    ));

  for (const body of [{ name: '' }, { name: null }, { displayCurrency: 'EURO' }, { timezone: 'CET' }, { nam: 'x' }]) {
    it(`refuses ${JSON.stringify(body)}`, async () => expectRefusal(await patch(body), 400));
  }

  it('applies whether sandbox purchases count to the next question', async () => {
    const now = Date.parse('2026-11-20T10:00:00.000Z');
    const transaction = {
      ...{ transactionId: `9${slice.projectId}`, productId: MONTHLY, purchaseDate: now, expiresDate: now + 1e9 },
      environment: 'Sandbox' as const,
    };
    const bought = { notificationType: 'SUBSCRIBED', signedDate: now, transaction, environment: 'Sandbox' as const };
    await harness.call('POST', slice.notificationPath, notification(bought));
    await harness.service().idle();
    const list = async () => (await harness.call('GET', `${path}/customers`, undefined, as)).body.items;
    expect((await list())[0].activeEntitlements).to.deep.equal(['pro']);
    await patch({ sandboxAccess: 'nobody' });
    expect((await list())[0].activeEntitlements).to.deep.equal([]);
  });

  it('that is deleted is gone at once with all below it', async () => {
    const secret = { key: slice.secretKey };
    expect((await harness.call('GET', '/v1/subscribers/ann', undefined, secret)).status).to.equal(200);
    const { status, body } = await harness.call('DELETE', path, undefined, as);
    expect([status, body]).to.deep.equal([200, { object: 'project', id: slice.projectId, deleted: true }]);
    for (const below of ['', '/setup-status', '/apps', `/apps/${slice.appId}`, '/products', '/api-keys', '/customers'])
      expectRefusal(await harness.call('GET', path + below, undefined, as), 404, below);
    expectRefusal(await patch({ name: 'x' }), 404);
    expectRefusal(await harness.call('DELETE', path, undefined, as), 404);
    const onSdk = { ...as, headers: { 'x-project-id': slice.projectId } };
    expectRefusal(await harness.call('GET', '/v1/subscribers/ann', undefined, onSdk), 404);
    expect((await harness.call('GET', '/v1/projects', undefined, as)).body.items).to.deep.equal([]);
    const me = (await harness.call('GET', '/auth/me', undefined, as)).body;
    expect(me.projects).to.deep.equal([]);
  });

  it('that is deleted takes its keys and store tokens with it', async () => {
    await harness.call('DELETE', path, undefined, as);
    for (const key of [slice.secretKey, slice.publicKey])
      expectRefusal(await harness.call('GET', '/v1/subscribers/ann', undefined, { key }), 401);
    const test = notification({ notificationType: 'TEST', signedDate: Date.now() });
    expectRefusal(await harness.call('POST', slice.notificationPath, test), 401);
    expect((await eventsOf()).slice(-3).map((e) => (e as [string])[0])).to.deep.equal([
      'ApiKeyDeleted',
      'ApiKeyDeleted',
      'ProjectDeleted',
    ]);
  });

  it('that is deleted stays so after a restart', async () => {
    await harness.call('DELETE', path, undefined, as);
    await harness.restart();
    expectRefusal(await harness.call('GET', path, undefined, as), 404);
    expectRefusal(await harness.call('GET', '/v1/subscribers/ann', undefined, { key: slice.secretKey }), 401);
  });
});
