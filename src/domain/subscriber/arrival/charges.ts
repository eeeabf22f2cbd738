// One charge as several messages and devices show it: the message that announces it has its place, what else is known completes it.
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

/** A message about a charge that only a device had shown so far: its place is that of the message. */
export function isAboutReceipts(fresh: readonly Sorted[], known: readonly Sorted[]): boolean {
  const shown = receiptsOf(known);
  return fresh.some((update) => !isReceipt(update) && !isRead(update) && chargesOf(update).some((id) => shown.has(id)));
}

/**
 * The device knows on which offering the customer bought, and what was asked; a message that came first does not. It may also hold the
 * charge as it was before its end moved, or after.
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
 * Each charge stands in the message that announces it, completed by what a device showed. One that was shown before that, beside other
 * news or by a device, has a place of its own. A store only ever moves an end ahead: the charge has the first end that was shown, and what
 * shows a later one extends it.
 */
export function withCharges(updates: readonly Sorted[]): readonly Sorted[] {
  const receipts = receiptsOf(updates);
  const ends = endsOf(updates);
  const firstIn = new Map<string, Sorted>();
  for (const update of updates)
    if (!isReceipt(update)) for (const id of chargesOf(update)) if (!firstIn.has(id)) firstIn.set(id, update);
  const apart = new Map<string, ChargeCommand>();
  const others = updates.map((update) => {
    if (isRead(update)) return { ...update, parsed: update.parsed.map((c) => completedBy(receipts, c)) };
    const parsed = update.parsed.flatMap((c): readonly LineCommand[] => {
      if (!isChargeCommand(c)) return [c];
      const { transactionId } = c.purchase;
      const first = firstIn.get(transactionId);
      const charge = withFirstEnd(first ? completedBy(receipts, c) : (receipts.get(transactionId) ?? c), ends);
      const isAnnounced = first !== undefined && announces(first);
      if (!isAnnounced && (!first || update === first)) apart.set(transactionId, charge);
      if (isReceipt(update)) return [];
      return update === first && charge !== c ? [charge, ...extensionIn(c, charge)] : [c];
    });
    return { ...update, parsed };
  });
  const charges = [...apart.values()].map((c): Sorted => {
    return { saidAt: c.purchasedAt, commands: '', parsed: [c], isCharge: true };
  });
  const extensions = updates.flatMap((update) => extensionShownBy(update, ends));
  const added = [...charges, ...extensions];
  return added.length === 0 ? others : inOrder([...others, ...added]);
}

/** A message whose news is the charge itself. */
function announces(update: Sorted): boolean {
  const charge = chargeOf(update.parsed);
  return !isReceipt(update) && (isRead(update) || (charge?.kind === 'recordPeriod' && !charge.inferred));
}

/** What devices show of each charge, together. */
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

/** The same command where the receipt adds nothing. */
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

/** The end of a charge as it was made, and the furthest that is shown, by anything and by messages alone. */
type Ends = ReadonlyMap<string, { readonly first: string; readonly furthest: string; readonly ofMessages: string }>;

/** A response to a question shows an end that may include days of grace; such a one is not compared. */
function endsOf(updates: readonly Sorted[]): Ends {
  const ends = new Map<string, { readonly first: string; readonly furthest: string; readonly ofMessages: string }>();
  for (const update of updates.filter((one) => !isRead(one)))
    for (const { purchase, expiresAt } of periodsIn(update)) {
      const known = ends.get(purchase.transactionId) ?? { first: expiresAt, furthest: '', ofMessages: '' };
      ends.set(purchase.transactionId, {
        first: earliest(known.first, expiresAt),
        furthest: latest(known.furthest, expiresAt),
        ofMessages: isReceipt(update) ? known.ofMessages : latest(known.ofMessages, expiresAt),
      });
    }
  return ends;
}

function withFirstEnd<C extends ChargeCommand>(c: C, ends: Ends): C {
  const end = c.kind === 'recordPeriod' ? ends.get(c.purchase.transactionId)?.first : undefined;
  return end === undefined || end === c.expiresAt ? c : { ...c, expiresAt: end };
}

/** The message shows the charge with a later end than it had at first: after the charge it is news of the end. */
function extensionIn(shown: ChargeCommand, charge: ChargeCommand): readonly ChargeCommand[] {
  return shown.expiresAt === charge.expiresAt ? [] : [shown];
}

/** A device shows a later end than any message does: it counts from when the store signed it. */
function extensionShownBy(update: Sorted, ends: Ends): readonly Sorted[] {
  if (!isReceipt(update) || isRead(update)) return [];
  return periodsIn(update).flatMap((c) => {
    const { first = c.expiresAt, ofMessages = '' } = ends.get(c.purchase.transactionId) ?? {};
    if (c.expiresAt <= first || c.expiresAt <= ofMessages) return [];
    const signedAt = c.signedAt ?? c.purchasedAt;
    return [{ saidAt: signedAt, commands: update.commands, parsed: [{ ...c, signedAt }] }];
  });
}

/** Whether the receipt shows an earlier end of its charge than the others, or a later one. */
function movesEnd(receipt: Sorted, others: readonly Sorted[]): boolean {
  if (isRead(receipt)) return false;
  const ends = endsOf(others);
  return periodsIn(receipt).some(({ purchase, expiresAt }) => {
    const known = ends.get(purchase.transactionId);
    return known !== undefined && (expiresAt < known.first || expiresAt > known.furthest);
  });
}

function periodsIn({ parsed }: Sorted): readonly RecordPeriod[] {
  return parsed.filter((c) => c.kind === 'recordPeriod');
}
