// Damaged notifications from outside: refused, never a fault of ours, and nothing of them in the log.
import { expect } from 'chai';
import fc from 'fast-check';
import { mutation, mutationRuns } from '../../adapters/ios-store/jws-mutations.js';
import { MONTHLY, notification } from '../support/harness.js';
import { setUpService } from '../support/setup.js';

const RUNS = mutationRuns(600);
const NOW = Date.parse('2026-11-20T10:00:00.000Z');

describe(`mutated notifications (${RUNS.numRuns} times, seed ${RUNS.seed})`, function () {
  this.timeout(600_000);
  const { harness, slice } = setUpService();

  it('are refused and leave no trace', async () => {
    const { signedPayload } = notification({
      notificationType: 'SUBSCRIBED',
      signedDate: NOW,
      transaction: { transactionId: '1', productId: MONTHLY, purchaseDate: NOW, expiresDate: NOW + 86_400_000 },
    });
    const right = JSON.stringify({ signedPayload });
    const bodies = fc.oneof(
      { weight: 3, arbitrary: mutation(signedPayload).map((text) => JSON.stringify({ signedPayload: text })) },
      fc.jsonValue().map((value) => JSON.stringify({ signedPayload: value })),
      fc.json(),
      fc.nat(right.length - 1).map((length) => right.slice(0, length)),
      fc.string({ unit: 'binary' }),
    );
    const url = `${harness.service().url}${slice.notificationPath}`;
    const headers = { 'content-type': 'application/json' };
    const { log } = harness.service().services.deps;
    const before = await log.head();
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        fc.pre(body !== right);
        const response = await fetch(url, { method: 'POST', headers, body });
        await response.text();
        expect(response.status, body.slice(0, 200)).to.be.oneOf([400, 401]);
      }),
      RUNS,
    );
    expect(await log.head()).to.equal(before);
  });
});
