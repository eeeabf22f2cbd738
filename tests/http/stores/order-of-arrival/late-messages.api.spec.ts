// Messages of stores that come late, or behind a backlog, end as if they had come in time. Each case was wrong once.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { notification } from '../../support/harness.js';
import { setUpScenarios } from '../ios/scenarios.js';
import { FIRST, type Period } from '../ios/scenario.js';

const SECOND: Period = { n: 2, from: 31, to: 62 };
const AGAIN: Period = { n: 3, from: 70, to: 101, transactionReason: 'PURCHASE' };
const OTHER = 'com.example.two-months';

describe('notifications acknowledged during a backlog', () => {
  const { scenario, post, clock, idle, sentAbout, call } = setUpScenarios();

  it('keeps a cancellation and an expiry that a receipt of the resubscription overtook', async () => {
    const s = scenario();
    const appUserId = randomUUID();
    await post(`/v1/subscribers/${appUserId}`, {});
    const owned = (p: Period) => ({ ...p, appAccountToken: appUserId });
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: owned(FIRST) });
    clock.set(s.ms(70));
    const send = (body: object) => call('POST', s.notificationPath, body);
    const unrelated = Array.from({ length: 60 }, (_, i) => {
      const transactionId = `${appUserId}-${i}`;
      const transaction = { ...s.transaction(FIRST), transactionId, originalTransactionId: transactionId };
      return send(
        notification({ notificationType: 'SUBSCRIBED', bundleId: s.bundleId, signedDate: s.ms(0), transaction }),
      );
    });
    await s.sendOnly(5, 'DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED', {
      period: owned(FIRST),
      renewal: { autoRenewStatus: 0 },
    });
    await s.sendOnly(31, 'EXPIRED/VOLUNTARY', { period: owned(FIRST), renewal: { autoRenewStatus: 0 } });
    const receipt = s.receipt(owned(AGAIN));
    await post(`/v1/subscribers/${appUserId}/receipts`, { store: 'ios-store', receipt, appId: s.appId });
    await Promise.all(unrelated);
    await idle();
    expect(await s.events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionAutoRenewDisabled T+5',
      'SubscriptionExpired T+31',
      'SubscriptionStarted T+70',
    ]);
    expect(await sentAbout(appUserId)).to.include.members(['CANCELLATION UNSUBSCRIBE', 'EXPIRATION UNSUBSCRIBE']);
  });
});

describe('a late notification', () => {
  const { scenario, clock, idle, call, projectId, key } = setUpScenarios();

  it('splits a chain at a new purchase, though its renewal was received first', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(31, 'EXPIRED/VOLUNTARY');
    await s.notify(101, 'DID_RENEW', { period: { n: 4, from: 101, to: 132 } });
    await s.notify(102, 'SUBSCRIBED/RESUBSCRIBE', { period: AGAIN, signed: 70 });
    const { subscriptions } = await s.customer();
    const seen = subscriptions.map(
      ({ state, renewalNumber }: { state: string; renewalNumber: number }) => `${state} ${renewalNumber}`,
    );
    expect(seen.sort()).to.deep.equal(['active 1', 'expired 0']);
  });

  it('puts a change of product between the two that were received first', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: { ...FIRST, to: 62, productId: OTHER } });
    const back: Period = { n: 3, from: 93, to: 155, productId: OTHER, transactionReason: 'RENEWAL' };
    await s.notify(93, 'DID_RENEW', { period: back });
    const month: Period = { n: 2, from: 62, to: 93, transactionReason: 'RENEWAL' };
    await s.notify(94, 'DID_RENEW', { period: month, signed: 62 });
    expect((await s.customer()).subscriptions).to.have.length(3);
  });

  it('corrects what time had concluded when the reason comes later', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.see(31.1, 'expired', false);
    await clock.step('deadlines');
    await idle();
    expect(await s.dataOf('SubscriptionExpired')).to.include({ by: 'sweeper', reason: 'unknown' });
    await s.notify(32, 'EXPIRED/VOLUNTARY', { signed: 31 });
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionExpired T+31']);
    expect(await s.dataOf('SubscriptionExpired')).to.include({ by: 'store', reason: 'unsubscribe' });
    expect((await s.kinds()).filter((kind) => kind.startsWith('EXPIRATION'))).to.have.length(1);
  });

  it('shows no churn where a recovery was received after the end of the grace period was recorded', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(38, 'DID_FAIL_TO_RENEW/GRACE_PERIOD', { ...s.inGrace, signed: 31 });
    await s.see(39, 'expired', false);
    await clock.step('deadlines');
    await idle();
    await s.notify(40, 'DID_RENEW/BILLING_RECOVERY', { period: SECOND, signed: 36 });
    await s.see(40, 'active', true);
    const day = (n: number) => new Date(s.ms(n)).toISOString().slice(0, 10);
    const path = `/v1/projects/${projectId()}/metrics/charts/churn?startDate=${day(30)}&endDate=${day(40)}&interval=day`;
    const { body } = await call('GET', path, undefined, { key: key() });
    const churned = body.buckets.map(({ values }: { values: Record<string, number> }) => values['churned_actives']);
    expect(
      churned.every((n: unknown) => n === 0),
      JSON.stringify(body.buckets.map((b: { values: object }) => b.values)),
    ).to.equal(true);
  });

  it('reports one cancellation when the refund of a former product is received after an extension of the next one', async () => {
    const s = scenario();
    const former: Period = { ...FIRST, revocationDate: s.ms(44) };
    const next: Period = { n: 2, from: 31, to: 66, productId: OTHER, transactionReason: 'RENEWAL' };
    const renewal = { autoRenewStatus: 0, autoRenewProductId: OTHER };
    await s.notify(45, 'RENEWAL_EXTENDED', { period: next, renewal });
    await s.notify(46, 'REFUND', { period: former, renewal, signed: 44 });
    const cancellations = (await s.kinds()).filter((kind) => kind.startsWith('CANCELLATION'));
    expect(cancellations).to.deep.equal(['CANCELLATION UNSUBSCRIBE']);
    expect(await s.dataOf('TransactionRefunded')).to.include({ isLatest: false });
  });
});
