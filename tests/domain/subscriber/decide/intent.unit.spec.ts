// Store commands about the time ahead: auto-renewal, failed payments, ends.
import { subscriberEvents as e } from '../../../../src/domain/subscriber/events/events.js';
import {
  autoRenew,
  confirmed,
  disabled,
  enabled,
  expired,
  expiry,
  failed,
  graceEntered,
  graceExpired,
  graceOver,
  issueDetected,
  refunded,
  retryEntered,
} from '../store-samples.js';
import { alice, charged, day, first, renewed, second, started, subPurchaseOf } from '../samples.js';

describe('auto-renewal', () => {
  it('turned off names the end of access', () =>
    alice(started(first)).when(autoRenew(false, 3)).then(disabled(first, 3)));

  it('turned on again is an event of its own', () =>
    alice(started(first), disabled(first, 3)).when(autoRenew(true, 5)).then(enabled(first, 5)));

  it('turned off after a refund is the support’s doing', () =>
    alice(started(first), renewed(second), refunded(first, 40, { isLatest: false, accessRevoked: false }))
      .when(autoRenew(false, 41))
      .then(disabled(second, 41, { reason: 'customer_support' })));

  it('that is older than the newest message is stale', () =>
    alice(started(first), disabled(first, 3), enabled(first, 5)).when(autoRenew(false, 4)).thenNothing());

  it('received again unchanged is remembered by its time', () =>
    alice(started(first)).when(autoRenew(true, 5)).then(confirmed(first, 5)));

  it('received again makes an older contrary message stale', () =>
    alice(started(first), confirmed(first, 5)).when(autoRenew(false, 3)).thenNothing());

  it('read off a snapshot is an event only where it differs', () =>
    alice(started(first))
      .when(autoRenew(true, 5, true))
      .thenNothing());

  it('read off a snapshot is marked as inferred', () =>
    alice(started(first))
      .when(autoRenew(false, 5, true))
      .then({ ...disabled(first, 5), inferred: true }));

  it('is not read off a snapshot once the subscription is over', () =>
    alice(started(first), expired(first, 31, 'billing_error'))
      .when(autoRenew(false, 31, true))
      .thenNothing());

  it('of an unknown chain is nothing', () => alice().when(autoRenew(false, 3)).thenNothing());
});

describe('a failed payment', () => {
  const inGrace = [started(first), issueDetected(first, 31, 37), graceEntered(first, 31, 37)];
  const inRetry = [started(first), issueDetected(first, 31, null), retryEntered(first, 31, 31)];

  it('with grace is an issue and the grace', () =>
    alice(started(first))
      .when(failed(31, 37))
      .then(issueDetected(first, 31, 37), graceEntered(first, 31, 37)));

  it('without grace is an issue and the retry', () =>
    alice(started(first))
      .when(failed(31, null))
      .then(issueDetected(first, 31, null), retryEntered(first, 31, 31)));

  it('before the contract’s end never cuts the paid time', () =>
    alice(started(first))
      .when(failed(30, null))
      .then(issueDetected(first, 30, null), retryEntered(first, 30, 31)));

  it('in the same episode is no second issue', () =>
    alice(...inRetry)
      .when(failed(33, null))
      .then(confirmed(first, 33)));

  it('in the same grace is no second issue', () =>
    alice(...inGrace)
      .when(failed(33, 37))
      .then(confirmed(first, 33)));

  it('whose grace period was moved records the grace period only', () =>
    alice(...inGrace)
      .when(failed(33, 40))
      .then(graceEntered(first, 33, 40)));

  it('after a recovery is a new episode', () =>
    alice(...inGrace, renewed(second, { signed: 34, recoveredFrom: 'grace_period' }))
      .when(failed(62, null))
      .then(issueDetected(second, 62, null), retryEntered(second, 62, 62)));

  it('that is older than the renewal is stale', () =>
    alice(started(first), renewed(second, { signed: 34 }))
      .when(failed(31, 37))
      .thenNothing());

  it('brings back what time had ended', () =>
    alice(started(first), expired(first, 31, 'unknown', { signed: null }))
      .when(failed(31, 37))
      .then(issueDetected(first, 31, 37), graceEntered(first, 31, 37)));

  it('is not read off a snapshot once the subscription is over', () =>
    alice(started(first), expired(first, 31, 'unsubscribe'))
      .when(failed(31, 37, true))
      .thenNothing());

  it('is read from a snapshot after an expiry by time without a notification', () =>
    alice(started(first), expired(first, 31, 'unknown', { signed: null }))
      .when(failed(33, 37, true))
      .then({ ...issueDetected(first, 33, 37), inferred: true }, { ...graceEntered(first, 33, 37), inferred: true }));

  it('is not read off a snapshot once the retries have been given up', () =>
    alice(...inRetry, expired(first, 91, 'billing_error', { signed: null }))
      .when(failed(91.5, null, true))
      .thenNothing());

  it('is overcome by a charge from a receipt, whenever the message arrives', () =>
    alice(started(first), renewed(second, { signed: null }))
      .when({ ...failed(31.5, 37), shown: 't1' }, { ...graceOver(37), shown: 't1' })
      .thenNothing());
});

describe('the end of grace', () => {
  const inGrace = [started(first), issueDetected(first, 31, 37), graceEntered(first, 31, 37)];

  it('begins the retry', () =>
    alice(...inGrace)
      .when(graceOver(37))
      .then(graceExpired(first, 37, 37), retryEntered(first, 37, 37)));

  it('received late took place when access ended', () =>
    alice(...inGrace)
      .when(graceOver(37.5))
      .then(graceExpired(first, 37.5, 37), retryEntered(first, 37.5, 37)));

  it('received early ends access then', () =>
    alice(...inGrace)
      .when(graceOver(35))
      .then(graceExpired(first, 35, 35), retryEntered(first, 35, 35)));

  it('of a grace period that was not notified begins the retry', () =>
    alice(started(first))
      .when(graceOver(37))
      .then(retryEntered(first, 37, 31)));

  it('after the retry began is nothing', () =>
    alice(...inGrace, graceExpired(first, null, 37), retryEntered(first, null, 37))
      .when(graceOver(37.5))
      .thenNothing());
});

describe('an expiry', () => {
  it('takes effect at the contract’s end, however late it is received', () =>
    alice(started(first))
      .when(expiry(31.5))
      .then(expired(first, 31, 'unsubscribe', { signed: 31.5 })));

  it('takes effect when it is received, if that is earlier', () =>
    alice(started(first))
      .when(expiry(30, 'product_not_for_sale'))
      .then(expired(first, 30, 'product_not_for_sale')));

  it('while the store retried takes effect when the store gave up', () =>
    alice(started(first), issueDetected(first, 31, null), retryEntered(first, 31, 31))
      .when(expiry(91, 'billing_error'))
      .then(expired(first, 91, 'billing_error')));

  it('in grace takes effect at the grace’s end at the latest', () =>
    alice(started(first), issueDetected(first, 31, 37), graceEntered(first, 31, 37))
      .when(expiry(38, 'billing_error'))
      .then(expired(first, 37, 'billing_error', { signed: 38 })));

  for (const reason of ['billing_error', 'price_increase', 'unknown'] as const) {
    it(`keeps its reason: ${reason}`, () =>
      alice(started(first))
        .when(expiry(31, reason))
        .then(expired(first, 31, reason)));
  }

  it('of what is over adds nothing', () =>
    alice(started(first), expired(first, 31, 'unknown', { signed: null }))
      .when(expiry(31.5))
      .thenNothing());

  it('of what was refunded adds nothing', () =>
    alice(started(first), refunded(first, 10, { isLatest: true, accessRevoked: true }))
      .when(expiry(31))
      .thenNothing());

  it('of an earlier subscription of the chain is stale', () =>
    alice(started(first), started(second, { startReason: 'resubscribe' }))
      .when(expiry(30.9))
      .thenNothing());

  it('without a reason is for what the customer had wished', () =>
    alice(started(first), disabled(first, 3))
      .when(expiry(31, 'unknown'))
      .then(expired(first, 31, 'unsubscribe')));

  it('read with a renewal of the same message follows it', () =>
    alice(started(first))
      .when(charged(second, { signed: 62, inferred: true }), expiry(62))
      .then({ ...renewed(second, { signed: 62 }), inferred: true }, expired(second, 62, 'unsubscribe')));
});

describe('a response that was read before a newer charge was recorded', () => {
  const readWith = (shown: string) => ({ readAt: day(40), shown });

  it('ends nothing when it shows the charge before that', () =>
    alice(started(first), renewed(second))
      .when({ ...expiry(33), ...readWith(first.id) })
      .thenNothing());

  it('does not disable a continuing renewal', () =>
    alice(started(first), renewed(second))
      .when({ ...autoRenew(false, 33), ...readWith(first.id) })
      .thenNothing());

  it('counts when it shows the newest, though an old message led to it', () =>
    alice(started(first), renewed(second))
      .when({ ...autoRenew(false, 3), ...readWith(second.id) })
      .then(disabled(second, 31)));
});

describe('a period that was charged ahead of its beginning', () => {
  const ahead = renewed(second, { signed: 30.5 });

  it('is the one that a message shows', () =>
    alice(started(first), ahead)
      .when({ ...autoRenew(false, 30.8), shown: 't2' })
      .then(disabled(second, 30.8)));

  it('makes a message stale that shows the period before', () =>
    alice(started(first), ahead)
      .when({ ...autoRenew(false, 30.8), shown: 't1' })
      .thenNothing());
});

describe('a message of the same instant', () => {
  it('counts, since one message may carry several commands', () =>
    alice(started(first, { signed: 3 }))
      .when(autoRenew(false, 3))
      .then(disabled(first, 3)));

  it('is confirmed once', () =>
    alice(started(first), e.SubscriptionConfirmed.of({ purchase: subPurchaseOf(first), storeTime: day(5) }))
      .when(autoRenew(true, 5))
      .thenNothing());
});

describe('an end that a store reports of an older charge', () => {
  it('does not end the renewal that was paid since', () =>
    alice(started(first), renewed(second))
      .when({ ...expiry(40), shown: 't1' })
      .thenNothing());
});
