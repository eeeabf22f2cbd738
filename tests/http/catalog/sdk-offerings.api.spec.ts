// Offerings for client SDKs: the products of the caller's app, and the published paywall of an offering.
import { expect } from 'chai';
import { setUpProject, type Credentials, type Slice } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

describe('what client SDKs are offered', () => {
  const { harness, slice } = setUpService({}, tickingClock());
  let other: Slice;
  let server: Credentials;
  let client: Credentials;
  let android: { readonly id: string; readonly storeProductId: string; readonly appId: string };
  const ids = { standard: '', winter: '', monthly: '', lifetime: '', paywall: '' };
  before(async () => {
    other = await setUpProject(harness);
    server = { key: slice.secretKey };
    client = { key: slice.publicKey };
    const app = await post('/apps', { name: 'B', platform: 'android', packageName: 'com.example.b' });
    const given = { appId: app.body.id, storeProductId: 'pro:month', displayName: 'Pro', type: 'subscription' };
    android = (await post('/products', given)).body;
    const standard = { lookupKey: 'standard', displayName: 'Standard', metadata: { accent: 'red' } };
    ids.standard = (await post('/offerings', standard)).body.id;
    ids.winter = (await post('/offerings', { lookupKey: 'winter', displayName: 'Winter' })).body.id;
    const packages = '/offerings/standard/packages';
    ids.lifetime = (await post(packages, { lookupKey: '$lifetime', displayName: 'For ever', position: 9 })).body.id;
    ids.monthly = (await post(packages, { lookupKey: '$monthly', displayName: 'Monthly', position: 1 })).body.id;
    await post(`${packages}/$monthly/products`, { productIds: [slice.productId, android.id] });
    const paywall = { name: 'Red', offeringId: ids.standard, config: { layout: 'cards' }, status: 'published' };
    ids.paywall = (await post('/paywalls', paywall)).body.id;
    await post('/paywalls', { name: 'Draft', offeringId: ids.standard, config: {} });
  });

  const base = () => `/v1/projects/${slice.projectId}`;
  const post = (path: string, body: object) => harness.call('POST', `${base()}${path}`, body, server);
  const patch = (path: string, body: object) => harness.call('PATCH', `${base()}${path}`, body, server);
  const get = (path: string, as: Credentials = client, headers: Record<string, string> = {}) =>
    harness.call('GET', path, undefined, { ...as, headers: { ...as.headers, ...headers } });
  const asUser = () => ({ token: slice.token, headers: { 'x-project-id': slice.projectId } });
  const monthly = () => {
    const named = { id: slice.productId, appId: slice.appId, storeProductId: 'com.example.app.pro.month' };
    return { ...named, store: 'ios-store', type: 'subscription', duration: 'P1M' };
  };
  const offeringIds = async (as: Credentials = client) =>
    (await get('/v1/offerings', as)).body.offerings.map((o: { id: string }) => o.id);

  it('is every offering, the current one marked, with the products of the key’s app', async () => {
    const { status, body } = await get('/v1/offerings');
    expect(status).to.equal(200);
    const packages = [
      {
        id: ids.monthly,
        lookupKey: '$monthly',
        packageType: 'monthly',
        displayName: 'Monthly',
        products: [monthly()],
      },
      { id: ids.lifetime, lookupKey: '$lifetime', packageType: 'lifetime', displayName: 'For ever', products: [] },
    ];
    const metadata = { accent: 'red' };
    expect(body).to.deep.equal({
      currentOfferingId: 'standard',
      offerings: [
        { id: ids.winter, lookupKey: 'winter', displayName: 'Winter', metadata: {}, packages: [] },
        { id: ids.standard, lookupKey: 'standard', displayName: 'Standard', metadata, packages },
      ],
    });
  });

  it('holds the products of all apps for a secret key', async () => {
    const { body } = await get('/v1/offerings', server);
    const { id, appId, storeProductId } = android;
    expect(body.offerings[1].packages[0].products).to.deep.equal([
      monthly(),
      { id, appId, storeProductId, store: 'android-store', type: 'subscription', duration: null },
    ]);
  });

  it('contains the current one only on request', async () => {
    const { body } = await get('/v1/offerings?currentOnly=true');
    const all = (await get('/v1/offerings?currentOnly=false')).body;
    expect(body).to.deep.equal({ offering: all.offerings[1] });
    expectRefusal(await get('/v1/offerings?currentOnly=yes'), 400);
  });

  it('is nothing in a project that offers nothing', async () => {
    const as = { key: other.publicKey };
    expect((await get('/v1/offerings', as)).body).to.deep.equal({ currentOfferingId: null, offerings: [] });
    expect((await get('/v1/offerings?currentOnly=true', as)).body).to.deep.equal({ offering: null });
  });

  it('is the same for a subscriber, without an experiment, for users too', async () => {
    const path = '/v1/subscribers/ann/offerings';
    const plain = (await get('/v1/offerings')).body;
    const placements = { fallbackOfferingId: 'standard', offeringIdsByPlacement: {} };
    const untargeted = { placements, targeting: null, experiment: null };
    expect((await get(path)).body).to.deep.equal({ ...plain, ...untargeted });
    const forUser = await get(path, asUser());
    expect(forUser.body).to.deep.equal({ ...(await get('/v1/offerings', server)).body, ...untargeted });
    expect((await get(`${path}?currentOnly=true`)).body).to.have.all.keys('offering', 'targeting', 'experiment');
    expectRefusal(await get('/v1/subscribers/null/offerings'), 400);
    expectRefusal(await get(path, { token: slice.token }), 400);
  });

  it('is the published paywall of an offering, by id and by key', async () => {
    const { status, body } = await get('/v1/offerings/standard/paywalls');
    expect(status).to.equal(200);
    const paywall = (await get(`${base()}/paywalls/${ids.paywall}`, server)).body;
    const url = '/v1/offerings/standard/paywalls';
    expect(body).to.deep.equal({ object: 'list', items: [paywall], nextPage: null, url });
    expect((await get(`/v1/offerings/${ids.standard}/paywalls`)).body.items).to.deep.equal([paywall]);
    expect((await get('/v1/offerings/winter/paywalls')).body.items).to.deep.equal([]);
  });

  it('is no offering of another project', async () => {
    expectRefusal(await get(`/v1/offerings/${ids.standard}/paywalls`, { key: other.publicKey }), 404);
    expectRefusal(await get('/v1/offerings/standard/paywalls', { key: other.secretKey }), 404);
    expect(await offeringIds({ key: other.secretKey })).to.deep.equal([]);
  });

  it('is no archived offering', async () => {
    const { id } = (await post('/offerings', { lookupKey: 'gone', displayName: 'Gone' })).body;
    expect(await offeringIds()).to.include(id);
    await patch('/offerings/gone', { archived: true });
    expect(await offeringIds()).not.to.include(id);
    expectRefusal(await get('/v1/offerings/gone/paywalls'), 404);
  });

  it('is no product that was deleted', async () => {
    const given = { appId: slice.appId, storeProductId: 'for.ever', displayName: 'For ever', type: 'non_consumable' };
    const { id } = (await post('/products', given)).body;
    await post('/offerings/standard/packages/$lifetime/products', { productId: id });
    const sold = async () => (await get('/v1/offerings?currentOnly=true')).body.offering.packages[1].products;
    expect(await sold()).to.have.length(1);
    expectRefusal(await harness.call('DELETE', `${base()}/products/${id}`, undefined, server), 409);
    await harness.call('DELETE', `${base()}/products/${id}?force=true`, undefined, server);
    expect(await sold()).to.deep.equal([]);
    const { body } = await get(`${base()}/offerings/standard/packages`, server);
    expect(body.items[1].products).to.deep.equal([]);
  });

  it('changes with the next request after a write', async () => {
    await patch('/offerings/winter', { isCurrent: true });
    expect((await get('/v1/offerings')).body.currentOfferingId).to.equal('winter');
    await patch('/offerings/standard', { isCurrent: true });
    expect((await get('/v1/offerings')).body.currentOfferingId).to.equal('standard');
  });

  describe('is not sent again', () => {
    const paths = ['/v1/offerings', '/v1/offerings/standard/paywalls', '/v1/subscribers/ann/offerings'];
    for (const path of paths) {
      it(`to a client that has it: ${path}`, async () => {
        const first = await get(path);
        const etag = first.headers.get('etag') ?? '';
        expect(etag).to.match(/^"[\w-]{43}"$/);
        expect(first.headers.get('cache-control')).to.equal('private, no-cache');
        for (const named of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
          const again = await get(path, client, { 'if-none-match': named });
          expect([again.status, again.body], named).to.deep.equal([304, undefined]);
          expect(again.headers.get('etag')).to.equal(etag);
        }
        for (const named of ['"x"', '', etag.slice(1, -1)]) {
          const again = await get(path, client, { 'if-none-match': named });
          expect([again.status, again.body], named).to.deep.equal([200, first.body]);
        }
      });
    }

    it('until it changes', async () => {
      const etag = (await get('/v1/offerings')).headers.get('etag') ?? '';
      await patch('/offerings/winter', { displayName: 'Winter again' });
      expect((await get('/v1/offerings', client, { 'if-none-match': etag })).status).to.equal(200);
    });

    it('and never to another app', async () => {
      const etag = (await get('/v1/offerings')).headers.get('etag') ?? '';
      expect((await get('/v1/offerings', server, { 'if-none-match': etag })).status).to.equal(200);
      expectRefusal(await get('/v1/offerings', {}, { 'if-none-match': '*' }), 401);
    });

    it('but what is not tagged always is', async () => {
      const response = await get(`${base()}/offerings`, server, { 'if-none-match': '*' });
      expect([response.status, response.headers.get('etag')]).to.deep.equal([200, null]);
      expect(response.headers.get('cache-control')).to.equal('no-store');
    });
  });
});
