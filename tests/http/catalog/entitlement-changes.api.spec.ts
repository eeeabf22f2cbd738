// Changing and deleting an entitlement, and the effect on the customers who have it.
import { expect } from 'chai';
import { MONTHLY, notification } from '../support/harness.js';
import { expectRefusal, expectRefused, headOf } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';

describe('an entitlement', () => {
  const { harness, slice, as } = setUpServiceWithFreshProjects({}, tickingClock());
  let path: string;
  beforeEach(() => {
    path = `/v1/projects/${slice.projectId}/entitlements`;
  });

  const patch = (body: object, key = 'pro') => harness.call('PATCH', `${path}/${key}`, body, as);
  const get = (key = 'pro') => harness.call('GET', `${path}/${key}`, undefined, as);
  const remove = (key = 'pro') => harness.call('DELETE', `${path}/${key}`, undefined, as);
  const entitlementsOf = async (appUserId: string) =>
    (await harness.call('GET', `/v1/subscribers/${appUserId}`, undefined, as)).body.subscriber.entitlements;
  const grant = (appUserId: string) =>
    harness.call(
      'POST',
      `/v1/subscribers/${appUserId}/entitlements`,
      { entitlementId: 'pro', duration: 'lifetime' },
      as,
    );

  it('changes what is sent, by id or key, and is read so at once', async () => {
    const before = (await get()).body;
    const { status, body } = await patch({ displayName: 'Professional', description: 'All of it' });
    expect(status).to.equal(200);
    const changed = { displayName: 'Professional', description: 'All of it', updatedAt: body.updatedAt };
    expect(body).to.deep.equal({ ...before, ...changed });
    expect((await get(slice.entitlementId)).body).to.deep.equal(body);
    expect((await patch({ description: null }, slice.entitlementId)).body.description).to.equal(null);
  });

  it('that is so already stays as it is', async () => {
    const { body } = await patch({ displayName: 'Same' });
    const head = await headOf(harness);
    for (const again of [{ displayName: 'Same' }, {}]) expect((await patch(again)).body).to.deep.equal(body);
    expect(await headOf(harness)).to.equal(head);
  });

  for (const body of [{ displayName: '' }, { displayName: null }, { lookupKey: 'other' }, { description: '' }])
    it(`refuses ${JSON.stringify(body)}`, () => expectRefused(harness, () => patch(body), 400));

  it('that is deleted is gone once, and leaves its key to another', async () => {
    const { status, body } = await remove();
    const deleted = { object: 'entitlement', id: slice.entitlementId, deleted: true };
    expect([status, body]).to.deep.equal([200, deleted]);
    for (const key of ['pro', slice.entitlementId]) expectRefusal(await get(key), 404);
    expect((await harness.call('GET', path, undefined, as)).body.items).to.deep.equal([]);
    await expectRefused(harness, () => remove(), 404);
    await expectRefused(harness, () => patch({ displayName: 'x' }), 404);
    const product = `/v1/projects/${slice.projectId}/products/${slice.productId}`;
    expect((await harness.call('GET', product, undefined, as)).body.entitlementIds).to.deep.equal([]);
    const again = await harness.call('POST', path, { lookupKey: 'pro', displayName: 'Pro' }, as);
    expect(again.status).to.equal(201);
    expect(again.body.id).not.to.equal(slice.entitlementId);
  });

  it('that is deleted is removed from all customers, granted or bought, also when its key is used again', async () => {
    const now = Date.parse('2026-11-20T10:00:00.000Z');
    const transactionId = `9${slice.projectId}`;
    const transaction = { transactionId, productId: MONTHLY, purchaseDate: now, expiresDate: now + 1e9 };
    const bought = notification({ notificationType: 'SUBSCRIBED', signedDate: now, transaction });
    await harness.call('POST', slice.notificationPath, bought);
    await harness.service().idle();
    await grant('ann');
    const customers = async () =>
      (await harness.call('GET', `/v1/projects/${slice.projectId}/customers`, undefined, as)).body.items.map(
        (c: { activeEntitlements: string[] }) => c.activeEntitlements,
      );
    expect((await entitlementsOf('ann')).pro.isActive).to.equal(true);
    expect(await customers()).to.deep.equal([['pro'], ['pro']]);
    await remove();
    expect(await entitlementsOf('ann')).to.deep.equal({});
    expect(await customers()).to.deep.equal([[], []]);
    expectRefusal(await grant('bob'), 404);
    await harness.call('POST', path, { lookupKey: 'pro', displayName: 'Pro' }, as);
    expect(await entitlementsOf('ann')).to.deep.equal({});
    await harness.restart();
    expect(await entitlementsOf('ann')).to.deep.equal({});
  });
});
