// Rules for transfers: one stream releases a purchase line, the other takes it over unchanged. Later money events are booked for the
// customer who paid.
import type { BookForPayer, ReleaseLine, TakeLine } from './commands.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import type { MoneyEvent } from '../state/payer.js';
import { lineOf } from '../state/line.js';
import type { PurchaseLine, Subscriber } from '../state/state.js';

export function releaseLine(c: ReleaseLine, state: Subscriber): SubscriberEvent[] {
  const line = lineOf(state, c.storeChainId);
  // The line starts without history at another customer: events of the previous owner stay with the previous owner.
  const history = c.reason === 'merge' ? state.histories.get(c.storeChainId) : undefined;
  return hasPurchases(line) ? [transferredEvent(c, 'out', history ? { ...line, history } : line)] : [];
}

/** Takes the line once: an earlier attempt may have taken it already. */
export function takeLine(c: TakeLine, state: Subscriber): SubscriberEvent[] {
  return hasPurchases(lineOf(state, c.storeChainId)) ? [] : [transferredEvent(c, 'in', c.line)];
}

/** Books the holder's money event for the customer who paid. */
export function bookForPayer({ heldBy, event }: BookForPayer): SubscriberEvent[] {
  const { type, at = '' } = event;
  const { paidBy: _, ...data } = event.data;
  return [{ type, at, data: { ...data, heldBy } } as MoneyEvent];
}

function hasPurchases(line: PurchaseLine): boolean {
  return line.transactions.length > 0 || line.subscriptions.length > 0;
}

function transferredEvent(c: ReleaseLine | TakeLine, direction: 'in' | 'out', snapshot: PurchaseLine): SubscriberEvent {
  const { fromCustomerId, toCustomerId, storeChainId, reason } = c;
  const data = { direction, fromCustomerId, toCustomerId, storeChainIds: [storeChainId], reason, snapshot };
  return e.PurchaseTransferred.of(data);
}
