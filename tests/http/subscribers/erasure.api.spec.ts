// Erasing a customer: gone from what is read, unreadable in the log, and money counts as before.
import { expect } from 'chai';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { MONTHLY, BUNDLE_ID, notification, store } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const SECRET = 'ann-canary@example.com';

describe('an erased subscriber', () => {
  const { harness, slice } = setUpService({}, tickingClock(NOW));
  let customers: string;
  let customerId: string;
  let knownAt: string;
  before(async () => {
    customers = `/v1/projects/${slice.projectId}/customers`;
    await call('POST', '/v1/subscribers/$anon:before', { attributes: { hint: SECRET } });
    await call('POST', '/v1/subscribers/ann', { attributes: { $email: SECRET }, previousAppUserId: '$anon:before' });
    await call('POST', '/v1/subscribers/ann/entitlements', { entitlementId: 'pro', duration: 'lifetime' });
    await call('POST', '/v1/events', { name: 'x', appUserId: 'ann', properties: { mail: SECRET } });
    await call('POST', '/v1/subscribers/ann/receipts', receipt());
    const { body } = await call('GET', `${customers}/ann`);
    [customerId, knownAt] = [body.id, body.lastSeenAt];
  });

  const call = (method: string, path: string, body?: unknown, key = slice.secretKey) =>
    harness.call(method, path, body, { key });
  const receipt = () => {
    const bought = {
      transactionId: '5500001',
      productId: MONTHLY,
      purchaseDate: NOW,
      expiresDate: NOW + 1e9,
      price: 9990,
    };
    const signed = store.signedTransaction({ ...bought, bundleId: BUNDLE_ID, environment: 'Production' });
    return { store: 'ios-store', receipt: signed };
  };
  const log = async () => JSON.stringify(await eventsOf(harness.service().services.deps.log));

  it('is nowhere to be found', async () => {
    expect(await log()).to.include(SECRET);
    expect((await call('GET', `${customers}/ann?asOf=${knownAt}`)).body.id).to.equal(customerId);
    const { status, body } = await call('DELETE', '/v1/subscribers/ann');
    expect([status, body]).to.deep.equal([200, { object: 'customer', id: customerId, deleted: true }]);
    for (const cid of ['ann', customerId, '$anon:before']) expectRefusal(await call('GET', `${customers}/${cid}`), 404);
    for (const search of ['ann', SECRET, customerId, '5500001', '$anon:before']) {
      const found = await call('GET', `${customers}?search=${encodeURIComponent(search)}`);
      expect(found.body.items, search).to.deep.equal([]);
    }
    expect((await call('GET', customers)).body.items).to.deep.equal([]);
    expectRefusal(await call('GET', `${customers}/ann?asOf=${knownAt}`), 404);
  });

  it('is unreadable in the log, also what an alias had and what apps recorded', async () => {
    const text = await log();
    expect(text).not.to.include(SECRET);
    expect(text).to.include('CustomerErased');
    expect(text).to.include('9990000');
  });

  it('is not erased twice', async () => expectRefusal(await call('DELETE', '/v1/subscribers/ann'), 404));

  it('an unknown subscriber is not found', async () =>
    expectRefusal(await call('DELETE', '/v1/subscribers/nobody'), 404));

  it('stays erased over a restart and later notifications', async () => {
    await harness.restart();
    const renewed = {
      ...{ transactionId: '5500002', originalTransactionId: '5500001', transactionReason: 'RENEWAL' as const },
      ...{ productId: MONTHLY, purchaseDate: NOW + 1e9, expiresDate: NOW + 2e9, price: 9990 },
    };
    const uuid = '20000000-0000-4000-8000-000000000055';
    const sent = { notificationType: 'DID_RENEW', notificationUUID: uuid, signedDate: NOW + 1e9 };
    const { status } = await harness.call(
      'POST',
      slice.notificationPath,
      notification({ ...sent, transaction: renewed }),
    );
    expect(status).to.equal(200);
    await harness.service().idle();
    const events = await eventsOf(harness.service().services.deps.log);
    const renewals = events.filter((event) => event.type === 'SubscriptionRenewed');
    expect(renewals, 'the money is counted').to.have.length(1);
    expect(JSON.stringify(renewals)).to.include('5500002').and.to.include('9990000');
    expect((await call('GET', customers)).body.items).to.deep.equal([]);
    expect(await log()).not.to.include(SECRET);
    for (const cid of ['ann', customerId, '$anon:before']) expectRefusal(await call('GET', `${customers}/${cid}`), 404);
  });

  it('may return under the same id, with the purchases its store confirms and nothing else', async () => {
    const made = await call('POST', '/v1/subscribers/ann', { attributes: { colour: 'blue' } });
    expect(made.status).to.equal(201);
    const { body } = await call('GET', `${customers}/ann`);
    expect(body).to.deep.include({ id: customerId, aliases: [], promotionalGrants: [], totalSpentUsd: 0 });
    expect(Object.keys(body.attributes)).to.deep.equal(['colour']);
    await harness.restart();
    await harness.service().idle();
    expect((await call('GET', `${customers}/ann`)).body.attributes.colour.value).to.equal('blue');
    await call('POST', '/v1/subscribers/ann/receipts', receipt());
    expect((await call('GET', `${customers}/ann`)).body.activeEntitlements).to.deep.equal(['pro']);
    const sold = (await eventsOf(harness.service().services.deps.log)).filter((e) => e.type === 'SubscriptionStarted');
    expect(sold).to.have.length(1);
  });
});
