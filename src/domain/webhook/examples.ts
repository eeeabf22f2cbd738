// An example of each kind of webhook event, produced from the events of a fictional customer by the same rules as real messages.
import type { RecordedEvent } from '../envelope.js';
import type { Money } from '../money.js';
import { storeOfPlatform } from '../store-kinds.js';
import { streams } from '../streams.js';
import type { OneTimePurchaseRef } from '../subscriber/events/blocks.js';
import { subscriberEvents as e, type SubscriberEvent } from '../subscriber/events/events.js';
import { evolveProfile } from '../subscriber/state/evolve.js';
import { noProfile, type Profile } from '../subscriber/state/state.js';
import { isoFromMs, msFromIso } from '../time.js';
import { activeEntitlements } from './entitlement-changed.js';
import type { PayloadFormat } from './events.js';
import type { Kind } from './kinds.js';
import { evolveKnownCharges, type KnownCharges } from './known-charges.js';
import { messagesOf, type Message } from './messages.js';
import type { Fields } from './purchase-fields.js';
import { revenueCatMessage } from './revenuecat.js';

const DAY_MS = 86_400_000;
const CUSTOMER = 'example-user';
const PRO = { entitlementId: 'ent_example', lookupKey: 'pro' };
const rules = { unlocks: () => [PRO], productIdOf: () => null, exists: () => true, allowsSandbox: true };

/** Returns the fields of the event except `id`, `type` and `projectId`. `at`: ISO time of the fictional customer's last event. */
export function exampleOf(kind: Kind, at: string, format: PayloadFormat): Fields {
  const life = exampleLifeUntil(msFromIso(at));
  const events = life.before[kind] ?? [];
  return kind === 'TEST'
    ? { eventTimestampMs: msFromIso(at) }
    : { ...fieldsOf(kind, [life.created, ...events], format), isExample: true };
}

/** Returns the fields of the message of the last event. */
function fieldsOf(kind: Kind, events: readonly SubscriberEvent[], format: PayloadFormat): Fields {
  let profile: Profile = noProfile;
  let known: KnownCharges = new Map();
  let found: Fields = {};
  for (const [revision, one] of events.entries()) {
    const event = toRecordedEvent(one, revision);
    const before = profile;
    const charges = known;
    profile = evolveProfile(profile, event);
    known = evolveKnownCharges(known, event);
    const after = profile;
    const accessOf = (of: Profile) => activeEntitlements(of, event.meta.recordedAt, rules);
    const messages = messagesOf({
      ...{ event, before, after, charges },
      sold: ({ storeProductId }) => ({ productId: `prod_${storeProductId}`, lookupKeys: [PRO.lookupKey] }),
      nameOf: () => 'example-user-before',
      access: { before: accessOf(before), after: accessOf(after) },
    });
    const toFormat = (message: Message) =>
      format === 'revenuecat'
        ? revenueCatMessage(message, { event, after, charges, offeringKeyOf: (id) => id })
        : message;
    found = messages.map(toFormat).find((message) => message?.kind === kind)?.fields ?? {};
  }
  return found;
}

function toRecordedEvent(event: SubscriberEvent, revision: number): RecordedEvent<SubscriberEvent> {
  const { at = isoFromMs(0) } = event;
  const [actor, projectId] = [{ kind: 'system' as const, id: 'example' }, 'proj_example'];
  const ids = { commandId: 'example', causationId: 'example', correlationId: 'example' };
  const place = { stream: streams.subscriber(projectId, 'cus_example'), revision, position: '' };
  const meta = { at, recordedAt: at, actor, ...ids, projectId };
  return { id: 'example', v: 1, ...event, meta, ...place } as unknown as RecordedEvent<SubscriberEvent>;
}

type ExampleLife = {
  readonly created: SubscriberEvent;
  readonly before: Partial<Record<Kind, readonly SubscriberEvent[]>>;
};

/** Returns the events of a monthly subscription for each kind, bought 31 days before its renewal. `now`: time of the last one, UTC ms. */
function exampleLifeUntil(now: number): ExampleLife {
  const day = (n: number) => isoFromMs(now + n * DAY_MS);
  const money: Money = {
    ...{ currency: 'USD', amountMicros: 9_990_000, usdMicros: 9_990_000, fxRate: '1', fxDate: null },
    ...{ taxRate: 0, commissionRate: 0.3 },
  };
  const offer = { offerType: null, offerId: null, discountType: null };
  const transaction = (transactionId: string, storeProductId = 'com.example.pro.month'): OneTimePurchaseRef => ({
    ...{ transactionId, originalTransactionId: transactionId, storeChainId: transactionId, storeProductId },
    ...{
      store: storeOfPlatform('ios'),
      appId: 'app_example',
      productId: null,
      environment: 'sandbox',
      ownership: 'purchased',
    },
    ...{ country: 'US', offeringId: null, placementId: null },
  });
  const purchase = { ...transaction('example-1'), subscriptionId: 'sub_example' };
  const common = { purchase, storeTime: day(0) };
  const now0 = { at: day(0) };
  const terms = (from: number) => ({
    ...{ periodType: 'normal' as const, periodDuration: 'P1M', productDuration: 'P1M' },
    ...{ purchasedAt: day(from), expiresAt: day(from + 31), money, offer },
  });
  const started = (from: number, price: Money = money) => {
    const data = { ...common, ...terms(from), money: price, storeTime: day(from) };
    return e.SubscriptionStarted.of(
      { ...data, startReason: 'first_purchase', previousSubscriptionId: null },
      { at: day(from) },
    );
  };
  const since = started(-10);
  const off = e.SubscriptionAutoRenewDisabled.of({ ...common, reason: 'unsubscribe', effectiveAt: day(21) }, now0);
  const charge = { purchase: transaction('example-1'), transactionId: 'example-1', subscriptionId: 'sub_example' };
  const refund = { kind: 'full' as const, share: 1, money };
  const refunded = e.TransactionRefunded.of(
    { ...charge, refund, refundedAt: day(0), isLatest: false, accessRevoked: false, policy: 'keep_until_expiry' },
    now0,
  );
  const increase = { ...common, newPrice: { currency: 'USD', amountMicros: 12_990_000 }, effectiveAt: day(21) };
  const unknown = { ...money, currency: null, amountMicros: null, usdMicros: null };
  const item = { purchase: transaction('example-2', 'com.example.coins'), productType: 'consumable' as const };
  const snapshot = {
    ...{ storeChainId: 'example-1', storeTime: null, subscriptions: [] },
    owned: [],
    transactions: [],
    noted: [],
  };
  const transfer = { direction: 'in' as const, fromCustomerId: 'cus_before', toCustomerId: 'cus_example' };
  const merged = { aliases: [], grants: [], experiments: [], spentMicros: 0 };
  const grant = { grantId: 'grant_example', ...PRO, duration: 'weekly' as const, startsAt: day(0), expiresAt: day(7) };
  return {
    created: e.CustomerCreated.of(
      { appUserId: CUSTOMER, source: 'sdk', country: 'US', platform: 'ios', appVersion: '1.0' },
      { at: day(-31) },
    ),
    before: {
      TRANSFER: [
        e.PurchaseTransferred.of({ ...transfer, storeChainIds: ['example-1'], reason: 'restore', snapshot }, now0),
      ],
      SUBSCRIBER_ALIAS: [
        e.CustomerMerged.of(
          {
            mergedCustomerId: 'cus_before',
            mergedAppUserId: '$anon:example',
            reason: 'anonymous_identified',
            ...merged,
          },
          now0,
        ),
      ],
      INITIAL_PURCHASE: [started(0)],
      RENEWAL: [
        started(-31),
        e.SubscriptionRenewed.of(
          { ...common, ...terms(0), isTrialConversion: false, renewalNumber: 1, recoveredFrom: null },
          now0,
        ),
      ],
      NON_RENEWING_PURCHASE: [
        e.OneTimePurchaseCompleted.of(
          { ...item, quantity: 1, purchasedAt: day(0), expiresAt: null, money, offer },
          now0,
        ),
      ],
      TEMPORARY_ENTITLEMENT_GRANT: [e.EntitlementGranted.of({ ...grant, source: 'temporary' }, now0)],
      PRODUCT_CHANGE: [
        since,
        e.SubscriptionProductChangeScheduled.of(
          { ...common, newProductId: null, newStoreProductId: 'com.example.pro.year', effectiveAt: day(21) },
          now0,
        ),
      ],
      BILLING_ISSUE: [
        started(-31),
        e.SubscriptionBillingIssueDetected.of({ ...common, gracePeriodExpiresAt: day(6) }, now0),
      ],
      CANCELLATION: [since, off],
      UNCANCELLATION: [since, off, e.SubscriptionAutoRenewEnabled.of(common, now0)],
      SUBSCRIPTION_PAUSED: [
        since,
        e.SubscriptionPauseScheduled.of({ ...common, pauseAt: day(21), autoResumeAt: day(51) }, now0),
      ],
      SUBSCRIPTION_EXTENDED: [
        since,
        e.SubscriptionExtended.of({ ...common, previousExpiresAt: day(21), expiresAt: day(28) }, now0),
      ],
      EXPIRATION: [started(-31), e.SubscriptionExpired.of({ ...common, reason: 'unsubscribe', by: 'store' }, now0)],
      REFUND: [since, refunded],
      REFUND_REVERSED: [
        since,
        refunded,
        e.TransactionRefundReversed.of({ ...charge, refund, accessRestored: false }, now0),
      ],
      PRICE_CORRECTED: [
        started(-10, unknown),
        e.TransactionPriceCorrected.of({ ...charge, previous: unknown, money, refundedShare: 0 }, now0),
      ],
      PRICE_INCREASE_CONSENT_REQUIRED: [
        since,
        e.PriceIncreaseConsentRequested.of({ ...increase, respondBy: day(14) }, now0),
      ],
      PRICE_INCREASE_CONSENT_APPROVED: [since, e.PriceIncreaseAccepted.of(increase, now0)],
      EXPERIMENT_ENROLLMENT: [
        e.ExperimentEnrolled.of(
          { experimentId: 'exp_example', variantId: 'var_example', variantName: 'B', offeringId: 'ofr_example' },
          now0,
        ),
      ],
      ENTITLEMENT_CHANGED: [started(0)],
    },
  };
}
