// Random purchases sent to the whole service in signed notifications: in order, repeated, in turns with receipts between, and shuffled,
// each in a project of its own. `HTTP_PURCHASES` sets how many (10), `SEED` which. In any order the events with their times, the whole
// bodies about each customer at several instants, the transactions, the charts and the set of webhooks are those of the order in which the
// store sent. Webhooks are sent in the order in which things are learned: where that is the store's order, so is theirs.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { IosNotification } from '../../../../src/adapters/ios-store/port.js';
import { createRandom } from '../../../../simulator/random.js';
import { chainPlans, notificationsOf } from '../../../commands/stores/ios/random-chain.js';
import { DAY_MS, dayMs } from '../../../commands/stores/ios/samples.js';
import { BUNDLE_ID, setUpProject, store, type Json, type Slice } from '../../support/harness.js';
import { createManualClock } from '../../support/manual-clock.js';
import { setUpHarness } from '../../support/setup.js';
import { listenForKinds, type SentKinds } from '../../support/webhook-messages.js';

const PURCHASES = Number(process.env['HTTP_PURCHASES'] ?? 10);
const SEED = Number(process.env['SEED'] ?? 7);
/** Nothing that the stores would send after this day is sent. Most purchases are in the middle then. */
const LAST_DAY = 100;
const PRODUCTS = ['app.monthly', 'app.yearly'];
const MAY_LACK = new Set(['BILLING_ISSUE', 'CANCELLATION BILLING_ERROR', 'EXPIRATION BILLING_ERROR']);
const INSTANTS = [0, 10, 40].map((days) => dayMs(LAST_DAY) + days * DAY_MS);

type Script = { readonly appUserId: string; readonly notifications: readonly IosNotification[] };
type Message = { readonly appUserId: string; readonly path: string; readonly body: object };

describe(`${PURCHASES} random ios purchases received in any order (seed ${SEED})`, function () {
  this.timeout(120_000);
  const clock = createManualClock(dayMs(LAST_DAY));
  const scripts: readonly Script[] = fc.sample(chainPlans(), { numRuns: PURCHASES, seed: SEED }).map((plan) => ({
    appUserId: randomUUID(),
    notifications: notificationsOf(plan).filter((n) => n.signedDate < dayMs(LAST_DAY)),
  }));
  const harness = setUpHarness({}, clock.runtime);
  let inOrder: Slice;
  const sentKinds = new Map<Slice, SentKinds>();
  before(async () => {
    inOrder = await projectWithWebhook();
    for (const { appUserId, notifications } of scripts)
      for (const [i] of notifications.entries()) await send(inOrder, messageOf(inOrder, appUserId, i));
    await harness.service().idle();
    await sentKinds.get(inOrder)?.note();
  });

  const post = async (path: string, body: object, key: string) => {
    const response = await harness.call('POST', path, body, { key });
    expect(response.status, `${path} ${JSON.stringify(response.body)}`).to.be.within(200, 201);
    return response.body;
  };
  /** Creates a project with two products, one entitlement for each, and the customers that the store refers to. */
  const project = async (): Promise<Slice> => {
    const slice = await setUpProject(harness);
    const base = `/v1/projects/${slice.projectId}`;
    for (const storeProductId of PRODUCTS) {
      const fields = { appId: slice.appId, storeProductId, displayName: storeProductId, type: 'subscription' };
      const { id } = await post(`${base}/products`, { ...fields, duration: 'P1M' }, slice.secretKey);
      await post(`${base}/entitlements`, { lookupKey: storeProductId, displayName: 'Pro' }, slice.secretKey);
      await post(`${base}/entitlements/${storeProductId}/products`, { productId: id }, slice.secretKey);
    }
    for (const { appUserId } of scripts) await post(`/v1/subscribers/${appUserId}`, {}, slice.secretKey);
    return slice;
  };

  const find = (appUserId: string, i: number): IosNotification => {
    const n = scripts.find((script) => script.appUserId === appUserId)?.notifications[i];
    if (!n) throw new Error(`the script of ${appUserId} has no message ${i}`);
    return n;
  };
  const ofCustomer = (appUserId: string, n: IosNotification) => {
    const chain = (id: string) => `${appUserId}-${id}`;
    const { transaction, renewal } = n.data ?? {};
    if (!transaction) throw new Error('every message of a script is about a transaction');
    const { transactionId, originalTransactionId } = transaction;
    const ids = { transactionId: chain(transactionId), originalTransactionId: chain(originalTransactionId) };
    const own = { bundleId: BUNDLE_ID, appAccountToken: appUserId };
    return {
      transaction: { ...transaction, ...own, ...ids },
      renewal: renewal && {
        productId: PRODUCTS[0] ?? '',
        ...renewal,
        originalTransactionId: ids.originalTransactionId,
      },
    };
  };
  /** The `i`-th notification of a chain; `again` gives it another id. */
  const messageOf = (slice: Slice, appUserId: string, i: number, again = ''): Message => {
    const n = find(appUserId, i);
    const { notificationType, subtype, signedDate } = n;
    const fields = { notificationType, signedDate, ...(subtype !== undefined && { subtype }), bundleId: BUNDLE_ID };
    const notificationUUID = `${appUserId}-${i}${again}`;
    const parts = ofCustomer(appUserId, n) as Pick<
      Parameters<typeof store.signedNotification>[0],
      'transaction' | 'renewal'
    >;
    const body = store.signedNotification({ ...fields, environment: 'Production', notificationUUID, ...parts });
    return { appUserId, path: slice.notificationPath, body };
  };
  const receiptOf = (slice: Slice, appUserId: string, i: number): Message => {
    const { signedDate } = find(appUserId, i);
    const { transaction } = ofCustomer(appUserId, find(appUserId, i));
    const signed = { ...transaction, signedDate } as Parameters<typeof store.signedTransaction>[0];
    const receipt = store.signedTransaction(signed);
    const body = { store: 'ios-store', receipt, appId: slice.appId };
    return { appUserId, path: `/v1/subscribers/${appUserId}/receipts`, body };
  };
  const send = (slice: Slice, { path, body }: Message) => post(path, body, slice.secretKey);
  const isRefund = (appUserId: string, i: number) => find(appUserId, i).data?.transaction?.revocationDate !== undefined;

  /** Ids are derived from the project's: what is left says the same in each. */
  const neutral = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replace(/\b(cus|sub|prod|ent|app|proj|whe)_[0-9a-z]{26}\b/g, '$1'));
  const get = async (slice: Slice, path: string) => {
    const url = `/v1/projects/${slice.projectId}${path}`;
    const { status, body } = await harness.call('GET', url, undefined, { key: slice.secretKey });
    expect(status, url).to.equal(200);
    return body;
  };
  const customer = (slice: Slice, appUserId: string) => get(slice, `/customers/${appUserId}`);
  const bodyForApp = async (slice: Slice, appUserId: string) => {
    const { status, body } = await harness.call('GET', `/v1/subscribers/${appUserId}`, undefined, {
      key: slice.secretKey,
    });
    expect(status).to.equal(200);
    return body;
  };
  /** Returns the complete responses about a customer, without `lastSeenAt`, which the request itself changes. */
  const bodiesOf = async (slice: Slice, appUserId: string) => {
    const [detail, { subscriber }] = await Promise.all([customer(slice, appUserId), bodyForApp(slice, appUserId)]);
    return neutral([detail, subscriber].map((body: Json) => ({ ...body, lastSeenAt: null })));
  };
  const moneyOf = async (slice: Slice) => {
    const all: Json[] = [];
    for (let after = ''; ;) {
      const { items, nextPage } = await get(slice, `/transactions?limit=100${after}`);
      all.push(...items);
      if (nextPage === null) break;
      after = `&startingAfter=${new URL(nextPage, 'http://any').searchParams.get('startingAfter')}`;
    }
    const named = all.map((entry) => JSON.stringify(neutral(entry)));
    return named.sort();
  };
  const timeline = async (slice: Slice, appUserId: string) => {
    const { items } = await get(slice, `/customers/${appUserId}/timeline?order=oldest&limit=100`);
    return items.map(({ type, at, data, access }: Record<string, unknown>) => ({ type, at, data, access }));
  };
  const charts = async (slice: Slice): Promise<Record<string, unknown>> => {
    const { items } = await get(slice, '/metrics/charts');
    const range = 'startDate=2026-11-01&endDate=2027-04-30&interval=month';
    const figures = items.map(async ({ id }: { id: string }) => {
      const { buckets, rows } = await get(slice, `/metrics/charts/${id}?${range}`);
      return [id, buckets ?? rows];
    });
    return Object.fromEntries(await Promise.all(figures));
  };
  const sentTo = async (slice: Slice, appUserId: string) => (await sentKinds.get(slice)?.about(appUserId)) ?? [];
  const expectTheSame = async (slice: Slice) => {
    await harness.service().idle();
    for (const { appUserId } of scripts) {
      const [found, wanted] = await Promise.all([bodiesOf(slice, appUserId), bodiesOf(inOrder, appUserId)]);
      expect(found, `customer ${appUserId}`).to.deep.equal(wanted);
      expect(await sentTo(slice, appUserId), `webhooks about ${appUserId}`).to.deep.equal(
        await sentTo(inOrder, appUserId),
      );
      const [scenario, expected] = await Promise.all([timeline(slice, appUserId), timeline(inOrder, appUserId)]);
      expect(neutral(scenario), `timeline of ${appUserId}`).to.deep.equal(neutral(expected));
    }
    expect(await moneyOf(slice)).to.deep.equal(await moneyOf(inOrder));
    expect(await charts(slice)).to.deep.equal(await charts(inOrder));
  };

  it('has enough notifications to compare', async () => {
    const total = scripts.reduce((sum, { notifications }) => sum + notifications.length, 0);
    expect(total).to.be.greaterThan(PURCHASES * 3);
    const { revenue } = await charts(inOrder);
    expect(JSON.stringify(revenue)).to.match(/[1-9]/);
  });

  const projectWithWebhook = async () => {
    const slice = await project();
    sentKinds.set(slice, await listenForKinds(harness, slice));
    return slice;
  };

  it('is the same when each message comes twice, or again under another id', async () => {
    const slice = await projectWithWebhook();
    const postTwice = async ({ appUserId, notifications }: Script) => {
      for (const [i] of notifications.entries())
        for (const again of ['', i % 2 === 0 ? '' : '-again']) await send(slice, messageOf(slice, appUserId, i, again));
    };
    await Promise.all(scripts.map(postTwice));
    await expectTheSame(slice);
  });

  it('is the same when customers take turns and show receipts in between', async () => {
    const slice = await projectWithWebhook();
    const longest = Math.max(...scripts.map(({ notifications }) => notifications.length));
    for (let i = 0; i < longest; i++) {
      const speaking = scripts.filter(({ notifications }) => i < notifications.length);
      await Promise.all(speaking.map(({ appUserId }) => send(slice, messageOf(slice, appUserId, i))));
      await harness.service().idle();
      await Promise.all(speaking.map(({ appUserId }) => send(slice, receiptOf(slice, appUserId, i))));
    }
    await expectTheSame(slice);
  });

  const shuffled = (slice: Slice, seed: number): readonly Message[] => {
    const random = createRandom(String(seed));
    const messages = scripts.flatMap(({ appUserId, notifications }) =>
      notifications.flatMap((_, i) => [
        messageOf(slice, appUserId, i),
        ...(i % 3 === 0 ? [messageOf(slice, appUserId, i, '-again')] : []),
        // Devices do not know of days of grace, so their receipts of refunds are left out.
        ...(isRefund(appUserId, i) ? [] : [receiptOf(slice, appUserId, i)]),
      ]),
    );
    const placed = messages.map((message) => ({ message, place: random.next() }));
    return placed.sort((a, b) => a.place - b.place).map(({ message }) => message);
  };
  const sendAtOnce = async (slice: Slice, messages: readonly Message[], mutex = 8) => {
    const waiting = messages.values();
    const sendOneAfterAnother = async () => {
      for (const message of waiting) await send(slice, message);
    };
    await Promise.all(Array.from({ length: mutex }, sendOneAfterAnother));
    await harness.service().idle();
  };
  /** Not by which message each was learned, nor what access was known to be then. */
  const storedEvents = async (slice: Slice, appUserId: string) => {
    const entries = await timeline(slice, appUserId);
    return entries
      .filter(({ type }: { type?: unknown }) => type !== 'SubscriptionConfirmed')
      .map(({ type, at, data }: Record<string, unknown>) =>
        neutral({ type, at, data: { ...(data as object), storeTime: null } }),
      )
      .map((stored: unknown) => JSON.stringify(stored))
      .sort();
  };
  /** Without their reasons: a cancellation has the one that was known when its notification came. */
  const kindsOf = async (slice: Slice, appUserId: string) => {
    return (await sentTo(slice, appUserId)).map((one) => (MAY_LACK.has(one) ? one : (one.split(' ')[0] ?? one)));
  };
  /**
   * A failed payment may be passed over when its charge was made before the notification came. A refund cancels, besides, if what it is
   * about was the latest charge known then.
   */
  const expectTheSameWebhooks = async (slice: Slice, appUserId: string) => {
    const missing = await kindsOf(inOrder, appUserId);
    const refunds = missing.filter((kind) => kind === 'REFUND').length;
    const surplus: string[] = [];
    for (const kind of await kindsOf(slice, appUserId)) {
      const i = missing.indexOf(kind);
      if (i >= 0) missing.splice(i, 1);
      else surplus.push(kind);
    }
    const cancellations = [...surplus, ...missing].filter((kind) => kind === 'CANCELLATION').length;
    expect(cancellations, `cancellations of ${appUserId}`).to.be.at.most(refunds);
    const others = (kinds: readonly string[]) => kinds.filter((kind) => kind !== 'CANCELLATION');
    expect(others(surplus), `webhooks too many about ${appUserId}`).to.deep.equal([]);
    const lacking = others(missing).filter((kind) => !MAY_LACK.has(kind));
    expect(lacking, `webhooks lacking about ${appUserId}`).to.deep.equal([]);
  };
  const expectTheSameInTheEnd = async (slice: Slice) => {
    for (const { appUserId } of scripts) {
      await expectTheSameWebhooks(slice, appUserId);
      expect(await storedEvents(slice, appUserId), `events of ${appUserId}`).to.deep.equal(
        await storedEvents(inOrder, appUserId),
      );
    }
    for (const at of INSTANTS) {
      clock.set(at);
      for (const { appUserId } of scripts)
        expect(await bodiesOf(slice, appUserId), `${appUserId} at ${new Date(at).toISOString()}`).to.deep.equal(
          await bodiesOf(inOrder, appUserId),
        );
    }
    clock.set(dayMs(LAST_DAY));
    expect(await moneyOf(slice)).to.deep.equal(await moneyOf(inOrder));
    expect(await charts(slice)).to.deep.equal(await charts(inOrder));
  };
  for (const round of [1, 2, 3])
    it(`is the same when everything is shuffled and mixed with receipts (${round})`, async () => {
      const slice = await projectWithWebhook();
      await sendAtOnce(slice, shuffled(slice, SEED + round));
      await expectTheSameInTheEnd(slice);
    });

  it('is the same when everything arrives backwards', async () => {
    const slice = await projectWithWebhook();
    const backwards = scripts.flatMap(({ appUserId, notifications }) =>
      notifications.map((_, i) => messageOf(slice, appUserId, notifications.length - 1 - i)),
    );
    await sendAtOnce(slice, backwards, 4);
    await expectTheSameInTheEnd(slice);
  });
});
