// Store commands beside the course of a subscription, once each; what is taken away; prices that become known late.
import { expect } from 'chai';
import { foldEvents } from '../../../../src/domain/decider.js';
import { accessEndsAt, ownedUntil, stateAt } from '../../../../src/domain/subscriber/access.js';
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import { subscriberEvents as e } from '../../../../src/domain/subscriber/events/events.js';
import { chainOf } from '../../../../src/domain/subscriber/state/line.js';
import { expired, refunded } from '../store-samples.js';
import {
  alice,
  boughtItem,
  bought,
  chain,
  customer,
  day,
  first,
  itemCompleted,
  lifetime,
  purchaseOf,
  renewed,
  second,
  started,
  subPurchaseOf,
  usd,
} from '../samples.js';

const signedOn = (signed: number) => ({ storeChainId: chain, storeTime: day(signed) });
const of = (signed: number) => ({ purchase: subPurchaseOf(first), storeTime: day(signed) });

describe('an event without consequences', () => {
  const offer = { offerType: 'promotional', offerId: 'autumn', discountType: 'pay_as_you_go' } as const;
  const ofFirst = { purchase: purchaseOf(first), transactionId: 't1' };

  it('is a redeemed offer', () =>
    alice(started(first))
      .when({ kind: 'recordOffer', ...signedOn(5), offer })
      .then(e.OfferRedeemed.of({ ...of(5), offer }, { at: day(5) })));

  it('is an extension that failed', () =>
    alice(started(first))
      .when({ kind: 'recordExtensionFailure', ...signedOn(5), requestIdentifier: 'r1' })
      .then(e.SubscriptionExtensionFailed.of({ ...of(5), requestIdentifier: 'r1' }, { at: day(5) })));

  it('is a change of metadata', () =>
    alice(started(first))
      .when({ kind: 'recordMetadata', ...signedOn(5), details: { plan: 'b' } })
      .then(e.SubscriptionMetadataChanged.of({ ...of(5), details: { plan: 'b' } }, { at: day(5) })));

  it('is a declined refund', () =>
    alice(started(first))
      .when({ kind: 'recordRefundDeclined', ...signedOn(5), transactionId: 't1' })
      .then(e.RefundDeclined.of(ofFirst, { at: day(5) })));

  it('is a question about a refund', () => {
    const question = { reason: 'LEGAL', respondBy: day(5.5), pendingRefundToken: null };
    alice(started(first))
      .when({ kind: 'recordConsumptionRequest', ...signedOn(5), transactionId: 't1', ...question })
      .then(e.ConsumptionInformationRequested.of({ ...ofFirst, ...question }, { at: day(5) }));
  });

  it('is a one-time purchase that was never paid', () =>
    alice()
      .when({ kind: 'recordPendingCancelled', ...signedOn(5), purchase: purchaseOf(first), reason: 'cancelled' })
      .then(
        e.OneTimePurchasePendingCancelled.of({ purchase: purchaseOf(first), reason: 'cancelled' }, { at: day(5) }),
      ));
});

describe('a revocation', () => {
  const revoke = (on: number, reason: 'family_sharing' | 'store' = 'family_sharing') => ({
    kind: 'recordRevocation' as const,
    ...signedOn(on),
    transactionId: 't1',
    revokedAt: day(on),
    reason,
  });
  const revoked = e.SubscriptionRevoked.of({ ...of(10), reason: 'family_sharing' }, { at: day(10) });

  it('ends access at once', () => {
    alice(started(first)).when(revoke(10)).then(revoked);
    const [s] = foldEvents(subscriberDecider, [customer, started(first), revoked]).profile.subscriptions;
    expect(s && [stateAt(s, day(9)), stateAt(s, day(10)), accessEndsAt(s)]).to.deep.equal([
      'active',
      'revoked',
      day(10),
    ]);
  });

  it('of an earlier period is nothing', () => alice(started(first), renewed(second)).when(revoke(40)).thenNothing());

  it('of what a refund had ended is nothing', () =>
    alice(
      started(first),
      refunded(first, 9, { isLatest: true, accessRevoked: true }),
      expired(first, 9, 'customer_support'),
    )
      .when(revoke(10, 'store'))
      .thenNothing());

  it('is over when the family shares again', () =>
    alice(started(first), revoked)
      .when(bought({ ...second, from: 12, to: 43, shared: true, price: 0 }))
      .then(
        started(
          { ...second, from: 12, to: 43, shared: true, price: 0 },
          { startReason: 'family_share', previousSubscriptionId: 'sub_t1' },
        ),
      ));

  it('revokes a permanent purchase', () => {
    const taken = e.OneTimePurchaseRevoked.of(
      { purchase: purchaseOf({ id: 't1', product: 'app.item' }), reason: 'family_sharing' },
      { at: day(10) },
    );
    alice(itemCompleted(lifetime)).when(revoke(10)).then(taken);
    const [owned] = foldEvents(subscriberDecider, [customer, itemCompleted(lifetime), taken]).profile.owned;
    expect(owned && ownedUntil(owned)).to.equal(day(10));
  });
});

describe('a chain with a new name', () => {
  const migrated = e.SubscriptionMigrated.of(
    {
      purchase: { ...subPurchaseOf(first), storeChainId: 'c2' },
      storeTime: day(5),
      fromChainId: chain,
      toChainId: 'c2',
    },
    { at: day(5) },
  );

  it('keeps its subscription', () => {
    alice(started(first))
      .when({ kind: 'recordMigration', storeChainId: 'c2', storeTime: day(5), fromChainId: chain })
      .then(migrated);
    const { profile, transactions } = foldEvents(subscriberDecider, [customer, started(first), migrated]);
    expect(chainOf(profile, 'c2').map((s) => s.purchase.subscriptionId)).to.deep.equal(['sub_t1']);
    expect(profile.clocks).to.deep.equal([{ storeChainId: 'c2', storeTime: day(5) }]);
    expect(transactions.get('t1')?.purchase.storeChainId).to.equal('c2');
  });
});

describe('a price that becomes known', () => {
  const unknown = { ...usd(0), currency: null, amountMicros: null, usdMicros: null, fxRate: null };
  const priceless = boughtItem(lifetime);
  const completed = e.OneTimePurchaseCompleted.of({ ...priced(), money: unknown }, { at: day(0) });
  const corrected = e.TransactionPriceCorrected.of(
    {
      purchase: priceless.purchase,
      transactionId: 't1',
      subscriptionId: null,
      previous: unknown,
      money: usd(4_990_000),
      refundedShare: 0,
    },
    { at: day(0) },
  );

  it('is filled in by the first message that has it', () => {
    alice(completed).when(priceless).then(corrected);
    alice(completed)
      .when({ kind: 'correctPrice', transactionId: 't1', money: usd(4_990_000) })
      .then(corrected);
  });

  it('does not replace a price that was known', () =>
    alice(itemCompleted(lifetime))
      .when({ kind: 'correctPrice', transactionId: 't1', money: usd(1) })
      .thenNothing());

  function priced() {
    const { purchase, productType, quantity, purchasedAt, expiresAt, money, offer } = boughtItem(lifetime);
    return { purchase, productType, quantity, purchasedAt, expiresAt, money, offer };
  }
});
