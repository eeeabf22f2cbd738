// Apps of a project.
import { expect } from 'chai';
import { BUNDLE_ID, setUpProject } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { expectRefusal } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const APP = [
  ...['object', 'id', 'projectId', 'name', 'platform', 'store', 'notificationUrl', 'notificationForwardingUrl'],
  ...['refundPolicy', 'iosStoreSmallBusiness', 'refundAnswer', 'refundConsent', 'createdAt', 'updatedAt'],
];

describe('apps', () => {
  const { harness, slice, as } = setUpService({}, tickingClock());
  let path: string;
  before(() => {
    path = `/v1/projects/${slice.projectId}/apps`;
  });

  const create = (body: object) => harness.call('POST', path, body, as);
  const get = (id: string) => harness.call('GET', `${path}/${id}`, undefined, as);
  let drawn = 0;
  const ios = (fields: object = {}) => ({ name: 'A', platform: 'ios', bundleId: `com.example.a${drawn++}`, ...fields });

  it('of iOS are made with defaults and read as they were answered', async () => {
    const { status, body } = await create({ name: 'Weather', platform: 'ios', bundleId: 'com.example.weather' });
    expect(status).to.equal(201);
    expect(body).to.have.all.keys(...APP, 'bundleId', 'storeAppId');
    expect(body).to.include({ object: 'app', store: 'ios-store', bundleId: 'com.example.weather', storeAppId: null });
    expect(body).to.include({ projectId: slice.projectId, refundPolicy: 'revoke_immediately' });
    expect(body).to.include({ iosStoreSmallBusiness: false, notificationForwardingUrl: null });
    expect(new URL(body.notificationUrl).pathname).to.match(/^\/v1\/store\/ios-store\/[\w-]{43}$/);
    expect((await get(body.id)).body).to.deep.equal(body);
  });

  it('of Android have a package name', async () => {
    const { body } = await create({ name: 'Weather', platform: 'android', packageName: 'com.example.weather' });
    expect(body).to.have.all.keys(...APP, 'packageName');
    expect(body).to.include({ store: 'android-store', packageName: 'com.example.weather' });
    expect(new URL(body.notificationUrl).pathname).to.match(/^\/v1\/store\/android-store\/[\w-]{43}$/);
    expect((await get(body.id)).body).to.deep.equal(body);
  });

  it('are made with settings', async () => {
    const settings = { storeAppId: 123456789, refundPolicy: 'keep_until_expiry', iosStoreSmallBusiness: true };
    expect((await create(ios(settings))).body).to.include(settings);
  });

  it('have each an address of their own', async () => {
    const [one, two] = [await create(ios()), await create(ios())];
    expect(one.body.notificationUrl).not.to.equal(two.body.notificationUrl);
  });

  it('keep their bundle id for themselves within the project', async () => {
    expectRefusal(await create(ios({ bundleId: BUNDLE_ID })), 409);
    const elsewhere = await setUpProject(harness);
    expect(elsewhere.appId, 'the same bundle id in another project').to.match(/^app_/);
  });

  for (const [what, body] of [
    ['of an unknown platform', { name: 'A', platform: 'windows', bundleId: 'a.b' }],
    ['of iOS without a bundle id', { name: 'A', platform: 'ios' }],
    ['of iOS with a package name', ios({ packageName: 'a.b' })],
    [
      'of Android with the iOS store’s programme',
      { name: 'A', platform: 'android', packageName: 'a.b', iosStoreSmallBusiness: true },
    ],
    ['with a bundle id of blanks', ios({ bundleId: ' ' })],
    ['with a store number below one', ios({ storeAppId: 0 })],
    ['with an unknown refund policy', ios({ refundPolicy: 'never' })],
  ] as const) {
    it(`are refused ${what}`, async () => expectRefusal(await create(body), 400));
  }

  it('are not found by an unknown ID', async () => expectRefusal(await get(`app_${'0'.repeat(26)}`), 404));

  it('are listed once each, newest first, while others are made', async () => {
    const all = await walk(harness, `${path}?limit=100`, as);
    expect(all).to.deep.equal([...all].sort().reverse());
    expect(await walk(harness, `${path}?limit=2`, as, () => create(ios()))).to.deep.equal(all);
  });
});
