// Many notifications at once, as at a month's end: whatever the service has to do besides waits for them. BURST=<number> sends more.
import { expect } from 'chai';
import { MONTHLY, notification } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { setUpService } from '../support/setup.js';

const BURST = Number(process.env['BURST'] ?? 500);
const DAY_MS = 86_400_000;
/** Connections of the sender. */
const SENDERS = 200;

describe(`a burst of ${BURST.toLocaleString('en')} notifications`, function () {
  this.timeout(120_000);
  const { harness, slice, as } = setUpService();

  it('is answered with 200 throughout, kept and processed once each', async () => {
    const now = Date.now();
    const bodyOf = (n: number) => {
      const id = `9${n}`;
      const period = {
        productId: MONTHLY,
        purchaseDate: now - 1_000,
        expiresDate: now + DAY_MS,
        price: 9990,
        currency: 'USD',
      };
      const transaction = { transactionId: id, originalTransactionId: id, ...period };
      return notification({ notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: now, transaction });
    };
    // Each as often as a store sends what it has seen no response to.
    const waiting = Array.from({ length: BURST }, (_, n) => bodyOf(n)).flatMap((body) => [body, body]);
    const statuses: number[] = [];
    const send = async () => {
      for (let body = waiting.pop(); body; body = waiting.pop())
        statuses.push((await harness.call('POST', slice.notificationPath, body)).status);
    };
    await Promise.all(Array.from({ length: SENDERS }, send));
    expect(statuses).to.have.length(2 * BURST);
    expect(statuses.filter((status) => status !== 200)).to.deep.equal([]);

    await harness.service().idle();
    const base = `/v1/projects/${slice.projectId}`;
    const kept = await walk(harness, `${base}/notifications?limit=100&state=handled`, as);
    expect(new Set(kept).size).to.equal(BURST);
    expect(await walk(harness, `${base}/customers?limit=100`, as)).to.have.length(BURST);
  });
});
