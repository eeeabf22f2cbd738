// Inserts a late update of the store at its place in the order of the store's times: all updates of the purchase line are replayed from the
// retained history, and the difference from what was recorded becomes events.
import type { Late, EventData } from '../../envelope.js';
import { isSameJson } from '../../values/json.js';
import { subscriberEvents as e, type SubscriberEvent, withImportedRow } from '../events/events.js';
import { withLineTransactions, spendOf } from '../state/evolve-transactions.js';
import { evolve } from '../state/evolve.js';
import { lineOf, withLine } from '../state/line.js';
import { isNoticeOfChain } from '../state/recorded-notices.js';
import type { LineHistory, PurchaseLine, Subscriber, LineEvent } from '../state/state.js';
import { lineEventOf, isFailedCharge, purchaseIdsOf, removeAnnounced, removeFirst } from './announced-webhooks.js';
import { attachUpdate, isPassedDeadline, retainUpdate } from './line-history.js';
import { placeCharges } from './place-charges.js';
import type { LineCommand, ParsedUpdate } from './update-order.js';

/** Decides a single command. */
type DecideCommand = (command: LineCommand, state: Subscriber) => SubscriberEvent[];

/** `history`: with all updates in order; `fresh`: those of them that are new, at least one. */
export function reviseHistory(
  storeChainId: string,
  history: Omit<LineHistory, 'updates'> & { readonly updates: readonly ParsedUpdate[] },
  fresh: readonly ParsedUpdate[],
  state: Subscriber,
  decide: DecideCommand,
): SubscriberEvent[] {
  const [update, ...others] = fresh;
  if (!update) return [];
  const replayed = replayUpdates(state, history.base, history.updates, decide);
  const { superseded, late, spentMicros } = diffHistory(history, replayed.decided);
  const line = lineOf(replayed.state, storeChainId);
  const retained = others.flatMap((other) => retainUpdate(storeChainId, other));
  if (superseded.length === 0 && late.every((one) => one.late === 'new')) {
    const added = late.map(({ event }) => event);
    const isPlain = isSameLine(lineOf(added.reduce(evolve, state), storeChainId), line);
    if (isPlain)
      return [...(added.length > 0 ? attachUpdate(added, update) : retainUpdate(storeChainId, update)), ...retained];
  }
  const { keepsPassedDeadlines } = replayed;
  const revised = e.PurchaseHistoryRevised.of({ storeChainId, superseded, line, spentMicros, keepsPassedDeadlines });
  return [
    ...attachUpdate([revised], update),
    ...retained,
    ...late.map(({ event, late: mark }) => ({ ...event, late: mark })),
  ];
}

/** Replays all updates in order, from the base state of the retained history. */
function replayUpdates(state: Subscriber, base: PurchaseLine, updates: readonly ParsedUpdate[], decide: DecideCommand) {
  let current = stateWithBaseLine(state, base);
  const decided: DecidedEvent[] = [];
  let keepsPassedDeadlines = false;
  for (const update of placeCharges(updates)) {
    for (const command of update.parsed) {
      for (const event of withImportedRow(decide(command, current), update.importedFrom)) {
        decided.push({ event, before: current });
        current = evolve(current, event);
        keepsPassedDeadlines ||= isPassedDeadline(update.orderedAt);
      }
    }
  }
  return { decided, state: current, keepsPassedDeadlines };
}

function stateWithBaseLine(state: Subscriber, base: PurchaseLine): Subscriber {
  const others = [...state.noted].filter((note) => !isNoticeOfChain(note, base.storeChainId));
  return {
    profile: withLine(state.profile, base),
    transactions: withLineTransactions(state.transactions, base),
    noted: new Set([...others, ...base.noted]),
    histories: new Map(),
  };
}

function isSameLine(a: PurchaseLine, b: PurchaseLine): boolean {
  return isSameJson(
    { ...a, transactions: sortById(a), noted: [...a.noted].sort() },
    { ...b, transactions: sortById(b), noted: [...b.noted].sort() },
  );
}

function sortById({ transactions }: PurchaseLine) {
  return transactions.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1));
}

/** Event from a replay of the line, with the state just before it. */
type DecidedEvent = { readonly event: SubscriberEvent; readonly before: Subscriber };
type SupersededEvent = {
  readonly eventId: string;
  readonly type: string;
  readonly at: string;
  readonly subscriptionId: string | null;
  readonly transactionId: string | null;
  readonly reason?: string;
  readonly by?: string;
};
type HistoryDifference = {
  readonly superseded: SupersededEvent[];
  readonly late: readonly { readonly event: SubscriberEvent; readonly late: Late }[];
  /** Change of the total that the customer has spent, USD micros. */
  readonly spentMicros: number;
};

/** Matches announcements by kind: an event that replaces another is not announced again, even if its time differs. */
function diffHistory(
  history: Pick<LineHistory, 'facts' | 'announced'>,
  decided: readonly DecidedEvent[],
): HistoryDifference {
  const unmatched = [...history.facts];
  const added = decided.filter(({ event }) => !removeFirst(unmatched, (known) => isSameEvent(known, event)));
  const spare = decided
    .filter((one) => !added.includes(one) && wasAnnouncedAtStart(one))
    .map(({ event }) => lineEventOf(event));
  const announced = [...unmatched.filter(({ wasNotAnnounced }) => !wasNotAnnounced), ...history.announced, ...spare];
  const isAnnounced = removeAnnounced(
    announced,
    added.map(({ event }) => lineEventOf(event)),
  );
  const marked = added.map((one, i) => ({
    event: one.event,
    late: isAnnounced[i] === true ? ('announced' as const) : lateMarkOf(one, decided),
  }));
  const addedMicros = marked.reduce((sum, { event }) => sum + spendOf(event), 0);
  const removedMicros = unmatched.reduce((sum, { type, data }) => sum + spendOf({ type, data } as SubscriberEvent), 0);
  return { superseded: unmatched.map(toSupersededEvent), late: marked, spentMicros: addedMicros - removedMicros };
}

function lateMarkOf(one: DecidedEvent, decided: readonly DecidedEvent[]): Late {
  return wasAnnouncedAtStart(one) || isOvercomeByRenewal(one, decided) ? 'overcome' : 'new';
}

/** Ignores the store's time and whether the event was inferred from a message about something else. */
function isSameEvent(known: LineEvent, event: SubscriberEvent): boolean {
  if (known.type !== event.type || (event.at ?? known.at) !== known.at) return false;
  return isSameJson(withoutStoreTime(known.data), withoutStoreTime(event.data));
}

function withoutStoreTime(data: EventData): EventData {
  return { ...data, storeTime: null };
}

/** Returns true for the end of a billing retry or a pause: its expiration was announced when it began. */
function wasAnnouncedAtStart({ event: { type, data }, before }: DecidedEvent): boolean {
  if (type !== 'SubscriptionExpired') return false;
  const s = before.profile.subscriptions.find((one) => one.purchase.subscriptionId === data.purchase.subscriptionId);
  if (data.reason === 'subscription_paused') return s?.pause?.begun === true;
  return data.reason === 'billing_error' && s != null && s.retrySince !== null;
}

/** Returns true for a failed payment that became known only after the renewal was paid. */
function isOvercomeByRenewal({ event }: DecidedEvent, decided: readonly DecidedEvent[]): boolean {
  if (!isFailedCharge(event.type)) return false;
  const { subscriptionId } = purchaseIdsOf(lineEventOf(event));
  const later = decided.slice(decided.findIndex((one) => one.event === event) + 1);
  return later.some((one) => {
    return one.event.type === 'SubscriptionRenewed' && one.event.data.purchase.subscriptionId === subscriptionId;
  });
}

function toSupersededEvent(event: LineEvent): SupersededEvent {
  const { id, type, at } = event;
  if (id === null) throw new Error(`${type} is superseded before it was recorded`);
  const { reason, by } = event.data;
  const isEnd = type === 'SubscriptionExpired' && typeof reason === 'string' && typeof by === 'string';
  const end = isEnd ? { reason, by } : {};
  return { eventId: id, type, at, ...purchaseIdsOf(event), ...end };
}
