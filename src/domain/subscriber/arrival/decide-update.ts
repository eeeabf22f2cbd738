// Decides store updates in the order of the store's times. An update newer than all known ones is decided on the current state. A late
// update is inserted at its place: all updates of the purchase line are replayed from the retained history and the difference is recorded.
import { decideInTurn } from '../../decider.js';
import type { KeptUpdate } from '../../envelope.js';
import { isSameJson } from '../../values/json.js';
import type { CorrectPrice, RecordStoreUpdates, PassDeadline } from '../decide/commands.js';
import { addsToMessage, isAboutReceipts, withCharges } from './charges.js';
import {
  inOrder,
  isPlainlyNewest,
  isReceipt,
  isSame,
  keep,
  parse,
  type LineCommand,
  type Sorted,
} from './update-order.js';
import { differenceOf, type Decided } from './difference.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { evolve } from '../state/evolve.js';
import { withLineTransactions } from '../state/evolve-transactions.js';
import { historyFrom, isPassedDeadline, DEADLINE_PREFIX } from './line-history.js';
import { isNoteOf } from '../state/notes.js';
import { lineOf, withLine } from '../state/line.js';
import type { LineHistory, PurchaseLine, Subscriber } from '../state/state.js';

/** Decides a single command. */
export type Rules = (command: LineCommand, state: Subscriber) => SubscriberEvent[];

export function recordStoreUpdates(c: RecordStoreUpdates, state: Subscriber, rules: Rules): SubscriberEvent[] {
  const history = state.histories.get(c.storeChainId) ?? historyFrom(state, c.storeChainId);
  const unknown = c.updates.map(keep).filter((update) => !history.updates.some((one) => isSame(one, update)));
  if (
    unknown.every((update) => isPlainlyNewest(update, unknown, history.updates)) &&
    !bringsOlderCharge(c, unknown, state)
  )
    return goOn(c.storeChainId, unknown, state, rules);
  const known = history.updates.map(parse);
  const fresh = withEffect(unknown, known, state, rules);
  if (fresh.length === 0) return [];
  const updates = inOrder([...known, ...fresh]);
  const newest = updates.slice(-fresh.length);
  const isNewest = newest.every((update) => fresh.includes(update));
  const completes = fresh.some((update) => isReceipt(update) && addsToMessage(update, known));
  const goesOn = isNewest && !completes && !isAboutReceipts(fresh, known) && !bringsOlderCharge(c, fresh, state);
  if (goesOn) return goOn(c.storeChainId, newest, state, rules);
  return revise(c.storeChainId, { ...history, updates }, fresh, state, rules);
}

/** Retains passed deadlines and corrected prices in the history too, so that a replay of the line includes them. */
export function recordOwnUpdate(
  c: PassDeadline | CorrectPrice,
  storeChainId: string | undefined,
  state: Subscriber,
  rules: Rules,
): SubscriberEvent[] {
  const events = rules(c, state);
  const history = state.histories.get(storeChainId ?? '');
  if (events.length === 0 || !history) return events;
  const newest = history.updates.reduce((last, u) => (isPassedDeadline(u) || u.saidAt < last ? last : u.saidAt), '');
  const saidAt = c.kind === 'passDeadline' ? `${DEADLINE_PREFIX}${c.expectedAt}` : newest;
  return carrying(events, { saidAt, commands: JSON.stringify([c]) });
}

function goOn(storeChainId: string, fresh: readonly Sorted[], before: Subscriber, rules: Rules): SubscriberEvent[] {
  let state = before;
  return fresh.flatMap((update) => {
    const { events: decided, state: after } = decideInTurn(deciderOf(before, rules), update.parsed, state);
    state = after;
    if (!hasPurchase(state, storeChainId)) return decided;
    return carrying(decided.length > 0 ? decided : kept(storeChainId, update), update);
  });
}

function revise(
  storeChainId: string,
  history: LineHistory & { readonly updates: readonly Sorted[] },
  fresh: readonly Sorted[],
  state: Subscriber,
  rules: Rules,
): SubscriberEvent[] {
  const again = decideAgain(state, history.base, history.updates, rules);
  const { superseded, late, spentMicros } = differenceOf(history, again.decided);
  const line = lineOf(again.state, storeChainId);
  const [update] = fresh;
  const others = fresh.slice(1).flatMap((one) => carrying(kept(storeChainId, one), one));
  if (!update) return [];
  if (superseded.length === 0 && late.every((one) => one.late === 'new')) {
    const added = late.map(({ event }) => event);
    const isPlain = isSameLine(lineOf(added.reduce(evolve, state), storeChainId), line);
    if (isPlain) return [...carrying(added.length > 0 ? added : kept(storeChainId, update), update), ...others];
  }
  const { keepsPassedDeadlines } = again;
  const revised = e.PurchaseHistoryRevised.of({ storeChainId, superseded, line, spentMicros, keepsPassedDeadlines });
  return [
    ...carrying([revised], update),
    ...others,
    ...late.map(({ event, late: mark }) => ({ ...event, late: mark })),
  ];
}

/** Replays all updates in order, from the base state of the retained history. */
function decideAgain(state: Subscriber, base: PurchaseLine, updates: readonly Sorted[], rules: Rules) {
  let current = withoutLater(state, base);
  const decided: Decided[] = [];
  let keepsPassedDeadlines = false;
  for (const update of withCharges(updates)) {
    for (const command of update.parsed) {
      for (const event of rules(command, current)) {
        decided.push({ event, before: current });
        current = evolve(current, event);
        keepsPassedDeadlines ||= isPassedDeadline(update);
      }
    }
  }
  return { decided, state: current, keepsPassedDeadlines };
}

function withoutLater(state: Subscriber, base: PurchaseLine): Subscriber {
  const others = [...state.noted].filter((note) => !isNoteOf(note, base.storeChainId));
  return {
    profile: withLine(state.profile, base),
    transactions: withLineTransactions(state.transactions, base),
    noted: new Set([...others, ...base.noted]),
    histories: new Map(),
  };
}

/** Drops receipts and replacements that add nothing to the known updates. */
function withEffect(updates: readonly Sorted[], known: readonly Sorted[], before: Subscriber, rules: Rules): Sorted[] {
  let state = before;
  return updates.filter((update) => {
    const { events, state: after } = decideInTurn(deciderOf(before, rules), update.parsed, state);
    state = after;
    if (isKnownReplacement(update, known)) return false;
    return events.length > 0 || !isReceipt(update) || addsToMessage(update, known);
  });
}

/** Every payload about a replaced charge repeats the replacement: only the earliest counts. */
function isKnownReplacement({ saidAt, parsed }: Sorted, known: readonly Sorted[]): boolean {
  const [only, ...others] = parsed;
  if (only?.kind !== 'recordReplacement' || others.length > 0) return false;
  const { transactionId } = only;
  const isSameBefore = (c: LineCommand) => c.kind === 'recordReplacement' && c.transactionId === transactionId;
  return known.some((update) => update.saidAt <= saidAt && update.parsed.some(isSameBefore));
}

function deciderOf(before: Subscriber, rules: Rules) {
  return { initial: () => before, evolve, decide: rules };
}

function carrying(events: readonly SubscriberEvent[], { saidAt, commands }: KeptUpdate): SubscriberEvent[] {
  return events.map((event, i) => (i === 0 ? { ...event, update: { saidAt, commands } } : event));
}

/** Returns true if a new message contains an unknown charge older than the latest known one. */
function bringsOlderCharge(
  { storeChainId }: RecordStoreUpdates,
  fresh: readonly Sorted[],
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

function kept(storeChainId: string, { isStoreRead }: Sorted): SubscriberEvent[] {
  return isStoreRead ? [] : [e.StoreUpdateRetained.of({ storeChainId })];
}

function hasPurchase({ profile, transactions }: Subscriber, storeChainId: string): boolean {
  if (profile.subscriptions.some((s) => s.purchase.storeChainId === storeChainId)) return true;
  return [...transactions.values()].some((t) => t.purchase.storeChainId === storeChainId);
}

function isSameLine(a: PurchaseLine, b: PurchaseLine): boolean {
  return isSameJson(
    { ...a, transactions: byId(a), noted: [...a.noted].sort() },
    { ...b, transactions: byId(b), noted: [...b.noted].sort() },
  );
}

function byId({ transactions }: PurchaseLine) {
  return transactions.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1));
}
