// The owner of a transaction, manual transfers of purchases, and refreshes from the store.
import { expect } from 'chai';
import { expectRefusal } from '../support/refusal.js';
import { BUNDLE_ID, MONTHLY, store as signer } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { setUpScenarios } from '../stores/ios/scenarios.js';

describe('purchases in the hands of support', () => {
  const { scenario, store, clock, call, key, projectId, head } = setUpScenarios({ isAsked: true });

  const as = () => ({ key: key() });
  const get = (path: string) => call('GET', `/v1/projects/${projectId()}${path}`, undefined, as());
  const post = (path: string, body?: object) => call('POST', `/v1/projects/${projectId()}${path}`, body, as());
  const makeCustomer = async (appUserId: string) => {
    await call('POST', `/v1/subscribers/${appUserId}`, {}, as());
    return (await get(`/customers/${appUserId}`)).body.id as string;
  };

  it('find a transaction with its customer, its money and its events', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    const { id } = await s.customer();
    const { transactionId } = s.transaction({ n: 1, from: 0, to: 31 });
    const { status, body } = await get(`/transactions/${transactionId}`);
    expect([status, body.customer.id, body.amountUsd]).to.deep.equal([200, id, 9.99]);
    expect(body.events.map((e: { type: string }) => e.type)).to.deep.equal(['SubscriptionStarted']);
    expect(body.events[0].cause.notification.type).to.equal('SUBSCRIBED/INITIAL_BUY');
    expectRefusal(await get('/transactions/4711'), 404);
  });

  it('find a transaction by the id of its order, which the store knows', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    const { transactionId, ...transaction } = s.transaction({ n: 1, from: 0, to: 31 });
    const signed = { bundleId: BUNDLE_ID, environment: 'Production' as const, signedDate: s.ms(0), transactionId };
    store().orders.set('MK5TTTVWJH', [signer.signedTransaction({ ...signed, ...transaction })]);
    const { status, body } = await get('/transactions/MK5TTTVWJH');
    expect([status, body.id]).to.deep.equal([200, transactionId]);
    expectRefusal(await get('/transactions/MK0000000'), 404);
    const asked = () => store().requests.filter((path) => path.includes('/lookup/')).length;
    const before = asked();
    expectRefusal(await get('/transactions/471100000'), 404);
    expect(asked(), 'asked about what is no order id').to.equal(before);
  });

  it('move to another customer, with all access, once', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    const from = (await s.customer()).id;
    const to = await makeCustomer(`taker-${s.ms(0)}`);
    const { transactionId } = s.transaction({ n: 1, from: 0, to: 31 });
    const move = { transactionId, reason: 'Bought with the account of a friend' };
    const { status, body } = await post(`/customers/${to}/purchases/transfer`, move);
    expect([status, body.from.id, body.to.id]).to.deep.equal([200, from, to]);
    expect([body.from.activeEntitlements, body.to.activeEntitlements]).to.deep.equal([[], ['pro']]);
    expect([body.from.totalSpentUsd, body.to.totalSpentUsd]).to.deep.equal([9.99, 0]);
    const before = await head();
    expectRefusal(await post(`/customers/${to}/purchases/transfer`, move), 409);
    expectRefusal(await post(`/customers/${to}/purchases/transfer`, { ...move, transactionId: '4711' }), 404);
    expectRefusal(await post(`/customers/nobody-here/purchases/transfer`, move), 404);
    expectRefusal(await post(`/customers/${to}/purchases/transfer`, { transactionId }), 400);
    expect(await head()).to.equal(before);
  });

  it('are requested from the store, which returns an unreported renewal', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    const { id } = await s.customer();
    const transaction = s.transaction({ n: 2, from: 31, to: 62 });
    const shared = { environment: 'Production' as const, signedDate: s.ms(31.1) };
    const { originalTransactionId } = transaction;
    store().chains.set(originalTransactionId, {
      transactions: [signer.signedTransaction({ bundleId: BUNDLE_ID, ...shared, ...transaction })],
      renewal: signer.signedRenewalInfo({ originalTransactionId, productId: MONTHLY, ...shared }),
      status: 1,
    });
    clock.set(s.ms(31.1));
    const { status, body } = await post(`/customers/${id}/refresh`);
    expect([status, body.requestedLines, body.failed]).to.deep.equal([200, 1, []]);
    expect(body.changed.map((e: { type: string }) => e.type)).to.deep.equal(['SubscriptionRenewed']);
    expect((await get(`/customers/${id}`)).body.activeEntitlements).to.deep.equal(['pro']);
  });

  it('stay unchanged when the store is unavailable, with the reason', async () => {
    const s = scenario({ isKeeping: true });
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    const { id } = await s.customer();
    const { body } = await post(`/customers/${id}/refresh`);
    expect([body.requestedLines, body.changed, body.failed.length]).to.deep.equal([1, [], 1]);
    expect(body.failed[0].reason).to.be.a('string').that.is.not.equal('');
  });
});

describe('a transaction requested by an order ID of the ios-store, without credentials', () => {
  const { harness, slice, as } = setUpService();

  it('is not found, and the response states which credentials to register', async () => {
    const path = `/v1/projects/${slice.projectId}/transactions`;
    const order = await harness.call('GET', `${path}/MK5TTTVWJH`, undefined, as);
    expectRefusal(order, 404);
    expect(order.body.message).to.match(/register the credentials of the app iOS/);
    expect((await harness.call('GET', `${path}/4711`, undefined, as)).body.message).to.not.match(/credentials/);
  });
});
