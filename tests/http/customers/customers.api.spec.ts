// Customers as support sees them: the list, the search, and one customer.
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, notification, store } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { expectRefusal } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;
const ITEM = [
  ...['object', 'id', 'appUserId', 'aliases', 'firstSeenAt', 'lastSeenAt', 'country', 'platform', 'status'],
  ...['activeEntitlements', 'totalSpentUsd'],
];
const DETAIL = ['attributes', 'entitlements', 'subscriptions', 'purchases', 'promotionalGrants', 'experiments'];
const SUBSCRIPTION = [
  ...['object', 'id', 'productId', 'storeProductId', 'store', 'environment', 'state', 'givesAccess', 'autoRenewStatus'],
  ...['periodType', 'startedAt', 'currentPeriodStartsAt', 'currentPeriodEndsAt', 'accessEndsAt', 'unsubscribedAt'],
  ...['gracePeriodExpiresAt', 'autoResumeAt', 'billingIssueDetectedAt', 'refundedAt', 'expirationReason', 'ownership'],
  ...['pendingProductId', 'originalTransactionId', 'latestTransactionId', 'renewalNumber', 'totalRevenueUsd'],
  ...['transactions', 'commitmentEndsAt'],
];

describe('customers', () => {
  const { harness, slice, as } = setUpService({}, tickingClock(NOW));
  let path: string;
  before(() => {
    path = `/v1/projects/${slice.projectId}/customers`;
  });

  const make = (who: string, body: object = {}) =>
    harness.call('POST', `/v1/subscribers/${encodeURIComponent(who)}`, body, as);
  const get = (cid: string) => harness.call('GET', `${path}/${encodeURIComponent(cid)}`, undefined, as);
  const list = (query: string) => harness.call('GET', `${path}?${query}`, undefined, as);
  const found = async (search: string): Promise<readonly string[]> => {
    const { status, body } = await list(`search=${encodeURIComponent(search)}`);
    expect(status).to.equal(200);
    return body.items.map((c: { appUserId: string }) => c.appUserId);
  };
  const period = (id: string, from: number, fields: object = {}) => ({
    transactionId: id,
    productId: MONTHLY,
    purchaseDate: NOW + from * DAY_MS,
    expiresDate: NOW + (from + 30) * DAY_MS,
    price: 9990,
    ...fields,
  });
  const notify = async (type: string, transaction: ReturnType<typeof period>) => {
    const fields = { notificationType: type, signedDate: transaction.purchaseDate, transaction };
    await harness.call('POST', slice.notificationPath, notification(fields));
    await harness.service().idle();
  };
  const present = (who: string, transaction: ReturnType<typeof period>) => {
    const receipt = store.signedTransaction({ ...transaction, bundleId: BUNDLE_ID, environment: 'Production' });
    return harness.call('POST', `/v1/subscribers/${who}/receipts`, { store: 'ios-store', receipt }, as);
  };

  it('are shown in full', async () => {
    await make('ann', { platform: 'ios', country: 'DE', attributes: { $email: 'Ann@Example.com' } });
    await present('ann', period('7000001', -5));
    const { body: item } = await list('search=ann');
    const { status, body } = await get('ann');
    expect(status).to.equal(200);
    expect(body).to.have.all.keys(...ITEM, ...DETAIL);
    expect(item.items[0]).to.deep.equal(Object.fromEntries(ITEM.map((key) => [key, body[key]])));
    expect(body).to.deep.include({
      object: 'customer',
      appUserId: 'ann',
      country: 'DE',
      platform: 'ios',
      status: 'active',
    });
    expect(body).to.deep.include({ activeEntitlements: ['pro'], totalSpentUsd: 9.99, aliases: [], experiments: [] });
    expect(body.attributes.$email.value).to.equal('Ann@Example.com');
    expect((await get(body.id)).body).to.deep.equal(body);
  });

  it('have entitlements with their source', async () => {
    const { body } = await get('ann');
    const [subscription] = body.subscriptions;
    expect(body.entitlements).to.deep.equal([
      {
        entitlementId: slice.entitlementId,
        lookupKey: 'pro',
        active: true,
        expiresAt: new Date(NOW + 25 * DAY_MS).toISOString(),
        source: 'subscription',
        productId: slice.productId,
        subscriptionId: subscription.id,
        store: 'ios-store',
        willRenew: true,
        inGracePeriod: false,
      },
    ]);
  });

  it('have subscriptions with their money and transactions', async () => {
    const [subscription] = (await get('ann')).body.subscriptions;
    expect(subscription).to.have.all.keys(SUBSCRIPTION);
    expect(subscription).to.include({ object: 'subscription', state: 'active', environment: 'production' });
    expect(subscription).to.include({ originalTransactionId: '7000001', latestTransactionId: '7000001' });
    expect(subscription.totalRevenueUsd).to.deep.equal({ gross: 9.99, tax: 0, commission: 3, proceeds: 6.99 });
    expect(subscription.transactions).to.deep.equal([
      {
        object: 'transaction',
        id: '7000001',
        periodType: 'normal',
        purchasedAt: new Date(NOW - 5 * DAY_MS).toISOString(),
        expiresAt: new Date(NOW + 25 * DAY_MS).toISOString(),
        amount: 9.99,
        currency: 'USD',
        amountUsd: 9.99,
        refundedAt: null,
      },
    ]);
  });

  it('have one-time purchases', async () => {
    await present(
      'buyer',
      period('7000002', -5, {
        productId: 'com.example.app.gem',
        expiresDate: undefined,
        type: 'Consumable',
        quantity: 3,
      }),
    );
    const { body } = await get('buyer');
    expect(body.subscriptions).to.deep.equal([]);
    expect(body.purchases).to.have.length(1);
    expect(body.purchases[0]).to.include({
      object: 'purchase',
      storeProductId: 'com.example.app.gem',
      quantity: 3,
      amount: 9.99,
    });
    expect(body.purchases[0]).to.include({ id: '7000002', store: 'ios-store', environment: 'production' });
  });

  it('have grants', async () => {
    const grant = { entitlementId: 'pro', duration: 'lifetime' };
    const { body: granted } = await harness.call('POST', '/v1/subscribers/guest-1/entitlements', grant, as);
    expect((await get('guest-1')).body.promotionalGrants).to.deep.equal([granted.grant]);
  });

  for (const cid of ['nobody', `cus_${'0'.repeat(26)}`, 'cus_x']) {
    it(`are not found as ${cid}`, async () => expectRefusal(await get(cid), 404));
  }

  describe('are searched', () => {
    before(async () => {
      await make('search-one', { attributes: { $email: 'First.Last@Example.com' } });
      await make('search-two');
      await make('Search-Three');
      await make('ünï');
      await notify('SUBSCRIBED', period('7000010', -40));
      await notify('DID_RENEW', period('7000012', -25, { originalTransactionId: '7000010' }));
      await notify('DID_RENEW', period('7000011', -10, { originalTransactionId: '7000010' }));
      await present('search-four', period('7000011', -10, { originalTransactionId: '7000010' }));
    });

    const cases: readonly [what: string, search: string, who: readonly string[]][] = [
      ['by app user id', 'search-one', ['search-one']],
      ['by app user id in another case', 'SEARCH-ONE', ['search-one']],
      ['by app user id beyond ASCII', 'ÜNÏ', ['ünï']],
      ['by the beginning of an app user id', 'search-t', ['Search-Three', 'search-two']],
      ['by email', 'First.Last@Example.com', ['search-one']],
      ['by email in another case', 'first.LAST@example.COM', ['search-one']],
      ['by the latest transaction', '7000011', ['search-four']],
      ['by a transaction in between', '7000012', ['search-four']],
      ['by the original transaction', '7000010', ['search-four']],
      ['by nothing that anybody has', 'zzz', []],
      ['by a pattern as by any text', '.*', []],
      ['by a percent sign as by any text', '%', []],
      ['by the end of an app user id in vain', 'one', []],
    ];
    for (const [what, search, who] of cases) {
      it(what, async () => expect(await found(search)).to.deep.equal(who));
    }

    it('by customer id', async () => {
      const { body } = await get('search-one');
      expect(await found(body.id)).to.deep.equal(['search-one']);
    });

    it('by alias', async () => {
      const { body } = await get('search-four');
      expect(body.aliases).to.have.length(1);
      expect(await found(body.aliases[0])).to.deep.equal(['search-four']);
    });

    it('page by page, none twice, while others are added', async () => {
      for (let i = 0; i < 7; i++) await make(`paged-${i}`);
      let late = 0;
      const query = `${path}?limit=2&search=paged-`;
      const all = await walk(harness, `${path}?limit=100&search=paged-`, as);
      expect(all).to.have.length(7);
      const paged = await walk(harness, query, as, () => make(`paged-0-${late++}`));
      expect(new Set(paged).size).to.equal(paged.length);
      expect(paged).to.include.members(all);
    });
  });

  it('are listed once each, newest first, while others come', async () => {
    const all = await walk(harness, `${path}?limit=100`, as);
    let late = 0;
    const paged = await walk(harness, `${path}?limit=3`, as, () => make(`late-${late++}`));
    expect(paged).to.deep.equal(all);
  });

  it('are omitted from the list once merged', async () => {
    const { body } = await list('limit=100');
    const shown = body.items.map((c: { appUserId: string }) => c.appUserId);
    expect(shown.filter((who: string) => who.startsWith('$anon:'))).to.deep.equal([]);
  });
});
