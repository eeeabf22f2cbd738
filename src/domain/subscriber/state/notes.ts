// Events that change no state (a declined refund, a redeemed offer) are remembered by name, so that a repeat appends nothing.
import { remaining } from '../../events.js';
import { timeOf, type KnownSubscriberEvent } from '../events/known-event.js';
import type { SubscriberEvent } from '../events/events.js';

type Noted =
  | ('SubscriptionExtensionFailed' | 'SubscriptionMetadataChanged' | 'SubscriptionPriceChanged' | 'OfferRedeemed')
  | ('RefundDeclined' | 'ConsumptionInformationRequested' | 'OneTimePurchasePendingCancelled');
type NotNoted =
  | ('CustomerCreated' | 'CustomerAttributesUpdated' | 'CustomerMerged' | 'CustomerErased' | 'CustomerMergedInto')
  | ('EntitlementGranted' | 'EntitlementRevoked' | 'EntitlementGrantExpired' | 'ExperimentEnrolled')
  | ('SubscriptionPending' | 'SubscriptionPendingCancelled' | 'SubscriptionStarted' | 'SubscriptionRenewed')
  | ('SubscriptionAutoRenewDisabled' | 'SubscriptionAutoRenewEnabled' | 'SubscriptionConfirmed')
  | ('SubscriptionBillingIssueDetected' | 'SubscriptionGracePeriodEntered' | 'SubscriptionGracePeriodExpired')
  | 'SubscriptionBillingRetryEntered'
  | ('SubscriptionPauseScheduled' | 'SubscriptionPauseCancelled' | 'SubscriptionPaused')
  | ('SubscriptionExpired' | 'SubscriptionRevoked' | 'SubscriptionExtended')
  | ('SubscriptionProductChangeScheduled' | 'SubscriptionProductChangeCancelled' | 'SubscriptionProductChanged')
  | ('PriceIncreaseConsentRequested' | 'PriceIncreaseAccepted' | 'SubscriptionMigrated')
  | ('OneTimePurchaseCompleted' | 'OneTimePurchaseRevoked')
  | ('TransactionRefunded' | 'TransactionRefundReversed' | 'RefundReversalDeferred')
  | ('TransactionPriceCorrected' | 'StoreUpdateKept');

/** A name that every repeat of the event has too; null: the event shows in the state. */
export function noteOf(event: KnownSubscriberEvent): string | null {
  switch (event.type) {
    case 'SubscriptionExtensionFailed':
      return note(event, event.data.requestIdentifier);
    case 'SubscriptionMetadataChanged':
    case 'SubscriptionPriceChanged':
    case 'OfferRedeemed':
      return note(event, event.data.storeTime ?? '');
    case 'RefundDeclined':
    case 'ConsumptionInformationRequested':
    case 'OneTimePurchasePendingCancelled':
      return note(event, timeOf(event));
    default:
      remaining<NotNoted | 'PurchaseTransferred' | 'PurchaseHistoryRevised'>(event);
      return null;
  }
}

/** The events that were not recorded before. */
export function withoutRepeats(events: readonly SubscriberEvent[], noted: ReadonlySet<string>): SubscriberEvent[] {
  return events.filter((event) => {
    const name = noteOf(event);
    return name === null || !noted.has(name);
  });
}

export function evolveNotes(noted: ReadonlySet<string>, event: KnownSubscriberEvent): ReadonlySet<string> {
  switch (event.type) {
    case 'PurchaseTransferred': {
      const { direction, snapshot } = event.data;
      const kept = [...noted].filter((name) => !isNoteOf(name, snapshot.storeChainId));
      return new Set(direction === 'in' ? [...kept, ...snapshot.noted] : kept);
    }
    case 'PurchaseHistoryRevised': {
      const { line } = event.data;
      return new Set([...[...noted].filter((name) => !isNoteOf(name, line.storeChainId)), ...line.noted]);
    }
    default: {
      remaining<Noted | NotNoted>(event);
      const name = noteOf(event);
      return name === null || noted.has(name) ? noted : new Set([...noted, name]);
    }
  }
}

export function isNoteOf(name: string, storeChainId: string): boolean {
  return name.startsWith(`${storeChainId}|`);
}

function note(
  event: { type: string; data: { purchase: { storeChainId: string; transactionId: string } } },
  of: string,
): string {
  const { storeChainId, transactionId } = event.data.purchase;
  return `${storeChainId}|${event.type}|${transactionId}|${of}`;
}
