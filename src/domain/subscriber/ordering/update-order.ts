// Sorts the updates of a purchase line by the store's time, including receipts sent by devices.
import type { RetainedUpdate } from '../../envelope.js';
import type { Subscriber } from '../state/state.js';
import { latest } from '../../time.js';
import type { CorrectPrice, PassDeadline, StoreUpdate } from '../decide/commands.js';
import type { RecordOneTimePurchase, RecordPeriod, RecordReplacement, StoreCommand } from '../decide/store-commands.js';

/** Command that is decided on a purchase line. */
export type LineCommand = StoreCommand | PassDeadline | CorrectPrice;
/** Update with its commands parsed. `orderedAt`: its place in the order of updates (ISO 8601 UTC). */
export type ParsedUpdate = Omit<RetainedUpdate, 'saidAt'> & {
  readonly orderedAt: string;
  readonly parsed: readonly LineCommand[];
  readonly isDetachedCharge?: true;
};

export function toParsedUpdate({ orderedAt, commands, importedFrom }: StoreUpdate): ParsedUpdate {
  return { orderedAt, commands: JSON.stringify(commands), parsed: commands, ...(importedFrom && { importedFrom }) };
}

export function parseUpdate(update: RetainedUpdate): ParsedUpdate {
  const commands: readonly (LineCommand | LegacyPassDeadline)[] = JSON.parse(update.commands);
  const parsed = commands.map((c) => (c.kind === 'settle' ? { ...c, kind: 'passDeadline' as const } : c));
  const { saidAt: orderedAt, ...fields } = update;
  return { ...fields, orderedAt, parsed };
}

/** Returns the update in the form in which events retain it. */
export function toRetainedUpdate(update: Omit<ParsedUpdate, 'parsed'>): RetainedUpdate {
  const { orderedAt, commands, importedFrom } = update;
  return { saidAt: orderedAt, commands, ...(importedFrom && { importedFrom }) };
}

/** Passed deadline in the format of earlier versions. */
type LegacyPassDeadline = Omit<PassDeadline, 'kind'> & { readonly kind: 'settle' };

export function isSameUpdate(retained: RetainedUpdate, update: ParsedUpdate): boolean {
  return retained.saidAt === update.orderedAt && retained.commands === update.commands;
}

/** Returns true for an update from a device: its transaction has no store time. */
export function isReceipt({ parsed }: ParsedUpdate): boolean {
  return parsed.every((c) => 'storeTime' in c && c.storeTime === null);
}

/** Marks a replacement in the JSON text of an update. */
const REPLACEMENT: RecordReplacement['kind'] = 'recordReplacement';

/**
 * Returns true for a single message that is newer than all retained updates and whose charge is newer than all receipts: it sorts last and
 * the others need no parsing. The check is conservative: false only means that the others have to be parsed.
 */
export function isCertainlyNewest(
  update: ParsedUpdate,
  together: readonly ParsedUpdate[],
  known: readonly RetainedUpdate[],
): boolean {
  const purchasedAt = chargeOf(update.parsed)?.purchasedAt;
  if (together.length > 1 || purchasedAt === undefined || isReceipt(update)) return false;
  if (known.some(({ saidAt, commands }) => saidAt >= update.orderedAt || commands.includes(REPLACEMENT))) return false;
  const receipts = known.filter(({ commands }) => commands.includes('"storeTime":null')).map(parseUpdate);
  return receipts.every(({ parsed }) => (chargeOf(parsed)?.purchasedAt ?? '~') < purchasedAt);
}

/** Every payload about a replaced charge repeats the replacement: only the earliest counts. */
export function isKnownReplacement({ orderedAt, parsed }: ParsedUpdate, known: readonly ParsedUpdate[]): boolean {
  const [only, ...others] = parsed;
  if (only?.kind !== 'recordReplacement' || others.length > 0) return false;
  const { transactionId } = only;
  const isSameBefore = (c: LineCommand) => c.kind === 'recordReplacement' && c.transactionId === transactionId;
  return known.some((update) => update.orderedAt <= orderedAt && update.parsed.some(isSameBefore));
}

/** Returns true if a new message contains an unknown charge older than the latest known one. */
export function hasOlderCharge(
  storeChainId: string,
  fresh: readonly ParsedUpdate[],
  { transactions }: Subscriber,
): boolean {
  const newCharges = fresh.flatMap(({ parsed }) => {
    const charges = parsed.filter((one) => one.kind === 'recordPeriod');
    return charges.filter(({ purchase }) => !transactions.has(purchase.transactionId)).map((one) => one.purchasedAt);
  });
  if (newCharges.length === 0) return false;
  const known = [...transactions.values()].filter((t) => t.purchase.storeChainId === storeChainId);
  return known.some((t) => newCharges.some((at) => at < t.purchasedAt));
}

/**
 * Sorts by the store's time; at equal times by the period in the message, then purchases before intents before ends. A transaction known
 * only from a receipt sorts after every message that still contains an older one as the latest: a late charge begins where the previous
 * period ended.
 */
export function sortByStoreTime(updates: readonly ParsedUpdate[]): ParsedUpdate[] {
  const messages = updates.filter((u) => !isReceipt(u) && !u.parsed.some((c) => RETROSPECTIVE_KINDS.has(c.kind)));
  const purchasedAtById = new Map(
    updates.flatMap(({ parsed }) =>
      parsed.flatMap((c) => (isChargeCommand(c) ? [[c.purchase.transactionId, c.purchasedAt] as const] : [])),
    ),
  );
  const datedMessages = messages.map(({ orderedAt, parsed }) => ({
    orderedAt,
    purchasedAt: purchasedAtById.get(shownTransactionId(parsed) ?? '') ?? null,
  }));
  const sortTimeOf = (update: ParsedUpdate): string => {
    const replacedId = replacedTransactionId(update);
    if (replacedId !== undefined) {
      const since = purchasedAtById.get(replacedId) ?? '';
      const announcing = datedMessages.filter(
        ({ purchasedAt: at }) => at !== null && at > since && at <= update.orderedAt,
      );
      return announcing.reduce((at, m) => latest(at, m.orderedAt), update.orderedAt);
    }
    const ownPurchasedAt =
      (isReceipt(update) && !isStoreResponse(update)) || update.isDetachedCharge
        ? chargeOf(update.parsed)?.purchasedAt
        : undefined;
    if (ownPurchasedAt === undefined) return update.orderedAt;
    return datedMessages.reduce(
      (at, m) => (m.purchasedAt !== null && m.purchasedAt < ownPurchasedAt ? latest(at, m.orderedAt) : at),
      update.orderedAt,
    );
  };
  const sortable = updates.map((update) => ({
    update,
    at: sortTimeOf(update),
    tie: isStoreResponse(update)
      ? ''
      : tieBreakerOf(update, purchasedAtById.get(shownTransactionId(update.parsed) ?? '')),
  }));
  sortable.sort((a, b) => compareText(a.at, b.at) || compareText(a.tie, b.tie));
  return sortable.map(({ update }) => update);
}

/** Returns true for a store API response: it is valid as of the time of the request. Responses with equal times keep their order. */
export function isStoreResponse({ parsed }: ParsedUpdate): boolean {
  return parsed.some((c) => 'readAt' in c);
}

/** Returns the charge that a receipt marks as replaced: the message about the next charge may have been signed slightly later. */
function replacedTransactionId({ parsed }: ParsedUpdate): string | undefined {
  const [only, ...others] = parsed;
  return only?.kind === 'recordReplacement' && others.length === 0 ? only.transactionId : undefined;
}

function shownTransactionId(parsed: readonly LineCommand[]): string | undefined {
  const withShown = parsed.find((c) => 'shown' in c && c.shown !== undefined);
  return chargeOf(parsed)?.purchase.transactionId ?? (withShown && 'shown' in withShown ? withShown.shown : undefined);
}

/** Commands whose message contains the transaction concerned, even if a later one exists. */
const RETROSPECTIVE_KINDS: ReadonlySet<LineCommand['kind']> = new Set([
  'recordRefund',
  'recordRefundReversal',
  'recordRefundDeclined',
  'recordRevocation',
  'recordReplacement',
  'recordConsumptionRequest',
  'passDeadline',
  'correctPrice',
]);

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function tieBreakerOf({ parsed, commands }: ParsedUpdate, purchasedAt: string | undefined): string {
  const news = parsed.filter((c) => !('inferred' in c && c.inferred)).map((c) => RANK_BY_KIND.get(c.kind) ?? 1);
  return `${purchasedAt ?? ''}|${Math.max(0, ...news)}|${commands}`;
}

const RANK_BY_KIND: ReadonlyMap<LineCommand['kind'], number> = new Map([
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
