// The payload format `revenuecat` over real sockets, read by a receiver that was written for RevenueCat's webhooks.
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { Webhook as Verifier } from 'standardwebhooks';
import { kindsOfFormat } from '../../../src/domain/webhook/kinds.js';
import { startReceiver, type ReceivedRequest } from '../../adapters/outbound/receiver.js';
import {
  MONTHLY,
  notification,
  setUpProject,
  startHarness,
  type Harness,
  type Json,
  type Slice,
} from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { poll } from '../../fixtures/poll.js';

const egress = { EGRESS_ALLOW_CIDRS: '127.0.0.1/32', EGRESS_ALLOW_HTTP: 'true' };

/** Checks the signature as receivers do: there is one, over the time and the body, with the secret as text. */
function isSigned({ headers, body }: ReceivedRequest, secret: string): boolean {
  const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-revenuecat-webhook-signature']));
  if (!match) return false;
  const [, timestamp = '', signature] = match;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex') === signature;
}

describe('webhooks in the format of RevenueCat', () => {
  let harness: Harness;
  let slice: Slice;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let status = 200;
  before(async () => {
    harness = await startHarness(egress);
    receiver = await startReceiver((res) => void res.writeHead(status).end());
  });
  after(async () => {
    await harness.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    status = 200;
    receiver.seen.splice(0);
    slice = await setUpProject(harness);
  });

  const base = () => `/v1/projects/${slice.projectId}`;
  const send = (method: string, path: string, body?: unknown) =>
    harness.call(method, `${base()}${path}`, body, { key: slice.secretKey });
  const make = async (more: object = {}) =>
    (await send('POST', '/webhooks', { url: `${receiver.url}/in`, payloadFormat: 'revenuecat', ...more })).body;
  /** Waits until all deliveries of a webhook have ended, and there are so many. */
  const delivered = async (wid: string, count: number): Promise<Json[]> => {
    await harness.service().idle();
    const read = async (): Promise<Json[]> => (await send('GET', `/webhooks/${wid}/deliveries`)).body.items;
    return poll(read, (items) => items.length >= count && items.every(({ state }) => state === 'delivered'));
  };
  const bodies = (): Json[] => receiver.seen.map(({ body }) => JSON.parse(body.toString()));
  const events = (): Json[] => bodies().map(({ event }) => event);
  const now = Date.now();
  let transactions = 0;
  const storeSends = async (notificationType: string, transactionId: string, more: object = {}, signedDate = now) => {
    const period = { purchaseDate: now - 1000, expiresDate: now + 86_400_000, price: 9990, currency: 'USD', ...more };
    const transaction = { transactionId, originalTransactionId: transactionId, productId: MONTHLY, ...period };
    const subtype = notificationType === 'SUBSCRIBED' ? { subtype: 'INITIAL_BUY' as const } : {};
    const sent = notification({ notificationType, ...subtype, signedDate, transaction });
    expect((await harness.call('POST', slice.notificationPath, sent)).status).to.equal(200);
  };
  const buy = async () => {
    const transactionId = `8${now}${++transactions}`;
    await storeSends('SUBSCRIBED', transactionId);
    return transactionId;
  };

  it('send a purchase with both signatures and the authorization header', async () => {
    const { id, secret, payloadFormat } = await make({ authorizationHeader: 'Bearer of-the-receiver' });
    expect(payloadFormat).to.equal('revenuecat');
    const transactionId = await buy();
    const [delivery] = await delivered(id, 1);
    const [body] = bodies();
    expect(body?.api_version).to.equal('1.0');
    expect(body?.event).to.deep.include({
      type: 'INITIAL_PURCHASE',
      id: delivery?.eventId,
      app_id: slice.appId,
      product_id: MONTHLY,
      entitlement_ids: ['pro'],
      entitlement_id: 'pro',
      environment: 'PRODUCTION',
      store: 'APP_STORE',
      period_type: 'NORMAL',
      transaction_id: transactionId,
      original_transaction_id: transactionId,
      price: 9.99,
      currency: 'USD',
      takehome_percentage: 0.7,
      renewal_number: 1,
    });
    const [seen] = receiver.seen as [ReceivedRequest];
    expect(isSigned(seen, secret)).to.equal(true);
    expect(isSigned(seen, `${secret}x`)).to.equal(false);
    expect(new Verifier(secret).verify(seen.body, seen.headers as Record<string, string>)).to.be.an('object');
    expect(seen.headers.authorization).to.equal('Bearer of-the-receiver');
  });

  it('have no delivery for a kind that RevenueCat lacks', async () => {
    const [{ id }, { id: other }] = [await make(), await make({ payloadFormat: 'camelCase' })];
    const transactionId = await buy();
    await storeSends('REFUND', transactionId, { revocationDate: now + 1000, revocationReason: 1 }, now + 1000);
    const types = (items: readonly Json[]) => items.map(({ type }) => type).sort();
    const changes = ['ENTITLEMENT_CHANGED', 'ENTITLEMENT_CHANGED'];
    expect(types(await delivered(other, 6))).to.include.members(['CANCELLATION', 'REFUND', ...changes]);
    const sent = await delivered(id, 2);
    expect(types(sent)).not.to.include.oneOf(['REFUND', 'ENTITLEMENT_CHANGED']);
    expect(types(sent)).to.include.members(['INITIAL_PURCHASE', 'CANCELLATION']);
    const refunds = events().filter((event) => event.cancel_reason === 'CUSTOMER_SUPPORT');
    expect(refunds).to.have.length(1);
    expect(refunds[0]).to.include({ type: 'CANCELLATION', price: -9.99, transaction_id: transactionId });
  });

  it('end a refunded purchase at the instant of its refund', async () => {
    const { id } = await make();
    const transactionId = await buy();
    await storeSends('REFUND', transactionId, { revocationDate: now + 1000, revocationReason: 1 }, now + 1000);
    await delivered(id, 3);
    const ends = events().slice(1);
    expect(ends.map(({ type }) => type)).to.deep.equal(['CANCELLATION', 'EXPIRATION']);
    for (const event of ends) {
      expect(event).to.include({ expiration_at_ms: now + 1000, currency: 'USD', takehome_percentage: 0.7 });
      expect(event).to.include({ tax_percentage: events()[0]?.tax_percentage, commission_percentage: 0.3 });
    }
  });

  it('send no transfer when an anonymous buyer logs in', async () => {
    const { id } = await make();
    const { id: own } = await make({ payloadFormat: 'camelCase' });
    await buy();
    await delivered(id, 1);
    // The other webhook may be sent first, in its own format.
    const { app_user_id: buyer } = events().find((event) => event.app_user_id !== undefined);
    const login = { previousAppUserId: String(buyer) };
    await harness.call('POST', '/v1/subscribers/dora', login, { key: slice.secretKey });
    const types = (items: readonly Json[]) => items.map(({ type }) => type);
    expect(types(await delivered(own, 5))).to.include('TRANSFER');
    const sent = types(await delivered(id, 2));
    expect(sent).to.have.members(['INITIAL_PURCHASE', 'SUBSCRIBER_ALIAS']);
  });

  it('filter by the kind that is sent', async () => {
    const { id } = await make({ eventTypes: ['CANCELLATION'] });
    const { id: never } = await make({ eventTypes: ['REFUND', 'ENTITLEMENT_CHANGED'] });
    const transactionId = await buy();
    await storeSends('REFUND', transactionId, { revocationDate: now + 1000, revocationReason: 1 }, now + 1000);
    expect((await delivered(id, 1)).map(({ type }) => type)).to.deep.equal(['CANCELLATION']);
    expect((await send('GET', `/webhooks/${never}/deliveries`)).body.items).to.deep.equal([]);
  });

  it('name a grant as RevenueCat names it', async () => {
    const { id } = await make();
    const path = '/v1/subscribers/bob/entitlements';
    const body = { entitlementId: 'pro', duration: 'monthly' };
    expect((await harness.call('POST', path, body, { key: slice.secretKey })).status).to.equal(201);
    await delivered(id, 1);
    const [event, ...rest] = events();
    expect(rest).to.deep.equal([]);
    expect(event).to.include({ type: 'NON_RENEWING_PURCHASE', app_user_id: 'bob', product_id: 'rc_promo_pro_monthly' });
    expect(event).to.include({ store: 'PROMOTIONAL', period_type: 'PROMOTIONAL', environment: 'PRODUCTION' });
  });

  it('name an offering by its lookup key', async () => {
    for (const lookupKey of ['standard', 'cheap']) await send('POST', '/offerings', { lookupKey, displayName: 'x' });
    const { body: experiment } = await send('POST', '/experiments', { name: 'Price' });
    for (const offeringId of ['standard', 'cheap'])
      await send('POST', `/experiments/${experiment.id}/variants`, { name: offeringId, offeringId });
    await send('PATCH', `/experiments/${experiment.id}`, { status: 'running' });
    const { id } = await make({ eventTypes: ['EXPERIMENT_ENROLLMENT'] });
    await harness.call('GET', '/v1/subscribers/carol/offerings', undefined, { key: slice.secretKey });
    await delivered(id, 1);
    const [event] = events();
    expect(event).to.include({ type: 'EXPERIMENT_ENROLLMENT', app_user_id: 'carol', experiment_id: experiment.id });
    expect(event?.offering_id).to.be.oneOf(['standard', 'cheap']);
  });

  it('are set and unset by a change', async () => {
    const { id, secret } = await make({ payloadFormat: 'camelCase' });
    const set = await send('PATCH', `/webhooks/${id}`, { payloadFormat: 'revenuecat' });
    expect([set.status, set.body.payloadFormat]).to.deep.equal([200, 'revenuecat']);
    await harness.service().idle();
    await send('POST', `/webhooks/${id}/test`);
    await delivered(id, 1);
    expect(isSigned(receiver.seen[0] as ReceivedRequest, secret)).to.equal(true);
    await send('PATCH', `/webhooks/${id}`, { payloadFormat: 'snake_case' });
    await harness.service().idle();
    await send('POST', `/webhooks/${id}/test`);
    await delivered(id, 2);
    expect(receiver.seen[1]?.headers).not.to.have.property('x-revenuecat-webhook-signature');
  });

  it('are signed with the newest secret alone while it is rotated', async () => {
    const { id, secret } = await make();
    const rotated = (await send('PATCH', `/webhooks/${id}`, { rotateSecret: true })).body.secret;
    await harness.service().idle();
    await send('POST', `/webhooks/${id}/test`);
    await delivered(id, 1);
    const seen = receiver.seen[0] as ReceivedRequest;
    expect([isSigned(seen, rotated), isSigned(seen, secret)]).to.deep.equal([true, false]);
  });

  it('are tested with a purchase of a sample customer', async () => {
    const { id } = await make();
    await send('POST', `/webhooks/${id}/test`);
    await delivered(id, 1);
    expect(events()[0]).to.include({ type: 'TEST', app_user_id: 'example-user', environment: 'SANDBOX' });
    expect(events()[0]).to.include.keys('product_id', 'store', 'aliases', 'event_timestamp_ms', 'is_example');
  });

  it('have examples and tests of the kinds of RevenueCat only', async () => {
    const { id } = await make();
    const { items } = (await send('GET', `/webhooks/${id}/examples`)).body;
    expect(items.map(({ type }: Json) => type)).to.deep.equal(kindsOfFormat('revenuecat'));
    for (const { type, body } of items) expect(JSON.parse(body).event.type).to.equal(type);
    const refused = await send('POST', `/webhooks/${id}/test`, { type: 'REFUND' });
    expectRefusal(refused, 400);
    expect(refused.body.message).to.include('REFUND is not sent in the payload format revenuecat');
  });

  it('are delivered by any status of success, not by 200 alone', async () => {
    status = 202;
    const { id } = await make();
    await send('POST', `/webhooks/${id}/test`);
    const [delivery] = await delivered(id, 1);
    expect(delivery?.attempts.map((a: Json) => a.status)).to.deep.equal([202]);
  });
});
