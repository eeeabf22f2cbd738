// A purchase line changes hands: one stream lets go of it, the other takes it over as it was. Money that moves later is booked with who had paid.
import type { BookForPayer, ReleaseLine, TakeLine } from './commands.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import type { MoneyEvent } from '../state/payer.js';
import { lineOf } from '../state/line.js';
import type { PurchaseLine, Subscriber } from '../state/state.js';

export function releaseLine(c: ReleaseLine, state: Subscriber): SubscriberEvent[] {
  const line = lineOf(state, c.storeChainId);
  // The line of another customer begins anew: events that came of the former owner's purchase stay with the former owner.
  const history = c.reason === 'merge' ? state.histories.get(c.storeChainId) : undefined;
  return hasPurchases(line) ? [transferred(c, 'out', history ? { ...line, history } : line)] : [];
}

/** Taken once: a line that is here already was taken by an earlier try. */
export function takeLine(c: TakeLine, state: Subscriber): SubscriberEvent[] {
  return hasPurchases(lineOf(state, c.storeChainId)) ? [] : [transferred(c, 'in', c.line)];
}

/** What the holder's event means for the customer who had paid. */
export function bookForPayer({ heldBy, event }: BookForPayer): SubscriberEvent[] {
  const { type, at = '' } = event;
  const { paidBy: _, ...data } = event.data;
  return [{ type, at, data: { ...data, heldBy } } as MoneyEvent];
}

function hasPurchases(line: PurchaseLine): boolean {
  return line.transactions.length > 0 || line.subscriptions.length > 0;
}

function transferred(c: ReleaseLine | TakeLine, direction: 'in' | 'out', snapshot: PurchaseLine): SubscriberEvent {
  const { fromCustomerId, toCustomerId, storeChainId, reason } = c;
  const data = { direction, fromCustomerId, toCustomerId, storeChainIds: [storeChainId], reason, snapshot };
  return e.PurchaseTransferred.of(data);
}
