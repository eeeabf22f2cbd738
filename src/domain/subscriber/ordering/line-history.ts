// Retained history of each purchase line: its store updates and the events that hold. It allows a late update to be inserted at its
// place and everything after it to be decided again.
import type { RetainedUpdate } from '../../envelope.js';
import {
  lateOf,
  timeOf,
  updateOf,
  type KnownSubscriberEvent,
  subscriberEvents as e,
  type SubscriberEvent,
} from '../events/events.js';
import { removeAnnounced } from './announced-webhooks.js';
import { isStoreResponse, toRetainedUpdate, type ParsedUpdate } from './update-order.js';
import { lineOf } from '../state/line.js';
import type { LineEvent, LineHistory, Subscriber } from '../state/state.js';

/** Sorts passed deadlines after every store update. */
export const DEADLINE_PREFIX = '~';

/** `after`: the subscriber after the event, with the histories from before it. */
export function evolveHistories(
  before: Subscriber,
  after: Subscriber,
  event: KnownSubscriberEvent,
): Subscriber['histories'] {
  const { histories } = before;
  if (event.type === 'PurchaseTransferred') {
    const { direction, snapshot, storeChainIds } = event.data;
    const others = new Map([...histories].filter(([id]) => !storeChainIds.includes(id)));
    if (direction === 'out') return others;
    const { storeChainId, history } = snapshot;
    return others.set(storeChainId, history ?? startHistory(after, storeChainId));
  }
  if (event.type === 'SubscriptionMigrated') {
    const { fromChainId, toChainId } = event.data;
    const others = new Map([...histories].filter(([id]) => id !== fromChainId));
    return others.set(toChainId, startHistory(after, toChainId));
  }
  const storeChainId = chainIdOf(event);
  if (storeChainId === null) return histories;
  const update = updateOf(event);
  const known = histories.get(storeChainId) ?? (update && startHistory(before, storeChainId));
  return known ? new Map(histories).set(storeChainId, appendEvent(known, event, update)) : histories;
}

/** Starts the history of a line without retained updates: its current state is the base. */
export function startHistory(state: Subscriber, storeChainId: string): LineHistory {
  return { base: lineOf(state, storeChainId), updates: [], facts: [], announced: [] };
}

/** Returns the events with the update that they follow from, which the first of them retains. */
export function attachUpdate(
  events: readonly SubscriberEvent[],
  orderedUpdate: Omit<ParsedUpdate, 'parsed'>,
): SubscriberEvent[] {
  const update = toRetainedUpdate(orderedUpdate);
  return events.map((event, i) => (i === 0 ? { ...event, update } : event));
}

/** Returns the event that retains an update without effect; none for a store API response, which is valid at its time only. */
export function retainUpdate(storeChainId: string, update: ParsedUpdate): SubscriberEvent[] {
  return isStoreResponse(update) ? [] : attachUpdate([e.StoreUpdateRetained.of({ storeChainId })], update);
}

type SingleLineEvent = Exclude<KnownSubscriberEvent, { type: 'PurchaseTransferred' | 'SubscriptionMigrated' }>;

function appendEvent(history: LineHistory, event: SingleLineEvent, update: RetainedUpdate | undefined): LineHistory {
  const updates = update ? [...history.updates, update] : history.updates;
  if (event.type === 'StoreUpdateRetained') return { ...history, updates };
  if (event.type === 'PurchaseHistoryRevised') return applyRevision(history, event, update);
  const lineEvent = toLineEvent(event);
  const announced = [...history.announced];
  if (lateOf(event) === 'announced') removeAnnounced(announced, [lineEvent]);
  return { ...history, facts: [...history.facts, lineEvent], announced, updates };
}

type HistoryRevisedEvent = Extract<KnownSubscriberEvent, { type: 'PurchaseHistoryRevised' }>;

function applyRevision(
  history: LineHistory,
  { data }: HistoryRevisedEvent,
  update: RetainedUpdate | undefined,
): LineHistory {
  const { superseded, keepsPassedDeadlines } = data;
  const supersededIds = new Set(superseded.map(({ eventId }) => eventId));
  const updates = keepsPassedDeadlines ? history.updates : history.updates.filter((u) => !isPassedDeadline(u.saidAt));
  const supersededFacts = history.facts.filter(({ id }) => id !== null && supersededIds.has(id));
  return {
    ...history,
    announced: [...history.announced, ...supersededFacts.filter(({ wasNotAnnounced }) => !wasNotAnnounced)],
    facts: history.facts.filter((lineEvent) => !supersededFacts.includes(lineEvent)),
    updates: update ? [...updates, update] : updates,
  };
}

/** Returns true for the place of a passed deadline in the order of updates. */
export function isPassedDeadline(orderedAt: string): boolean {
  return orderedAt.startsWith(DEADLINE_PREFIX);
}

function toLineEvent(event: KnownSubscriberEvent): LineEvent {
  const id = 'id' in event && typeof event.id === 'string' ? event.id : null;
  const { type, data } = event;
  return { id, type, at: timeOf(event), data, ...(lateOf(event) === 'overcome' && { wasNotAnnounced: true as const }) };
}

function chainIdOf({ data }: KnownSubscriberEvent): string | null {
  if ('storeChainId' in data) return data.storeChainId;
  return 'purchase' in data ? data.purchase.storeChainId : null;
}
