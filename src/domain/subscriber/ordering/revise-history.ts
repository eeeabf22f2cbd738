// Inserts a late update of the store at its place in the order of the store's times: all updates of the purchase line are replayed from the
// retained history, and the difference from what was recorded becomes events.
import { isSameJson } from '../../values/json.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { withImportedRow } from '../events/known-event.js';
import { evolve } from '../state/evolve.js';
import { withLineTransactions } from '../state/evolve-transactions.js';
import { isNoticeOfChain } from '../state/recorded-notices.js';
import { lineOf, withLine } from '../state/line.js';
import type { LineHistory, PurchaseLine, Subscriber } from '../state/state.js';
import { diffHistory, type DecidedEvent } from './history-difference.js';
import { attachUpdate, isPassedDeadline, retainUpdate } from './line-history.js';
import { placeCharges } from './place-charges.js';
import type { LineCommand, ParsedUpdate } from './update-order.js';

/** Decides a single command. */
type DecideCommand = (command: LineCommand, state: Subscriber) => SubscriberEvent[];

/** `history`: with all updates in order; `fresh`: those of them that are new, at least one. */
export function reviseHistory(
  storeChainId: string,
  history: LineHistory & { readonly updates: readonly ParsedUpdate[] },
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

function isSameLine(a: PurchaseLine, b: PurchaseLine): boolean {
  return isSameJson(
    { ...a, transactions: sortById(a), noted: [...a.noted].sort() },
    { ...b, transactions: sortById(b), noted: [...b.noted].sort() },
  );
}

function sortById({ transactions }: PurchaseLine) {
  return transactions.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1));
}
