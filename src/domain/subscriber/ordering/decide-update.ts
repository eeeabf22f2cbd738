// Decides store updates in the order of the store's times. An update newer than all known ones is decided on the current state. A late
// update is inserted at its place: all updates of the purchase line are replayed from the retained history and the difference is recorded.
import { decideInTurn } from '../../decider.js';
import type { RetainedUpdate } from '../../envelope.js';
import { isSameJson } from '../../values/json.js';
import type { CorrectPrice, RecordStoreUpdates, PassDeadline } from '../decide/commands.js';
import { completesMessage, announcesReceiptCharge, placeCharges } from './place-charges.js';
import {
  sortByStoreTime,
  isCertainlyNewest,
  isReceipt,
  isSameUpdate,
  toParsedUpdate,
  parseUpdate,
  type LineCommand,
  type ParsedUpdate,
} from './update-order.js';
import { diffHistory, type DecidedEvent } from './history-difference.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { withImportedRow } from '../events/known-event.js';
import { evolve } from '../state/evolve.js';
import { withLineTransactions } from '../state/evolve-transactions.js';
import { startHistory, isPassedDeadline, DEADLINE_PREFIX } from './line-history.js';
import { isNoticeOfChain } from '../state/recorded-notices.js';
import { lineOf, withLine } from '../state/line.js';
import type { LineHistory, PurchaseLine, Subscriber } from '../state/state.js';

/** Decides a single command. */
export type DecideCommand = (command: LineCommand, state: Subscriber) => SubscriberEvent[];

export function recordStoreUpdates(c: RecordStoreUpdates, state: Subscriber, rules: DecideCommand): SubscriberEvent[] {
  const history = state.histories.get(c.storeChainId) ?? startHistory(state, c.storeChainId);
  const unknown = c.updates
    .map(toParsedUpdate)
    .filter((update) => !history.updates.some((one) => isSameUpdate(one, update)));
  if (
    unknown.every((update) => isCertainlyNewest(update, unknown, history.updates)) &&
    !hasOlderCharge(c, unknown, state)
  )
    return continueFromState(c.storeChainId, unknown, state, rules);
  const known = history.updates.map(parseUpdate);
  const fresh = selectEffectiveUpdates(unknown, known, state, rules);
  if (fresh.length === 0) return [];
  const updates = sortByStoreTime([...known, ...fresh]);
  const newest = updates.slice(-fresh.length);
  const isNewest = newest.every((update) => fresh.includes(update));
  const completes = fresh.some((update) => isReceipt(update) && completesMessage(update, known));
  const goesOn = isNewest && !completes && !announcesReceiptCharge(fresh, known) && !hasOlderCharge(c, fresh, state);
  if (goesOn) return continueFromState(c.storeChainId, newest, state, rules);
  return reviseHistory(c.storeChainId, { ...history, updates }, fresh, state, rules);
}

/** Retains passed deadlines and corrected prices in the history too, so that a replay of the line includes them. */
export function recordInternalUpdate(
  c: PassDeadline | CorrectPrice,
  storeChainId: string | undefined,
  state: Subscriber,
  rules: DecideCommand,
): SubscriberEvent[] {
  const events = rules(c, state);
  const history = state.histories.get(storeChainId ?? '');
  if (events.length === 0 || !history) return events;
  const newest = history.updates.reduce((last, u) => (isPassedDeadline(u) || u.saidAt < last ? last : u.saidAt), '');
  const saidAt = c.kind === 'passDeadline' ? `${DEADLINE_PREFIX}${c.expectedAt}` : newest;
  return attachUpdate(events, { saidAt, commands: JSON.stringify([c]) });
}

function continueFromState(
  storeChainId: string,
  fresh: readonly ParsedUpdate[],
  before: Subscriber,
  rules: DecideCommand,
): SubscriberEvent[] {
  let state = before;
  return fresh.flatMap((update) => {
    const decision = decideInTurn(updateDecider(before, rules), update.parsed, state);
    state = decision.state;
    const decided = withImportedRow(decision.events, update.importedFrom);
    if (!hasPurchase(state, storeChainId)) return decided;
    return attachUpdate(decided.length > 0 ? decided : retainUpdate(storeChainId, update), update);
  });
}

function reviseHistory(
  storeChainId: string,
  history: LineHistory & { readonly updates: readonly ParsedUpdate[] },
  fresh: readonly ParsedUpdate[],
  state: Subscriber,
  rules: DecideCommand,
): SubscriberEvent[] {
  const again = replayUpdates(state, history.base, history.updates, rules);
  const { superseded, late, spentMicros } = diffHistory(history, again.decided);
  const line = lineOf(again.state, storeChainId);
  const [update] = fresh;
  const others = fresh.slice(1).flatMap((one) => attachUpdate(retainUpdate(storeChainId, one), one));
  if (!update) return [];
  if (superseded.length === 0 && late.every((one) => one.late === 'new')) {
    const added = late.map(({ event }) => event);
    const isPlain = isSameLine(lineOf(added.reduce(evolve, state), storeChainId), line);
    if (isPlain)
      return [...attachUpdate(added.length > 0 ? added : retainUpdate(storeChainId, update), update), ...others];
  }
  const { keepsPassedDeadlines } = again;
  const revised = e.PurchaseHistoryRevised.of({ storeChainId, superseded, line, spentMicros, keepsPassedDeadlines });
  return [
    ...attachUpdate([revised], update),
    ...others,
    ...late.map(({ event, late: mark }) => ({ ...event, late: mark })),
  ];
}

/** Replays all updates in order, from the base state of the retained history. */
function replayUpdates(state: Subscriber, base: PurchaseLine, updates: readonly ParsedUpdate[], rules: DecideCommand) {
  let current = stateWithBaseLine(state, base);
  const decided: DecidedEvent[] = [];
  let keepsPassedDeadlines = false;
  for (const update of placeCharges(updates)) {
    for (const command of update.parsed) {
      for (const event of withImportedRow(rules(command, current), update.importedFrom)) {
        decided.push({ event, before: current });
        current = evolve(current, event);
        keepsPassedDeadlines ||= isPassedDeadline(update);
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

/** Drops receipts and replacements that add nothing to the known updates. */
function selectEffectiveUpdates(
  updates: readonly ParsedUpdate[],
  known: readonly ParsedUpdate[],
  before: Subscriber,
  rules: DecideCommand,
): ParsedUpdate[] {
  let state = before;
  return updates.filter((update) => {
    const { events, state: after } = decideInTurn(updateDecider(before, rules), update.parsed, state);
    state = after;
    if (isKnownReplacement(update, known)) return false;
    return events.length > 0 || !isReceipt(update) || completesMessage(update, known);
  });
}

/** Every payload about a replaced charge repeats the replacement: only the earliest counts. */
function isKnownReplacement({ saidAt, parsed }: ParsedUpdate, known: readonly ParsedUpdate[]): boolean {
  const [only, ...others] = parsed;
  if (only?.kind !== 'recordReplacement' || others.length > 0) return false;
  const { transactionId } = only;
  const isSameBefore = (c: LineCommand) => c.kind === 'recordReplacement' && c.transactionId === transactionId;
  return known.some((update) => update.saidAt <= saidAt && update.parsed.some(isSameBefore));
}

function updateDecider(before: Subscriber, rules: DecideCommand) {
  return { initial: () => before, evolve, decide: rules };
}

function attachUpdate(
  events: readonly SubscriberEvent[],
  { saidAt, commands, importedFrom }: RetainedUpdate,
): SubscriberEvent[] {
  const update = { saidAt, commands, ...(importedFrom && { importedFrom }) };
  return events.map((event, i) => (i === 0 ? { ...event, update } : event));
}

/** Returns true if a new message contains an unknown charge older than the latest known one. */
function hasOlderCharge(
  { storeChainId }: RecordStoreUpdates,
  fresh: readonly ParsedUpdate[],
  { transactions }: Subscriber,
): boolean {
  const begun = fresh.flatMap(({ parsed }) => {
    const charges = parsed.filter((one) => one.kind === 'recordPeriod');
    return charges.filter(({ purchase }) => !transactions.has(purchase.transactionId)).map((one) => one.purchasedAt);
  });
  if (begun.length === 0) return false;
  const known = [...transactions.values()].filter((t) => t.purchase.storeChainId === storeChainId);
  return known.some((t) => begun.some((at) => at < t.purchasedAt));
}

function retainUpdate(storeChainId: string, { isStoreRead }: ParsedUpdate): SubscriberEvent[] {
  return isStoreRead ? [] : [e.StoreUpdateRetained.of({ storeChainId })];
}

function hasPurchase({ profile, transactions }: Subscriber, storeChainId: string): boolean {
  if (profile.subscriptions.some((s) => s.purchase.storeChainId === storeChainId)) return true;
  return [...transactions.values()].some((t) => t.purchase.storeChainId === storeChainId);
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
