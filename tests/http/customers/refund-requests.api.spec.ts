// Open refund requests over HTTP: from the store's question until its decision, or until the time limit.
import { expect } from 'chai';
import { MONTHLY, notification, type Json } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

const HOUR_MS = 3_600_000;
const BEGIN = Date.parse('2026-06-01T08:00:00.000Z');
const hour = (n: number) => BEGIN + n * HOUR_MS;

describe('refund requests', () => {
  const clock = createManualClock(BEGIN);
  const { harness, slice } = setUpService({}, clock.runtime);

  const notify = async (at: number, notificationType: string, chain: string, more: object = {}) => {
    clock.set(hour(at));
    const transaction = {
      transactionId: `${chain}001`,
      originalTransactionId: `${chain}001`,
      productId: MONTHLY,
      purchaseDate: BEGIN,
      expiresDate: hour(24 * 30),
      price: 9990,
      ...more,
    };
    const renewal = { originalTransactionId: `${chain}001`, productId: MONTHLY, autoRenewStatus: 1 as const };
    const body = notification({ notificationType, signedDate: hour(at), transaction, renewal });
    expect(await harness.call('POST', slice.notificationPath, body)).to.include({ status: 200 });
    await harness.service().idle();
  };
  const get = (query = '') =>
    harness.call('GET', `/v1/projects/${slice.projectId}/refund-requests${query}`, undefined, { key: slice.secretKey });
  const listed = async (): Promise<readonly string[]> =>
    (await get()).body.items.map(({ transactionId }: Json) => transactionId);

  before(async () => {
    for (const chain of ['1', '2', '3']) await notify(0, 'SUBSCRIBED', chain);
    await notify(2, 'CONSUMPTION_REQUEST', '2');
    await notify(1, 'CONSUMPTION_REQUEST', '1');
    await notify(3, 'CONSUMPTION_REQUEST', '3');
  });

  it('are listed with their customer and their time limit, the next due first', async () => {
    const { status, body } = await get();
    expect(status).to.equal(200);
    expect(body.items.map(({ transactionId }: Json) => transactionId)).to.deep.equal(['1001', '2001', '3001']);
    const [first] = body.items;
    expect(first).to.include({ object: 'refundRequest', store: 'ios-store', storeProductId: MONTHLY });
    expect(first.respondBy).to.equal(new Date(hour(13)).toISOString());
    const path = `/v1/projects/${slice.projectId}/customers/${first.customerId}`;
    expect((await harness.call('GET', path, undefined, { key: slice.secretKey })).status).to.equal(200);
  });

  it('are listed page by page', async () => {
    const first = (await get('?limit=2')).body;
    expect(first.items).to.have.length(2);
    const { body } = await harness.call('GET', first.nextPage, undefined, { key: slice.secretKey });
    expect(body.items.map(({ transactionId }: Json) => transactionId)).to.deep.equal(['3001']);
    expect(body.nextPage).to.equal(null);
    expectRefusal(await get('?startingAfter=cus_nobody'), 400);
  });

  it('end with the decision of the store, or when their time has passed', async () => {
    await notify(4, 'REFUND', '2', { revocationDate: hour(4), revocationReason: 0 });
    expect(await listed()).to.deep.equal(['1001', '3001']);
    clock.set(hour(14));
    expect(await listed()).to.deep.equal(['3001']);
  });
});
