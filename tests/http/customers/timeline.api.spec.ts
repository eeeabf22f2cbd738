// A customer's whole timeline, with the reason for every entry.
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, notification, store, type Credentials, type Json } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;
const ENTRY = [
  ...[
    'object',
    'id',
    'at',
    'recordedAt',
    'type',
    'summary',
    'actor',
    'cause',
    'deliveries',
    'access',
    'superseded',
    'data',
  ],
];

describe('a timeline', () => {
  const { harness, slice, as } = setUpService({}, { now: () => NOW });
  let path: string;
  let grantRequest: string | null;
  const uuid = '20000000-0000-4000-8000-000000000001';
  const purchase = {
    transactionId: '8000001',
    productId: MONTHLY,
    purchaseDate: NOW - 5 * DAY_MS,
    expiresDate: NOW + 25 * DAY_MS,
    price: 9990,
  };

  before(async () => {
    path = `/v1/projects/${slice.projectId}/customers/ann/timeline`;
    const subscribed = {
      notificationType: 'SUBSCRIBED',
      subtype: 'INITIAL_BUY',
      notificationUUID: uuid,
      signedDate: NOW,
    };
    await harness.call('POST', slice.notificationPath, notification({ ...subscribed, transaction: purchase }));
    await harness.service().idle();
    const receipt = store.signedTransaction({ ...purchase, bundleId: BUNDLE_ID, environment: 'Production' });
    await harness.call('POST', '/v1/subscribers/ann/receipts', { store: 'ios-store', receipt }, as);
    const grant = { entitlementId: 'pro', duration: 'yearly' };
    const granted = await harness.call('POST', '/v1/subscribers/ann/entitlements', grant, {
      token: slice.token,
      headers: { 'x-project-id': slice.projectId },
    });
    grantRequest = granted.headers.get('x-request-id');
  });

  const read = async (query = '') => (await harness.call('GET', `${path}${query}`, undefined, as)).body.items;
  const entry = async (type: string) => (await read()).find((e: { type: string }) => e.type === type);

  it('lists every event, also of customers merged into this one, newest first', async () => {
    const items = await read();
    expect(items.map((e: { type: string }) => e.type)).to.deep.equal([
      'EntitlementGranted',
      'CustomerMerged',
      'PurchaseTransferred',
      'CustomerCreated',
      'CustomerMergedInto',
      'PurchaseTransferred',
      'SubscriptionStarted',
      'CustomerCreated',
    ]);
    for (const item of items) expect(item).to.have.all.keys(ENTRY);
    expect(await read('?order=oldest')).to.deep.equal([...items].reverse());
  });

  it('names the notification that caused an entry, as it was received', async () => {
    const { cause, actor, at, recordedAt } = await entry('SubscriptionStarted');
    expect(actor).to.deep.equal({ kind: 'store', id: 'ios-store', name: null });
    expect(cause.notification).to.include({ id: uuid, store: 'ios-store', type: 'SUBSCRIBED/INITIAL_BUY' });
    expect(JSON.parse(cause.notification.rawBody)).to.have.all.keys('signedPayload');
    expect([at, recordedAt]).to.deep.equal(['2026-11-15T10:00:00.000Z', '2026-11-20T10:00:00.000Z']);
  });

  it('names the request and the user that caused an entry', async () => {
    const { cause, actor } = await entry('EntitlementGranted');
    expect(cause).to.deep.equal({ request: { id: grantRequest } });
    expect(actor.kind).to.equal('user');
  });

  it('names API keys to everyone, and users only to keys that may list members', async () => {
    const created = await harness.call(
      'POST',
      `/v1/projects/${slice.projectId}/api-keys`,
      { name: 'wall', scopes: ['read'] },
      { token: slice.token },
    );
    const actorOf = async (type: string, who: Credentials, of = path) => {
      const { items } = (await harness.call('GET', of, undefined, who)).body;
      return items.find((one: Json) => one.type === type).actor;
    };
    const { email } = (await harness.call('GET', '/auth/me', undefined, { token: slice.token })).body;
    expect((await actorOf('EntitlementGranted', as)).name).to.equal(email);
    expect((await actorOf('EntitlementGranted', { key: created.body.key })).name).to.equal(null);
    await harness.call('POST', '/v1/subscribers/bob', {}, as);
    const ofBob = `/v1/projects/${slice.projectId}/customers/bob/timeline`;
    const { id, kind, name } = await actorOf('CustomerCreated', { key: created.body.key }, ofBob);
    const keys = (
      await harness.call('GET', `/v1/projects/${slice.projectId}/api-keys`, undefined, { token: slice.token })
    ).body.items;
    expect([kind, name]).to.deep.equal(['api_key', keys.find((one: Json) => one.id === id).name]);
  });

  it('shows the access before and after each entry', async () => {
    const bought = { pro: new Date(purchase.expiresDate).toISOString() };
    expect((await entry('SubscriptionStarted')).access).to.deep.equal({ before: {}, after: bought });
    expect((await entry('EntitlementGranted')).access).to.deep.equal({
      before: bought,
      after: { pro: '2027-11-20T10:00:00.000Z' },
    });
  });

  it('has a sentence in plain English', async () => {
    const items: readonly { readonly summary: string }[] = await read();
    // Each run creates other ids.
    const summaries = items.map(({ summary }) =>
      summary.replace(/\$anon:[0-9a-f-]{36}/, '$anon:…').replace(/cus_[0-9a-z]{26}/, 'cus_…'),
    );
    expect(summaries).to.deep.equal([
      'Promotional access to pro was granted until 2027-11-20 10:00 UTC.',
      'Customer $anon:… was merged into this customer.',
      'A purchase was transferred from customer cus_… (merge).',
      'Customer ann was created through the app.',
      'This customer was merged into ann.',
      'A purchase was transferred to customer cus_… (merge).',
      `Subscribed to ${MONTHLY} (paid, 9.99 USD) until 2026-12-15 10:00 UTC.`,
      'Customer $anon:… was created through a purchase.',
    ]);
  });

  for (const order of ['newest', 'oldest']) {
    it(`is read page by page, ${order} first`, async () => {
      const all = (await read(`?order=${order}`)).map((e: { id: string }) => e.id);
      expect(await walk(harness, `${path}?limit=3&order=${order}`, as)).to.deep.equal(all);
    });
  }

  it('is found by customer id too', async () => {
    const { body } = await harness.call('GET', path.replace('/timeline', ''), undefined, as);
    const byId = await harness.call('GET', path.replace('ann', body.id), undefined, as);
    expect(byId.body.items).to.deep.equal(await read());
  });

  it('is not found for an unknown customer or an unknown cursor', async () => {
    expectRefusal(await harness.call('GET', path.replace('ann', 'nobody'), undefined, as), 404);
    expectRefusal(await harness.call('GET', `${path}?startingAfter=${uuid}`, undefined, as), 400);
    expectRefusal(await harness.call('GET', `${path}?order=random`, undefined, as), 400);
  });
});
