// Listing products by type, archiving and deleting them.
import { expect } from 'chai';
import { MONTHLY, notification, setUpProject } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { expectRefusal, expectRefused } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';

describe('products', () => {
  const { harness, slice, as } = setUpServiceWithFreshProjects({}, tickingClock());
  let path: string;
  beforeEach(() => {
    path = `/v1/projects/${slice.projectId}/products`;
  });

  const fields = (more: object = {}) => ({
    ...{ appId: slice.appId, storeProductId: 'a.b', displayName: 'A', type: 'subscription' },
    ...more,
  });
  const create = async (more: object = {}) => (await harness.call('POST', path, fields(more), as)).body.id;
  const get = (id: string) => harness.call('GET', `${path}/${id}`, undefined, as);
  const remove = (id: string, query = '') => harness.call('DELETE', `${path}/${id}${query}`, undefined, as);
  const at = (rest: string) => `/v1/projects/${slice.projectId}/${rest}`;

  it('are listed by app, by type and by both, page by page', async () => {
    const android = { name: 'A', platform: 'android', packageName: 'com.example.a' };
    const appId = (await harness.call('POST', at('apps'), android, as)).body.id;
    const own = [await create({ appId, storeProductId: 'a' }), await create({ appId, storeProductId: 'b' })];
    const coins = await create({ appId, storeProductId: 'c', type: 'consumable' });
    const gems = await create({ storeProductId: 'd', type: 'consumable' });
    const listed = (query: string) => walk(harness, `${path}?limit=1&${query}`, as);
    expect(await listed('')).to.deep.equal([gems, coins, own[1], own[0], slice.productId]);
    expect(await listed(`appId=${appId}`)).to.deep.equal([coins, own[1], own[0]]);
    expect(await listed('type=consumable')).to.deep.equal([gems, coins]);
    expect(await listed(`type=subscription&appId=${appId}`)).to.deep.equal([own[1], own[0]]);
    expect(await listed('type=non_consumable')).to.deep.equal([]);
    const other = await setUpProject(harness);
    for (const strange of [other.appId, 'nope'])
      expectRefusal(await harness.call('GET', `${path}?appId=${strange}`, undefined, as), 400);
    expectRefusal(await harness.call('GET', `${path}?type=gift`, undefined, as), 400);
  });

  it('are deleted once, and leave their store’s name to another', async () => {
    const id = await create();
    const { status, body } = await remove(id);
    expect([status, body]).to.deep.equal([200, { object: 'product', id, deleted: true }]);
    expectRefusal(await get(id), 404);
    expect(await walk(harness, path, as)).to.deep.equal([slice.productId]);
    await expectRefused(harness, () => remove(id), 404);
    const again = await create();
    expect((await get(again)).body).to.include({ id: again, storeProductId: 'a.b' });
  });

  it('that unlock something are deleted by force only', async () => {
    await expectRefused(harness, () => remove(slice.productId), 409);
    await expectRefused(harness, () => remove(slice.productId, '?force=false'), 409);
    await expectRefused(harness, () => remove(slice.productId, '?force=1'), 400);
    expect((await remove(slice.productId, '?force=true')).status).to.equal(200);
    const pro = await harness.call('GET', at('entitlements/pro'), undefined, as);
    expect(pro.body.products).to.deep.equal([]);
  });

  it('that are in a package are deleted by force only', async () => {
    const id = await create();
    await harness.call('POST', at('offerings'), { lookupKey: 'default', displayName: 'Default' }, as);
    const monthly = { lookupKey: '$monthly', displayName: 'Monthly' };
    await harness.call('POST', at('offerings/default/packages'), monthly, as);
    await harness.call('POST', at('offerings/default/packages/$monthly/products'), { productId: id }, as);
    await expectRefused(harness, () => remove(id), 409);
    expect((await remove(id, '?force=true')).status).to.equal(200);
    const packages = await harness.call('GET', at('offerings/default/packages'), undefined, as);
    expect(packages.body.items[0].products).to.deep.equal([]);
  });

  it('that are deleted and sold again unlock all the while what they did for those who had bought them', async () => {
    const now = Date.parse('2026-11-20T10:00:00.000Z');
    const transactionId = `9${slice.projectId}`;
    const transaction = { transactionId, productId: MONTHLY, purchaseDate: now, expiresDate: now + 1e9 };
    const bought = notification({ notificationType: 'SUBSCRIBED', signedDate: now, transaction });
    await harness.call('POST', slice.notificationPath, bought);
    await harness.service().idle();
    const active = async () =>
      (await harness.call('GET', at('customers'), undefined, as)).body.items[0].activeEntitlements;
    expect(await active()).to.deep.equal(['pro']);
    await remove(slice.productId, '?force=true');
    expect(await active()).to.deep.equal(['pro']);
    const id = await create({ storeProductId: MONTHLY });
    expect(await active()).to.deep.equal(['pro']);
    await harness.call('POST', at('entitlements/pro/products'), { productId: id }, as);
    expect(await active()).to.deep.equal(['pro']);
  });
});
