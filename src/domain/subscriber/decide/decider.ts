// Decider of subscribers: dispatches each command to its rule, and store updates in the order of the store's times. An update that is newer
// than all known ones is decided on the current state; a late one revises the history of its purchase line.
import { decideInTurn, type Decider } from '../../decider.js';
import { grantPromotional, revokePromotional } from './grant.js';
import { enrol, erase, mergeIn, mergeInto, recordAppDownload, registerCustomer, setAttributes } from './identity.js';
import { recordAutoRenew, recordBillingFailure, recordExpiry, recordGraceEnd, recordReplacement } from './intent.js';
import {
  recordConsumptionRequest,
  recordRefundAnswer,
  recordExtensionFailure,
  recordMetadata,
  recordMigration,
  recordOffer,
  recordPending,
  recordPendingCancelled,
  recordRefundDeclined,
} from './notice.js';
import { recordExtension, recordNextProduct, recordPause, recordPausePlan, recordPriceIncrease } from './plans.js';
import { correctPrice, recordOneTimePurchase, recordPeriod } from './purchase.js';
import { recordRefund, recordRefundReversal, recordRevocation } from './refund.js';
import { passDeadline } from './pass-deadline.js';
import { nextDeadline } from '../access.js';
import { chainOf } from '../state/line.js';
import { bookForPayer, releaseLine, takeLine } from './transfer.js';
import {
  attachUpdate,
  DEADLINE_PREFIX,
  isPassedDeadline,
  retainUpdate,
  startHistory,
} from '../ordering/line-history.js';
import { announcesReceiptCharge, completesMessage } from '../ordering/place-charges.js';
import { reviseHistory } from '../ordering/revise-history.js';
import {
  hasOlderCharge,
  isCertainlyNewest,
  isKnownReplacement,
  isReceipt,
  isSameUpdate,
  parseUpdate,
  sortByStoreTime,
  toParsedUpdate,
  type ParsedUpdate,
} from '../ordering/update-order.js';
import type {
  CorrectPrice,
  RecordStoreUpdates,
  RegisterCustomer,
  PassDeadline,
  SubscriberCommand,
} from './commands.js';
import { type SubscriberEvent, withImportedRow } from '../events/events.js';
import { MergedElsewhere, Rejection } from '../../errors.js';
import { evolve } from '../state/evolve.js';
import { noSubscriber, type Subscriber } from '../state/state.js';

export const subscriberDecider: Decider<Subscriber, SubscriberCommand, SubscriberEvent> = {
  initial: () => noSubscriber,
  evolve,
  decide: (command, state) => {
    const events = decide(command, state);
    return 'importedFrom' in command ? withImportedRow(events, command.importedFrom) : events;
  },
};

/** Commands that a merged customer still accepts. */
const ALLOWED_AFTER_MERGE: ReadonlySet<SubscriberCommand['kind']> = new Set([
  'releaseLine',
  'mergeInto',
  'passDeadline',
  'recordRefundAnswer',
]);

function decide(command: SubscriberCommand, state: Subscriber): SubscriberEvent[] {
  const { mergedInto } = state.profile;
  if (mergedInto !== null && !ALLOWED_AFTER_MERGE.has(command.kind)) {
    throw new MergedElsewhere(mergedInto.customerId, mergedInto.appUserId);
  }
  if (command.kind === 'registerCustomer') return registerCustomer(command, state.profile);
  if (state.profile.status === 'unknown' && !ALLOWED_AFTER_MERGE.has(command.kind)) {
    throw new Rejection('missing', 'subscriber-unknown', 'subscriber not found');
  }
  switch (command.kind) {
    case 'recordStoreUpdates':
      return recordAndPass(command, state);
    case 'passDeadline':
    case 'correctPrice':
      return recordInternalUpdate(command, state);
    default:
      return decideSingle(command, state);
  }
}

type SingleCommand = Exclude<SubscriberCommand, RegisterCustomer | RecordStoreUpdates>;
type Rule<C> = (command: C, state: Subscriber) => SubscriberEvent[];

/** The rule of each command that is decided on the current state alone. */
const rules: { readonly [C in SingleCommand as C['kind']]: Rule<C> } = {
  setAttributes,
  recordPeriod,
  recordOneTimePurchase,
  recordAutoRenew,
  recordBillingFailure,
  recordGraceEnd,
  recordExpiry,
  recordNextProduct,
  recordPriceIncrease,
  recordPausePlan,
  recordPause,
  recordExtension,
  recordExtensionFailure,
  recordOffer,
  recordMetadata,
  recordMigration,
  recordPending,
  recordPendingCancelled,
  recordRevocation,
  recordReplacement,
  recordRefundDeclined,
  recordConsumptionRequest,
  recordRefund,
  recordRefundReversal,
  passDeadline,
  correctPrice,
  grantPromotional,
  revokePromotional,
  releaseLine,
  takeLine,
  bookForPayer,
  mergeIn,
  mergeInto,
  erase,
  enrol,
  recordAppDownload,
  recordRefundAnswer,
};

function decideSingle(command: SingleCommand, state: Subscriber): SubscriberEvent[] {
  // The type of the table pairs each kind with its command.
  return (rules[command.kind] as Rule<SingleCommand>)(command, state);
}

const singleDecider = { initial: () => noSubscriber, evolve, decide: decideSingle };

/** A line has at most the end of a period, of its grace and of its retries to pass at once. */
const MAX_PASSED = 3;

function recordAndPass(command: RecordStoreUpdates, before: Subscriber): SubscriberEvent[] {
  const events = recordStoreUpdates(command, before);
  const { storeChainId, passedBefore: dueBefore } = command;
  if (dueBefore === undefined || events.length === 0) return events;
  let state = events.reduce(evolve, before);
  const passed: SubscriberEvent[] = [];
  for (const { purchase } of chainOf(state.profile, storeChainId)) {
    const { subscriptionId: target } = purchase;
    for (let count = 0; count < MAX_PASSED; count++) {
      const s = state.profile.subscriptions.find((one) => one.purchase.subscriptionId === target);
      const deadline = s && nextDeadline(s);
      if (!deadline || deadline.at > dueBefore) break;
      const own = recordInternalUpdate({ kind: 'passDeadline', target, expectedAt: deadline.at, dueBefore }, state);
      if (own.length === 0) break;
      state = own.reduce(evolve, state);
      passed.push(...own);
    }
  }
  return [...events, ...passed];
}

function recordStoreUpdates({ storeChainId, updates: reported }: RecordStoreUpdates, state: Subscriber) {
  const history = state.histories.get(storeChainId) ?? startHistory(state, storeChainId);
  const unknown = reported
    .map(toParsedUpdate)
    .filter((update) => !history.updates.some((one) => isSameUpdate(one, update)));
  const areNewest = unknown.every((update) => isCertainlyNewest(update, unknown, history.updates));
  if (areNewest && !hasOlderCharge(storeChainId, unknown, state))
    return continueFromState(storeChainId, unknown, state);
  const known = history.updates.map(parseUpdate);
  const fresh = selectEffectiveUpdates(unknown, known, state);
  if (fresh.length === 0) return [];
  const updates = sortByStoreTime([...known, ...fresh]);
  const newest = updates.slice(-fresh.length);
  const completes = fresh.some((update) => isReceipt(update) && completesMessage(update, known));
  const isLate =
    newest.some((update) => !fresh.includes(update)) ||
    completes ||
    announcesReceiptCharge(fresh, known) ||
    hasOlderCharge(storeChainId, fresh, state);
  return isLate
    ? reviseHistory(storeChainId, { ...history, updates }, fresh, state, decideSingle)
    : continueFromState(storeChainId, newest, state);
}

/** Drops receipts and replacements that add nothing to the known updates. */
function selectEffectiveUpdates(
  updates: readonly ParsedUpdate[],
  known: readonly ParsedUpdate[],
  before: Subscriber,
): ParsedUpdate[] {
  let state = before;
  return updates.filter((update) => {
    const { events, state: after } = decideInTurn(singleDecider, update.parsed, state);
    state = after;
    if (isKnownReplacement(update, known)) return false;
    return events.length > 0 || !isReceipt(update) || completesMessage(update, known);
  });
}

function continueFromState(
  storeChainId: string,
  fresh: readonly ParsedUpdate[],
  before: Subscriber,
): SubscriberEvent[] {
  let state = before;
  return fresh.flatMap((update) => {
    const decision = decideInTurn(singleDecider, update.parsed, state);
    state = decision.state;
    const decided = withImportedRow(decision.events, update.importedFrom);
    if (!hasPurchase(state, storeChainId)) return decided;
    return decided.length > 0 ? attachUpdate(decided, update) : retainUpdate(storeChainId, update);
  });
}

function hasPurchase({ profile, transactions }: Subscriber, storeChainId: string): boolean {
  if (profile.subscriptions.some((s) => s.purchase.storeChainId === storeChainId)) return true;
  return [...transactions.values()].some((t) => t.purchase.storeChainId === storeChainId);
}

/** Retains passed deadlines and corrected prices in the history too, so that a replay of the line includes them. */
function recordInternalUpdate(c: PassDeadline | CorrectPrice, state: Subscriber): SubscriberEvent[] {
  const events = decideSingle(c, state);
  const history = state.histories.get(chainIdOf(c, state) ?? '');
  if (events.length === 0 || !history) return events;
  const newest = history.updates.reduce(
    (last, u) => (isPassedDeadline(u.saidAt) || u.saidAt < last ? last : u.saidAt),
    '',
  );
  const orderedAt = c.kind === 'passDeadline' ? `${DEADLINE_PREFIX}${c.expectedAt}` : newest;
  return attachUpdate(events, { orderedAt, commands: JSON.stringify([c]) });
}

/** Returns the store chain that the command concerns; undefined for a grant. */
function chainIdOf(c: PassDeadline | CorrectPrice, { profile, transactions }: Subscriber): string | undefined {
  if (c.kind === 'correctPrice') return transactions.get(c.transactionId)?.purchase.storeChainId;
  return profile.subscriptions.find((s) => s.purchase.subscriptionId === c.target)?.purchase.storeChainId;
}
