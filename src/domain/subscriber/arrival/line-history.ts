// The store updates of each purchase line and the events that stand for it, so that an update that arrives late can be put where it
// belongs and all that followed decided again.
import type { KeptUpdate } from '../../envelope.js';
import { lateOf, timeOf, updateOf, type KnownSubscriberEvent } from '../events/known-event.js';
import { takeAnnounced } from './announced.js';
import { lineOf } from '../state/line.js';
import type { Subscriber } from '../state/state.js';
import type { LineEvent, LineHistory } from '../state/state.js';

/** Passed deadlines sort behind every update of a store. */
export const DEADLINE_PREFIX = '~';

/** `after`: the subscriber after the event, but for the histories themselves. */
export function evolveHistories(
  before: Subscriber,
  after: Subscriber,
  event: KnownSubscriberEvent,
): Subscriber['histories'] {
  const { histories } = before;
  if (event.type === 'PurchaseTransferred') {
    const { direction, snapshot, storeChainIds } = event.data;
    const left = new Map([...histories].filter(([id]) => !storeChainIds.includes(id)));
    if (direction === 'out') return left;
    const { storeChainId, history } = snapshot;
    return left.set(storeChainId, history ?? historyFrom(after, storeChainId));
  }
  if (event.type === 'SubscriptionMigrated') {
    const { fromChainId, toChainId } = event.data;
    const left = new Map([...histories].filter(([id]) => id !== fromChainId));
    return left.set(toChainId, historyFrom(after, toChainId));
  }
  const storeChainId = chainIdOf(event);
  if (storeChainId === null) return histories;
  const update = updateOf(event);
  const known = histories.get(storeChainId) ?? (update && historyFrom(before, storeChainId));
  return known ? new Map(histories).set(storeChainId, withEvent(known, event, update)) : histories;
}

/** A line without kept updates so far: what is known of it by now is where its kept history begins. */
export function historyFrom(state: Subscriber, storeChainId: string): LineHistory {
  return { base: lineOf(state, storeChainId), updates: [], facts: [], said: [] };
}

type OfOneLine = Exclude<KnownSubscriberEvent, { type: 'PurchaseTransferred' | 'SubscriptionMigrated' }>;

function withEvent(history: LineHistory, event: OfOneLine, update: KeptUpdate | undefined): LineHistory {
  const updates = update ? [...history.updates, update] : history.updates;
  if (event.type === 'StoreUpdateRetained') return { ...history, updates };
  if (event.type === 'PurchaseHistoryRevised') return revised(history, event, update);
  const lineEvent = lineEventOf(event);
  const said = [...history.said];
  if (lateOf(event) === 'announced') takeAnnounced(said, [lineEvent]);
  return { ...history, facts: [...history.facts, lineEvent], said, updates };
}

type Revised = Extract<KnownSubscriberEvent, { type: 'PurchaseHistoryRevised' }>;

function revised(history: LineHistory, { data }: Revised, update: KeptUpdate | undefined): LineHistory {
  const { superseded, keepsPassedDeadlines } = data;
  const gone = new Set(superseded.map(({ eventId }) => eventId));
  const kept = keepsPassedDeadlines ? history.updates : history.updates.filter((u) => !isPassedDeadline(u));
  const left = history.facts.filter(({ id }) => id !== null && gone.has(id));
  return {
    ...history,
    said: [...history.said, ...left.filter(({ isUnsaid }) => !isUnsaid)],
    facts: history.facts.filter((lineEvent) => !left.includes(lineEvent)),
    updates: update ? [...kept, update] : kept,
  };
}

export function isPassedDeadline({ saidAt }: KeptUpdate): boolean {
  return saidAt.startsWith(DEADLINE_PREFIX);
}

function lineEventOf(event: KnownSubscriberEvent): LineEvent {
  const { id = null, type, data } = event as { id?: string; type: string; data: unknown };
  return { id, type, at: timeOf(event), data, ...(lateOf(event) === 'overcome' && { isUnsaid: true as const }) };
}

function chainIdOf({ data }: KnownSubscriberEvent): string | null {
  if ('storeChainId' in data) return data.storeChainId;
  return 'purchase' in data ? data.purchase.storeChainId : null;
}
