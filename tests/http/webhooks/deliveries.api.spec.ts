// Webhooks from a store notification to the receiver and into the delivery log, over real sockets.
import { expect } from 'chai';
import { sentKinds } from '../../../src/domain/webhook/kinds.js';
import { Webhook as Verifier } from 'standardwebhooks';
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

const egress = {
  EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  EGRESS_ALLOW_HTTP: 'true',
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0.05',
};

describe('webhook deliveries', () => {
  let harness: Harness;
  let slice: Slice;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let status = 200;
  const waiting: { count: number; resolve: () => void }[] = [];
  before(async () => {
    harness = await startHarness(egress);
    receiver = await startReceiver((res) => {
      res.writeHead(status).end('noted');
      for (const w of waiting.splice(0))
        if (receiver.seen.length >= w.count) w.resolve();
        else waiting.push(w);
    });
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

  const arrivals = (count: number) =>
    new Promise<void>((resolve) => {
      if (receiver.seen.length >= count) resolve();
      else waiting.push({ count, resolve });
    });
  const base = () => `/v1/projects/${slice.projectId}`;
  const ask = (method: string, path: string, body?: unknown) =>
    harness.call(method, `${base()}${path}`, body, { key: slice.secretKey });
  const make = async (more: object = {}) =>
    (await ask('POST', '/webhooks', { url: `${receiver.url}/in`, ...more })).body;
  const eventOf = ({ body }: ReceivedRequest) => JSON.parse(body.toString()).event;
  const now = Date.now();
  let transactions = 0;
  const buy = async (headers: Record<string, string> = {}) => {
    const transactionId = `7${now}${++transactions}`;
    const period = { purchaseDate: now - 1000, expiresDate: now + 86_400_000, price: 9990, currency: 'USD' };
    const transaction = { transactionId, originalTransactionId: transactionId, productId: MONTHLY, ...period };
    const sent = notification({ notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: now, transaction });
    expect((await harness.call('POST', slice.notificationPath, sent, { headers })).status).to.equal(200);
    return JSON.stringify(sent);
  };
  /** Polls until a delivery is recorded, which is a moment after it arrived, or until the test times out. */
  const shown = (path: string, isDone: (body: Json) => boolean) =>
    poll(async () => (await ask('GET', path)).body, isDone);
  const listed = (wid: string, query: string, isDone: (items: { state: string }[]) => boolean) =>
    shown(`/webhooks/${wid}/deliveries${query}`, ({ items }) => isDone(items));
  const delivered = (count: number) => (items: { state: string }[]) =>
    items.filter((d) => d.state === 'delivered').length >= count;

  it('send a purchase, signed, and log it', async () => {
    const { id, secret } = await make();
    await buy();
    await arrivals(2);
    const [first, second] = receiver.seen;
    expect(new Verifier(secret).verify(first?.body ?? '', first?.headers as Record<string, string>)).to.be.an('object');
    const body = first ? eventOf(first) : {};
    expect(body).to.include({ type: 'INITIAL_PURCHASE', projectId: slice.projectId, appId: slice.appId });
    expect(body).to.include({ environment: 'PRODUCTION', storeProductId: MONTHLY, price: 9.99, currency: 'USD' });
    expect(body.entitlementIds).to.deep.equal(['pro']);
    const changed = second ? eventOf(second) : {};
    expect([changed.type, changed.added, changed.removed]).to.deep.equal(['ENTITLEMENT_CHANGED', ['pro'], []]);
    const { items } = await listed(id, '', delivered(2));
    const entry = items.find((d: { type: string }) => d.type === 'INITIAL_PURCHASE');
    expect(entry).to.include({ eventId: body.id, state: 'delivered', nextAttemptAt: null, appUserId: body.appUserId });
    expect(entry.attempts[0]).to.include({ status: 200, errorCode: null });
    // The receiver is at a private address that the configuration allows: what it says is nothing for tenants.
    expect(entry.attempts[0].responseSnippet).to.equal(null);
  });

  it('are shown with the body as it was sent and each attempt', async () => {
    const { id } = await make();
    await buy();
    await arrivals(2);
    const [one] = (await listed(id, '', delivered(2))).items;
    const { status: found, body } = await ask('GET', `/webhooks/${id}/deliveries/${one.id}`);
    expect(found).to.equal(200);
    const { body: sent, contentType, ...rest } = body;
    expect([rest, contentType]).to.deep.equal([one, 'application/json']);
    expect(receiver.seen.map((s) => s.body.toString())).to.include(sent);
    const { id: another } = await make();
    expectRefusal(await ask('GET', `/webhooks/${another}/deliveries/${one.id}`), 404);
    expectRefusal(await ask('GET', `/webhooks/${id}/deliveries/del_${'0'.repeat(26)}`), 404);
  });

  it('are in the timeline of their customer, with the event that caused them', async () => {
    const { id } = await make();
    await buy();
    await arrivals(2);
    const { items } = await listed(id, '', delivered(2));
    // Webhooks and read models follow the log each at their own pace.
    await harness.service().idle();
    const [customer] = (await ask('GET', '/customers')).body.items;
    const entries = (await ask('GET', `/customers/${customer.id}/timeline`)).body.items;
    const started = entries.find((e: { type: string }) => e.type === 'SubscriptionStarted');
    const summaries = items.map((d: Record<string, string>) => {
      return { id: d['id'], webhookId: id, eventId: d['eventId'], type: d['type'], state: 'delivered' };
    });
    expect(started.deliveries).to.have.deep.members(summaries);
  });

  it('are listed by state, kind, subscriber and time, a page at a time', async () => {
    const { id } = await make();
    await buy();
    await buy();
    await arrivals(4);
    const all = (await listed(id, '', delivered(4))).items;
    expect(all.map((d: { createdAt: string }) => d.createdAt)).to.deep.equal(
      [...all.map((d: { createdAt: string }) => d.createdAt)].sort().reverse(),
    );
    const first = (await ask('GET', `/webhooks/${id}/deliveries?limit=3`)).body;
    const rest = await harness.call('GET', first.nextPage, undefined, { key: slice.secretKey });
    const ids = [...first.items, ...rest.body.items].map((d: { id: string }) => d.id);
    expect([ids, rest.body.nextPage]).to.deep.equal([all.map((d: { id: string }) => d.id), null]);
    const { appUserId } = all[0];
    const count = async (query: string) => (await ask('GET', `/webhooks/${id}/deliveries?${query}`)).body.items.length;
    expect(await count('type=INITIAL_PURCHASE')).to.equal(2);
    expect(await count('state=failed')).to.equal(0);
    expect(await count(`appUserId=${encodeURIComponent(appUserId)}`)).to.equal(2);
    expect(await count('from=2999-01-01T00:00:00Z')).to.equal(0);
    expect(await count('to=2999-01-01T00:00:00Z')).to.equal(4);
    expect((await ask('GET', `/webhooks/${id}/deliveries?startingAfter=del_x`)).status).to.equal(400);
  });

  it('are sent again on request, with the same ID', async () => {
    status = 500;
    const { id } = await make({ eventTypes: ['INITIAL_PURCHASE'] });
    await buy();
    await arrivals(2);
    const isOver = (items: { state: string }[]) => items.some((d) => d.state === 'failed');
    const [failed] = (await listed(id, '', isOver)).items;
    expect([failed.state, failed.attempts.length]).to.deep.equal(['failed', 2]);
    status = 204;
    const again = await ask('POST', `/webhooks/${id}/deliveries/${failed.id}/redeliver`);
    expect([again.status, again.body.state, again.body.eventId]).to.deep.equal([200, 'pending', failed.eventId]);
    await arrivals(3);
    expect(new Set(receiver.seen.map((s) => s.headers['webhook-id'])).size).to.equal(1);
    const [done] = (await listed(id, '', delivered(1))).items;
    expect(done.attempts.map((a: { status: number }) => a.status)).to.deep.equal([500, 500, 204]);
    expect((await ask('POST', `/webhooks/${id}/deliveries/del_unknown/redeliver`)).status).to.equal(404);
    const { id: other } = await make();
    expect((await ask('POST', `/webhooks/${other}/deliveries/${failed.id}/redeliver`)).status).to.equal(404);
  });

  it('are tested', async () => {
    const { id } = await make({ sendTestEvent: true });
    await arrivals(1);
    const { status: answered, body } = await ask('POST', `/webhooks/${id}/test`);
    expect([answered, body.type, body.appUserId]).to.deep.equal([200, 'TEST', null]);
    await arrivals(2);
    expect(receiver.seen.map((s) => eventOf(s).type)).to.deep.equal(['TEST', 'TEST']);
    expect(receiver.seen[1]?.headers['webhook-id']).to.equal(body.eventId);
    await ask('PATCH', `/webhooks/${id}`, { enabled: false });
    expect((await ask('POST', `/webhooks/${id}/test`)).status).to.equal(409);
  });

  it('are examples of any kind, as they were shown before', async () => {
    const { id } = await make({ payloadFormat: 'snake_case', eventTypes: ['INITIAL_PURCHASE'] });
    const { items } = (await ask('GET', `/webhooks/${id}/examples`)).body;
    expect(items.map((one: { type: string }) => one.type)).to.deep.equal(sentKinds);
    const renewal = JSON.parse(items.find((one: { type: string }) => one.type === 'RENEWAL').body).event;
    expect(renewal).to.include({ type: 'RENEWAL', environment: 'SANDBOX', is_example: true, price: 9.99 });
    const { status: answered, body } = await ask('POST', `/webhooks/${id}/test`, { type: 'RENEWAL' });
    expect([answered, body.type, body.appUserId]).to.deep.equal([200, 'RENEWAL', null]);
    await arrivals(1);
    const sent = JSON.parse(receiver.seen[0]?.body.toString() ?? '').event;
    expect(Object.keys(sent)).to.deep.equal(Object.keys(renewal));
    expect(sent).to.include({ id: body.eventId, type: 'RENEWAL', is_example: true });
    for (const type of ['INVOICE_ISSUANCE', 'NOTHING', null]) {
      expect((await ask('POST', `/webhooks/${id}/test`, { type })).status, String(type)).to.equal(400);
    }
    const { body: customers } = await ask('GET', '/customers');
    expect(JSON.stringify(customers)).to.not.include('example-user');
  });

  it('held while a webhook is off are replayed, each with its id', async () => {
    const { id } = await make({ eventTypes: ['INITIAL_PURCHASE'], enabled: false });
    await buy();
    await buy();
    const heldDeliveries = (await listed(id, '?state=held', (items) => items.length === 2)).items;
    expect([heldDeliveries.length, receiver.seen.length]).to.deep.equal([2, 0]);
    const range = { from: new Date(now - 3_600_000).toISOString(), to: new Date(now + 3_600_000).toISOString() };
    expect((await ask('POST', `/webhooks/${id}/replay`, range)).status).to.equal(409);
    await ask('PATCH', `/webhooks/${id}`, { enabled: true });
    await harness.service().idle();
    const replay = await ask('POST', `/webhooks/${id}/replay`, { ...range, onlyFailed: true });
    expect([replay.status, replay.body.object, replay.body.queued]).to.deep.equal([200, 'webhookReplay', 2]);
    await arrivals(2);
    const ids = heldDeliveries.map((d: { eventId: string }) => d.eventId).sort();
    expect(receiver.seen.map((s) => s.headers['webhook-id']).sort()).to.deep.equal(ids);
    await listed(id, '', delivered(2));
    expect((await ask('POST', `/webhooks/${id}/replay`, { ...range, onlyFailed: true })).body.queued).to.equal(0);
    const far = { from: '2020-01-01T00:00:00Z', to: range.to };
    for (const bad of [far, { from: range.to, to: range.from }])
      expect((await ask('POST', `/webhooks/${id}/replay`, bad)).status).to.equal(400);
  });

  it('count on the webhook', async () => {
    const { id } = await make({ sendTestEvent: true });
    await arrivals(1);
    const { lastDelivery, stats24h } = await shown(`/webhooks/${id}`, (webhook) => webhook.lastDelivery !== null);
    expect([lastDelivery.status, stats24h]).to.deep.equal([200, { delivered: 1, failed: 0 }]);
  });

  it('are not tested or sent again with unknown fields', async () => {
    const { body: made } = await ask('POST', '/webhooks', { url: `${receiver.url}/all` });
    const test = `/webhooks/${made.id}/test`;
    expect((await ask('POST', test, { eventType: 'RENEWAL' })).status).to.equal(400);
    expect((await ask('POST', test, {})).status).to.equal(200);
    const { body: sent } = await ask('POST', test);
    const again = `/webhooks/${made.id}/deliveries/${sent.id}/redeliver`;
    expect((await ask('POST', again, { now: true })).status).to.equal(400);
    expect((await ask('POST', again)).status).to.equal(200);
    // A delivery in progress would arrive in the next test.
    await listed(made.id, '', delivered(2));
  });

  it('forward what the store sent, byte for byte and unsigned', async () => {
    const url = `${receiver.url}/store`;
    const set = await ask('PATCH', `/apps/${slice.appId}`, { notificationForwardingUrl: url });
    expect(set.status).to.equal(200);
    const type = 'application/json; charset=utf-8; profile=store';
    const sent = await buy({ 'content-type': type });
    await arrivals(1);
    const [first] = receiver.seen;
    expect(first?.headers['content-type']).to.equal(type);
    expect([first?.path, first?.body.toString()]).to.deep.equal(['/store', sent]);
    expect(first?.headers).to.include.keys('webhook-id', 'webhook-timestamp', 'webhook-attempt');
    expect(first?.headers).not.to.include.keys('webhook-signature');
    const forwarded = await shown(
      `/apps/${slice.appId}/credentials/status`,
      ({ notifications }) => notifications.forwarding.lastStatus !== null,
    );
    expect(forwarded.notifications.forwarding).to.include({ url, lastStatus: 200 });
  });
});
