// Events as they would have been under other rules: for copies of the charts that answer "what if", never for what is served.
import type { RecordedEvent } from '../../domain/envelope.js';
import { remaining } from '../../domain/events.js';
import type { Money } from '../../domain/money.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { ofFamily } from '../runtime/events-of.js';

export type WhatIf = {
  readonly refundPolicy?: 'keep_until_expiry' | 'revoke_immediately';
  /** Share (0..1) of the gross price that the stores keep. */
  readonly commission?: number;
};

type Data = { readonly [field: string]: unknown; readonly money?: Money; readonly refund?: { readonly money: Money } };

export function supposing(rules: WhatIf): (event: RecordedEvent) => RecordedEvent {
  const { commission, refundPolicy } = rules;
  const changes = [
    ...(commission === undefined ? [] : [(data: Data) => withCommission(data, commission)]),
    ...(refundPolicy === undefined
      ? []
      : [(data: Data, event: RecordedEvent) => withPolicy(data, event, refundPolicy)]),
  ];
  return (event) => {
    const data = changes.reduce((data, change) => change(data, event), event.data as Data);
    return data === event.data ? event : { ...event, data };
  };
}

function withCommission(data: Data, commissionRate: number): Data {
  const { money, refund } = data;
  if (!money && !refund?.money) return data;
  return {
    ...data,
    ...(money && { money: { ...money, commissionRate } }),
    ...(refund?.money && { refund: { ...refund, money: { ...refund.money, commissionRate } } }),
  };
}

type UnderNoPolicy =
  | ('CustomerCreated' | 'CustomerAttributesUpdated' | 'CustomerMerged' | 'CustomerErased' | 'CustomerMergedInto')
  | ('EntitlementGranted' | 'EntitlementRevoked' | 'EntitlementGrantExpired' | 'ExperimentEnrolled')
  | ('SubscriptionPending' | 'SubscriptionPendingCancelled' | 'SubscriptionStarted' | 'SubscriptionRenewed')
  | ('SubscriptionAutoRenewDisabled' | 'SubscriptionAutoRenewEnabled' | 'SubscriptionConfirmed')
  | ('SubscriptionBillingIssueDetected' | 'SubscriptionGracePeriodEntered' | 'SubscriptionGracePeriodExpired')
  | 'SubscriptionBillingRetryEntered'
  | ('SubscriptionPauseScheduled' | 'SubscriptionPauseCancelled' | 'SubscriptionPaused')
  | ('SubscriptionExpired' | 'SubscriptionRevoked' | 'SubscriptionExtended' | 'SubscriptionExtensionFailed')
  | ('SubscriptionProductChangeScheduled' | 'SubscriptionProductChangeCancelled' | 'SubscriptionProductChanged')
  | ('PriceIncreaseConsentRequested' | 'PriceIncreaseAccepted' | 'SubscriptionPriceChanged')
  | ('OfferRedeemed' | 'SubscriptionMetadataChanged' | 'SubscriptionMigrated')
  | ('OneTimePurchaseCompleted' | 'OneTimePurchasePendingCancelled' | 'OneTimePurchaseRevoked')
  | ('RefundReversalDeferred' | 'RefundDeclined' | 'ConsumptionInformationRequested')
  | ('TransactionPriceCorrected' | 'PurchaseHistoryRevised' | 'StoreUpdateKept' | 'PurchaseTransferred');

/**
 * Only a refund of the latest transaction of its chain can take access, under whatever policy. What was decided under the supposed one
 * stays as it was: it knew, besides, whether there was access left to take.
 */
function withPolicy(data: Data, stored: RecordedEvent, policy: NonNullable<WhatIf['refundPolicy']>): Data {
  const event = ofFamily<SubscriberEvent>(stored, 'subscriber');
  if (!event) return data;
  const revokes = policy === 'revoke_immediately';
  switch (event.type) {
    case 'TransactionRefunded':
      if (event.data.policy === policy) return data;
      return { ...data, policy, accessRevoked: revokes && event.data.isLatest };
    case 'TransactionRefundReversed':
      return revokes ? data : { ...data, accessRestored: false };
    default:
      remaining<UnderNoPolicy>(event);
      return data;
  }
}
