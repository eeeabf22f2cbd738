// Events of customers of the test's project, as short as a case needs them.
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { streams } from '../../../src/domain/streams.js';
import { activityEvents, subscriberEvents as e } from '../../../src/domain/subscriber/events/events.js';
import type { PurchaseLine } from '../../../src/domain/subscriber/state/state.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import { toDecidedForm } from '../../../src/commands/handling/run-command.js';
import { foldEvents } from '../../../src/domain/decider.js';
import { lineOf } from '../../../src/domain/subscriber/state/line.js';
import { past, PROJECT, type Past } from './spec.js';

export const DAY = (n: number) => `2026-11-${String(n).padStart(2, '0')}T10:00:00.000Z`;
export const DEC = (n: number) => `2026-12-${String(n).padStart(2, '0')}T10:00:00.000Z`;

const money = (micros: number) => ({
  currency: 'USD',
  amountMicros: micros,
  usdMicros: micros,
  fxRate: '1',
  fxDate: null,
  taxRate: 0,
  commissionRate: 0.15,
});
const noOffer = { offerType: null, offerId: null, discountType: null };

export function bought(transactionId = 'tx_1', chain = 'tx_1') {
  return {
    transactionId,
    originalTransactionId: chain,
    storeChainId: chain,
    store: 'ios-store' as const,
    appId: 'app_1',
    productId: 'prod_1',
    storeProductId: 'pro.month',
    environment: 'production' as const,
    ownership: 'purchased' as const,
    country: 'DE',
    offeringId: null,
    placementId: null,
  };
}

/** The events of one customer: `const ann = customer('ann')`, then `ann.created()`. */
export function customer(name: string) {
  const customerId = `cus_${name}`;
  const stream = streams.subscriber(PROJECT, customerId);
  const subscription = (tx: string, chain: string) => ({ ...bought(tx, chain), subscriptionId: `sub_${chain}` });
  const period = (purchasedAt: string, expiresAt: string, micros: number, type: 'normal' | 'trial') => ({
    periodType: type,
    periodDuration: null,
    productDuration: 'P1M',
    purchasedAt,
    expiresAt,
    money: money(micros),
    offer: noOffer,
  });
  const grant = { grantId: `grant_${name}`, entitlementId: 'ent_1', lookupKey: 'pro' };
  const refund = { kind: 'full' as const, share: 1, money: money(9_990_000) };
  return {
    customerId,
    stream,
    created: (at = DAY(1)): Past =>
      past(
        stream,
        e.CustomerCreated.of({ appUserId: name, source: 'sdk', country: null, platform: null, appVersion: null }),
        at,
      ),
    attributes: (values: Record<string, string | null>, at = DAY(2)): Past => {
      const entries = Object.entries(values).map(([k, value]) => [k, { value, updatedAt: at }]);
      return past(stream, e.CustomerAttributesUpdated.of({ attributes: Object.fromEntries(entries) }), at);
    },
    subscribed: (o: { at?: string; until?: string; tx?: string; type?: 'normal' | 'trial' } = {}): Past => {
      const { at = DAY(1), until = DEC(1), tx = 'tx_1', type = 'normal' } = o;
      const start = { storeTime: at, startReason: 'first_purchase' as const, previousSubscriptionId: null };
      const terms = period(at, until, type === 'trial' ? 0 : 9_990_000, type);
      return past(stream, e.SubscriptionStarted.of({ purchase: subscription(tx, tx), ...start, ...terms }), at);
    },
    renewed: (o: { at?: string; until?: string; tx?: string; chain?: string } = {}): Past => {
      const { at = DEC(1), until = DEC(31), tx = 'tx_2', chain = 'tx_1' } = o;
      const renewal = { storeTime: at, isTrialConversion: false, renewalNumber: 1, recoveredFrom: null };
      const terms = period(at, until, 9_990_000, 'normal');
      return past(stream, e.SubscriptionRenewed.of({ purchase: subscription(tx, chain), ...renewal, ...terms }), at);
    },
    upgraded: (from: string, toSubscriptionId: string, at: string): Past => {
      const products = { fromStoreProductId: 'a', toStoreProductId: 'b', fromProductId: null, toProductId: null };
      const data = { purchase: subscription(from, 'tx_1'), storeTime: at, ...products, mode: 'immediate' as const };
      return past(stream, e.SubscriptionProductChanged.of({ ...data, toSubscriptionId }), at);
    },
    graceEntered: (until: string, at = DEC(1)): Past => {
      const data = { purchase: subscription('tx_1', 'tx_1'), storeTime: at, gracePeriodExpiresAt: until };
      return past(stream, e.SubscriptionGracePeriodEntered.of(data), at);
    },
    retryEntered: (at = DEC(1)): Past => {
      const data = { purchase: subscription('tx_1', 'tx_1'), storeTime: at };
      return past(stream, e.SubscriptionBillingRetryEntered.of(data), at);
    },
    expired: (at = DEC(1)): Past => {
      const data = { purchase: subscription('tx_1', 'tx_1'), storeTime: null, reason: 'unknown' as const };
      return past(stream, e.SubscriptionExpired.of({ ...data, by: 'sweeper' }), at);
    },
    ownedForever: (tx: string, at = DAY(3)): Past => {
      const data = { purchase: bought(tx, tx), productType: 'non_consumable' as const, quantity: 1, purchasedAt: at };
      return past(
        stream,
        e.OneTimePurchaseCompleted.of({ ...data, expiresAt: null, money: money(5_000_000), offer: noOffer }),
        at,
      );
    },
    refunded: (tx: string, at = DAY(5)): Past => {
      const data = { purchase: bought(tx), transactionId: tx, subscriptionId: 'sub_tx_1', refundedAt: at, refund };
      const outcome = { isLatest: true, accessRevoked: true, policy: 'revoke_immediately' as const };
      return past(stream, e.TransactionRefunded.of({ ...data, ...outcome }), at);
    },
    refundReversed: (tx: string, at = DAY(6)): Past => {
      const data = { purchase: bought(tx), transactionId: tx, subscriptionId: 'sub_tx_1', refund };
      return past(stream, e.TransactionRefundReversed.of({ ...data, accessRestored: true }), at);
    },
    granted: (until: string | null, at = DAY(1)): Past => {
      const data = { ...grant, duration: null, startsAt: at, expiresAt: until, source: 'promotional' as const };
      return past(stream, e.EntitlementGranted.of(data), at);
    },
    grantEnded: (at: string): Past => past(stream, e.EntitlementGrantExpired.of(grant), at),
    grantRevoked: (at: string): Past => past(stream, e.EntitlementRevoked.of(grant), at),
    erased: (mergedCustomerIds: string[] = [], at = DAY(8)): Past =>
      past(stream, e.CustomerErased.of({ reason: 'request', keys: [], mergedCustomerIds }), at),
    mergedInto: (other: string, at = DAY(6)): Past =>
      past(stream, e.CustomerMergedInto.of({ customerId: `cus_${other}`, appUserId: other }), at),
    merged: (other: string, at = DAY(6)): Past => {
      const data = {
        mergedCustomerId: `cus_${other}`,
        mergedAppUserId: other,
        reason: 'anonymous_identified' as const,
        aliases: [],
        grants: [],
        experiments: [],
        spentMicros: 0,
      };
      return past(stream, e.CustomerMerged.of(data), at);
    },
    seen: (at: string): Past => {
      const month = at.slice(0, 4) + at.slice(5, 7);
      const data = { platform: null, appVersion: null, country: null };
      return past(streams.activity(PROJECT, month, customerId), activityEvents.CustomerSeen.of(data), at);
    },
  };
}

/** The two events that move a line, with what `from` had of it by then. */
export function transfer(from: string, to: string, purchases: readonly Past[], at = DAY(6)): readonly [Past, Past] {
  const [giver, taker] = [customer(from), customer(to)];
  const events = purchases.filter((f) => f.stream === giver.stream).map((f) => ({ ...f.event, meta: { at: f.at } }));
  const state = foldEvents(
    subscriberDecider,
    events.map((one) => toDecidedForm(one as unknown as RecordedEvent)),
  );
  const snapshot: PurchaseLine = lineOf(state, 'tx_1');
  const shared = { fromCustomerId: giver.customerId, toCustomerId: taker.customerId, storeChainIds: ['tx_1'] };
  const moved = (direction: 'in' | 'out') =>
    e.PurchaseTransferred.of({ direction, ...shared, reason: 'restore', snapshot });
  return [past(giver.stream, moved('out'), at), past(taker.stream, moved('in'), at)];
}
