// Money given back: the app's policy, which period it was, and what a reversal returns.
import { expect } from 'chai';
import { decideAll, foldEvents } from '../../../../src/domain/decider.js';
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import { nextDeadline } from '../../../../src/domain/subscriber/access.js';
import { subscriberEvents as e, type SubscriberEvent } from '../../../../src/domain/subscriber/events/events.js';
import { expired, graceEntered, issueDetected, refund, refunded, reversal, reversed } from '../store-samples.js';
import {
  alice,
  coins,
  customer,
  day,
  first,
  itemCompleted,
  lifetime,
  purchaseOf,
  renewed,
  season,
  second,
  started,
  subPurchaseOf,
  third,
  type Item,
} from '../samples.js';

const latest = { isLatest: true, accessRevoked: true };
const older = { isLatest: false, accessRevoked: false };
const kept = { policy: 'keep_until_expiry' as const };
const cut = expired(first, 10, 'customer_support');

describe('a refund of the latest period', () => {
  it('ends access at the store’s time', () =>
    alice(started(first))
      .when(refund('t1', 10))
      .then(refunded(first, 10, latest), cut));

  it('under keep_until_expiry moves money only', () =>
    alice(started(first))
      .when(refund('t1', 10, kept))
      .then(refunded(first, 10, { ...kept, isLatest: true, accessRevoked: false })));

  it('in part refunds that share and ends access nevertheless', () =>
    alice(started(first))
      .when(refund('t1', 10, { share: 0.5 }))
      .then(refunded(first, 10, { ...latest, share: 0.5 }), cut));

  it('in grace ends the grace', () =>
    alice(started(first), issueDetected(first, 31, 37), graceEntered(first, 31, 37))
      .when(refund('t1', 33))
      .then(refunded(first, 33, latest), expired(first, 33, 'customer_support')));

  it('after access had ended moves money only', () =>
    alice(started(first))
      .when(refund('t1', 31))
      .then(refunded(first, 31, { isLatest: true, accessRevoked: false })));

  it('after the store took access away moves the money, and ends nothing again', () => {
    const data = { purchase: subPurchaseOf(first), storeTime: day(10), reason: 'store' as const };
    alice(started(first), e.SubscriptionRevoked.of(data, { at: day(10) }))
      .when(refund('t1', 9.9))
      .then(refunded(first, 9.9, latest));
  });

  it('does not end an expired subscription again', () =>
    alice(started(first), expired(first, 31, 'unsubscribe'))
      .when(refund('t1', 10))
      .then(refunded(first, 10, latest)));

  it('leaves a later renewal its access', () =>
    alice(started(first), refunded(first, 10, latest), cut, renewed(second))
      .when(refund('t1', 10))
      .thenNothing());
});

describe('a refund', () => {
  it('of an older period moves money only', () =>
    alice(started(first), renewed(second))
      .when(refund('t1', 40))
      .then(refunded(first, 40, older)));

  it('of a period before the last of several finds its own', () =>
    alice(started(first), renewed(second), renewed(third, { renewalNumber: 2 }))
      .when(refund('t2', 70))
      .then(refunded(second, 70, older)));

  it('of an earlier subscription of the chain moves money only', () =>
    alice(started(first), started(third, { startReason: 'resubscribe' }))
      .when(refund('t1', 63))
      .then(refunded(first, 63, older)));

  it('is one, even when received with another time', () =>
    alice(started(first), refunded(first, 10, latest), cut)
      .when(refund('t1', 12))
      .thenNothing());

  it('of an unknown transaction is nothing', () => alice(started(first)).when(refund('t7', 10)).thenNothing());
});

describe('a refund of a one-time purchase', () => {
  const sold = (item: Item) => ({ id: item.id ?? 't1', product: 'app.item', price: 4_990_000 });
  const refundOf = (item: Item, on: number, o: Partial<Parameters<typeof refunded>[2]> = {}): SubscriberEvent =>
    refunded(sold(item), on, { ...latest, of: null, ...o });

  it('takes a non-consumable away', () =>
    alice(itemCompleted(lifetime)).when(refund('t1', 10)).then(refundOf(lifetime, 10)));

  it('keeps a non-consumable permanently under keep_until_expiry', () =>
    alice(itemCompleted(lifetime))
      .when(refund('t1', 10, kept))
      .then(refundOf(lifetime, 10, { ...kept, accessRevoked: false })));

  it('of a consumable moves money only', () =>
    alice(itemCompleted(coins))
      .when(refund('t1', 10))
      .then(refundOf(coins, 10, { accessRevoked: false })));

  it('takes a non-renewing subscription away', () =>
    alice(itemCompleted(season)).when(refund('t1', 10)).then(refundOf(season, 10)));

  it('in parts, then whole, refunds the paid amount and no more', () => {
    const part = (on: number) => ({
      ...refund('t1', on),
      refund: { kind: 'partial_quantity' as const, share: 0.4 },
    });
    const events = decideAll(
      subscriberDecider,
      [part(10), part(12), refund('t1', 14), part(16)],
      foldEvents(subscriberDecider, [customer, itemCompleted(lifetime)]),
    );
    const parts = events.flatMap((event) => (event.type === 'TransactionRefunded' ? [event.data] : []));
    expect(parts.map(({ refund: { money } }) => money.amountMicros)).to.deep.equal([1_996_000, 1_996_000, 998_000]);
    expect(parts.map(({ accessRevoked }) => accessRevoked)).to.deep.equal([false, false, true]);
  });

  it('of a non-renewing subscription after its end moves money only', () =>
    alice(itemCompleted(season))
      .when(refund('t1', 90))
      .then(refundOf(season, 90, { accessRevoked: false })));

  it('reversed gives it back', () =>
    alice(itemCompleted(lifetime), refundOf(lifetime, 10))
      .when(reversal('t1', 20))
      .then(reversed(sold(lifetime), 20, { accessRestored: true, of: null })));
});

describe('a reversed refund', () => {
  const deferred = (on: number) =>
    e.RefundReversalDeferred.of(
      { purchase: purchaseOf(first), transactionId: 't1', reversedAt: day(on) },
      { at: day(on) },
    );
  const cutOff = [started(first), refunded(first, 10, latest), cut];

  it('gives access back while the paid time lasts', () =>
    alice(...cutOff)
      .when(reversal('t1', 20))
      .then(reversed(first, 20, { accessRestored: true })));

  it('gives access back that an earlier part of the refund had taken', () =>
    alice(
      started(first),
      refunded(first, 10, { ...latest, share: 0.5 }),
      cut,
      refunded(first, 12, { ...latest, accessRevoked: false, share: 0.5 }),
    )
      .when(reversal('t1', 20))
      .then(reversed(first, 20, { accessRestored: true })));

  it('after the paid time moves money only', () =>
    alice(...cutOff)
      .when(reversal('t1', 31))
      .then(reversed(first, 31, { accessRestored: false })));

  it('of an older period moves money only', () =>
    alice(started(first), renewed(second), refunded(first, 40, older))
      .when(reversal('t1', 41))
      .then(reversed(first, 41, { accessRestored: false })));

  it('that took no access moves money only', () =>
    alice(started(first), refunded(first, 10, { ...kept, isLatest: true, accessRevoked: false }))
      .when(reversal('t1', 20))
      .then(reversed(first, 20, { accessRestored: false })));

  it('of what is not known to be refunded waits for the refund', () =>
    alice(started(first)).when(reversal('t1', 20)).then(deferred(20)));

  it('received before its refund takes it back at once, without touching access', () =>
    alice(started(first), deferred(20))
      .when(refund('t1', 10))
      .then(refunded(first, 10, { ...latest, accessRevoked: false }), reversed(first, 20, { accessRestored: false })));

  it('does not take back a refund that came after it', () =>
    alice(started(first), refunded(first, 15, latest), expired(first, 15, 'customer_support'))
      .when(reversal('t1', 12))
      .then(deferred(12)));

  it('is not refunded again by an old message about that refund', () =>
    alice(...cutOff, reversed(first, 20, { accessRestored: true }))
      .when(refund('t1', 10))
      .thenNothing());

  it('can be refunded again', () =>
    alice(...cutOff, reversed(first, 20, { accessRestored: true }))
      .when(refund('t1', 25))
      .then(refunded(first, 25, latest), expired(first, 25, 'customer_support')));

  it('that gave no access back leaves nothing for time to end', () => {
    const past = [customer, ...cutOff, reversed(first, 40, { accessRestored: false })];
    const [subscription] = foldEvents(subscriberDecider, past).profile.subscriptions;
    expect(subscription && nextDeadline(subscription)).to.equal(null);
  });

  it('returns the money', () => {
    const revenueAfter = (...past: SubscriberEvent[]) =>
      foldEvents(subscriberDecider, [customer, ...past]).profile.subscriptions[0]?.revenue;
    expect(revenueAfter(...cutOff)?.gross).to.equal(0);
    expect(revenueAfter(...cutOff, reversed(first, 40, { accessRestored: false }))).to.deep.equal(
      revenueAfter(started(first)),
    );
  });
});
