// Offerings and their packages, as a dashboard keeps them.
import { expect } from 'chai';
import { setUpProject, type Slice } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { expectRefusal, expectRefused } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const OFFERING = [
  ...['object', 'id', 'lookupKey', 'displayName', 'metadata', 'isCurrent', 'archived', 'createdAt', 'updatedAt'],
];
const PACKAGE = [
  ...['object', 'id', 'offeringId', 'lookupKey', 'packageType', 'displayName', 'position', 'products'],
  ...['createdAt', 'updatedAt'],
];
type OfferingView = { readonly id: string; readonly lookupKey: string; readonly isCurrent: boolean };

describe('offerings', () => {
  const { harness, slice, as } = setUpService({}, tickingClock());
  let other: Slice;
  let base: string;
  let drawn = 0;
  before(async () => {
    other = await setUpProject(harness);
    base = `/v1/projects/${slice.projectId}`;
  });

  const get = (path: string) => harness.call('GET', `${base}${path}`, undefined, as);
  const post = (path: string, body: object) => harness.call('POST', `${base}${path}`, body, as);
  const patch = (path: string, body: object) => harness.call('PATCH', `${base}${path}`, body, as);
  const remove = (path: string, body?: object) => harness.call('DELETE', `${base}${path}`, body, as);
  const fields = (more: object = {}) => ({ lookupKey: `o${drawn++}`, displayName: 'O', ...more });
  const make = async (more: object = {}) => (await post('/offerings', fields(more))).body;
  const all = async (): Promise<readonly OfferingView[]> => (await get('/offerings?limit=100')).body.items;
  const currentKeys = async () => (await all()).filter((o) => o.isCurrent).map((o) => o.lookupKey);

  it('begin with a current one, whatever is requested', async () => {
    const { status, body } = await post('/offerings', { lookupKey: 'first', displayName: 'First', isCurrent: false });
    expect(status).to.equal(201);
    expect(body).to.have.all.keys(OFFERING);
    expect(body).to.deep.include({ object: 'offering', isCurrent: true, archived: false, metadata: {} });
    expect(body.id).to.match(/^ofr_[0-9a-z]{26}$/);
    expect(await all()).to.deep.equal([body]);
  });

  it('have one that is current at a time', async () => {
    await make({ lookupKey: 'second' });
    expect(await currentKeys()).to.deep.equal(['first']);
    await make({ lookupKey: 'third', isCurrent: true });
    expect(await currentKeys()).to.deep.equal(['third']);
    const response = await patch('/offerings/second', { isCurrent: true });
    expect([response.status, response.body.isCurrent]).to.deep.equal([200, true]);
    expect(await currentKeys()).to.deep.equal(['second']);
    await expectRefused(harness, () => patch('/offerings/second', { isCurrent: false }), 409);
    await expectRefused(harness, () => patch('/offerings/second', { archived: true }), 409);
  });

  it('change by id and by key, and show it at once', async () => {
    const { id, createdAt } = await make({ lookupKey: 'spring', metadata: { a: 1 } });
    const { status, body } = await patch(`/offerings/${id}`, { displayName: 'Spring', metadata: { b: [{ c: null }] } });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id, displayName: 'Spring', metadata: { b: [{ c: null }] }, createdAt });
    expect(body.updatedAt > createdAt).to.equal(true);
    expect((await patch('/offerings/spring', { metadata: null })).body.metadata).to.deep.equal({});
    const same = await patch('/offerings/spring', {});
    expect([same.status, same.body.displayName]).to.deep.equal([200, 'Spring']);
  });

  it('may be archived and taken back', async () => {
    await make({ lookupKey: 'old' });
    expect((await patch('/offerings/old', { archived: true })).body.archived).to.equal(true);
    await expectRefused(harness, () => patch('/offerings/old', { isCurrent: true }), 409);
    expect((await patch('/offerings/old', { archived: false })).body.archived).to.equal(false);
  });

  it('keep their key for themselves, within the project', async () => {
    await make({ lookupKey: 'taken' });
    await expectRefused(harness, () => post('/offerings', fields({ lookupKey: 'taken' })), 409);
    const elsewhere = await harness.call(
      'POST',
      `/v1/projects/${other.projectId}/offerings`,
      fields({ lookupKey: 'taken' }),
      { key: other.secretKey },
    );
    expect(elsewhere.status).to.equal(201);
  });

  const nested = (levels: number) => Array.from({ length: levels }).reduce<object>((inner) => ({ inner }), {});
  const refused: readonly [string, object][] = [
    ['a key with a blank', { lookupKey: 'a b' }],
    ['a key that begins with $', { lookupKey: '$monthly' }],
    ['no name', { displayName: '' }],
    ['metadata that is a list', { metadata: [] }],
    ['metadata that is a text', { metadata: 'x' }],
    ['metadata above 10 KiB', { metadata: { a: 'x'.repeat(10 * 1024) } }],
    ['metadata above 10 KiB in bytes', { metadata: { a: 'ü'.repeat(6 * 1024) } }],
    ['metadata of 11 levels', { metadata: nested(10) }],
    ['metadata of 2,001 values', { metadata: { a: Array.from({ length: 2000 }, () => 1) } }],
    ['a field that is none', { colour: 'red' }],
  ];
  for (const [what, more] of refused) {
    it(`are refused with ${what}`, () => expectRefused(harness, () => post('/offerings', fields(more)), 400));
  }

  it('take metadata up to the limits as it is', async () => {
    for (const metadata of [nested(9), { a: Array.from({ length: 1999 }, () => 1) }]) {
      expect((await make({ metadata })).metadata).to.deep.equal(metadata);
    }
    const text = `{"lookupKey":"proto","displayName":"P","metadata":{"__proto__":{"a":1},"b":"\\ud800\\u0000"}}`;
    const { status, body } = await harness.call('POST', `${base}/offerings`, text, as);
    expect([status, JSON.stringify(body.metadata)]).to.deep.equal([201, '{"__proto__":{"a":1},"b":"\\ud800\\u0000"}']);
  });

  it('cannot change their key', () => expectRefused(harness, () => patch('/offerings/first', { lookupKey: 'x' }), 400));

  it('are listed newest first, page by page', async () => {
    const ids = (await all()).map((o) => o.id);
    expect(ids).to.deep.equal([...ids].sort().reverse());
    expect(await walk(harness, `${base}/offerings?limit=3`, as, () => make())).to.deep.equal(ids);
    expectRefusal(await get('/offerings?startingAfter=x'), 400);
    expectRefusal(await get('/offerings?expand=products'), 400);
  });

  it('contain their packages on request, on every page', async () => {
    const { id } = await make();
    const packed = (await post(`/offerings/${id}/packages`, { lookupKey: '$annual', displayName: 'A' })).body;
    const { body } = await get('/offerings?expand=packages&limit=1');
    expect(body.items[0].packages).to.deep.equal([packed]);
    expect(body.nextPage).to.include('expand=packages');
    expect((await get('/offerings')).body.items[0]).not.to.have.property('packages');
  });

  describe('have packages that', () => {
    let oid: string;
    let path: string;
    beforeEach(async () => {
      oid = (await make()).id;
      path = `/offerings/${oid}/packages`;
    });
    const pack = async (lookupKey: string, more: object = {}) =>
      (await post(path, { lookupKey, displayName: 'P', ...more })).body;
    const product = async (more: object = {}) => {
      const given = { appId: slice.appId, storeProductId: `p.${drawn++}`, displayName: 'P', type: 'subscription' };
      return (await post('/products', { ...given, ...more })).body;
    };

    it('show their type and position', async () => {
      const { status, body } = await post(path, { lookupKey: '$three_month', displayName: 'Quarter' });
      expect(status).to.equal(201);
      expect(body).to.have.all.keys(PACKAGE);
      expect(body).to.deep.include({ object: 'package', offeringId: oid, packageType: 'three_month', position: 1 });
      expect(body.products).to.deep.equal([]);
      expect(await pack('plain')).to.include({ packageType: 'custom', position: 2 });
    });

    it('are listed by position, then by creation, page by page', async () => {
      const made: string[] = [];
      for (const position of [7, 2, 7, 0]) made.push((await pack(`k${position}${drawn++}`, { position })).id);
      made.push((await pack('last')).id);
      const order = [3, 1, 0, 2, 4].map((i) => made[i]);
      expect(await walk(harness, `${base}${path}?limit=2`, as)).to.deep.equal(order);
      expectRefusal(await get(`${path}?startingAfter=pkg_x`), 400);
    });

    it('have a key of their own', async () => {
      await pack('$monthly');
      await expectRefused(harness, () => post(path, { lookupKey: '$monthly', displayName: 'P' }), 409);
      await expectRefused(harness, () => post(path, { lookupKey: '$daily', displayName: 'P' }), 400);
      await expectRefused(harness, () => post(path, { lookupKey: 'x', displayName: 'P', position: -1 }), 400);
      await expectRefused(harness, () => post('/offerings/nope/packages', { lookupKey: 'x', displayName: 'P' }), 404);
    });

    it('take one product of each app, by key and by id', async () => {
      const { id } = await pack('$monthly');
      const app = await post('/apps', { name: 'B', platform: 'android', packageName: `com.b${drawn++}` });
      const [ios, android] = [await product(), await product({ appId: app.body.id })];
      const { status, body } = await post(`${path}/$monthly/products`, { productIds: [ios.id, android.id] });
      expect(status).to.equal(200);
      expect(body).to.deep.include({ object: 'package', id });
      const shown = [ios, android].map((p) => ({ id: p.id, appId: p.appId, storeProductId: p.storeProductId }));
      expect(body.products).to.deep.equal(shown);
      expect((await post(`${path}/${id}/products`, { productId: ios.id })).body.products).to.deep.equal(shown);
      const { id: second } = await product();
      await expectRefused(harness, () => post(`${path}/${id}/products`, { productIds: [second] }), 409);
    });

    it('let go of products, named in the body or the query', async () => {
      const { id } = await pack('$monthly');
      const [a, b] = [await product(), await product()];
      await post(`${path}/${id}/products`, { productId: a.id });
      const response = await remove(`${path}/$monthly/products?productIds=${a.id}`);
      expect([response.status, response.body.products]).to.deep.equal([200, []]);
      await post(`${path}/${id}/products`, { productId: b.id });
      expect((await remove(`${path}/${id}/products`, { productIds: [b.id] })).body.products).to.deep.equal([]);
      await expectRefused(harness, () => remove(`${path}/${id}/products`, { productIds: [b.id] }), 404);
      await expectRefused(harness, () => remove(`${path}/${id}/products`), 400);
      await expectRefused(harness, () => remove(`${path}/${id}/products?productIds=,`), 400);
    });

    it('take no products of others', async () => {
      const { id } = await pack('$monthly');
      const body = { productIds: [slice.productId, other.productId] };
      await expectRefused(harness, () => post(`${path}/${id}/products`, body), 400);
    });

    it('are deleted, and not found again', async () => {
      const { id } = await pack('$weekly');
      const response = await remove(`${path}/$weekly`);
      expect(response.status).to.equal(200);
      expect(response.body).to.deep.equal({ object: 'package', id, deleted: true });
      expect((await get(path)).body.items).to.deep.equal([]);
      await expectRefused(harness, () => remove(`${path}/$weekly`), 404);
      await expectRefused(harness, () => post(`${path}/${id}/products`, { productId: slice.productId }), 404);
    });

    it('belong to one offering', async () => {
      const { id } = await pack('$weekly');
      const elsewhere = await make();
      await expectRefused(harness, () => remove(`/offerings/${elsewhere.id}/packages/${id}`), 404);
    });
  });
});
