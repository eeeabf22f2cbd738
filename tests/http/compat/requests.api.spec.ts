// Every other kind of request that the SDKs send: login, offerings, the mapping, stubs, paths that do not exist, browsers and servers.
import { expect } from 'chai';
import { setUpService } from '../support/setup.js';
import { addTestApp, sdkClient, TEST_COINS, TEST_MONTHLY, testToken, type TestApp } from './setup.js';

const anonymous = (n: number) => `$RCAnonymousID:${String(n).padStart(32, '0')}`;

describe('a request of an SDK', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0', COMPAT_HOST_NAME: 'sdk.example.com' });
  let app: TestApp;
  before(async () => void (app = await addTestApp(harness, slice)));
  const call = sdkClient(harness, () => app.key);
  const asServer = sdkClient(harness, () => slice.secretKey);
  const id = (who: string) => `/v1/subscribers/${encodeURIComponent(who)}`;
  const buy = (who: string) =>
    call('POST', '/v1/receipts', { app_user_id: who, fetch_token: testToken(Date.now()), product_id: TEST_MONTHLY });
  const active = (body: { subscriber: { entitlements: object } }) => Object.keys(body.subscriber.entitlements);

  describe('to log in', () => {
    const login = (from: string, to: string) =>
      call('POST', '/v1/subscribers/identify', { app_user_id: from, new_app_user_id: to });

    it('merges an anonymous customer, and answers 201 for a new one, 200 for a known one', async () => {
      await buy(anonymous(1));
      const first = await login(anonymous(1), 'carol');
      expect([first.status, active(first.body)]).to.deep.equal([201, ['pro']]);
      const again = await login(anonymous(2), 'carol');
      expect([again.status, active(again.body)]).to.deep.equal([200, ['pro']]);
    });

    it('changes between identified users without a merge', async () => {
      await buy('dave');
      const { status, body } = await login('dave', 'erin');
      expect([status, active(body)]).to.deep.equal([201, []]);
    });

    for (const name of ['', '[object Object]', 'no_user', 'null', 'undefined', 'a/b', '..'])
      it(`refuses ${JSON.stringify(name)} with 400 and code 7220`, async () => {
        const { status, body } = await login(anonymous(3), name);
        expect([status, body.code]).to.deep.equal([400, 7220]);
      });

    for (const placeholder of ['guest', 'null', 'a/b', ' '])
      it(`takes a device from ${JSON.stringify(placeholder)} to a user, without its purchases`, async () => {
        await buy(placeholder);
        const name = `from ${placeholder}`.replace('/', ' ');
        const { status, body } = await login(placeholder, name);
        expect([status, active(body)]).to.deep.equal([201, []]);
        const earlier = await call('POST', `${id(placeholder)}/alias`, { new_app_user_id: name });
        expect(earlier.status).to.equal(200);
      });

    it('works by the path of earlier SDKs', async () => {
      await buy(anonymous(4));
      const { status, body } = await call('POST', `${id(anonymous(4))}/alias`, { new_app_user_id: 'frank' });
      expect([status, active(body)]).to.deep.equal([201, ['pro']]);
    });
  });

  it('for offerings gets the packages that its app sells, by the SDK’s names', async () => {
    const { body } = await call('GET', `${id('gina')}/offerings`);
    expect(body).to.deep.equal({
      current_offering_id: 'default',
      placements: { fallback_offering_id: 'default', offering_ids_by_placement: {} },
      offerings: [
        {
          identifier: 'default',
          description: 'Default',
          metadata: {},
          packages: [{ identifier: '$rc_monthly', platform_product_identifier: TEST_MONTHLY }],
        },
      ],
    });
    const ios = sdkClient(harness, () => slice.publicKey);
    const other = await ios('GET', `${id('gina')}/offerings`);
    expect(other.body).to.deep.equal({
      ...{ current_offering_id: '', offerings: [] },
      placements: { fallback_offering_id: null, offering_ids_by_placement: {} },
    });
  });

  it('for offerings with a secret key gets 403 and code 7243', async () => {
    const { status, body } = await asServer('GET', `${id('gina')}/offerings`);
    expect([status, body.code]).to.deep.equal([403, 7243]);
  });

  it('for the entitlement mapping gets the products of its app', async () => {
    const { body, headers } = await call('GET', '/v1/product_entitlement_mapping');
    expect(body.product_entitlement_mapping).to.deep.equal({
      [TEST_MONTHLY]: { product_identifier: TEST_MONTHLY, entitlements: ['pro'] },
      [TEST_COINS]: { product_identifier: TEST_COINS, entitlements: [] },
    });
    expect(headers.get('x-revenuecat-etag')).to.be.a('string');
  });

  it('for products of the test store gets those that it names and that have a price', async () => {
    const { body } = await call(
      'GET',
      `/rcbilling/v1/subscribers/x/products?id=${TEST_MONTHLY}&id=${TEST_COINS}&id=none`,
    );
    expect(body.product_details.map((p: { identifier: string }) => p.identifier)).to.have.members([
      TEST_MONTHLY,
      TEST_COINS,
    ]);
    const none = await call('GET', '/rcbilling/v1/subscribers/x/products');
    expect(none.body).to.deep.equal({ product_details: [] });
  });

  for (const [method, path, expected] of [
    ['POST', '/v1/events', {}],
    ['POST', '/v1/diagnostics', {}],
    ['POST', '/v1/subscribers/x/attribution', {}],
    ['POST', '/v1/subscribers/x/adservices_attribution', {}],
    ['POST', '/v1/subscribers/x/intro_eligibility', {}],
    ['GET', '/v1/health', {}],
    ['GET', '/v1/subscribers/x/virtual_currencies', { virtual_currencies: {} }],
  ] as const)
    it(`to ${method} ${path} is accepted`, async () => {
      const { status, body } = await call(method, path, method === 'POST' ? { events: [{ any: 'thing' }] } : undefined);
      expect([status, body]).to.deep.equal([200, expected]);
    });

  for (const [method, path] of [
    ['POST', '/v1/config/app'],
    ['GET', '/v1/customercenter/x'],
    ['POST', '/v1/subscribers/redeem_purchase'],
    ['GET', '/rcbilling/v1/branding'],
    ['POST', '/rcbilling/v1/purchase'],
    ['GET', '/v1/receipts/amazon/u/r'],
    ['PATCH', '/v1/anything'],
    ['POST', '/auth/login'],
    ['GET', '/openapi.json'],
    ['GET', '/v1/subscribers/%ff/offerings'],
  ] as const)
    it(`to ${method} ${path} gets a quick JSON refusal with a numeric code`, async () => {
      const { status, body } = await call(method, path, method === 'GET' ? undefined : {});
      expect(status).to.be.within(400, 404);
      expect(body.code).to.be.a('number');
      expect(body.message).to.be.a('string');
    });

  it('to sign offers gets an error for each offer, so that the app can go on without it', async () => {
    const generate_offers = [{ offer_id: 'o', product_id: TEST_MONTHLY, subscription_group: 'g' }];
    const { status, body } = await call('POST', '/v1/offers', { app_user_id: 'x', generate_offers });
    expect(status).to.equal(200);
    expect(body.offers[0]).to.deep.include({ offer_id: 'o', signature_data: null });
    expect(body.offers[0].signature_error.code).to.equal(7234);
  });

  it('with an unknown key gets 401 and code 7225', async () => {
    const stranger = sdkClient(harness, () => 'goog_unknown');
    const { status, body } = await stranger('GET', id('x'));
    expect([status, body.code]).to.deep.equal([401, 7225]);
  });

  it('for attributes with an unknown key gets 503: the SDK would forget them', async () => {
    const stranger = sdkClient(harness, () => 'goog_unknown');
    const { status } = await stranger('POST', `${id('x')}/attributes`, { attributes: {} });
    expect(status).to.equal(503);
  });

  it('from a browser may have any header that an SDK sends', async () => {
    const headers = 'authorization,content-type,x-is-sandbox,x-platform,x-version,x-platform-flavor';
    const { status, headers: answered } = await call('OPTIONS', id('x'), undefined, {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': headers,
    });
    expect([status, answered.get('access-control-allow-origin')]).to.deep.equal([204, '*']);
    expect(answered.get('access-control-allow-headers')).to.equal(headers);
    const read = await call('GET', id('x'), undefined, { origin: 'https://app.example.com' });
    expect(read.headers.get('access-control-expose-headers')?.toLowerCase()).to.contain('x-revenuecat-etag');
  });

  for (const host of ['sdk.example.com', 'SDK.example.com.', 'sdk.example.com.:443'])
    it(`to ${host} on the port of the REST API reaches the compatibility API`, async () => {
      const { default: http } = await import('node:http');
      const status = await new Promise((resolve, reject) => {
        const url = new URL(`${harness.service().url}${id(`hosted ${host}`)}`);
        const headers = { host, authorization: `Bearer ${app.key}` };
        http.get(url, { headers }, (res) => resolve(res.resume().statusCode)).on('error', reject);
      });
      expect(status).to.equal(201);
    });

  describe('of a server', () => {
    it('grants and revokes an entitlement', async () => {
      const granted = await asServer('POST', `${id('gift')}/entitlements/pro/promotional`, { duration: 'monthly' });
      expect([granted.status, active(granted.body)]).to.deep.equal([201, ['pro']]);
      const { body } = await asServer('POST', `${id('gift')}/entitlements/pro/revoke_promotionals`, {});
      expect(Date.parse(body.subscriber.entitlements.pro.expires_date)).to.be.at.most(Date.now());
    });

    it('creates no subscriber with a key that may only change them', async () => {
      const helper = { name: 'helper', scopes: ['support'] };
      const path = `/v1/projects/${slice.projectId}/api-keys`;
      const { key } = (await harness.call('POST', path, helper, { token: slice.token })).body;
      const asHelper = sdkClient(harness, () => key);
      const change = async () => [
        (await asHelper('POST', `${id('helped')}/attributes`, { attributes: {} })).status,
        (await asHelper('POST', `${id('helped')}/entitlements/pro/promotional`, { duration: 'monthly' })).status,
      ];
      expect(await change()).to.deep.equal([404, 404]);
      await call('GET', id('helped'));
      expect(await change()).to.deep.equal([200, 201]);
    });

    it('erases a subscriber', async () => {
      await call('GET', id('gone'));
      const { body } = await asServer('DELETE', id('gone'));
      expect(body).to.deep.equal({ app_user_id: 'gone', deleted: true });
    });

    it('is refused with a public key', async () => {
      const { status } = await call('POST', `${id('gift')}/entitlements/pro/promotional`, { duration: 'monthly' });
      expect(status).to.equal(403);
    });
  });
});
