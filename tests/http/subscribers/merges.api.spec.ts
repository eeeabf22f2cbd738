// Logging in: an anonymous subscriber becomes an identified one, with everything it owned.
import { expect } from 'chai';
import { MONTHLY, BUNDLE_ID, store } from '../support/harness.js';
import { expectRefusal, expectRefused } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const ANON = '$anon:7e3fb20b-4cdb-47cc-936d-99d65f608138';

describe('logging in', () => {
  const { harness, slice } = setUpService({}, tickingClock(NOW));

  const at = (who: string) => `/v1/subscribers/${encodeURIComponent(who)}`;
  const client = () => ({ key: slice.publicKey });
  const server = () => ({ key: slice.secretKey });
  const login = (who: string, previousAppUserId: string) =>
    harness.call('POST', at(who), { previousAppUserId }, client());

  it('brings along purchases, grants and attributes of the anonymous time', async () => {
    await harness.call('POST', at(ANON), { attributes: { colour: 'red' } }, client());
    const grant = { entitlementId: 'pro', duration: 'lifetime' };
    await harness.call('POST', `${at(ANON)}/entitlements`, grant, server());
    for (const transactionId of ['6600001', '6600002']) {
      const bought = { transactionId, productId: MONTHLY, purchaseDate: NOW, expiresDate: NOW + 1e9, price: 9990 };
      const receipt = store.signedTransaction({ ...bought, bundleId: BUNDLE_ID, environment: 'Production' });
      await harness.call('POST', `${at(ANON)}/receipts`, { store: 'ios-store', receipt }, client());
    }
    const { status } = await login('ann', ANON);
    expect(status).to.equal(201);
    const path = `/v1/projects/${slice.projectId}/customers`;
    const { body } = await harness.call('GET', `${path}/ann`, undefined, server());
    expect(body).to.deep.include({ aliases: [ANON], totalSpentUsd: 19.98, activeEntitlements: ['pro'] });
    expect([body.subscriptions.length, body.promotionalGrants.length]).to.deep.equal([2, 1]);
    expect(body.attributes.colour.value).to.equal('red');
    expect((await harness.call('GET', at('ann'), undefined, client())).body.subscriber).not.to.have.property(
      'originalAppUserId',
    );
    const whole = (await harness.call('GET', at('ann'), undefined, server())).body.subscriber;
    expect(whole.originalAppUserId).to.equal(ANON);
    for (const cid of [ANON, body.id]) {
      const found = await harness.call('GET', `${path}/${encodeURIComponent(cid)}`, undefined, server());
      expect(found.body.id).to.equal(body.id);
    }
    const listed = await harness.call('GET', path, undefined, server());
    expect(listed.body.items).to.have.length(1);
    const seen = await harness.call('GET', at(ANON), undefined, client());
    expect(seen.body.subscriber.appUserId).to.equal('ann');
  });

  it('keeps the earlier of first visibility and first purchase, and the first of all names, through several merges', async () => {
    const [oldest, middle] = [
      '$anon:0aaa0000-0000-4000-8000-000000000001',
      '$anon:0bbb0000-0000-4000-8000-000000000002',
    ];
    await harness.call('POST', at(oldest), {}, client());
    const firstSeen = (await harness.call('GET', at(oldest), undefined, server())).body.subscriber.firstSeenAt;
    for (const [who, previous] of [
      [middle, oldest],
      ['zoe', middle],
    ] as const)
      await login(who, previous);
    const zoe = async () => (await harness.call('GET', at('zoe'), undefined, server())).body.subscriber;
    expect(await zoe()).to.include({ originalAppUserId: oldest, firstSeenAt: firstSeen });
    const purchaseDate = NOW - 40 * 86_400_000;
    const bought = { transactionId: '6700001', productId: MONTHLY, purchaseDate, expiresDate: NOW + 1e9, price: 9990 };
    const receipt = store.signedTransaction({ ...bought, bundleId: BUNDLE_ID, environment: 'Production' });
    await harness.call('POST', `${at('zoe')}/receipts`, { store: 'ios-store', receipt }, client());
    expect(await zoe()).to.include({ originalAppUserId: oldest, firstSeenAt: new Date(purchaseDate).toISOString() });
    const path = `/v1/projects/${slice.projectId}/customers/zoe`;
    const { body } = await harness.call('GET', path, undefined, server());
    expect(body.firstSeenAt).to.equal(new Date(purchaseDate).toISOString());
  });

  it('twice is the same as once', async () => {
    const { status, body } = await login('ann', ANON);
    expect([status, body.subscriber.appUserId]).to.deep.equal([200, 'ann']);
  });

  it('as another customer does not take what was merged', async () => {
    const { body } = await login('ben', ANON);
    expect(body.subscriber).to.deep.include({ appUserId: 'ben', entitlements: {} });
  });

  it('is refused for an identified user before', () => expectRefused(harness, () => login('cleo', 'ann'), 400));

  it('is rejected with invalid attributes, and merges no customer', async () => {
    await harness.call('POST', at('$anon:waits'), { attributes: { colour: 'red' } }, client());
    const attributes = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v']));
    const body = { attributes, previousAppUserId: '$anon:waits' };
    await expectRefused(harness, () => harness.call('POST', at('emma'), body, client()), 400);
  });

  it('is refused for a placeholder', () => expectRefused(harness, () => login('cleo', 'null'), 400));

  it('is no merge when the former customer is unknown', async () => {
    expect((await login('dora', '$anon:nobody')).status).to.equal(201);
    expectRefusal(
      await harness.call('GET', `/v1/projects/${slice.projectId}/customers/$anon:nobody`, undefined, server()),
      404,
    );
  });
});
