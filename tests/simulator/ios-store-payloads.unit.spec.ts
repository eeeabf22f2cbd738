// Default fields in the payloads of the simulated ios-store.
import { expect } from 'chai';
import { storePayloads, subscriptionStatus } from '../../simulator/ios-store/payloads.js';

const T = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;
const MONTH = { transactionId: '2', productId: 'monthly', purchaseDate: T, expiresDate: T + 31 * DAY_MS };
const RENEWAL = { originalTransactionId: '2', productId: 'monthly' };
const FAILING = { ...RENEWAL, isInBillingRetryPeriod: true, gracePeriodExpiresDate: T + 37 * DAY_MS };

describe('the status of a simulated subscription', () => {
  it('goes from active through grace and retry to expired', () => {
    expect(subscriptionStatus(MONTH, RENEWAL, T + 30 * DAY_MS)).to.equal(1);
    expect(subscriptionStatus(MONTH, FAILING, T + 31 * DAY_MS)).to.equal(4);
    expect(subscriptionStatus(MONTH, FAILING, T + 37 * DAY_MS)).to.equal(3);
    expect(subscriptionStatus(MONTH, RENEWAL, T + 31 * DAY_MS)).to.equal(2);
  });

  it('is revoked from the date of revocation on', () => {
    const refunded = { ...MONTH, revocationDate: T + 10 * DAY_MS };
    expect(subscriptionStatus(refunded, RENEWAL, T + 9 * DAY_MS)).to.equal(1);
    expect(subscriptionStatus(refunded, RENEWAL, T + 10 * DAY_MS)).to.equal(5);
  });

  it('is omitted where nothing can expire', () => {
    const { expiresDate: _, ...lifetime } = MONTH;
    expect(subscriptionStatus(lifetime, undefined, T)).to.equal(undefined);
    expect(subscriptionStatus(undefined, undefined, T)).to.equal(undefined);
  });
});

describe('a simulated transaction', () => {
  const { signedTransaction } = storePayloads((payload) => JSON.stringify(payload));
  const written = (fields: object): object =>
    JSON.parse(signedTransaction({ ...MONTH, bundleId: 'app.example', ...fields }));

  it('opens a chain of its own, or renews the chain that it names', () => {
    expect(written({})).to.include({ originalTransactionId: '2', transactionReason: 'PURCHASE' });
    expect(written({ originalTransactionId: '1' })).to.include({
      originalTransactionId: '1',
      transactionReason: 'RENEWAL',
    });
  });
});
