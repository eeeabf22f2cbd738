// A paid period that the store made longer: when it moves the end of access and when it must not.
import { subscriberEvents as e } from '../../../../src/domain/subscriber/events/events.js';
import { confirmed, expired, refunded } from '../store-samples.js';
import { alice, bought, day, first, renewed, second, started, subPurchaseOf } from '../samples.js';

describe('an extension', () => {
  const longer = { ...first, to: 36 };
  const extended = (signed: number, to = 36) =>
    e.SubscriptionExtended.of(
      { purchase: subPurchaseOf(first), storeTime: day(signed), previousExpiresAt: day(31), expiresAt: day(to) },
      { at: day(signed), inferred: true },
    );

  it('is a later end of a known transaction', () =>
    alice(started(first))
      .when(bought(longer, { signed: 20, inferred: true }))
      .then(extended(20)));

  it('brings back what time had ended', () =>
    alice(started(first), expired(first, 31, 'unknown', { signed: null }))
      .when(bought(longer, { signed: 20, inferred: true }))
      .then(extended(20)));

  it('is never read off a receipt', () =>
    alice(started(first))
      .when(bought(longer, { signed: null }))
      .thenNothing());

  it('counts also when something newer is known', () =>
    alice(started(first), confirmed(first, 21))
      .when(bought(longer, { signed: 20, inferred: true }))
      .then(extended(20)));

  it('does not bring back what was refunded', () =>
    alice(started(first), refunded(first, 10, { isLatest: true, accessRevoked: true }))
      .when(bought(longer, { signed: 20 }))
      .thenNothing());

  it('does not bring back what the store ended before the time', () =>
    alice(started(first), expired(first, 30, 'price_increase'))
      .when(bought(first, { signed: 30, inferred: true }))
      .thenNothing());

  it('of an earlier period moves nothing', () =>
    alice(started(first), renewed(second))
      .when(bought({ ...first, to: 64 }, { signed: 40 }))
      .thenNothing());
});
