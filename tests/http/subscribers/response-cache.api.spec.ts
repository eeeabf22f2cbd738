// A subscriber who is asked for again and again: each response is as if it were the first.
import { expect } from 'chai';
import { notification, MONTHLY } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const HOUR_MS = 3_600_000;

describe('repeated requests for a subscriber', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as, asMember } = setUpService({}, clock.runtime);
  const call = (method: string, path: string, body?: unknown, by: object = as) => harness.call(method, path, body, by);
  const get = async (appUserId: string, by: object = as) => {
    const path = `/v1/subscribers/${appUserId}`;
    // The second response may be one that was kept.
    const first = await call('GET', path, undefined, by);
    const second = await call('GET', path, undefined, by);
    expect(second.body).to.deep.equal(first.body);
    expect(second.status).to.equal(first.status);
    return second;
  };
  const grant = (appUserId: string, expiresAt: string) =>
    call('POST', `/v1/subscribers/${appUserId}/entitlements`, { entitlementId: 'pro', expiresAt });
  const base = () => `/v1/projects/${slice.projectId}`;
  beforeEach(() => clock.set(NOW));

  it('has the date of each request', async () => {
    await get('dated');
    clock.set(NOW + 1234);
    expect((await get('dated')).body.requestDate).to.equal('2026-11-20T10:00:01.234Z');
  });

  it('loses access at the end, to the millisecond', async () => {
    await grant('ending', '2026-11-20T11:00:00.000Z');
    const isActive = async () => (await get('ending')).body.subscriber.entitlements.pro.isActive;
    expect(await isActive()).to.equal(true);
    clock.set(NOW + HOUR_MS - 1);
    expect(await isActive()).to.equal(true);
    clock.set(NOW + HOUR_MS);
    expect(await isActive()).to.equal(false);
  });

  it('is seen on the next day', async () => {
    await get('daily');
    clock.set(NOW + 24 * HOUR_MS);
    await call('GET', '/v1/subscribers/daily');
    await harness.service().idle();
    expect((await get('daily')).body.subscriber.lastSeenAt).to.equal('2026-11-21T10:00:00.000Z');
  });

  it('shows what was written at once', async () => {
    await get('changing');
    await call('POST', '/v1/subscribers/changing/attributes', { attributes: { colour: 'blue' } });
    expect((await get('changing')).body.subscriber.attributes).to.have.property('colour');
    await grant('changing', '2026-12-20T10:00:00.000Z');
    expect((await get('changing')).body.subscriber.entitlements).to.have.property('pro');
    await call('DELETE', '/v1/subscribers/changing/entitlements/pro');
    expect((await get('changing')).body.subscriber.entitlements.pro.isActive).to.equal(false);
  });

  it('shows store updates', async () => {
    const { body } = await get('payer');
    expect(body.subscriber.subscriptions).to.deep.equal({});
    const transaction = { transactionId: '7700001', productId: MONTHLY, purchaseDate: NOW, expiresDate: NOW + HOUR_MS };
    const bought = { ...transaction, originalTransactionId: '7700001', price: 9990 };
    const told = (notificationType: 'SUBSCRIBED' | 'REFUND', more: object = {}) =>
      call('POST', slice.notificationPath, {
        ...notification({ notificationType, signedDate: NOW, transaction: { ...bought, ...more } }),
      });
    await told('SUBSCRIBED');
    await harness.service().idle();
    const { body: list } = await call('GET', `${base()}/customers?search=7700001`);
    const owner: string = list.items[0].appUserId;
    expect((await get(owner)).body.subscriber.entitlements.pro.isActive).to.equal(true);
    await told('REFUND', { revocationDate: NOW, revocationReason: 1 });
    await harness.service().idle();
    expect((await get(owner)).body.subscriber.entitlements.pro.isActive).to.equal(false);
  });

  it('follows the catalogue', async () => {
    const made = await call('POST', `${base()}/entitlements`, { lookupKey: 'extra', displayName: 'Extra' });
    const expiresAt = '2026-12-20T10:00:00.000Z';
    await call('POST', '/v1/subscribers/granted/entitlements', { entitlementId: 'extra', expiresAt });
    expect((await get('granted')).body.subscriber.entitlements).to.have.property('extra');
    await call('DELETE', `${base()}/entitlements/${made.body.id}`);
    expect((await get('granted')).body.subscriber.entitlements).to.not.have.property('extra');
  });

  it('is another once an anonymous one was merged into it', async () => {
    await call('POST', '/v1/subscribers/$anon:1', { attributes: { hint: 'x' } });
    await get('$anon:1');
    await get('named');
    await call('POST', '/v1/subscribers/named', { previousAppUserId: '$anon:1' });
    await harness.service().idle();
    for (const name of ['named', '$anon:1']) expect((await get(name)).body.subscriber.appUserId).to.equal('named');
  });

  it('is as much as each caller may see', async () => {
    await call('POST', '/v1/subscribers/private/attributes', { attributes: { colour: 'blue' } });
    const scoped = await call('POST', `${base()}/api-keys`, { name: 'reader', scopes: ['read'] }, asMember);
    const [full, open, read] = [as, { key: slice.publicKey }, { key: String(scoped.body.key) }];
    const seen = async (by: object) => (await get('private', by)).body.subscriber.attributes;
    const alone = [await seen(full), await seen(open), await seen(read)];
    expect(alone[0]).to.have.property('colour');
    expect(alone[1]).to.equal(undefined);
    for (const by of [read, full, open, full, read]) await get('private', by);
    expect([await seen(full), await seen(open), await seen(read)]).to.deep.equal(alone);
  });

  it('is not returned once its key was revoked', async () => {
    const made = await call('POST', `${base()}/api-keys`, { name: 'short-lived' }, asMember);
    const by = { key: String(made.body.key) };
    expect((await get('revoked', by)).status).to.equal(200);
    await call('DELETE', `${base()}/api-keys/${made.body.id}`, undefined, asMember);
    expectRefusal(await call('GET', '/v1/subscribers/revoked', undefined, by), 401);
  });

  it('is not returned once its key expired', async () => {
    const expiresAt = '2026-11-20T10:30:00.000Z';
    const made = await call('POST', `${base()}/api-keys`, { name: 'for an hour', expiresAt }, asMember);
    const by = { key: String(made.body.key) };
    expect((await get('expiring', by)).status).to.equal(200);
    clock.set(Date.parse(expiresAt));
    expectRefusal(await call('GET', '/v1/subscribers/expiring', undefined, by), 401);
  });

  it('is checked as if it were the first', async () => {
    await get('checked');
    expectRefusal(await call('GET', '/v1/subscribers/checked?since=1'), 400);
    const soon = { ...as, headers: { 'x-position': 'soon' } };
    expectRefusal(await call('GET', '/v1/subscribers/checked', undefined, soon), 400);
    const both = { ...as, headers: { authorization: 'Bearer abc' } };
    expectRefusal(await call('GET', '/v1/subscribers/checked', undefined, both), 400);
    const past = await call('GET', `/v1/subscribers/checked?asOf=${new Date(NOW).toISOString()}`);
    expect(past.body.requestDate).to.equal('2026-11-20T10:00:00.000Z');
  });

  it('is gone once erased', async () => {
    await call('POST', '/v1/subscribers/erased/attributes', { attributes: { $email: 'canary@example.com' } });
    const reader = await call('POST', `${base()}/api-keys`, { name: 'reads', scopes: ['read', 'pii'] }, asMember);
    const by = { key: String(reader.body.key) };
    expect((await get('erased', by)).status).to.equal(200);
    await call('DELETE', '/v1/subscribers/erased');
    expectRefusal(await call('GET', '/v1/subscribers/erased', undefined, by), 404);
    expect(JSON.stringify((await get('erased')).body)).to.not.include('canary');
  });
});
