// Decider of subscribers: dispatches each command to its rule.
import type { Decider } from '../../decider.js';
import { grantPromotional, revokePromotional } from './grant.js';
import { enrol, erase, mergeIn, mergeInto, registerCustomer, setAttributes } from './identity.js';
import { recordAutoRenew, recordBillingFailure, recordExpiry, recordGraceEnd, recordReplacement } from './intent.js';
import {
  recordConsumptionRequest,
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
import { bookForPayer, releaseLine, takeLine } from './transfer.js';
import { recordInternalUpdate, recordStoreUpdates } from '../ordering/decide-update.js';
import type {
  CorrectPrice,
  RecordStoreUpdates,
  RegisterCustomer,
  PassDeadline,
  SubscriberCommand,
} from './commands.js';
import type { SubscriberEvent } from '../events/events.js';
import { withImportedRow } from '../events/known-event.js';
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
      return recordStoreUpdates(command, state, decideSingle);
    case 'passDeadline':
    case 'correctPrice':
      return recordInternalUpdate(command, chainIdOf(command, state), state, decideSingle);
    default:
      return decideSingle(command, state);
  }
}

/** Returns the store chain that the command concerns; undefined for a grant. */
function chainIdOf(c: PassDeadline | CorrectPrice, { profile, transactions }: Subscriber): string | undefined {
  if (c.kind === 'correctPrice') return transactions.get(c.transactionId)?.purchase.storeChainId;
  return profile.subscriptions.find((s) => s.purchase.subscriptionId === c.target)?.purchase.storeChainId;
}

/** Decides one command on the current state. */
function decideSingle(
  command: Exclude<SubscriberCommand, RegisterCustomer | RecordStoreUpdates>,
  state: Subscriber,
): SubscriberEvent[] {
  switch (command.kind) {
    case 'setAttributes':
      return setAttributes(command, state.profile);
    case 'recordPeriod':
      return recordPeriod(command, state);
    case 'recordOneTimePurchase':
      return recordOneTimePurchase(command, state);
    case 'recordAutoRenew':
      return recordAutoRenew(command, state);
    case 'recordBillingFailure':
      return recordBillingFailure(command, state);
    case 'recordGraceEnd':
      return recordGraceEnd(command, state);
    case 'recordExpiry':
      return recordExpiry(command, state);
    case 'recordNextProduct':
      return recordNextProduct(command, state);
    case 'recordPriceIncrease':
      return recordPriceIncrease(command, state);
    case 'recordPausePlan':
      return recordPausePlan(command, state);
    case 'recordPause':
      return recordPause(command, state);
    case 'recordExtension':
      return recordExtension(command, state);
    case 'recordExtensionFailure':
      return recordExtensionFailure(command, state);
    case 'recordOffer':
      return recordOffer(command, state);
    case 'recordMetadata':
      return recordMetadata(command, state);
    case 'recordMigration':
      return recordMigration(command, state);
    case 'recordPending':
      return recordPending(command, state);
    case 'recordPendingCancelled':
      return recordPendingCancelled(command, state);
    case 'recordRevocation':
      return recordRevocation(command, state);
    case 'recordReplacement':
      return recordReplacement(command, state);
    case 'recordRefundDeclined':
      return recordRefundDeclined(command, state);
    case 'recordConsumptionRequest':
      return recordConsumptionRequest(command, state);
    case 'recordRefund':
      return recordRefund(command, state);
    case 'recordRefundReversal':
      return recordRefundReversal(command, state);
    case 'passDeadline':
      return passDeadline(command, state.profile);
    case 'correctPrice': {
      const known = state.transactions.get(command.transactionId);
      return known ? correctPrice(command, known) : [];
    }
    case 'grantPromotional':
      return grantPromotional(command, state.profile);
    case 'revokePromotional':
      return revokePromotional(command, state.profile);
    case 'releaseLine':
      return releaseLine(command, state);
    case 'takeLine':
      return takeLine(command, state);
    case 'bookForPayer':
      return bookForPayer(command);
    case 'mergeIn':
      return mergeIn(command, state.profile);
    case 'mergeInto':
      return mergeInto(command, state.profile);
    case 'erase':
      return erase(command, state.profile);
    case 'enrol':
      return enrol(command, state.profile);
  }
}
