// Store notifications: list, details, and retries.
import { expect } from 'chai';
import { createRecord } from '../../../src/adapters/documents/records.js';
import { parkedEventCollection, parkedEventId } from '../../../src/commands/handling/parked-events.js';
import { reprocess } from '../../../src/commands/stores/inbox/reprocess.js';
import { streams } from '../../../src/domain/streams.js';
import { pushBody } from '../../../simulator/android-store/payloads.js';
import { BUNDLE_ID, MONTHLY, notification, setUpProject, store, type Json, type Slice } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { expectRefusal, headOf } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const MINUTE = 60_000;

function stage(env: Record<string, string> = {}) {
  const clock = createManualClock(NOW);
  const set = setUpServiceWithFreshProjects(env, clock.runtime);
  const { harness, slice, as } = set;
  const path = (rest: string) => `/v1/projects/${slice.projectId}/notifications${rest}`;
  const ask = (method: string, rest: string, who: object = as) => harness.call(method, path(rest), undefined, who);
  const bodies: string[] = [];
  let sent = 0;
  /** Answers with the id of the notification. */
  const send = async (type = 'SUBSCRIBED/INITIAL_BUY', of: Slice = slice) => {
    const [notificationType = '', subtype] = type.split('/');
    const transactionId = `61${++sent}`;
    const period = { purchaseDate: NOW - 1000, expiresDate: NOW + 86_400_000, price: 9990, currency: 'USD' };
    const transaction = { transactionId, originalTransactionId: transactionId, productId: MONTHLY, ...period };
    const named = { notificationType, ...(subtype !== undefined && { subtype }) };
    clock.set(NOW + sent * MINUTE);
    const body = notification({ ...named, signedDate: NOW + sent * MINUTE, transaction });
    bodies.push(JSON.stringify(body));
    expect((await harness.call('POST', of.notificationPath, body)).status).to.equal(200);
    await harness.service().idle();
    return ((await ask('GET', '?limit=1')).body.items[0]?.id ?? '') as string;
  };
  return { ...set, clock, path, ask, send, bodies };
}

describe('notifications', () => {
  const { harness, slice, as, asMember, ask, path, send, bodies, clock } = stage();

  it('are listed newest first with what became of them', async () => {
    const ids = [await send(), await send('TEST'), await send('NEWS_OF_TOMORROW')];
    const { body } = await ask('GET', '');
    expect(body.items.map((n: Json) => n.id)).to.deep.equal(ids.toReversed());
    expect(body.items.map((n: Json) => [n.type, n.state, n.outcome])).to.deep.equal([
      ['NEWS_OF_TOMORROW', 'ignored', 'ignored_unknown_type'],
      ['TEST', 'handled', 'no_change'],
      ['SUBSCRIBED/INITIAL_BUY', 'handled', 'applied'],
    ]);
    const customer = await harness.call('GET', `/v1/projects/${slice.projectId}/customers`, undefined, as);
    expect(body.items[2].customerId).to.equal(customer.body.items[0].id);
    expect(body.items[0].customerId).to.equal(null);
  });

  it('are found by state, app and time, page by page', async () => {
    const all = [];
    for (const type of ['SUBSCRIBED', 'NEWS_OF_TOMORROW', 'SUBSCRIBED', 'SUBSCRIBED']) all.unshift(await send(type));
    const walked = (query: string) => walk(harness, path(`?limit=2${query}`), as);
    expect(await walked('')).to.deep.equal(all);
    expect(await walked('&state=handled')).to.deep.equal([all[0], all[1], all[3]]);
    expect(await walked('&state=ignored')).to.deep.equal([all[2]]);
    expect(await walked('&state=waiting')).to.deep.equal([]);
    expect(await walked(`&appId=${slice.appId}`)).to.deep.equal(all);
    expect(await walked('&appId=app_of_others')).to.deep.equal([]);
    const { receivedAt } = (await ask('GET', `/${all[1]}`)).body;
    expect(await walked(`&since=${receivedAt}`)).to.deep.equal(all.slice(0, 2));
  });

  it('show their decoded content and their result', async () => {
    const nid = await send();
    const { body } = await ask('GET', `/${nid}`);
    expect(body).to.include({ id: nid, state: 'handled', type: 'SUBSCRIBED/INITIAL_BUY', nextAttemptAt: null });
    expect(body.revocationChecked).to.equal(false);
    const { signedTransactionInfo, bundleId } = body.words.signedPayload.data;
    expect([bundleId, signedTransactionInfo.productId]).to.deep.equal(['com.example.app', MONTHLY]);
    expect(body.rawBody).to.equal(bodies.at(-1));
    expect(body.events.map((e: Json) => e.type)).to.deep.equal(['CustomerCreated', 'SubscriptionStarted']);
    expect(body.events.map((e: Json) => e.id)).to.deep.equal(body.eventIds);
  });

  it('about a purchase that a receipt has brought show the events that they confirm, and no bookkeeping', async () => {
    const transaction = {
      ...{ transactionId: '7001', originalTransactionId: '7001', productId: MONTHLY },
      ...{ purchaseDate: NOW - 1000, expiresDate: NOW + 86_400_000, price: 9990, currency: 'USD' },
    };
    const receipt = store.signedTransaction({ ...transaction, bundleId: BUNDLE_ID, environment: 'Production' });
    const asServer = { key: slice.secretKey };
    await harness.call('POST', '/v1/subscribers/erin/receipts', { store: 'ios-store', receipt }, asServer);
    const named = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY' };
    const body = notification({ ...named, signedDate: NOW + MINUTE, transaction });
    expect((await harness.call('POST', slice.notificationPath, body)).status).to.equal(200);
    await harness.service().idle();

    const [{ id }] = (await ask('GET', '?limit=1')).body.items;
    const { body: found } = await ask('GET', `/${id}`);
    expect(found).to.include({ state: 'handled' });
    expect([found.eventIds, found.events]).to.deep.equal([[], []]);
    expect(found.confirms.map((e: Json) => e.type)).to.deep.equal(['SubscriptionStarted']);
    const { body: timeline } = await harness.call(
      'GET',
      `/v1/projects/${slice.projectId}/customers/erin/timeline`,
      undefined,
      as,
    );
    expect(timeline.items.map((e: Json) => e.id)).to.include(found.confirms[0].id);
  });

  it('show no words of the store to a key without personal fields', async () => {
    const nid = await send();
    const keys = `/v1/projects/${slice.projectId}/api-keys`;
    const made = await harness.call('POST', keys, { name: 'wall', scopes: ['read'] }, asMember);
    const { status, body } = await ask('GET', `/${nid}`, { key: made.body.key });
    expect(status).to.equal(200);
    expect(body).to.not.have.any.keys('words', 'rawBody', 'error');
  });

  it('can be retried, which adds nothing', async () => {
    const ids = [await send(), await send('NEWS_OF_TOMORROW')];
    const head = await headOf(harness);
    for (const nid of [...ids, ...ids]) {
      const before = (await ask('GET', `/${nid}`)).body;
      const { status, body } = await ask('POST', `/${nid}/retry`);
      expect([status, body]).to.deep.equal([200, before]);
    }
    expect(await headOf(harness)).to.equal(head);
  });

  for (const [i, type] of ['AGE_RANGE_CHANGED', 'SUBSCRIBED'].entries())
    it(`of an unknown container (${type}) are kept, and are the same however often they are run again`, async () => {
      clock.set(NOW + (60 + i) * MINUTE);
      const ageData = { bundleId: BUNDLE_ID, environment: 'Production', range: { from: 13 } };
      const signedDate = clock.now();
      const fields = { bundleId: BUNDLE_ID, notificationType: type, signedDate, data: undefined, ageData };
      const body = store.signedNotification(fields);
      expect((await harness.call('POST', slice.notificationPath, body)).status).to.equal(200);
      await harness.service().idle();
      const [{ id }] = (await ask('GET', '?limit=1')).body.items;
      const { body: before } = await ask('GET', `/${id}`);
      expect(before).to.include({ type, state: 'ignored', outcome: 'ignored_unknown_type' });
      expect(before.rawBody).to.equal(JSON.stringify(body));
      expect(before.words.signedPayload.ageData).to.deep.equal(ageData);

      const head = await headOf(harness);
      for (const _ of [1, 2]) {
        const again = await ask('POST', `/${id}/retry`);
        expect([again.status, again.body]).to.deep.equal([200, before]);
      }
      const { deps } = harness.service().services;
      const since = new Date(signedDate).toISOString();
      for (const dryRun of [true, false]) {
        const found = await reprocess(deps, { since, dryRun }, new AbortController().signal);
        expect(found).to.include({ read: 1, changed: 0, added: 0, left: 0 });
      }
      expect(await headOf(harness)).to.equal(head);
    });

  it('are not listed in another project, and unknown ones are not found', async () => {
    const nid = await send();
    const other = await setUpProject(harness);
    expectRefusal(await ask('GET', '/app_1'), 404);
    expectRefusal(await ask('GET', `?startingAfter=${nid}x`), 400);
    expectRefusal(await ask('GET', '?state=lost'), 400);
    const list = await harness.call('GET', `/v1/projects/${other.projectId}/notifications`, undefined, {
      key: other.secretKey,
    });
    expect(list.body.items).to.deep.equal([]);
  });
});

describe('unprocessed notifications', () => {
  const { harness, slice, as, ask, send } = stage({ ROLES: 'http,projector' });
  const park = async (nid: string) => {
    const { log, docs } = harness.service().services.deps;
    for await (const { id: eventId, stream, position } of log.read(streams.inboxOf(nid))) {
      const doc = {
        reaction: 'inbox',
        position,
        eventId,
        stream,
        error: 'Error: no such plan\n  at plan.ts',
        askedAt: '',
      };
      await createRecord(docs, parkedEventCollection.name, parkedEventId('inbox', eventId), doc);
    }
  };
  const statesOf = async (query: string) =>
    (await ask('GET', query)).body.items.map((n: Json) => [n.id, n.state]) as readonly unknown[];

  it('wait, or are parked with what was thrown', async () => {
    const [waiting, parked] = [await send(), await send()];
    await park(parked);
    expect(await statesOf('')).to.deep.equal([
      [parked, 'parked'],
      [waiting, 'waiting'],
    ]);
    expect(await statesOf('?state=parked')).to.deep.equal([[parked, 'parked']]);
    expect(await statesOf('?state=waiting')).to.deep.equal([[waiting, 'waiting']]);
    const { body } = await ask('GET', `/${parked}`);
    expect([body.state, body.error]).to.deep.equal(['parked', 'Error: no such plan']);
  });

  it('are processed on request, each once for repeated requests', async () => {
    const [waiting, parked] = [await send(), await send()];
    await park(parked);
    for (const nid of [waiting, parked]) {
      const asked = await Promise.all([1, 2, 3].map(() => ask('POST', `/${nid}/retry`)));
      expect(asked.map(({ status, body }) => [status, body.state])).to.deep.equal(asked.map(() => [200, 'handled']));
      const { customerId } = asked[0]?.body ?? {};
      const path = `/v1/projects/${slice.projectId}/customers/${customerId}/timeline?order=oldest`;
      const { body } = await harness.call('GET', path, undefined, as);
      expect(body.items.map((e: Json) => e.type)).to.deep.equal(['CustomerCreated', 'SubscriptionStarted']);
    }
    expect(await statesOf('?state=parked')).to.deep.equal([]);
    expect(await statesOf('?state=waiting')).to.deep.equal([]);
  });

  it('of a store that must be polled stay unprocessed without credentials', async () => {
    const app = { name: 'Android', platform: 'android', packageName: 'com.example.app' };
    const made = await harness.call('POST', `/v1/projects/${slice.projectId}/apps`, app, as);
    const kind = { subscriptionNotification: { notificationType: 4, purchaseToken: 'token' } };
    const pushed = pushBody({ packageName: 'com.example.app', atMs: NOW, messageId: 'm1', kind });
    await harness.call('POST', new URL(made.body.notificationUrl).pathname, pushed);
    await harness.service().idle();
    const [{ id, state }] = (await ask('GET', '')).body.items;
    expect(state).to.equal('waiting');
    const { body } = await ask('GET', `/${id}`);
    expect(body.words.message.data.subscriptionNotification.purchaseToken).to.equal('token');
    const head = await headOf(harness);
    expectRefusal(await ask('POST', `/${id}/retry`), 409);
    expect(await headOf(harness)).to.equal(head);
  });
});
