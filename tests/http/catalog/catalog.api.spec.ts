// Products, entitlements, and which unlocks which.
import { expect } from 'chai';
import { MONTHLY } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { expectRefusal, expectRefused, headOf } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const PRODUCT = [
  ...['object', 'id', 'appId', 'store', 'storeProductId', 'displayName', 'type', 'duration', 'trialDuration'],
  ...['gracePeriodDuration', 'prices', 'entitlementIds', 'createdAt', 'updatedAt'],
];
const ENTITLEMENT = [
  ...['object', 'id', 'lookupKey', 'displayName', 'description', 'createdAt', 'updatedAt', 'products'],
];

describe('the catalogue', () => {
  const { harness, slice, as } = setUpService({}, tickingClock());
  let base: string;
  let drawn = 0;
  before(() => {
    base = `/v1/projects/${slice.projectId}`;
  });

  const get = (path: string) => harness.call('GET', `${base}${path}`, undefined, as);
  const post = (path: string, body: object) => harness.call('POST', `${base}${path}`, body, as);
  const detach = (path: string, body?: object) => harness.call('DELETE', `${base}${path}`, body, as);
  const product = (fields: object = {}) => ({
    appId: slice.appId,
    storeProductId: `com.example.p${drawn++}`,
    displayName: 'P',
    type: 'subscription',
    ...fields,
  });
  const entitlement = (fields: object = {}) => ({ lookupKey: `e${drawn++}`, displayName: 'E', ...fields });

  it('takes no key that URL parsers remove, so that no request with it reaches another endpoint', async () => {
    const offering = (await post('/offerings', { lookupKey: 'dots', displayName: 'O' })).body.id;
    for (const name of ['.', '..']) {
      expectRefusal(await post('/entitlements', entitlement({ lookupKey: name })), 400);
      expectRefusal(await post('/offerings', { lookupKey: name, displayName: 'O' }), 400);
      expectRefusal(await post(`/offerings/${offering}/packages`, { lookupKey: name, displayName: 'P' }), 400);
      expectRefusal(await post('/products', product({ storeProductId: name })), 400);
    }
  });

  describe('has products that', () => {
    it('are made with the fields of the interface alone and read as they were answered', async () => {
      const { status, body } = await post('/products', product({ storeProductId: 'com.example.plain' }));
      expect(status).to.equal(201);
      expect(body).to.have.all.keys(PRODUCT);
      expect(body).to.deep.include({ object: 'product', appId: slice.appId, store: 'ios-store', prices: [] });
      expect(body).to.deep.include({ storeProductId: 'com.example.plain', duration: null, entitlementIds: [] });
      expect((await get(`/products/${body.id}`)).body).to.deep.equal(body);
    });

    for (const type of ['subscription', 'consumable', 'non_consumable', 'non_renewing_subscription']) {
      it(`may be of the type ${type}`, async () =>
        expect((await post('/products', product({ type }))).body.type).to.equal(type));
    }

    it('have durations', async () => {
      const durations = { duration: 'P1Y', trialDuration: 'P1W', gracePeriodDuration: 'P16D' };
      expect((await post('/products', product(durations))).body).to.include(durations);
    });

    it('keep their store name for themselves within their app', async () => {
      expectRefusal(await post('/products', product({ storeProductId: MONTHLY })), 409);
      const app = await post('/apps', { name: 'B', platform: 'android', packageName: 'com.example.b' });
      const other = await post('/products', product({ storeProductId: MONTHLY, appId: app.body.id }));
      expect([other.status, other.body.store]).to.deep.equal([201, 'android-store']);
    });

    for (const [what, fields] of [
      ['a blank in their store name', { storeProductId: 'a b' }],
      ['a store name of 256 characters', { storeProductId: 'x'.repeat(256) }],
      ['a duration of nothing', { duration: 'P' }],
      ['a duration of hours', { duration: 'PT1H' }],
      ['no name', { displayName: '' }],
    ] as const) {
      it(`are refused with ${what}`, async () => expectRefusal(await post('/products', product(fields)), 400));
    }

    it('are not found by an unknown ID', async () => expectRefusal(await get(`/products/prod_${'0'.repeat(26)}`), 404));

    it('are listed once each, newest first, while others are made', async () => {
      const all = await walk(harness, `${base}/products?limit=100`, as);
      expect(all).to.deep.equal([...all].sort().reverse());
      const paged = await walk(harness, `${base}/products?limit=3`, as, () => post('/products', product()));
      expect(paged).to.deep.equal(all);
    });
  });

  describe('has entitlements that', () => {
    it('are made and read by id and by lookup key', async () => {
      const { status, body } = await post(
        '/entitlements',
        entitlement({ lookupKey: 'gold', description: 'All of it' }),
      );
      expect(status).to.equal(201);
      expect(body).to.have.all.keys(ENTITLEMENT);
      expect(body).to.deep.include({
        object: 'entitlement',
        lookupKey: 'gold',
        description: 'All of it',
        products: [],
      });
      expect((await get(`/entitlements/${body.id}`)).body).to.deep.equal(body);
      expect((await get('/entitlements/gold')).body).to.deep.equal(body);
    });

    it('keep their lookup key for themselves within the project', async () =>
      expectRefusal(await post('/entitlements', entitlement({ lookupKey: 'pro' })), 409));

    for (const lookupKey of ['constructor', 'toString']) {
      it(`may be called ${lookupKey}`, async () => {
        await post('/entitlements', { lookupKey, displayName: 'Odd' });
        expect((await get(`/entitlements/${lookupKey}`)).body).to.include({ lookupKey });
        const grant = { entitlementId: lookupKey, duration: 'daily' };
        const { body } = await harness.call('POST', '/v1/subscribers/odd/entitlements', grant, as);
        expect(Object.keys(body.subscriber.entitlements)).to.include(lookupKey);
      });
    }

    it('are refused with a blank in their lookup key', async () =>
      expectRefusal(await post('/entitlements', entitlement({ lookupKey: 'a b' })), 400));

    it('are listed once each, newest first, while others are made', async () => {
      const all = await walk(harness, `${base}/entitlements?limit=100`, as);
      expect(all).to.deep.equal([...all].sort().reverse());
      const paged = await walk(harness, `${base}/entitlements?limit=1`, as, () => post('/entitlements', entitlement()));
      expect(paged).to.deep.equal(all);
    });
  });

  describe('attaches products', () => {
    const make = async () => {
      const made = [await post('/products', product()), await post('/products', product())];
      const [one, two] = made.map((response) => response.body.id as string);
      const { body } = await post('/entitlements', entitlement());
      return {
        one: one ?? '',
        two: two ?? '',
        path: `/entitlements/${body.lookupKey}/products`,
        id: body.id as string,
      };
    };
    const ids = (products: readonly { id: string }[]) => products.map((p) => p.id);

    it('many or one at a time, and shows both sides', async () => {
      const { one, two, path, id } = await make();
      const { status, body } = await post(path, { productIds: [one, two] });
      expect(status).to.equal(200);
      expect(body).to.have.all.keys(ENTITLEMENT);
      expect(ids(body.products)).to.have.members([one, two]);
      expect((await get(`/products/${one}`)).body.entitlementIds).to.deep.equal([id]);
      expect(await walk(harness, `${base}${path}`, as)).to.have.members([one, two]);
    });

    it('once for repeated requests', async () => {
      const { one, path } = await make();
      await post(path, { productId: one });
      const before = await headOf(harness);
      const { body } = await post(path, { productIds: [one, one] });
      expect(ids(body.products)).to.deep.equal([one]);
      expect(await headOf(harness)).to.equal(before);
    });

    it('all or none', async () => {
      const { one, path } = await make();
      await expectRefused(harness, () => post(path, { productIds: [one, 'prod_x'] }), 400);
    });

    it('and detaches them by body or query', async () => {
      const { one, two, path } = await make();
      await post(path, { productIds: [one, two] });
      expect(ids((await detach(path, { productId: one })).body.products)).to.deep.equal([two]);
      expect((await detach(`${path}?productIds=${two}`)).body.products).to.deep.equal([]);
      expect((await get(`/products/${one}`)).body.entitlementIds).to.deep.equal([]);
    });

    it('and refuses to detach what is not attached', async () => {
      const { one, path } = await make();
      await expectRefused(harness, () => detach(path, { productId: one }), 404);
    });

    for (const [what, body] of [
      ['no product', { productIds: [] }],
      ['both ways of naming them', { productIds: ['a'], productId: 'a' }],
      ['101 products', { productIds: Array.from({ length: 101 }, (_, i) => `prod_${i}`) }],
    ] as const) {
      it(`but refuses ${what}`, () => expectRefused(harness, () => post('/entitlements/pro/products', body), 400));
    }

    it('never to an unknown entitlement', () =>
      expectRefused(harness, () => post('/entitlements/nothing/products', { productId: slice.productId }), 404));
  });
});
