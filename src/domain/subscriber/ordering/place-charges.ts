// Merges what several store messages and device receipts contain about one charge. The message that announces a charge sets its place
// in the order; the other sources complete it.
import { completesMoney } from '../../money.js';
import { earliest, latest } from '../../time.js';
import type { RecordPeriod } from '../decide/store-commands.js';
import {
  chargeOf,
  sortByStoreTime,
  isChargeCommand,
  isStoreResponse,
  isReceipt,
  type ChargeCommand,
  type LineCommand,
  type ParsedUpdate,
} from './update-order.js';

/** Returns true if a new message is about a charge known only from a receipt: the charge moves to the place of the message. */
export function announcesReceiptCharge(fresh: readonly ParsedUpdate[], known: readonly ParsedUpdate[]): boolean {
  const receipts = receiptCharges(known);
  return fresh.some(
    (update) => !isReceipt(update) && !isStoreResponse(update) && chargeIdsOf(update).some((id) => receipts.has(id)),
  );
}

/**
 * Returns true if the receipt adds to a charge that is already known. A receipt contains the offering and the price that was shown to the
 * customer, which store messages lack. It may also contain an earlier or a later end of the period.
 */
export function completesMessage(receipt: ParsedUpdate, known: readonly ParsedUpdate[]): boolean {
  const charge = chargeOf(receipt.parsed);
  if (!charge) return false;
  const others = known.filter((update) => update !== receipt);
  const { transactionId } = charge.purchase;
  const charges = others.flatMap(({ parsed }) => parsed.filter(isChargeCommand));
  const same = charges.filter(({ purchase }) => purchase.transactionId === transactionId);
  if (same.length === 0) return false;
  return same.every((other) => mergeReceipt(other, charge) !== other) || movesEnd(receipt, others);
}

/**
 * Places each charge in the message that announces it and completes it from receipts. A charge that appeared earlier, in a message about
 * something else or in a receipt, becomes an update of its own. A store only moves an end to a later time: the charge keeps the earliest
 * end of all sources, and every source with a later end extends it.
 */
export function placeCharges(updates: readonly ParsedUpdate[]): readonly ParsedUpdate[] {
  const receipts = receiptCharges(updates);
  const ends = chargeEndsOf(updates);
  const firstIn = new Map<string, ParsedUpdate>();
  for (const update of updates)
    if (!isReceipt(update)) for (const id of chargeIdsOf(update)) if (!firstIn.has(id)) firstIn.set(id, update);
  const detached = new Map<string, ChargeCommand>();
  const others = updates.map((update) => {
    if (isStoreResponse(update))
      return { ...update, parsed: update.parsed.map((c) => completeFromReceipts(receipts, c)) };
    const parsed = update.parsed.flatMap((c): readonly LineCommand[] => {
      if (!isChargeCommand(c)) return [c];
      const { transactionId } = c.purchase;
      const first = firstIn.get(transactionId);
      const charge = withOriginalEnd(
        first ? completeFromReceipts(receipts, c) : (receipts.get(transactionId) ?? c),
        ends,
      );
      const isAnnounced = first !== undefined && announcesCharge(first);
      if (!isAnnounced && (!first || update === first)) detached.set(transactionId, charge);
      if (isReceipt(update)) return [];
      return update === first && charge !== c ? [charge, ...extensionFromMessage(c, charge)] : [c];
    });
    return { ...update, parsed };
  });
  const charges = [...detached.values()].map((c): ParsedUpdate => {
    // Its message is placed later: with the message's time, all that happened in between would seem outdated.
    return { orderedAt: c.purchasedAt, commands: '', parsed: [{ ...c, storeTime: null }], isDetachedCharge: true };
  });
  const extensions = updates.flatMap((update) => extensionFromReceipt(update, ends));
  const added = [...charges, ...extensions];
  return added.length === 0 ? others : sortByStoreTime([...others, ...added]);
}

/** Returns true for a message whose subject is the charge itself. */
function announcesCharge(update: ParsedUpdate): boolean {
  const charge = chargeOf(update.parsed);
  return !isReceipt(update) && (isStoreResponse(update) || (charge?.kind === 'recordPeriod' && !charge.inferred));
}

/** Merges all receipts per charge, by transaction id. */
function receiptCharges(updates: readonly ParsedUpdate[]): ReadonlyMap<string, ChargeCommand> {
  const receipts = new Map<string, ChargeCommand>();
  for (const c of updates.filter(isReceipt).flatMap(({ parsed }) => parsed.filter(isChargeCommand))) {
    const { transactionId } = c.purchase;
    const known = receipts.get(transactionId);
    receipts.set(transactionId, known ? mergeReceipt(known, c) : c);
  }
  return receipts;
}

function chargeIdsOf({ parsed }: ParsedUpdate): readonly string[] {
  return parsed.flatMap((c) => (isChargeCommand(c) ? [c.purchase.transactionId] : []));
}

function completeFromReceipts<C extends LineCommand>(receipts: ReadonlyMap<string, ChargeCommand>, c: C): C {
  const receipt = isChargeCommand(c) ? receipts.get(c.purchase.transactionId) : undefined;
  return isChargeCommand(c) && receipt ? mergeReceipt(c, receipt) : c;
}

/** Returns the same object if the receipt adds nothing. */
function mergeReceipt<C extends ChargeCommand>(message: C, receipt: ChargeCommand): C {
  const { offeringId, placementId } = message.purchase;
  const hasOffering = offeringId === null && receipt.purchase.offeringId !== null;
  const hasPrice = completesMoney(receipt.money, message.money);
  if (!hasOffering && !hasPrice) return message;
  const purchase = {
    ...message.purchase,
    offeringId: offeringId ?? receipt.purchase.offeringId,
    placementId: placementId ?? receipt.purchase.placementId,
  };
  return { ...message, purchase, money: hasPrice ? receipt.money : message.money };
}

/** Ends of a charge: the original one, the latest of all sources, and the latest of store messages alone. */
type PeriodEnds = { readonly first: string; readonly latest: string; readonly latestInMessages: string };
type ChargeEnds = ReadonlyMap<string, PeriodEnds>;

/** Store API responses are skipped: their end may include days of grace. */
function chargeEndsOf(updates: readonly ParsedUpdate[]): ChargeEnds {
  const ends = new Map<string, PeriodEnds>();
  for (const update of updates.filter((one) => !isStoreResponse(one)))
    for (const { purchase, expiresAt } of periodsIn(update)) {
      const known = ends.get(purchase.transactionId) ?? { first: expiresAt, latest: '', latestInMessages: '' };
      ends.set(purchase.transactionId, {
        first: earliest(known.first, expiresAt),
        latest: latest(known.latest, expiresAt),
        latestInMessages: isReceipt(update) ? known.latestInMessages : latest(known.latestInMessages, expiresAt),
      });
    }
  return ends;
}

function withOriginalEnd<C extends ChargeCommand>(c: C, ends: ChargeEnds): C {
  const end = c.kind === 'recordPeriod' ? ends.get(c.purchase.transactionId)?.first : undefined;
  return end === undefined || end === c.expiresAt ? c : { ...c, expiresAt: end };
}

/** Returns the extension that follows the charge if the message contains a later end than the original one. */
function extensionFromMessage(received: ChargeCommand, charge: ChargeCommand): readonly ChargeCommand[] {
  return received.expiresAt === charge.expiresAt ? [] : [received];
}

/** Returns an extension if the receipt contains a later end than any message. It takes effect when the store signed the receipt. */
function extensionFromReceipt(update: ParsedUpdate, ends: ChargeEnds): readonly ParsedUpdate[] {
  if (!isReceipt(update) || isStoreResponse(update)) return [];
  return periodsIn(update).flatMap((c) => {
    const { first = c.expiresAt, latestInMessages = '' } = ends.get(c.purchase.transactionId) ?? {};
    if (c.expiresAt <= first || c.expiresAt <= latestInMessages) return [];
    const signedAt = c.signedAt ?? c.purchasedAt;
    return [{ orderedAt: signedAt, commands: update.commands, parsed: [{ ...c, signedAt }] }];
  });
}

/** Returns true if the receipt contains an earlier or a later end of its charge than the other updates. */
function movesEnd(receipt: ParsedUpdate, others: readonly ParsedUpdate[]): boolean {
  if (isStoreResponse(receipt)) return false;
  const ends = chargeEndsOf(others);
  return periodsIn(receipt).some(({ purchase, expiresAt }) => {
    const known = ends.get(purchase.transactionId);
    return known !== undefined && (expiresAt < known.first || expiresAt > known.latest);
  });
}

function periodsIn({ parsed }: ParsedUpdate): readonly RecordPeriod[] {
  return parsed.filter((c) => c.kind === 'recordPeriod');
}
