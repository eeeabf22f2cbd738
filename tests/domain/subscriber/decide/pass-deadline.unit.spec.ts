// Effect of a passed deadline without a store update.
import { subscriberEvents as e } from '../../../../src/domain/subscriber/events/events.js';
import {
  disabled,
  expired,
  graceEntered,
  graceExpired,
  issueDetected,
  refunded,
  retryEntered,
  deadlinePassed,
} from '../store-samples.js';
import { alice, charged, day, first, renewed, second, started } from '../samples.js';

const swept = { signed: null };

describe('the end of a period', () => {
  it('without any notification is an expiry at that end', () =>
    alice(started(first))
      .when(deadlinePassed('sub_t1', 31, 32))
      .then(expired(first, 31, 'unknown', swept)));

  it('takes the reason of the cancel before it', () =>
    alice(started(first), disabled(first, 3))
      .when(deadlinePassed('sub_t1', 31, 32))
      .then(expired(first, 31, 'unsubscribe', swept)));

  it('has an unknown reason within a cancelled commitment, whose months are still charged', () =>
    alice(started(first), disabled(first, 3, { ends: 365 }))
      .when(deadlinePassed('sub_t1', 31, 32))
      .then(expired(first, 31, 'unknown', swept)));

  it('is due once the slack is over, to the millisecond', () => {
    const command = deadlinePassed('sub_t1', 31, 31);
    alice(started(first))
      .when(command)
      .then(expired(first, 31, 'unknown', swept));
    alice(started(first))
      .when({ ...command, dueBefore: '2026-12-02T09:59:59.999Z' })
      .thenNothing();
  });

  it('that was moved by a renewal is nothing', () =>
    alice(started(first), renewed(second))
      .when(deadlinePassed('sub_t1', 31, 32))
      .thenNothing());

  it('that the store has notified adds nothing', () =>
    alice(started(first), expired(first, 31, 'unsubscribe'))
      .when(deadlinePassed('sub_t1', 31, 32))
      .thenNothing());

  it('that was refunded is nothing', () =>
    alice(started(first), refunded(first, 10, { isLatest: true, accessRevoked: true }))
      .when(deadlinePassed('sub_t1', 31, 32))
      .thenNothing());

  it('of an unknown subscription is nothing', () =>
    alice()
      .when(deadlinePassed('sub_t1', 31, 32))
      .thenNothing());

  it('is undone by the renewal that comes late', () =>
    alice(started(first), expired(first, 31, 'unknown', swept))
      .when(charged(second, { signed: 33 }))
      .then(renewed(second, { signed: 33 })));
});

describe('the end of grace and of retries', () => {
  const inGrace = [started(first), issueDetected(first, 31, 37), graceEntered(first, 31, 37)];
  const inRetry = [...inGrace, graceExpired(first, null, 37), retryEntered(first, null, 37)];

  it('of grace begins the retry', () =>
    alice(...inGrace)
      .when(deadlinePassed('sub_t1', 37, 38))
      .then(graceExpired(first, null, 37), retryEntered(first, null, 37)));

  it('of the period is not a deadline during the grace period', () =>
    alice(...inGrace)
      .when(deadlinePassed('sub_t1', 31, 38))
      .thenNothing());

  it('of retries comes 60 days after the contract’s end', () =>
    alice(...inRetry)
      .when(deadlinePassed('sub_t1', 91, 92))
      .then(expired(first, 91, 'billing_error', swept)));
});

describe('the end of a promotional grant', () => {
  const grant = { grantId: 'grant_1', entitlementId: 'ent_1', lookupKey: 'pro' };
  const granted = (to: number | null) => {
    const expiresAt = to === null ? null : day(to);
    const data = { ...grant, duration: 'weekly', startsAt: day(0), expiresAt, source: 'promotional' as const };
    return e.EntitlementGranted.of(data, { at: day(0) });
  };
  const over = e.EntitlementGrantExpired.of(grant, { at: day(7) });

  it('is an event at that end', () =>
    alice(granted(7))
      .when(deadlinePassed('grant_1', 7, 8))
      .then(over));

  it('creates no event twice', () =>
    alice(granted(7), over)
      .when(deadlinePassed('grant_1', 7, 8))
      .thenNothing());

  it('after it was taken back is nothing', () =>
    alice(granted(7), e.EntitlementRevoked.of(grant, { at: day(3) }))
      .when(deadlinePassed('grant_1', 7, 8))
      .thenNothing());

  it('of a lifetime purchase never comes', () =>
    alice(granted(null))
      .when(deadlinePassed('grant_1', 7, 8))
      .thenNothing());
});
