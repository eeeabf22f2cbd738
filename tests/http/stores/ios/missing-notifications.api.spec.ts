// iOS subscriptions without notifications: with credentials, the store is polled before a deadline expires them.
import { expect } from 'chai';
import { createCertificateAuthority } from '../../../../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../../../../simulator/ios-store/payloads.js';
import { BUNDLE_ID, MONTHLY, store as signer } from '../../support/harness.js';
import { FIRST, type beginScenario, type Period } from './scenario.js';
import { setUpScenarios } from './scenarios.js';

type Scenario = ReturnType<typeof beginScenario>;
type StatusView = {
  readonly status: 1 | 2 | 3 | 4 | 5;
  readonly period?: Period;
  readonly renewal?: Readonly<Record<string, unknown>>;
  /** Signer of the renewal info. */
  readonly renewalSigner?: typeof signer;
  /** Bundle ID of the transaction, if it is not the app's. */
  readonly bundleId?: string;
};

const SECOND: Period = { n: 2, from: 31, to: 62 };

describe('an ios-store that sends no notifications', () => {
  const { scenario, store, clock, idle, restart } = setUpScenarios({ isAsked: true });

  /** The store answers so from this day on. */
  const show = (s: Scenario, day: number, o: StatusView) => {
    const { period = FIRST, renewal = {}, renewalSigner = signer, bundleId = BUNDLE_ID, status } = o;
    const shared = { environment: 'Production' as const, signedDate: s.ms(day) };
    const transaction = s.transaction(period);
    const { originalTransactionId } = transaction;
    const about = { originalTransactionId, productId: MONTHLY };
    store().chains.set(originalTransactionId, {
      transactions: [signer.signedTransaction({ bundleId, ...shared, ...transaction })],
      renewal: renewalSigner.signedRenewalInfo({ ...about, ...shared, ...renewal }),
      status,
    });
  };
  const passTo = async (s: Scenario, day: number) => {
    clock.set(s.ms(day));
    await clock.step('deadlines');
    await idle();
    // Messages for webhooks are kept, but not for ever: read them now.
    await s.kinds();
  };

  it('is polled before a subscription without notification expires', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    show(s, 31.1, { status: 1, period: SECOND });
    await passTo(s, 31.1);
    await s.see(32, 'active', true);
    show(s, 62.1, { status: 2, period: SECOND, renewal: { autoRenewStatus: 0, expirationIntent: 1 } });
    await passTo(s, 62.1);
    await s.see(63, 'expired', false);
    expect(await s.events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionRenewed T+31',
      'SubscriptionExpired T+62',
    ]);
    expect(await s.dataOf('SubscriptionExpired')).to.include({ by: 'store', reason: 'unsubscribe' });
    expect(await s.kinds()).to.deep.equal(['INITIAL_PURCHASE', 'RENEWAL', 'EXPIRATION UNSUBSCRIBE']);
  });

  it('shows a failed payment whose grace period still runs, and its end', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    show(s, 31.1, { status: 4, ...s.inGrace });
    await passTo(s, 31.1);
    await s.see(32, 'grace_period', true);
    show(s, 37.1, { status: 3, renewal: { isInBillingRetryPeriod: true } });
    await passTo(s, 37.1);
    await s.see(38, 'billing_retry', false);
    expect((await s.events()).slice(1)).to.deep.equal([
      `SubscriptionBillingIssueDetected T+31.1`,
      `SubscriptionGracePeriodEntered T+31.1`,
      'SubscriptionGracePeriodExpired T+37',
      'SubscriptionBillingRetryEntered T+37',
    ]);
  });

  it('is polled after days of downtime, too, and records each end once', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    show(s, 40, { status: 1, period: SECOND });
    await restart(() => Promise.resolve(clock.set(s.ms(40))));
    await passTo(s, 40);
    await passTo(s, 40.1);
    await s.see(41, 'active', true);
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionRenewed T+31']);
  });

  it('is waited for after days of downtime, too, when it is unavailable at first', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    show(s, 40, { status: 1, period: SECOND });
    store().setFailure(503);
    await restart(() => Promise.resolve(clock.set(s.ms(40))));
    await passTo(s, 40);
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0']);
    store().setFailure(null);
    await passTo(s, 40.01);
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionRenewed T+31']);
  });

  it('is waited for while it is unavailable, for a limited time', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    store().setFailure(503);
    await passTo(s, 31.1);
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0']);
    await passTo(s, 33);
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionExpired T+31']);
    expect(await s.dataOf('SubscriptionExpired')).to.include({ by: 'sweeper', reason: 'unknown' });
  });

  it('is left to time when it does not know the purchase', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await passTo(s, 31.1);
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionExpired T+31']);
  });

  describe('is rejected', () => {
    const isNotBelieved = async (s: Scenario, response: StatusView) => {
      await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
      show(s, 31.1, response);
      await passTo(s, 31.1);
      expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionExpired T+31']);
      expect(await s.dataOf('SubscriptionExpired')).to.include({ by: 'sweeper' });
    };

    it('when another key signed the renewal info', async () => {
      const renewalSigner = storePayloads((await createCertificateAuthority()).sign);
      await isNotBelieved(scenario(), { status: 1, period: SECOND, renewalSigner });
    });

    it('when the transaction is of another app', () =>
      isNotBelieved(scenario(), { status: 1, period: SECOND, bundleId: 'com.example.other' }));

    it('when the renewal info is of another purchase', () =>
      isNotBelieved(scenario(), { status: 1, period: SECOND, renewal: { originalTransactionId: '1' } }));
  });
});
