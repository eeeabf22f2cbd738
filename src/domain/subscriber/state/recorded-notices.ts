// Recorded notices: events that change no other state (a declined refund, a redeemed offer). Their names are stored so that a repeat
// appends nothing.
import { touches } from '../../events.js';
import { timeOf, type KnownSubscriberEvent, subscriberEvents, type SubscriberEvent } from '../events/events.js';

/** Returns a name that is equal for every repeat of the event, or null if the event changes other state. */
function noticeNameOf(event: KnownSubscriberEvent): string | null {
  if (!touches(subscriberEvents, event, 'notices')) return null;
  switch (event.type) {
    case 'SubscriptionExtensionFailed':
      return buildNoticeName(event, event.data.requestIdentifier);
    case 'SubscriptionMetadataChanged':
    case 'SubscriptionPriceChanged':
    case 'OfferRedeemed':
      return buildNoticeName(event, event.data.storeTime ?? '');
    case 'RefundDeclined':
    case 'ConsumptionInformationRequested':
    case 'OneTimePurchasePendingCancelled':
      return buildNoticeName(event, timeOf(event));
  }
}

/** Returns the events that were not recorded before. */
export function withoutRepeats(events: readonly SubscriberEvent[], notices: ReadonlySet<string>): SubscriberEvent[] {
  return events.filter((event) => {
    const name = noticeNameOf(event);
    return name === null || !notices.has(name);
  });
}

export function evolveNotices(notices: ReadonlySet<string>, event: KnownSubscriberEvent): ReadonlySet<string> {
  if (event.type === 'PurchaseTransferred') {
    const { direction, snapshot } = event.data;
    const others = [...notices].filter((name) => !isNoticeOfChain(name, snapshot.storeChainId));
    return new Set(direction === 'in' ? [...others, ...snapshot.noted] : others);
  }
  if (event.type === 'PurchaseHistoryRevised') {
    const { line } = event.data;
    return new Set([...[...notices].filter((name) => !isNoticeOfChain(name, line.storeChainId)), ...line.noted]);
  }
  const name = noticeNameOf(event);
  return name === null || notices.has(name) ? notices : new Set([...notices, name]);
}

export function isNoticeOfChain(name: string, storeChainId: string): boolean {
  return name.startsWith(`${storeChainId}|`);
}

function buildNoticeName(
  event: { type: string; data: { purchase: { storeChainId: string; transactionId: string } } },
  of: string,
): string {
  const { storeChainId, transactionId } = event.data.purchase;
  return `${storeChainId}|${event.type}|${transactionId}|${of}`;
}
