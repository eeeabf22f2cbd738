// Sorts the updates of a purchase line by the store's time, including receipts sent by devices.
import type { KeptUpdate } from '../../envelope.js';
import { latest } from '../../time.js';
import type { CorrectPrice, PassDeadline, StoreUpdate } from '../decide/commands.js';
import type { RecordOneTimePurchase, RecordPeriod, RecordReplacement, StoreCommand } from '../decide/store-commands.js';

/** Command that is decided on a purchase line. */
export type LineCommand = StoreCommand | PassDeadline | CorrectPrice;
/** Retained update with its commands parsed. */
export type Sorted = KeptUpdate & {
  readonly parsed: readonly LineCommand[];
  readonly isStoreRead?: true;
  readonly isCharge?: true;
};

export function keep({ saidAt, commands, isStoreRead }: StoreUpdate): Sorted {
  return { saidAt, commands: JSON.stringify(commands), parsed: commands, ...(isStoreRead && { isStoreRead }) };
}

export function parse(update: KeptUpdate): Sorted {
  const commands = JSON.parse(update.commands) as readonly (LineCommand | FormerPassDeadline)[];
  const parsed = commands.map((c) => (c.kind === 'settle' ? { ...c, kind: 'passDeadline' as const } : c));
  return { ...update, parsed };
}

/** Passed deadline in the format of earlier versions. */
type FormerPassDeadline = Omit<PassDeadline, 'kind'> & { readonly kind: 'settle' };

export function isSame(a: KeptUpdate, b: KeptUpdate): boolean {
  return a.saidAt === b.saidAt && a.commands === b.commands;
}

/** Returns true for an update from a device: its transaction has no store time. */
export function isReceipt({ parsed }: Sorted): boolean {
  return parsed.every((c) => 'storeTime' in c && c.storeTime === null);
}

/** Marks a replacement in the JSON text of an update. */
const REPLACEMENT: RecordReplacement['kind'] = 'recordReplacement';

/**
 * Returns true for a single message that is newer than all retained updates and whose charge is newer than all receipts: it sorts last and
 * the others need no parsing. The check is conservative: false only means that the others have to be parsed.
 */
export function isPlainlyNewest(update: Sorted, together: readonly Sorted[], known: readonly KeptUpdate[]): boolean {
  const purchasedAt = chargeOf(update.parsed)?.purchasedAt;
  if (together.length > 1 || purchasedAt === undefined || isReceipt(update)) return false;
  if (known.some(({ saidAt, commands }) => saidAt >= update.saidAt || commands.includes(REPLACEMENT))) return false;
  const receipts = known.filter(({ commands }) => commands.includes('"storeTime":null')).map(parse);
  return receipts.every(({ parsed }) => (chargeOf(parsed)?.purchasedAt ?? '~') < purchasedAt);
}

/**
 * Sorts by the store's time; at equal times by the period in the message, then purchases before intents before ends. A transaction known
 * only from a receipt sorts after every message that still contains an older one as the latest: a late charge begins where the previous
 * period ended.
 */
export function inOrder(updates: readonly Sorted[]): Sorted[] {
  const messages = updates.filter((u) => !isReceipt(u) && !u.parsed.some((c) => LOOKS_BACK.has(c.kind)));
  const purchasedAtById = new Map(
    updates.flatMap(({ parsed }) =>
      parsed.flatMap((c) => (isChargeCommand(c) ? [[c.purchase.transactionId, c.purchasedAt] as const] : [])),
    ),
  );
  const datedMessages = messages.map(({ saidAt, parsed }) => ({
    saidAt,
    purchasedAt: purchasedAtById.get(shownIn(parsed) ?? '') ?? null,
  }));
  const sortTimeOf = (update: Sorted): string => {
    const replacedId = replacedIn(update);
    if (replacedId !== undefined) {
      const since = purchasedAtById.get(replacedId) ?? '';
      const announcing = datedMessages.filter(
        ({ purchasedAt: at }) => at !== null && at > since && at <= update.saidAt,
      );
      return announcing.reduce((at, m) => latest(at, m.saidAt), update.saidAt);
    }
    const ownPurchasedAt =
      (isReceipt(update) && !isRead(update)) || update.isCharge ? chargeOf(update.parsed)?.purchasedAt : undefined;
    if (ownPurchasedAt === undefined) return update.saidAt;
    return datedMessages.reduce(
      (at, m) => (m.purchasedAt !== null && m.purchasedAt < ownPurchasedAt ? latest(at, m.saidAt) : at),
      update.saidAt,
    );
  };
  const sortable = updates.map((update) => ({
    update,
    at: sortTimeOf(update),
    tie: isRead(update) ? '' : tieBreak(update, purchasedAtById.get(shownIn(update.parsed) ?? '')),
  }));
  sortable.sort((a, b) => compare(a.at, b.at) || compare(a.tie, b.tie));
  return sortable.map(({ update }) => update);
}

/** Returns true for a store API response: it is valid as of the time of the request. Responses with equal times keep their order. */
export function isRead({ parsed }: Sorted): boolean {
  return parsed.some((c) => 'readAt' in c);
}

/** Returns the charge that a receipt marks as replaced: the message about the next charge may have been signed slightly later. */
function replacedIn({ parsed }: Sorted): string | undefined {
  const [only, ...others] = parsed;
  return only?.kind === 'recordReplacement' && others.length === 0 ? only.transactionId : undefined;
}

function shownIn(parsed: readonly LineCommand[]): string | undefined {
  const withShown = parsed.find((c) => 'shown' in c && c.shown !== undefined);
  return chargeOf(parsed)?.purchase.transactionId ?? (withShown && 'shown' in withShown ? withShown.shown : undefined);
}

/** Commands whose message contains the transaction concerned, even if a later one exists. */
const LOOKS_BACK: ReadonlySet<LineCommand['kind']> = new Set([
  'recordRefund',
  'recordRefundReversal',
  'recordRefundDeclined',
  'recordRevocation',
  'recordReplacement',
  'recordConsumptionRequest',
  'passDeadline',
  'correctPrice',
]);

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function tieBreak({ parsed, commands }: Sorted, purchasedAt: string | undefined): string {
  const news = parsed.filter((c) => !('inferred' in c && c.inferred)).map((c) => RANKS.get(c.kind) ?? 1);
  return `${purchasedAt ?? ''}|${Math.max(0, ...news)}|${commands}`;
}

const RANKS: ReadonlyMap<LineCommand['kind'], number> = new Map([
  ['recordPeriod', 0],
  ['recordGraceEnd', 2],
  ['recordExpiry', 3],
  ['recordRefund', 4],
  ['recordRevocation', 4],
  ['recordReplacement', 4],
  ['recordRefundReversal', 5],
  ['correctPrice', 6],
]);

/** Purchase reported by a store or a device. */
export type ChargeCommand = RecordPeriod | RecordOneTimePurchase;

export function isChargeCommand(c: LineCommand): c is ChargeCommand {
  return c.kind === 'recordPeriod' || c.kind === 'recordOneTimePurchase';
}

export function chargeOf(commands: readonly LineCommand[]): ChargeCommand | undefined {
  return commands.find(isChargeCommand);
}
