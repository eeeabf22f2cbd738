// Answers to the questions of the stores about refunds, from outside: by the setting of the app, by a member, too late, twice, refused.
import { expect } from 'chai';
import { startIosStore, type SimulatedIosStore } from '../../../simulator/ios-store/api-server.js';
import {
  BUNDLE_ID,
  MONTHLY,
  notification,
  setUpProject,
  store,
  startHarness,
  type Harness,
  type Json,
} from '../support/harness.js';
import type { Slice } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { iosKey } from '../support/store-credentials.js';

const HOUR_MS = 3_600_000;
const BEGIN = Date.parse('2026-06-01T08:00:00.000Z');
const hour = (n: number) => BEGIN + n * HOUR_MS;

describe('answers to refund requests', () => {
  let simulated: SimulatedIosStore;
  let harness: Harness;
  let slice: Slice;
  let purchases = 0;
  const clock = createManualClock(BEGIN);
  before(async () => {
    simulated = await startIosStore({ KEY1: iosKey() });
    harness = await startHarness(simulated.settings, clock.runtime);
  });
  beforeEach(async () => {
    clock.set(BEGIN);
    simulated.setFailure(null);
    simulated.consumption.length = 0;
    slice = await setUpProject(harness);
  });
  after(async () => {
    await harness.stop();
    await simulated.close();
  });

  const path = (rest: string) => `/v1/projects/${slice.projectId}${rest}`;
  const as = () => ({ key: slice.secretKey });
  const whenIdle = async () => {
    await harness.service().idle();
    await harness.service().idle();
  };
  const setApp = async (set: object) =>
    expect((await harness.call('PATCH', path(`/apps/${slice.appId}`), set, as())).status).to.equal(200);
  const register = async (keyId = 'KEY1') => {
    const body = { issuerId: 'issuer', keyId, privateKey: iosKey(), environment: 'both' };
    const to = path(`/apps/${slice.appId}/credentials/ios-store`);
    expect((await harness.call('POST', to, body, as())).status).to.equal(201);
    await whenIdle();
  };
  /** Buys as `appUserId`, and lets the store ask about it `at` hours later. */
  const ask = async (
    appUserId: string,
    at: number,
    o: { readonly offerType?: number; readonly price?: number } = {},
  ) => {
    const transactionId = String(9_000_000 + ++purchases);
    const own = { transactionId, originalTransactionId: transactionId, productId: MONTHLY };
    const trial =
      o.offerType === undefined ? {} : { offerType: o.offerType, offerDiscountType: 'FREE_TRIAL', price: 0 };
    const transaction = { ...own, purchaseDate: BEGIN, expiresDate: hour(24 * 30), price: 9990, ...trial };
    const account = (await harness.call('POST', `/v1/subscribers/${appUserId}`, {}, as())).status;
    expect(account).to.be.oneOf([200, 201]);
    const receipt = { store: 'ios-store', receipt: signed(transaction) };
    expect((await harness.call('POST', `/v1/subscribers/${appUserId}/receipts`, receipt, as())).status).to.equal(200);
    await requestConsumption(transaction, at);
    return transactionId;
  };
  const signed = (transaction: object) => store.signedTransaction({ bundleId: BUNDLE_ID, ...transaction } as never);
  const requestConsumption = async (transaction: Json, at: number) => {
    clock.set(hour(at));
    const { originalTransactionId } = transaction;
    const renewal = { originalTransactionId, productId: MONTHLY, autoRenewStatus: 1 as const };
    const fields = { notificationType: 'CONSUMPTION_REQUEST', signedDate: hour(at), transaction, renewal };
    expect(await harness.call('POST', slice.notificationPath, notification(fields))).to.include({ status: 200 });
    await whenIdle();
  };
  const consent = async (appUserId: string, value: string | null = 'true') => {
    const attributes = { $refundConsent: value };
    const sent = await harness.call('POST', `/v1/subscribers/${appUserId}/attributes`, { attributes }, as());
    expect(sent.status).to.equal(200);
    await harness.service().idle();
  };
  const listed = async (query = '') =>
    (await harness.call('GET', path(`/refund-requests${query}`), undefined, as())).body.items as Json[];
  const answer = async (transactionId: string, body: object, state = 'open') => {
    const [one] = (await listed(`?state=${state}`)).filter((item) => item.transactionId === transactionId);
    const to = path(`/refund-requests/${encodeURIComponent(one?.id ?? 'none')}/answer`);
    return harness.call('POST', to, body, as());
  };
  const timelineOf = async (appUserId: string): Promise<readonly string[]> => {
    const { items } = (await harness.call('GET', path(`/customers?search=${appUserId}`), undefined, as())).body;
    const timeline = await harness.call('GET', path(`/customers/${items[0].id}/timeline`), undefined, as());
    return timeline.body.items.map(({ summary }: Json) => summary);
  };

  it('are sent by the setting of the app, with the consent of the customer', async () => {
    await register();
    await setApp({ refundAnswer: 'decline' });
    await consent('ann');
    const transactionId = await ask('ann', 1);
    const body = { customerConsented: true, deliveryStatus: 'DELIVERED', sampleContentProvided: false };
    expect(simulated.consumption).to.deep.equal([{ transactionId, body: { ...body, refundPreference: 'DECLINE' } }]);
    expect(await listed()).to.deep.equal([]);
    const [one] = await listed('?state=answered');
    expect(one).to.deep.include({ transactionId, state: 'answered', refusal: null, refundAnswer: 'decline' });
    expect(one.answer).to.deep.equal({
      preference: 'decline',
      decidedBy: 'policy',
      at: new Date(hour(1)).toISOString(),
    });
    const timeline = await timelineOf('ann');
    expect(timeline).to.include(
      `The store was asked to decline the refund of transaction ${transactionId}, by the setting of the app, with the customer’s consent.`,
    );
    expect(timeline.filter((text) => text.includes('No answer was sent'))).to.deep.equal([]);
    expectRefusal(await answer(transactionId, { preference: 'grant_full', customerConsented: true }, 'answered'), 409);
    expect(simulated.consumption).to.have.length(1);
  });

  it('state that a trial came first', async () => {
    await register();
    await setApp({ refundAnswer: 'grant_prorated', refundConsent: 'terms' });
    const transactionId = await ask('bea', 1, { offerType: 1 });
    expect(simulated.consumption).to.have.length(1);
    expect(simulated.consumption[0]).to.deep.include({ transactionId });
    expect(simulated.consumption[0]?.body).to.include({
      sampleContentProvided: true,
      refundPreference: 'GRANT_PRORATED',
    });
  });

  it('wait for the consent of the customer, and follow it', async () => {
    await register();
    await setApp({ refundAnswer: 'grant_full' });
    const transactionId = await ask('cleo', 1);
    await consent('cleo', 'false');
    clock.set(hour(2));
    await whenIdle();
    expect(simulated.consumption).to.deep.equal([]);
    expect(await listed()).to.have.length(1);
    expect((await listed())[0]).to.include({ needsConsent: true });
    expectRefusal(await answer(transactionId, {}), 409);
    await consent('cleo');
    clock.set(hour(3));
    await whenIdle();
    expect(simulated.consumption.map((one) => one.transactionId)).to.deep.equal([transactionId]);
  });

  it('are left to members by default, who know of a consent', async () => {
    await register();
    const transactionId = await ask('dora', 1);
    clock.set(hour(5));
    await whenIdle();
    expect(simulated.consumption).to.deep.equal([]);
    const [one] = await listed();
    expect(one).to.deep.include({ state: 'open', refundAnswer: 'none', needsConsent: true, answer: null });
    expectRefusal(await answer(transactionId, {}), 400);
    expectRefusal(await answer(transactionId, { preference: 'decline' }), 409);
    expectRefusal(await answer(transactionId, { preference: 'decline', customerConsented: false }), 409);
    expectRefusal(await answer(transactionId, { preference: 'half' }), 400);
    const sent = await answer(transactionId, { preference: 'decline', customerConsented: true });
    expect(sent.status).to.equal(200);
    expect(sent.body).to.deep.include({ id: one.id, state: 'answered' });
    expect(sent.body.answer).to.include({ preference: 'decline', decidedBy: 'person' });
    expect(simulated.consumption).to.have.length(1);
    expect(await timelineOf('dora')).to.include(
      `The store was asked to decline the refund of transaction ${transactionId}, with the customer’s consent.`,
    );
  });

  it('of two members at the same time are one', async () => {
    await register();
    const transactionId = await ask('eve', 1);
    const bodies = ['decline', 'grant_full', 'grant_prorated'].map((preference) => ({
      preference,
      customerConsented: true,
    }));
    const results = await Promise.all(bodies.map((body) => answer(transactionId, body)));
    expect(results.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
    expect(simulated.consumption).to.have.length(1);
  });

  it('come too late when the store has stopped waiting, which the question says', async () => {
    await register();
    const transactionId = await ask('finn', 1);
    clock.set(hour(13));
    expect(await listed()).to.have.length(1);
    clock.set(hour(13) + 1);
    await whenIdle();
    expect(await listed()).to.deep.equal([]);
    const [one] = await listed('?state=lapsed');
    expect(one).to.deep.include({ transactionId, state: 'lapsed', answer: null });
    expect(await listed(`?state=lapsed&since=${new Date(hour(14)).toISOString()}`)).to.deep.equal([]);
    expect(await listed(`?state=lapsed&since=${new Date(hour(13)).toISOString()}`)).to.have.length(1);
    const late = await answer(transactionId, { preference: 'decline', customerConsented: true }, 'lapsed');
    expectRefusal(late, 409);
    expect(late.body.message).to.contain(`waited until ${new Date(hour(13)).toISOString()}`);
    expect(simulated.consumption).to.deep.equal([]);
    expect((await timelineOf('finn')).some((text) => text.endsWith('No answer was sent.'))).to.equal(true);
    // The setting changes nothing about what is over.
    await setApp({ refundAnswer: 'decline', refundConsent: 'terms' });
    clock.set(hour(14));
    await whenIdle();
    expect(simulated.consumption).to.deep.equal([]);
  });

  it('that the store refuses are recorded, and can be sent again', async () => {
    await register();
    await setApp({ refundAnswer: 'decline', refundConsent: 'terms' });
    simulated.setFailure(400, 4000026);
    const transactionId = await ask('gus', 1);
    const [one] = await listed();
    expect(one.refusal).to.contain('400');
    expectRefusal(await answer(transactionId, {}), 409);
    expect((await timelineOf('gus')).filter((text) => text.includes('did not take the answer'))).to.have.length(2);
    simulated.setFailure(null);
    expect((await answer(transactionId, {})).body).to.deep.include({ state: 'answered', refusal: null });
    expect(simulated.consumption).to.have.length(1);
  });

  it('wait for a store that is away, for credentials, and survive a restart', async () => {
    await setApp({ refundAnswer: 'decline', refundConsent: 'terms' });
    const transactionId = await ask('hal', 1);
    expectRefusal(await answer(transactionId, {}), 503);
    await harness.restart();
    simulated.setFailure(503);
    await register();
    expect(simulated.consumption).to.deep.equal([]);
    simulated.setFailure(null);
    clock.set(hour(4));
    await whenIdle();
    clock.set(hour(5));
    await whenIdle();
    expect(simulated.consumption.map((sent) => sent.transactionId)).to.deep.equal([transactionId]);
    await harness.restart();
    await whenIdle();
    expect(simulated.consumption).to.have.length(1);
  });

  it('are not sent for an erased customer, and not to another project', async () => {
    await register();
    const transactionId = await ask('ida', 1);
    const [one] = await listed();
    const other = await setUpProject(harness);
    const foreign = `/v1/projects/${other.projectId}/refund-requests/${encodeURIComponent(one.id)}/answer`;
    const body = { preference: 'decline', customerConsented: true };
    expectRefusal(await harness.call('POST', foreign, body, { key: other.secretKey }), 404);
    for (const requestId of ['nobody', 'cus_nobody|1', `${one.customerId}|4711`]) {
      const to = path(`/refund-requests/${encodeURIComponent(requestId)}/answer`);
      expectRefusal(await harness.call('POST', to, body, as()), 404);
    }
    await setApp({ refundAnswer: 'decline', refundConsent: 'terms' });
    expect((await harness.call('DELETE', '/v1/subscribers/ida', undefined, as())).status).to.equal(200);
    clock.set(hour(2));
    await whenIdle();
    expect(simulated.consumption).to.deep.equal([]);
    const late = await answer(transactionId, { preference: 'decline', customerConsented: true });
    expectRefusal(late, 409);
    expect(late.body.message).to.contain('erased');
    expect(simulated.consumption).to.deep.equal([]);
  });

  it('end with the decision of the store', async () => {
    await register();
    const transactionId = await ask('jo', 1);
    const own = { transactionId, originalTransactionId: transactionId, productId: MONTHLY, purchaseDate: BEGIN };
    const transaction = { ...own, expiresDate: hour(720), price: 9990, revocationDate: hour(2), revocationReason: 0 };
    const refund = { notificationType: 'REFUND', signedDate: hour(2), transaction: transaction as never };
    await harness.call('POST', slice.notificationPath, notification(refund));
    await whenIdle();
    expectRefusal(await answer(transactionId, { preference: 'decline', customerConsented: true }, 'refunded'), 409);
  });
});
