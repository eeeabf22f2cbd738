// Merges what several store messages and device receipts contain about one charge. The message that announces a charge sets its place
// in the order; the other sources complete it.
import { earliest, latest } from '../../time.js';
import type { RecordPeriod } from '../decide/store-commands.js';
import {
  chargeOf,
  inOrder,
  isChargeCommand,
  isRead,
  isReceipt,
  type ChargeCommand,
  type LineCommand,
  type Sorted,
} from './update-order.js';

/** Returns true if a new message is about a charge known only from a receipt: the charge moves to the place of the message. */
export function isAboutReceipts(fresh: readonly Sorted[], known: readonly Sorted[]): boolean {
  const receipts = receiptsOf(known);
  return fresh.some(
    (update) => !isReceipt(update) && !isRead(update) && chargesOf(update).some((id) => receipts.has(id)),
  );
}

/**
 * Returns true if the receipt adds to a charge that is already known. A receipt contains the offering and the price that was shown to the
 * customer, which store messages lack. It may also contain an earlier or a later end of the period.
 */
export function addsToMessage(receipt: Sorted, known: readonly Sorted[]): boolean {
  const charge = chargeOf(receipt.parsed);
  if (!charge) return false;
  const others = known.filter((update) => update !== receipt);
  const { transactionId } = charge.purchase;
  const charges = others.flatMap(({ parsed }) => parsed.filter(isChargeCommand));
  const same = charges.filter(({ purchase }) => purchase.transactionId === transactionId);
  if (same.length === 0) return false;
  return same.every((other) => completed(other, charge) !== other) || movesEnd(receipt, others);
}

/**
 * Places each charge in the message that announces it and completes it from receipts. A charge that appeared earlier, in a message about
 * something else or in a receipt, becomes an update of its own. A store only moves an end to a later time: the charge keeps the earliest
 * end of all sources, and every source with a later end extends it.
 */
export function withCharges(updates: readonly Sorted[]): readonly Sorted[] {
  const receipts = receiptsOf(updates);
  const ends = endsOf(updates);
  const firstIn = new Map<string, Sorted>();
  for (const update of updates)
    if (!isReceipt(update)) for (const id of chargesOf(update)) if (!firstIn.has(id)) firstIn.set(id, update);
  const detached = new Map<string, ChargeCommand>();
  const others = updates.map((update) => {
    if (isRead(update)) return { ...update, parsed: update.parsed.map((c) => completedBy(receipts, c)) };
    const parsed = update.parsed.flatMap((c): readonly LineCommand[] => {
      if (!isChargeCommand(c)) return [c];
      const { transactionId } = c.purchase;
      const first = firstIn.get(transactionId);
      const charge = withFirstEnd(first ? completedBy(receipts, c) : (receipts.get(transactionId) ?? c), ends);
      const isAnnounced = first !== undefined && announces(first);
      if (!isAnnounced && (!first || update === first)) detached.set(transactionId, charge);
      if (isReceipt(update)) return [];
      return update === first && charge !== c ? [charge, ...extensionIn(c, charge)] : [c];
    });
    return { ...update, parsed };
  });
  const charges = [...detached.values()].map((c): Sorted => {
    return { saidAt: c.purchasedAt, commands: '', parsed: [c], isCharge: true };
  });
  const extensions = updates.flatMap((update) => extensionShownBy(update, ends));
  const added = [...charges, ...extensions];
  return added.length === 0 ? others : inOrder([...others, ...added]);
}

/** Returns true for a message whose subject is the charge itself. */
function announces(update: Sorted): boolean {
  const charge = chargeOf(update.parsed);
  return !isReceipt(update) && (isRead(update) || (charge?.kind === 'recordPeriod' && !charge.inferred));
}

/** Merges all receipts per charge, by transaction id. */
function receiptsOf(updates: readonly Sorted[]): ReadonlyMap<string, ChargeCommand> {
  const receipts = new Map<string, ChargeCommand>();
  for (const c of updates.filter(isReceipt).flatMap(({ parsed }) => parsed.filter(isChargeCommand))) {
    const { transactionId } = c.purchase;
    const known = receipts.get(transactionId);
    receipts.set(transactionId, known ? completed(known, c) : c);
  }
  return receipts;
}

function chargesOf({ parsed }: Sorted): readonly string[] {
  return parsed.flatMap((c) => (isChargeCommand(c) ? [c.purchase.transactionId] : []));
}

function completedBy<C extends LineCommand>(receipts: ReadonlyMap<string, ChargeCommand>, c: C): C {
  const receipt = isChargeCommand(c) ? receipts.get(c.purchase.transactionId) : undefined;
  return isChargeCommand(c) && receipt ? completed(c, receipt) : c;
}

/** Returns the same object if the receipt adds nothing. */
function completed<C extends ChargeCommand>(message: C, receipt: ChargeCommand): C {
  const { offeringId, placementId } = message.purchase;
  const hasOffering = offeringId === null && receipt.purchase.offeringId !== null;
  const hasPrice = message.money.amountMicros === null && receipt.money.amountMicros !== null;
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
type Ends = ReadonlyMap<string, PeriodEnds>;

/** Store API responses are skipped: their end may include days of grace. */
function endsOf(updates: readonly Sorted[]): Ends {
  const ends = new Map<string, PeriodEnds>();
  for (const update of updates.filter((one) => !isRead(one)))
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

function withFirstEnd<C extends ChargeCommand>(c: C, ends: Ends): C {
  const end = c.kind === 'recordPeriod' ? ends.get(c.purchase.transactionId)?.first : undefined;
  return end === undefined || end === c.expiresAt ? c : { ...c, expiresAt: end };
}

/** Returns the extension that follows the charge if the message contains a later end than the original one. */
function extensionIn(received: ChargeCommand, charge: ChargeCommand): readonly ChargeCommand[] {
  return received.expiresAt === charge.expiresAt ? [] : [received];
}

/** Returns an extension if the receipt contains a later end than any message. It takes effect when the store signed the receipt. */
function extensionShownBy(update: Sorted, ends: Ends): readonly Sorted[] {
  if (!isReceipt(update) || isRead(update)) return [];
  return periodsIn(update).flatMap((c) => {
    const { first = c.expiresAt, latestInMessages = '' } = ends.get(c.purchase.transactionId) ?? {};
    if (c.expiresAt <= first || c.expiresAt <= latestInMessages) return [];
    const signedAt = c.signedAt ?? c.purchasedAt;
    return [{ saidAt: signedAt, commands: update.commands, parsed: [{ ...c, signedAt }] }];
  });
}

/** Returns true if the receipt contains an earlier or a later end of its charge than the other updates. */
function movesEnd(receipt: Sorted, others: readonly Sorted[]): boolean {
  if (isRead(receipt)) return false;
  const ends = endsOf(others);
  return periodsIn(receipt).some(({ purchase, expiresAt }) => {
    const known = ends.get(purchase.transactionId);
    return known !== undefined && (expiresAt < known.first || expiresAt > known.latest);
  });
}

function periodsIn({ parsed }: Sorted): readonly RecordPeriod[] {
  return parsed.filter((c) => c.kind === 'recordPeriod');
}
