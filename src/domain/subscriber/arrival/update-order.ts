// The order in which a store made its updates about a purchase line, and what devices add to them.
import type { KeptUpdate } from '../../envelope.js';
import { latest } from '../../time.js';
import type { CorrectPrice, PassDeadline, StoreUpdate } from '../decide/commands.js';
import type { RecordPeriod, StoreCommand } from '../decide/store-commands.js';

/** What is decided on a purchase line. */
export type LineCommand = StoreCommand | PassDeadline | CorrectPrice;
/** An update with its commands read. */
export type Sorted = KeptUpdate & {
  readonly parsed: readonly LineCommand[];
  readonly isStoreRead?: true;
  readonly isCharge?: true;
};

export function keep({ saidAt, commands, isStoreRead }: StoreUpdate): Sorted {
  return { saidAt, commands: JSON.stringify(commands), parsed: commands, ...(isStoreRead && { isStoreRead }) };
}

export function parse(update: KeptUpdate): Sorted {
  return { ...update, parsed: JSON.parse(update.commands) as readonly LineCommand[] };
}

export function isSame(a: KeptUpdate, b: KeptUpdate): boolean {
  return a.saidAt === b.saidAt && a.commands === b.commands;
}

/** What a device shows: a transaction without the store's time. */
export function isReceipt({ parsed }: Sorted): boolean {
  return parsed.every((c) => 'storeTime' in c && c.storeTime === null);
}

/**
 * A single message newer than all that is kept, about a charge newer than all that devices showed: it comes last, without reading the
 * others. The check is cautious: false only means that they have to be read.
 */
export function isPlainlyNewest(update: Sorted, together: readonly Sorted[], known: readonly KeptUpdate[]): boolean {
  const begun = periodOf(update.parsed)?.purchasedAt;
  if (together.length > 1 || begun === undefined || isReceipt(update)) return false;
  if (known.some(({ saidAt }) => saidAt >= update.saidAt)) return false;
  const receipts = known.filter(({ commands }) => commands.includes('"storeTime":null')).map(parse);
  return receipts.every(({ parsed }) => (periodOf(parsed)?.purchasedAt ?? '~') < begun);
}

/**
 * By the store's time; of one instant, by the period that was shown, then purchases before intentions before ends. A transaction that only
 * a device showed comes behind every message that still shows an older one as the latest: a charge that was late begins where the former
 * period ended.
 */
export function inOrder(updates: readonly Sorted[]): Sorted[] {
  const messages = updates.filter((u) => !isReceipt(u) && !u.parsed.some((c) => LOOKS_BACK.has(c.kind)));
  const begun = new Map(
    updates.flatMap(({ parsed }) =>
      parsed.flatMap((c) => (c.kind === 'recordPeriod' ? [[c.purchase.transactionId, c.purchasedAt] as const] : [])),
    ),
  );
  const shown = messages.map(({ saidAt, parsed }) => ({ saidAt, begun: begun.get(shownIn(parsed) ?? '') ?? null }));
  const placeOf = (update: Sorted): string => {
    const own =
      (isReceipt(update) && !isRead(update)) || update.isCharge ? periodOf(update.parsed)?.purchasedAt : undefined;
    if (own === undefined) return update.saidAt;
    return shown.reduce((at, m) => (m.begun !== null && m.begun < own ? latest(at, m.saidAt) : at), update.saidAt);
  };
  const placed = updates.map((update) => ({
    update,
    at: placeOf(update),
    tie: isRead(update) ? '' : tieBreak(update, begun.get(shownIn(update.parsed) ?? '')),
  }));
  placed.sort((a, b) => compare(a.at, b.at) || compare(a.tie, b.tie));
  return placed.map(({ update }) => update);
}

/** A response holds as of the instant at which it was read, whoever asked; those of one instant stay in the order in which they were read. */
function isRead({ parsed }: Sorted): boolean {
  return parsed.some((c) => 'readAt' in c);
}

function shownIn(parsed: readonly LineCommand[]): string | undefined {
  const withShown = parsed.find((c) => 'shown' in c && c.shown !== undefined);
  return periodOf(parsed)?.purchase.transactionId ?? (withShown && 'shown' in withShown ? withShown.shown : undefined);
}

/** These show the transaction that they are about, whatever came after it. */
const LOOKS_BACK: ReadonlySet<LineCommand['kind']> = new Set([
  'recordRefund',
  'recordRefundReversal',
  'recordRefundDeclined',
  'recordRevocation',
  'recordConsumptionRequest',
  'settle',
  'correctPrice',
]);

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function tieBreak({ parsed, commands }: Sorted, begun: string | undefined): string {
  const news = parsed.filter((c) => !('inferred' in c && c.inferred)).map((c) => RANKS.get(c.kind) ?? 1);
  return `${begun ?? ''}|${Math.max(0, ...news)}|${commands}`;
}

const RANKS: ReadonlyMap<LineCommand['kind'], number> = new Map([
  ['recordPeriod', 0],
  ['recordGraceEnd', 2],
  ['recordExpiry', 3],
  ['recordRefund', 4],
  ['recordRevocation', 4],
  ['recordRefundReversal', 5],
  ['correctPrice', 6],
]);

function periodOf(commands: readonly LineCommand[]): RecordPeriod | undefined {
  return commands.find((c) => c.kind === 'recordPeriod');
}

/** A message about a charge that only a device had shown so far: its place is that of the message. */
export function isAboutReceipts(fresh: readonly Sorted[], known: readonly Sorted[]): boolean {
  const shown = receiptsOf(known);
  return fresh.some((update) => !isReceipt(update) && !isRead(update) && periodsOf(update).some((id) => shown.has(id)));
}

/** The device knows on which offering the customer bought, and what was asked; a message that came first does not. */
export function addsToMessage(receipt: Sorted, known: readonly Sorted[]): boolean {
  const period = periodOf(receipt.parsed);
  if (!period) return false;
  const periods = known.flatMap(({ parsed }) => parsed.filter((c) => c.kind === 'recordPeriod'));
  const same = periods.filter(({ purchase }) => purchase.transactionId === period.purchase.transactionId);
  return same.length > 0 && same.every((other) => completed(other, period) !== other);
}

/**
 * Each charge stands in the message that announces it, completed by what a device showed. One that was shown before that, beside other
 * news or by a device, has a place of its own.
 */
export function withCharges(updates: readonly Sorted[]): readonly Sorted[] {
  const receipts = receiptsOf(updates);
  const firstIn = new Map<string, Sorted>();
  for (const update of updates)
    if (!isReceipt(update)) for (const id of periodsOf(update)) if (!firstIn.has(id)) firstIn.set(id, update);
  const apart = new Map<string, RecordPeriod>();
  const others = updates.map((update) => {
    if (isRead(update)) return { ...update, parsed: update.parsed.map((c) => completedBy(receipts, c)) };
    const parsed = update.parsed.flatMap((c): LineCommand[] => {
      if (c.kind !== 'recordPeriod') return [c];
      const { transactionId } = c.purchase;
      const first = firstIn.get(transactionId);
      const receipt = receipts.get(transactionId);
      const charge = receipt && first ? completed(c, receipt) : c;
      const isAnnounced = first !== undefined && announces(first);
      if (!isAnnounced && (!first || update === first)) apart.set(transactionId, charge);
      return isReceipt(update) ? [] : [update === first ? charge : c];
    });
    return { ...update, parsed };
  });
  const charges = [...apart.values()].map((c): Sorted => {
    return { saidAt: c.purchasedAt, commands: '', parsed: [c], isCharge: true };
  });
  return charges.length === 0 ? others : inOrder([...others, ...charges]);
}

/** A message whose news is the charge itself. */
function announces(update: Sorted): boolean {
  return !isReceipt(update) && (isRead(update) || periodOf(update.parsed)?.inferred === false);
}

function receiptsOf(updates: readonly Sorted[]): ReadonlyMap<string, RecordPeriod> {
  const periods = updates.filter(isReceipt).flatMap(({ parsed }) => parsed.filter((c) => c.kind === 'recordPeriod'));
  return new Map(periods.map((c) => [c.purchase.transactionId, c]));
}

function periodsOf({ parsed }: Sorted): readonly string[] {
  return parsed.flatMap((c) => (c.kind === 'recordPeriod' ? [c.purchase.transactionId] : []));
}

function completedBy(receipts: ReadonlyMap<string, RecordPeriod>, c: LineCommand): LineCommand {
  const receipt = c.kind === 'recordPeriod' ? receipts.get(c.purchase.transactionId) : undefined;
  return c.kind === 'recordPeriod' && receipt ? completed(c, receipt) : c;
}

/** The same command where the receipt adds nothing. */
function completed(message: RecordPeriod, receipt: RecordPeriod): RecordPeriod {
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
